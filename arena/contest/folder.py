"""A bot that is submitted as a folder: its files, without following anything that leads out of it."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, TypeAlias

from arena.contest.intake import CHUNK_BYTES, MAX_DEPTH, MAX_FILES, Item, named
from arena.errors import UserError
from arena.seat.content import is_left_out

_Step: TypeAlias = tuple[str, list[str], list[str], int | None]

_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""A link or a pipe that somebody puts into the place of a file is neither followed nor waited for."""


def iter_folder(root: Path) -> Iterator[Item]:
    """Every file and link of the folder, sorted within each folder; what is left out of a source is not even looked at.

    Raises UserError for what cannot be read, for a device, a pipe or a socket, and for a file that has another name outside.
    """
    names_of: dict[tuple[int, int], list[str]] = {}
    wanted_names: dict[tuple[int, int], int] = {}
    for count, (place, folders, files, descriptor) in enumerate(_walk(root)):
        inside = Path(place).relative_to(root)
        if count > MAX_FILES:
            raise UserError(f"there are more than {MAX_FILES} folders in it; leave out what the bot does not need")
        if len(inside.parts) >= MAX_DEPTH:
            raise UserError(f"{named(inside.as_posix())}: lies {MAX_DEPTH} folders deep or more")
        names = sorted([*files, *(name for name in folders if not is_left_out(name, is_folder=True))])
        folders[:] = []
        for name in names:
            path = (inside / name).as_posix()
            place_of_name = name if descriptor is not None else str(Path(place, name))
            info = _stat(place_of_name, descriptor, path)
            if stat.S_ISDIR(info.st_mode):
                folders.append(name)
                continue
            if is_left_out(name, is_folder=False):
                continue
            if stat.S_ISREG(info.st_mode) and info.st_nlink > 1:
                key = info.st_dev, info.st_ino
                names_of.setdefault(key, []).append(path)
                wanted_names[key] = info.st_nlink
            yield _item(place_of_name, descriptor, path, info)
    for key, paths in names_of.items():
        if len(paths) < wanted_names[key]:
            raise UserError(f"{named(paths[0])}: has another name outside of what is submitted (a hard link); put a copy there")


def _walk(root: Path) -> Iterator[_Step]:
    """As `os.walk`. Where the system can, each folder is held open, so that nothing above a file can be swapped for a link."""
    try:
        if hasattr(os, "fwalk"):
            yield from os.fwalk(root, onerror=_refuse)
        else:
            for place, folders, files in os.walk(root, onerror=_refuse):
                yield place, folders, files, None
    except OSError as error:
        _refuse(error)


def _item(name: str, descriptor: int | None, path: str, info: os.stat_result) -> Item:
    if stat.S_ISLNK(info.st_mode):
        try:
            return Item(path=path, link=os.readlink(name, dir_fd=descriptor))
        except OSError as error:
            _refuse(error, path)
    if not stat.S_ISREG(info.st_mode):
        raise UserError(f"{named(path)}: is neither a file nor a folder; remove it")
    return Item(
        path=path,
        is_executable=bool(info.st_mode & stat.S_IXUSR),
        chunks=_iter_chunks(name, descriptor, path),
    )


def _iter_chunks(name: str, descriptor: int | None, path: str) -> Iterator[bytes]:
    try:
        with open(os.open(name, _OPEN_FLAGS, dir_fd=descriptor), "rb", buffering=0) as file:  # noqa: PTH123
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UserError(f"{named(path)}: was changed while it was read; submit it again")
            while chunk := file.read(CHUNK_BYTES):
                yield chunk
    except OSError as error:
        _refuse(error, path)


def _stat(name: str, descriptor: int | None, path: str) -> os.stat_result:
    try:
        return os.stat(name, dir_fd=descriptor, follow_symlinks=False)
    except OSError as error:
        _refuse(error, path)


def _refuse(error: OSError, path: str = "") -> NoReturn:
    shown = named(path or os.fsdecode(error.filename or "it"))
    raise UserError(f"{shown}: cannot be read: {error.strerror or error}") from error
