"""Bots that came from another machine: a folder for each content, in which its build has run once, whoever needs it.

CACHE/<content>/
    bot/        the source, and what its build made of it
    built       written last: its build came to its end, with this Python
    lock        held while it is unpacked and built
"""

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from arena.errors import HostError
from arena.seat.archive import unpack_folder
from arena.seat.build import BUILD_SECONDS, run_build
from arena.seat.content import content_hash
from arena.seat.isolation.cage import make_reachable
from arena.seat.manifest import Manifest, load_manifest
from arena.seat.yaml_file import printable

_LOCK_POLL_SECONDS = 0.1


async def ensure_bot(content: str, *, cache: Path, fetch: Callable[[], bytes]) -> Manifest:
    """The bot whose source has this hash, unpacked and built; `fetch` gives its archive, and is called when it is not there.

    Waits while another process of this machine is at it. Can be cancelled. Raises HostError when it cannot be had: the build
    fails here, the cache cannot be written, another user has made it.
    """
    folder = cache / content
    try:
        _open(cache)
        folder.mkdir(exist_ok=True)
        make_reachable(folder)
        lock = FileLock(folder / "lock", thread_local=False)
        await _acquire(lock)
        try:
            if not _is_built(folder):
                await _make(folder, content, fetch)
        finally:
            lock.release()
        return load_manifest(folder / "bot")
    except (OSError, NotImplementedError) as error:  # NotImplementedError: a file system without locks
        raise HostError(f"{cache}: cannot be used for bots' folders: {error}") from error


def _open(cache: Path) -> None:
    """Make the cache, which nobody else may write to: what lies in it is run."""
    cache.mkdir(parents=True, exist_ok=True)
    if hasattr(os, "getuid") and (cache.is_symlink() or cache.stat().st_uid != os.getuid()):
        raise HostError(f"{cache} belongs to somebody else: remove it, or give the worker another local directory")
    make_reachable(cache)


async def _acquire(lock: FileLock) -> None:
    while True:
        try:
            lock.acquire(blocking=False)
        except Timeout:
            await asyncio.sleep(_LOCK_POLL_SECONDS)
        else:
            return


def _is_built(folder: Path) -> bool:
    mark = folder / "built"
    return mark.is_file() and mark.read_text(encoding="utf-8") == _builder()


def _builder() -> str:
    """Who builds: `python` in a build is the interpreter that runs us, and what it makes is for that one."""
    return f"{sys.executable} {sys.version}"


async def _make(folder: Path, content: str, fetch: Callable[[], bytes]) -> None:
    bot = folder / "bot"
    (folder / "built").unlink(missing_ok=True)
    shutil.rmtree(bot, ignore_errors=True)
    unpack_folder(await asyncio.to_thread(fetch), bot)
    if content_hash(bot) != content:
        raise HostError("the folder of a bot was changed while the tournament began: start it again")
    manifest = load_manifest(bot)
    if failure := await run_build(manifest, limit_seconds=BUILD_SECONDS):
        last = next((line for line in reversed(failure.output.splitlines()) if line.strip()), "")
        raise HostError(
            f"the bot {printable(manifest.name)} cannot be built: {printable(failure.reason)}"
            + (f"; its last line: {printable(last[:200])}" if last else "")
        )
    (folder / "built").write_text(_builder(), encoding="utf-8")
