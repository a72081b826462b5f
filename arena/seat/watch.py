"""Whether the machine lets a bot and us run while an answer is waited for, and what it owes the bot when it does not.

The clock of a turn runs on, whatever happens. A watch keeps books beside it:

- *waited*: for how long a thread of the bot stood in the kernel's queue for a processor. What the bots of the table and we have
  used meanwhile is taken off, so that nobody makes an overload of his own: the machine owes a table its processors, not more.
- *stalled*: for how long we ourselves did not get to run, seen by a timer that fires late. What we and the bots computed is
  taken off here, too.

The larger of the two is owed. A bot that answers late, but within its time and what it is owed, was late by the machine's
fault; one that does not even then has had all of its time.
"""

import asyncio
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena.seat.isolation.usage import Usage

OVERLOADED = 0.1
"""Share of the time that must be owed, for a late answer to be the machine's fault."""
_STALL_SECONDS = 0.05
"""A timer that is less late than this, or a shorter wait, is everyday life, also on a machine that is busy."""
_TICK_SECONDS = 0.02
_FIRST_SECONDS = 0.1
_FIRST_SHARE = 1 / 8
"""Nothing is looked at before so long, or such a share of the time: most answers come sooner and cost nothing."""
_LOOK_SECONDS = (0.05, 0.2)
"""How long until the next look at which processes there are: by chance between these, so that none can hide."""
_MOST_TIMES = 10
_MOST_MORE_SECONDS = 60.0
"""At most this many times the time, and so many seconds more than it, is waited for what is owed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    """What happened from the beginning of a turn, or a start, until now, in seconds.

    lasted: all of it. stalled, waited: as above; waited is None where nobody knows. cpu: processor time of the bot, None where
    it is not known. pressure: the share of the time in which somebody on this machine waited for a processor, where the kernel
    tells; for people only, since a bot that hangs on a busy machine hangs nevertheless.
    """

    lasted: float
    stalled: float = 0.0
    waited: float | None = None
    cpu: float | None = None
    pressure: float | None = None

    @property
    def owed(self) -> float:
        """What the machine owes the bot; 0 when that is too little to speak of."""
        owed = max(self.stalled, self.waited or 0.0)
        return owed if owed >= max(OVERLOADED * self.lasted, _STALL_SECONDS) else 0.0

    def __str__(self) -> str:
        """In words that follow on what happened to the bot."""
        parts = []
        if self.stalled:
            parts.append(f"arena itself did not get to run for {self.stalled:.1f} s")
        if self.waited is not None and self.cpu is not None:
            parts.append(f"it waited {self.waited:.1f} s for a processor and had one for {self.cpu:.1f} s")
        pressure = "" if self.pressure is None else f"; CPU pressure was {self.pressure:.0%}"
        return f"in {self.lasted:.1f} s {', and '.join(parts) or 'nothing was measured'}{pressure}"


class Measured(Protocol):
    """What a bot runs in, as far as it can be measured: a cage."""

    @property
    def cores(self) -> float:
        """How many of the machine's its table is owed."""
        ...

    def processes(self) -> frozenset[int]:
        """Those of the bot whose processor time is missing once they end."""
        ...

    def cpu_ns(self, processes: frozenset[int]) -> int:
        """Processor time that the bot has used; processes: as they were found."""
        ...

    def usage(self) -> Usage:
        """A look at everything."""
        ...


