"""A bot that is submitted as a zip file: its files, with nothing believed that the zip says of itself."""

import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.contest.intake import CHUNK_BYTES, MAX_TOTAL_BYTES, Item, check_path, is_source, named
from arena.errors import UserError
from arena.seat.content import is_left_out
from arena.seat.manifest import FILE_NAME
from arena.seat.yaml_model import suggestion

_MAX_READ_BYTES = 4 << 20
"""The list of the files is read at once: room for 30,000 of them, and not for millions."""
_MAX_LINK_BYTES = 1000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What the others unpack to needs memory as the zip says, not as we say."""
_DAMAGES = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, OverflowError)
"""What the library raises; NotImplementedError, for what it cannot unpack, is a RuntimeError."""
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_MAC_FOLDER = "__MACOSX"
"""Lies beside the one folder that the file was made of."""
_UTF_8 = 0x800
_UNIX = 3


class _SmallReads(io.BufferedReader):
    """Gives no more bytes at once than an honest file needs."""

    def read(self, size: int | None = -1, /) -> bytes:
        """As a file. Raises UserError."""
        left = os.fstat(self.fileno()).st_size - self.tell()
        if (left if size is None or size < 0 else min(size, left)) > _MAX_READ_BYTES:
            raise UserError("its list of files is too large")
        return super().read(size)


def iter_zip(path: Path) -> Iterator[Item]:
    """Every file and link in a zip file, as from a folder; when all lies in one folder with a manifest, from that folder on.

    Raises UserError for a zip that is damaged, encrypted, too large or made in a way that we do not read.
    """
    try:
        file = _SmallReads(io.FileIO(path))
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror or error}") from error
    with file:
        if path.stat().st_size > MAX_TOTAL_BYTES:
            raise UserError(f"it has more than {MAX_TOTAL_BYTES >> 20} MiB; leave out what the bot does not need")
        with _refusing_damage(), zipfile.ZipFile(file) as archive:
            infos = [(_path(info), info) for info in archive.infolist()]
            named_paths = [(check_path(text), info) for text, info in infos if not text.endswith("/")]
            named_paths = [(parts, info) for parts, info in named_paths if parts[0] != _MAC_FOLDER]
            skipped = _skipped([parts for parts, _ in named_paths])
            for parts, info in named_paths:
                if len(parts) > skipped and is_source(parts[skipped:]):
                    yield _item(archive, info, "/".join(parts[skipped:]))


def _path(info: zipfile.ZipInfo) -> str:
    """The name of an entry. Zip files without a mark for UTF-8 were read as if they had the code page of DOS."""
    name = info.orig_filename
    if info.flag_bits & _UTF_8 or name.isascii():
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        raise UserError(f"{named(name)}: the name is not valid UTF-8; rename it") from None


def _skipped(paths: Sequence[tuple[str, ...]]) -> int:
    """How many folders the bot lies deep in a zip: 0 or 1. Raises UserError when there is no manifest."""
    paths = [parts for parts in paths if not is_left_out(parts[-1], is_folder=False)]
    if (FILE_NAME,) in paths:
        return 0
    tops = {parts[0] for parts in paths}
    if len(tops) == 1 and (*tops, FILE_NAME) in paths:
        return 1
    near = suggestion(FILE_NAME, [parts[-1] for parts in paths if len(parts) <= 2])
    raise UserError(f"there is no {FILE_NAME} at its top, nor in the one folder that is all of it{near}")


def _item(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> Item:
    if info.flag_bits & _ENCRYPTED:
        raise UserError(f"{named(path)}: is encrypted; make the zip without a password")
    if info.compress_type not in _METHODS:
        raise UserError(
            f"{named(path)}: is packed in a way that is not read here; make the zip with the usual method (deflate)"
        )
    mode = info.external_attr >> 16 if info.create_system == _UNIX else 0
    chunks = _iter_chunks(archive, info)
    if stat.S_ISLNK(mode):
        return Item(path=path, link=_link(chunks))
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise UserError(f"{named(path)}: is neither a file nor a folder; remove it")
    return Item(path=path, is_executable=bool(mode & stat.S_IXUSR), chunks=chunks)


def _link(chunks: Iterator[bytes]) -> str:
    text = b""
    for chunk in chunks:
        text += chunk
        if len(text) > _MAX_LINK_BYTES:
            break
    return text[:_MAX_LINK_BYTES].decode("utf-8", "replace")


def _iter_chunks(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    with _refusing_damage(), archive.open(info) as file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


@contextmanager
def _refusing_damage() -> Iterator[None]:
    """What the library raises for a file that is no zip, or a zip that lies."""
    try:
        yield
    except UnicodeDecodeError:
        raise UserError("a name in it is not valid UTF-8; rename the file") from None
    except _DAMAGES as error:
        raise UserError(f"it is no zip file, or a damaged one: {named(str(error))}") from error
