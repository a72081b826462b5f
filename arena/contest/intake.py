"""Takes a bot in, from a folder or a zip file that may be hostile: every file by its own rules, all of them within limits."""

import posixpath
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from arena.errors import HostError, UserError
from arena.seat.content import is_left_out
from arena.seat.manifest import FILE_NAME
from arena.seat.yaml_file import printable
from arena.seat.yaml_model import folded_name

MAX_FILES = 2000
MAX_FILE_BYTES = 64 << 20
MAX_TOTAL_BYTES = 128 << 20
MAX_NAME_BYTES = 200
MAX_PATH_BYTES = 400
MAX_DEPTH = 20
"""Folders inside each other."""

CHUNK_BYTES = 1 << 16
_FORBIDDEN = '<>:"|?*\\'
"""Some system that a student or a teacher has cannot have them in a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One file of what is submitted; hostile.

    path: from its top, with `/` between the names; not checked. link: where it points, when it is a symbolic link. chunks: the
    content of a file piece by piece, to be asked for before the next item is; raises UserError.
    """

    path: str
    is_executable: bool = False
    link: str | None = None
    chunks: Iterable[bytes] = ()


def named(path: str, *, most: int = 100) -> str:
    """A name of somebody else's, safe to print and not too long."""
    return printable(path if len(path) <= most else path[: most - 1] + "…")


def check_path(path: str) -> tuple[str, ...]:
    """The names that a path consists of. Raises UserError with the words for its submitter, without saying where it stands."""
    try:
        size = len(path.encode())
    except UnicodeEncodeError:
        raise UserError(f"{named(path)}: the name is not valid UTF-8; rename it") from None
    if path.startswith("/") or path[1:3] in (":/", ":\\"):
        raise UserError(f"{named(path)}: is an absolute path; all paths must begin inside the folder")
    parts = tuple(part for part in path.split("/") if part != ".")
    if ".." in parts:
        raise UserError(f"{named(path)}: has .. in its path, which leads out of the folder")
    if not parts or "" in parts:
        raise UserError(f"{named(path)}: has an empty name in its path")
    if len(parts) > MAX_DEPTH:
        raise UserError(f"{named(path)}: lies more than {MAX_DEPTH} folders deep")
    if size > MAX_PATH_BYTES or any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        raise UserError(
            f"{named(path)}: the name is too long; a name has at most {MAX_NAME_BYTES} bytes, a path {MAX_PATH_BYTES}"
        )
    for character in path:
        if character in _FORBIDDEN or unicodedata.category(character) in ("Cc", "Zl", "Zp"):
            raise UserError(f"{named(path)}: has the character {printable(character)} in its name; rename it")
    return parts


def is_source(parts: tuple[str, ...]) -> bool:
    """Whether a file with this path belongs to a bot's source."""
    *folders, name = parts
    return not (any(is_left_out(folder, is_folder=True) for folder in folders) or is_left_out(name, is_folder=False))


def take_in(items: Iterator[Item], target: Path) -> None:
    """Write the items into the new folder `target`; what is there when it is over has all limits kept.

    Raises UserError for anything that is not as it should be, HostError when it cannot be written. Whatever was written by then
    is the caller's to remove.
    """
    try:
        target.mkdir()
        target.chmod(0o755)
        copy = _Copy(target)
        for item in items:
            copy.add(item)
        copy.add_links()
        if not (target / FILE_NAME).is_file():
            raise UserError(f"there is no {FILE_NAME}")
    except OSError as error:
        raise HostError(f"the submission cannot be written into {target}: {error.strerror or error}") from error


class _Copy:
    def __init__(self, target: Path) -> None:
        self._target = target
        self._spelling: dict[str, str] = {}
        self._paths: set[str] = set()
        self._files: dict[str, Path] = {}
        self._links: list[tuple[tuple[str, ...], str]] = []
        self._total = 0

    def add(self, item: Item) -> None:
        """One more file, or a link, which waits until all files are there."""
        parts = check_path(item.path)
        if not is_source(parts):
            return
        self._check_name(parts)
        if len(self._paths) > MAX_FILES:
            raise UserError(f"there are more than {MAX_FILES} files in it; leave out what the bot does not need")
        if item.link is None:
            self._write(parts, item.chunks, is_executable=item.is_executable)
        else:
            self._links.append((parts, item.link))

    def add_links(self) -> None:
        """A copy of the file in place of each link to one."""
        for parts, link in self._links:
            target = "" if link.startswith("/") else posixpath.normpath(posixpath.join(*parts[:-1], link))
            source = self._files.get(target)
            if source is None:
                raise UserError(
                    f"{named('/'.join(parts))}: is a link to {named(link)}; a link may only point to a file that is in the "
                    "submission itself, by a relative path"
                )
            with source.open("rb") as file:
                chunks = iter(partial(file.read, CHUNK_BYTES), b"")
                self._write(parts, chunks, is_executable=bool(source.stat().st_mode & stat.S_IXUSR), is_link=True)

    def _check_name(self, parts: tuple[str, ...]) -> None:
        """No two paths that some system takes for one, the folders above them included."""
        path = "/".join(parts)
        if path in self._paths:
            raise UserError(f"{named(path)}: is there twice")
        self._paths.add(path)
        for depth in range(1, len(parts) + 1):
            spelled = "/".join(parts[:depth]) + ("/" if depth < len(parts) else "")
            first = self._spelling.setdefault(folded_name(spelled.rstrip("/")), spelled)
            if first != spelled:
                raise UserError(
                    f"{named(path)}: {named(spelled)} and {named(first)} are one name on some systems; rename one of them"
                )

    def _write(self, parts: tuple[str, ...], chunks: Iterable[bytes], *, is_executable: bool, is_link: bool = False) -> None:
        path, place = "/".join(parts), self._target
        for part in parts[:-1]:
            place /= part
            if not place.is_dir():
                place.mkdir()
                place.chmod(0o755)
        place /= parts[-1]
        size = 0
        with place.open("xb") as file:
            for chunk in chunks:
                size += len(chunk)
                self._total += len(chunk)
                if size > MAX_FILE_BYTES:
                    raise UserError(f"{named(path)}: has more than {MAX_FILE_BYTES >> 20} MiB; no file may be larger")
                if self._total > MAX_TOTAL_BYTES:
                    raise UserError(
                        f"it has more than {MAX_TOTAL_BYTES >> 20} MiB in all; leave out what the bot does not need"
                    )
                file.write(chunk)
        place.chmod(0o555 if is_executable else 0o444)
        if not is_link:
            self._files[path] = place
