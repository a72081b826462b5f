"""The processes of one bot, found from the outside, to stop and continue them where there is no freezer."""

import contextlib
import os
import signal
import time
from pathlib import Path

RESCAN_SECONDS = 0.1
_MOST = 1024
"""Processes that are looked at: more are only there where a fork bomb is not stopped, and we have other things to do."""


class ProcessTree:
    """All processes below one of ours, the keeper, which itself goes on.

    spared: how many of the first below it go on, too: bubblewrap's outer half, which tells us that the bot has ended.

    Looking for them takes longer than stopping them, so it is done ten times a second at most: a process that is started
    between two looks is stopped by the next one.
    """

    def __init__(self, root: int, *, spared: int = 0) -> None:
        self._root = root
        self._spared = spared
        self._known: list[int] = []
        self._looked_at = float("-inf")

    def freeze(self) -> None:
        """Stop every process that is known; look for others if the last look is RESCAN_SECONDS ago."""
        if time.monotonic() - self._looked_at >= RESCAN_SECONDS:
            self.freeze_all()
        else:
            self._signal(signal.SIGSTOP)

    def freeze_all(self) -> None:
        """Look for the processes and stop them, until nobody new is there: a process that is stopped starts no others."""
        self._looked_at = time.monotonic()
        stopped: set[int] = set()
        while fresh := [pid for pid in descendants(self._root)[self._spared :] if pid not in stopped]:
            self._known = fresh
            self._signal(signal.SIGSTOP)
            stopped.update(fresh)
        self._known = list(stopped)

    def thaw(self) -> None:
        """Let them go on."""
        self._signal(signal.SIGCONT)

    @property
    def processes(self) -> list[int]:
        """Their numbers, as they are outside."""
        return descendants(self._root)

    def _signal(self, number: int) -> None:
        for pid in self._known:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)


def descendants(pid: int) -> list[int]:
    """The processes below a process, parents before their children, at most 1,024."""
    found = [pid]
    for parent in found:  # grows while we walk; a bot may make its tree as deep as it likes
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (thread / "children").read_text().split())
        if len(found) > _MOST:
            break
    return found[1 : _MOST + 1]
