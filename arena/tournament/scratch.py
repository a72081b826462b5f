"""The folder for what a run needs only while it is played: sockets above all, whose paths must be short."""

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from arena.errors import HostError
from arena.seat.isolation.cage import make_reachable

_PREFIX = "arena-"
_LOCK = ".lock"
_MAX_BYTES = 70
"""Length of the folder's path: what is made inside needs about 25 more, and a socket's path has at most 103."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A fresh folder in the system's place for temporary files, gone afterwards. What killed runs left there goes, too.

    Raises HostError when it cannot be made, or when its path is too long for sockets.
    """
    try:
        place = Path(tempfile.gettempdir())
        folder = place / f"{_PREFIX}{secrets.token_hex(4)}"
        if len(os.fsencode(folder)) > _MAX_BYTES:
            raise HostError(f"{place} has too long a path for sockets: name another folder for temporary files with TMPDIR")
        _remove_leftovers(place)
        # Locked before it is made: whoever finds a folder here whose lock is free may remove it.
        lock = FileLock(folder.with_suffix(_LOCK))
        lock.acquire()
        folder.mkdir()
        make_reachable(folder)
    except OSError as error:
        raise HostError(f"a folder for temporary files cannot be made: {error}") from error
    try:
        yield folder
    finally:
        _remove(folder, lock)


def _remove_leftovers(place: Path) -> None:
    """Remove the folders of ours that nobody uses any more. What cannot be removed stays."""
    for path in place.glob(f"{_PREFIX}*{_LOCK}"):
        # Everybody may write there. Our locks are our own files, and what lies in the folder of another is not our business.
        with contextlib.suppress(OSError, Timeout):
            if path.lstat().st_uid == os.getuid():
                lock = FileLock(path)
                lock.acquire(blocking=False)
                _remove(path.with_suffix(""), lock)


def _remove(folder: Path, lock: FileLock) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        Path(lock.lock_file).unlink()
    lock.release()
