"""A bot's source as one piece of bytes, for another machine; equal folders give equal bytes.

What goes in is what `content_hash` looks at, so that a folder that came out has the hash of the one that went in.
"""

import gzip
import io
import os
import stat
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from arena.errors import HostError, UserError
from arena.seat.content import is_left_out
from arena.seat.yaml_file import printable

MAX_BYTES = 512 << 20
"""Of all files of a bot together: they lie in memory."""
_PROGRAM, _FILE, _FOLDER = 0o755, 0o644, 0o755
_DAMAGES = (tarfile.TarError, zlib.error, EOFError, ValueError)
"""What the library raises for bytes that are no archive, besides OSError."""


def pack_folder(folder: Path) -> bytes:
    """The source of the bot in a folder, without what is made from it; from a bot's author.

    Raises UserError for more than MAX_BYTES, for what cannot be read and for a link that leads out of the folder, where another
    machine has something else.
    """
    shown = printable(str(folder))
    packed, total = io.BytesIO(), 0
    try:
        with (
            gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=0) as zipped,
            tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for name in sorted(_iter_names(folder)):
                path = folder / name
                info = _header(path, name)
                if info is None:
                    continue
                if info.issym() and not _stays_inside(folder, name, info.linkname):
                    raise UserError(
                        f"{shown}: {printable(name)} is a link to {printable(info.linkname)}, which leads out of the folder "
                        "and is not on other machines; put a copy there"
                    )
                total += info.size
                if total > MAX_BYTES:
                    raise UserError(f"{shown}: has more than {MAX_BYTES >> 20} MiB, too much to be sent to other machines")
                if info.isreg():
                    with path.open("rb") as file:
                        archive.addfile(info, file)
                else:
                    archive.addfile(info)
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror or error}") from error
    return packed.getvalue()


def unpack_folder(packed: bytes, target: Path) -> None:
    """Write what `pack_folder` made into the new folder `target`, for every user of this machine to read.

    Nothing is written outside of it, whatever the bytes say. Raises HostError when they are damaged or cannot be written; what
    is there by then is the caller's to remove.
    """
    try:
        target.mkdir()
        target.chmod(_FOLDER)
        links: list[tuple[str, str]] = []
        total = 0
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as archive:
            for info in archive:
                if not _is_inside(info.name):
                    raise HostError(f"an archive has a file outside of its folder: {printable(info.name)}")
                total += info.size
                if total > MAX_BYTES:
                    raise HostError(f"an archive has more than {MAX_BYTES >> 20} MiB")
                if info.issym():
                    links.append((info.name, info.linkname))
                elif info.isreg():
                    _write(archive, info, target)
                else:
                    raise HostError(f"an archive has something that is no file: {printable(info.name)}")
        # When all files are there, so that none is written through a link.
        for name, link in links:
            if not _stays_inside(target, name, link):
                raise HostError(f"an archive has a link out of its folder: {printable(name)}")
            _parent(target, name)
            (target / name).symlink_to(link)
    except _DAMAGES as error:
        raise HostError(f"an archive is damaged: {error}") from error
    except OSError as error:
        raise HostError(f"{target} cannot be written: {error.strerror or error}") from error


def _iter_names(folder: Path) -> Iterator[str]:
    """Every file and link of the source, as a path from the folder."""
    for place, folders, files in os.walk(folder, onerror=_raise):
        inside = Path(place).relative_to(folder)
        folders[:] = [name for name in folders if not is_left_out(name, is_folder=True)]
        # A link to a folder is among the folders, and is not walked into.
        links = [name for name in folders if (folder / inside / name).is_symlink()]
        yield from ((inside / name).as_posix() for name in (*files, *links) if not is_left_out(name, is_folder=False))


def _header(path: Path, name: str) -> tarfile.TarInfo | None:
    """What stands before a file or a link; None for anything else. Times and owners are the same for all."""
    found = path.lstat()
    info = tarfile.TarInfo(name)
    if stat.S_ISLNK(found.st_mode):
        info.type = tarfile.SYMTYPE
        info.linkname = os.fspath(path.readlink())
    elif stat.S_ISREG(found.st_mode):
        info.size = found.st_size
        info.mode = _PROGRAM if found.st_mode & stat.S_IXUSR else _FILE
    else:
        return None
    return info


def _write(archive: tarfile.TarFile, info: tarfile.TarInfo, target: Path) -> None:
    source = archive.extractfile(info)
    place = _parent(target, info.name) / PurePosixPath(info.name).name
    with place.open("xb") as file:
        while source is not None and (chunk := source.read(1 << 20)):
            file.write(chunk)
    place.chmod(_PROGRAM if info.mode & stat.S_IXUSR else _FILE)


def _parent(target: Path, name: str) -> Path:
    """The folder that a file or a link lies in, made when it is not there."""
    place = target
    for part in PurePosixPath(name).parts[:-1]:
        place /= part
        if not place.is_dir():
            place.mkdir()
            place.chmod(_FOLDER)
    return place


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts


def _stays_inside(folder: Path, name: str, link: str) -> bool:
    """Whether a link leads to something in the folder, with all links on the way followed; that need not be there."""
    if os.path.isabs(link):  # noqa: PTH117
        return False
    try:
        return ((folder / name).parent / link).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # RuntimeError: links that lead to each other
        return False


def _raise(error: OSError) -> None:
    raise error
