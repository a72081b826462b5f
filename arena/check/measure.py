"""What the examined bot takes: time, memory, and room in its logs."""

import contextlib
import math
import os
import statistics
from collections.abc import Sequence
from pathlib import Path

from arena.seat.isolation.tree import descendants
from arena.seat.output import CAP_NOTE

_LAUNCHERS = frozenset({"bwrap"})
"""Programs between us and a bot that are no part of it; so is every direct child of ours."""


class MemoryMeter:
    """The most that the processes of one bot have held, in KiB; `peak_kib` is None where it cannot be seen.

    Made before the bot is started; only this one is started while the meter is read.
    """

    def __init__(self) -> None:
        self._others = set(descendants(os.getpid()))
        self.peak_kib: int | None = None

    def read(self) -> None:
        """Look at the processes that run now. Each one's own peak counts, so short ones between two looks do not."""
        peaks = [_peak_kib(pid) for pid in descendants(os.getpid()) if pid not in self._others]
        total = sum(peaks)
        if total:
            self.peak_kib = max(self.peak_kib or 0, total)


class Stopwatch:
    """Times of answers, in microseconds, and of starts, in milliseconds."""

    def __init__(self) -> None:
        self.answers_us: list[int] = []
        self.starts_ms: list[int] = []

    @property
    def median_ms(self) -> float | None:
        """Of the answers; None without any."""
        return round(statistics.median(self.answers_us) / 1000, 3) if self.answers_us else None

    @property
    def p95_ms(self) -> float | None:
        """95 of 100 answers took no longer."""
        if not self.answers_us:
            return None
        return round(sorted(self.answers_us)[math.ceil(0.95 * len(self.answers_us)) - 1] / 1000, 3)

    @property
    def worst_ms(self) -> float | None:
        """The slowest answer."""
        return round(max(self.answers_us) / 1000, 3) if self.answers_us else None


def printed_bytes(logs: Sequence[Path], stream: str, *, cap_bytes: int) -> tuple[int, bool]:
    """What was written to one stream (`stdout` or `stderr`) over all logs, and whether one of them reached its cap."""
    sizes = [path.stat().st_size for folder in logs if (path := folder / f"{stream}.log").exists()]
    full = [size for size in sizes if size >= cap_bytes]
    return sum(sizes) - len(full) * len(CAP_NOTE), bool(full)


def last_lines(logs: Sequence[Path], stream: str, *, lines: int) -> list[str]:
    """The last lines of the last log that has any; hostile text."""
    for folder in reversed(logs):
        path = folder / f"{stream}.log"
        if path.exists() and (data := path.read_bytes()[-2000:].strip()):
            return data.decode("utf-8", "replace").splitlines()[-lines:]
    return []


def _peak_kib(pid: int) -> int:
    """The peak of one process; 0 when it is gone, a launcher, or cannot be seen."""
    with contextlib.suppress(OSError, ValueError):
        status = Path(f"/proc/{pid}/status").read_text(errors="replace")
        values = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        if int(values["PPid"]) != os.getpid() and values["Name"].strip() not in _LAUNCHERS and "VmHWM" in values:
            return int(values["VmHWM"].split()[0])
    return 0
