"""Numbers of submissions, one for each that comes in, whoever else submits at the same moment or was killed while he did.

Numbers are given under one lock, which is held for a moment and not during an examination. Each submission that is being
taken in has a lock of its own, which the system frees when its process dies: what it left is removed by the next one.
"""

import contextlib
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from arena.contest.submission import FILE_NAME, ID
from arena.errors import HostError

STATE_NAME = ".arena"
_LOCK_SECONDS = 60.0
_CLAIM = re.compile(r"([0-9]{4,9})\.lock")
_TAKEN = re.compile(r"([0-9]{4,9})(\.lock)?")
_MODE_SHARED = 0o666
"""Of locks: a class may share the folder."""


def open_state(place: Path) -> None:
    """Make the folder for locks and for what comes in, for everybody who may submit. Raises OSError."""
    state = place / STATE_NAME
    state.mkdir(exist_ok=True)
    with contextlib.suppress(PermissionError):  # it is somebody else's, who has done it
        state.chmod(0o777)


def incoming_folder(place: Path, number: int) -> Path:
    """Where the submission with this number comes in."""
    return place / STATE_NAME / f"{number:04d}"


def iter_folders(place: Path) -> Iterator[Path]:
    """Folders of submissions, finished or not, in no order. Raises OSError."""
    yield from (entry for entry in place.iterdir() if ID.fullmatch(entry.name))


@contextmanager
def claim_number(place: Path) -> Iterator[int]:
    """The next number, with a folder for what comes in. What was not finished in the end is removed. Raises HostError."""
    try:
        lock = _lock(place / STATE_NAME / "lock", wait_seconds=_LOCK_SECONDS)
        try:
            _remove_leftovers(place)
            number = 1 + max(_iter_numbers(place), default=0)
            claim = _lock(place / STATE_NAME / f"{number:04d}.lock", wait_seconds=0)
        finally:
            lock.release()
        incoming_folder(place, number).mkdir()
    except (Timeout, NotImplementedError) as error:  # NotImplementedError: a file system without locks
        raise HostError(f"{place}: the contest's lock cannot be taken: {error}") from error
    except OSError as error:
        raise HostError(f"{place}: cannot be written to: {error.strerror or error}") from error
    try:
        yield number
    finally:
        _remove_unfinished(place, number)
        _give_back(claim)


def _lock(path: Path, *, wait_seconds: float) -> FileLock:
    """A lock that is held. Everybody may take it afterwards, also where umask says otherwise."""
    lock = FileLock(path, mode=_MODE_SHARED, timeout=wait_seconds)
    lock.acquire()
    with contextlib.suppress(OSError):
        path.chmod(_MODE_SHARED)
    return lock


def _give_back(claim: FileLock) -> None:
    with contextlib.suppress(OSError):
        Path(claim.lock_file).unlink()
    claim.release()


def _iter_numbers(place: Path) -> Iterator[int]:
    """Every number that is taken, also by what could not be removed."""
    for pattern, folder in ((ID, place), (_TAKEN, place / STATE_NAME)):
        for entry in folder.iterdir():
            if match := pattern.fullmatch(entry.name):
                yield int(match[1])


def _remove_leftovers(place: Path) -> None:
    """Remove what killed processes were taking in: those whose locks are free. What cannot be removed stays, and its number."""
    for entry in list((place / STATE_NAME).iterdir()):
        if match := _CLAIM.fullmatch(entry.name):
            with contextlib.suppress(OSError):
                claim = _lock(entry, wait_seconds=0)
                _remove_unfinished(place, int(match[1]))
                _give_back(claim)


def _remove_unfinished(place: Path, number: int) -> None:
    shutil.rmtree(incoming_folder(place, number), ignore_errors=True)
    for folder in list(iter_folders(place)):
        if folder.name.startswith(f"{number:04d}-") and not (folder / FILE_NAME).exists():
            shutil.rmtree(folder, ignore_errors=True)
