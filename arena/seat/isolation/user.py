"""A user of its own for every bot that runs at the same time, when we are root."""

import tempfile
from pathlib import Path

from filelock import FileLock, Timeout

from arena.errors import HostError

FIRST_UID = 60_600
COUNT = 512
"""Numbers that distributions leave unused: above people and system services, below what systemd allots to services."""


class SeatUser:
    """A uid, which is a gid too, that no other running bot of this machine has; `release` gives it back."""

    def __init__(self, uid: int, lock: FileLock) -> None:
        self.uid = uid
        self._lock = lock

    @classmethod
    def acquire(cls) -> "SeatUser":
        """Take a free one. Raises HostError when all are in use."""
        folder = Path(tempfile.gettempdir(), "arena-users")
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != 0 or folder.is_symlink():
            raise HostError(f"{folder} belongs to somebody else: remove it")
        for uid in range(FIRST_UID, FIRST_UID + COUNT):
            lock = FileLock(folder / str(uid), thread_local=False)  # taken and given back by different threads
            try:
                lock.acquire(blocking=False)
            except Timeout:
                continue
            return cls(uid, lock)
        raise HostError(f"more than {COUNT} bots run on this machine: no user number is left for another one")

    def release(self) -> None:
        """Let others have it."""
        self._lock.release()
