"""How many bots may be starting on this machine at the same time, whoever starts them.

A start costs a fraction of a second of a core. When hundreds are started at once they take turns on the cores, and all of them
exceed their start limit through no fault of theirs. So a start waits for a slot first, and its clock runs from then on.
"""

import asyncio
import contextlib
import os
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from filelock import FileLock, Timeout

from arena.errors import HostError

SLOTS = 2 * (os.cpu_count() or 1)
MOST_SECONDS = 600.0
"""Wait for a slot, after which a start goes ahead without one: where nothing keeps bots from our files, they could hold all."""
_POLL_SECONDS = 0.01


@contextlib.asynccontextmanager
async def start_slot() -> AsyncIterator[None]:
    """Hold one of this machine's slots. They are locks on files, so that they end with the process that holds them.

    Raises HostError when the folder of the locks cannot be used.
    """
    folder = _folder()
    deadline = asyncio.get_running_loop().time() + MOST_SECONDS
    taken = _take(folder)
    while taken is None and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(_POLL_SECONDS)
        taken = _take(folder)
    try:
        yield
    finally:
        if taken is not None:
            taken.release()


def _folder() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else ""
    folder = Path(tempfile.gettempdir(), f"arena-starts-{user}")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        is_ours = not folder.is_symlink() and (not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid())
    except OSError as error:
        raise HostError(f"the folder {folder} cannot be used: {error.strerror}") from error
    if not is_ours:
        raise HostError(f"{folder} belongs to somebody else: remove it")
    return folder


def _take(folder: Path) -> FileLock | None:
    for slot in range(SLOTS):
        lock = FileLock(folder / str(slot), thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            continue
        except OSError as error:
            raise HostError(f"the lock {folder / str(slot)} cannot be used: {error.strerror}") from error
        return lock
    return None