class Watch:
    """Kept while one answer, or greeting, is waited for; a context manager. Costs nothing much until that takes long.

    seconds: what the bot has. bot: None when it cannot be measured. others: at the same table.
    """

    def __init__(self, seconds: float, *, bot: Measured | None, others: Sequence[Measured]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._bot = bot
        self._others = others
        self._cores = 1.0 if bot is None else bot.cores
        self._began = self._loop.time()
        self._due = self._began
        self._cpu_at_due = 0
        self._stalled = 0.0
        self._look_at = self._began
        self._known: frozenset[int] = frozenset()
        self._has_lost_some = False
        self._before: Usage | None = None
        self._own_before = 0
        self._others_before = 0
        self._pressure_before: tuple[float, int] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> "Watch":
        if not math.isinf(self._seconds):
            self._wake_in(min(_FIRST_SECONDS, self._seconds * _FIRST_SHARE), self._begin)
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def delay(self) -> Delay:
        """The books at this moment."""
        self._book_stall()
        now = self._loop.time()
        pressure = None
        if self._pressure_before is not None and (now_us := _pressure_us()) is not None:
            at, before_us = self._pressure_before
            pressure = min(1.0, (now_us - before_us) / 1e6 / max(1e-6, now - at))
        if self._bot is None or self._before is None:
            return Delay(lasted=now - self._began, stalled=self._stalled, pressure=pressure)
        after = self._bot.usage()
        self._compare(after.processes)
        others_ns = max(0, _cpu_ns(self._others) - self._others_before)
        own_ns = time.process_time_ns() - self._own_before
        waited = waited_seconds(self._before, after, others_ns=others_ns + own_ns, cores=self._cores)
        stalled = max(0.0, self._stalled - others_ns / 1e9 / self._cores)
        return Delay(
            lasted=now - self._began,
            stalled=0.0 if self._has_lost_some else stalled,
            waited=0.0 if self._has_lost_some else waited,
            cpu=(after.cpu_ns - self._before.cpu_ns) / 1e9,
            pressure=pressure,
        )

    @property
    def most_seconds(self) -> float:
        """After so long since the beginning nobody waits any more, whatever is owed."""
        return min(self._seconds * _MOST_TIMES, self._seconds + _MOST_MORE_SECONDS)

    def _begin(self) -> None:
        """The first look: everything before it was the bot's own time."""
        self._book_stall()
        us = _pressure_us()
        self._pressure_before = None if us is None else (self._loop.time(), us)
        if self._bot is not None:
            self._before = self._bot.usage()
            self._known = self._before.processes
            self._own_before = time.process_time_ns()
            self._others_before = _cpu_ns(self._others)
        self._plan_look()
        self._wake_in(_TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        self._book_stall()
        if self._bot is not None and self._known and self._loop.time() >= self._look_at:
            self._compare(self._bot.processes())
            self._plan_look()
        self._wake_in(_TICK_SECONDS, self._tick)

    def _book_stall(self) -> None:
        """Book by how much the timer is late, but for what we and the bot computed meanwhile."""
        now, cpu_ns = self._loop.time(), self._cpu_ns()
        late = now - self._due - max(0, cpu_ns - self._cpu_at_due) / 1e9 / self._cores
        if late >= _STALL_SECONDS:
            self._stalled += late
            self._due, self._cpu_at_due = now, cpu_ns

    def _wake_in(self, seconds: float, then: Callable[[], None]) -> None:
        self._due = self._loop.time() + seconds
        self._cpu_at_due = self._cpu_ns()
        self._timer = self._loop.call_at(self._due, then)

    def _cpu_ns(self) -> int:
        """Processor time of ours and, after the first look, of the bot."""
        bot_ns = self._bot.cpu_ns(self._known) if self._bot is not None and self._before is not None else 0
        return time.process_time_ns() + bot_ns

    def _plan_look(self) -> None:
        self._look_at = self._loop.time() + random.uniform(*_LOOK_SECONDS)

    def _compare(self, processes: frozenset[int]) -> None:
        """A process that has ended took its processor time with it: then it may have been the bot's own load."""
        self._has_lost_some |= not self._known <= processes
        self._known = processes


def _cpu_ns(bots: Sequence[Measured]) -> int:
    return sum(bot.cpu_ns(bot.processes()) for bot in bots)


def waited_seconds(before: Usage, after: Usage, *, others_ns: int, cores: float) -> float:
    """For how long, between two looks, the thread that waited longest was kept waiting by nobody at the table.

    Whoever waits for one of `cores` processors, while they are had by its own bot and others of the table, is not kept
    waiting by the machine; nor while its bot's limit is used up. others_ns: what the others have used meanwhile.
    """
    cpu_ns = after.cpu_ns - before.cpu_ns + others_ns
    longest = 0.0
    for tid, thread in after.threads.items():
        first = before.threads.get(tid)
        ran = thread.ran_ns - (first.ran_ns if first else 0)
        waited = thread.waited_ns - (first.waited_ns if first else 0)
        longest = max(longest, waited - max(0, cpu_ns - ran) / cores)
    return max(0.0, longest - (after.throttled_ns - before.throttled_ns)) / 1e9


def _pressure_us() -> int | None:
    """For how long somebody on this machine has waited for a processor, in microseconds; None where nobody tells."""
    try:
        text = Path("/proc/pressure/cpu").read_text()
        return int(text.partition("total=")[2].split()[0])
    except (OSError, ValueError, IndexError):
        return None
