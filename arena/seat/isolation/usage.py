"""What a bot has used of the processors and how long it has waited for one, as the kernel counts it from the outside."""

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

_MOST_THREADS = 512
"""Threads whose waiting is read: a bot with more of them has no claim to be measured."""


@dataclass(frozen=True, slots=True)
class Thread:
    """ran_ns, waited_ns: in the queue for a processor; both since the thread began."""

    ran_ns: int
    waited_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """One look at a bot; the counters only grow.

    cpu_ns: of all its processes. throttled_ns: for how long its limit of processor time has kept it from running. threads: by
    their number, those that the kernel treats like ours. processes: whose end would take its processor time out of `cpu_ns`;
    empty where somebody keeps count.
    """

    cpu_ns: int
    threads: Mapping[int, Thread]
    throttled_ns: int = 0
    processes: frozenset[int] = frozenset()


def processes_cpu_ns(pids: Iterable[int]) -> int:
    """Processor time of these processes, with that of their threads which have ended."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            total += time.clock_gettime_ns(_clock_of(pid))
    return total


def read_threads(pids: Iterable[int]) -> dict[int, Thread]:
    """The threads of these processes which the kernel treats like ours; empty where it does not tell or there are too many.

    A thread that has made itself less important than ours, or keeps itself to some of our processors, waits by its own choice.
    """
    if sys.platform != "linux":
        return {}
    found: dict[int, Thread] = {}
    usual = _standing(0)
    seen = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for folder in Path(f"/proc/{pid}/task").iterdir():
                seen += 1
                if seen > _MOST_THREADS:
                    return {}
                with contextlib.suppress(OSError, ValueError):
                    ran, waited, _ = (folder / "schedstat").read_text().split()
                    if _is_like(_standing(int(folder.name)), usual):
                        found[int(folder.name)] = Thread(int(ran), int(waited))
    return found


def _clock_of(pid: int) -> int:
    """The number of a process's clock of processor time, as clock_getcpuclockid(3) makes it."""
    return (~pid << 3) | 2


if sys.platform == "linux":
    _Standing = tuple[int, int, set[int]]

    def _standing(tid: int) -> _Standing:
        """Policy, nice value and processors of a thread; of ours for 0."""
        return os.sched_getscheduler(tid), os.getpriority(os.PRIO_PROCESS, tid), os.sched_getaffinity(tid)

    def _is_like(standing: _Standing, usual: _Standing) -> bool:
        policy, nice, cores = standing
        return policy == usual[0] and nice <= usual[1] and cores >= usual[2]
