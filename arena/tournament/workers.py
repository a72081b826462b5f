"""Worker processes on this machine: an executor, a queue for what they report, and a flag that stops them.

Processes are spawned, never forked: gRPC's threads do not survive a fork. Workers leave Ctrl-C to the runner, and end when
the runner is gone, however it went. The queue and the flag live in a process of their own, the manager: a worker that is
killed in the middle of a report takes nothing with it that another one waits for.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Set
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.managers import SyncManager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Protocol

from arena.errors import WorkerError
from arena.tournament.scratch import scratch_folder


class ReportQueue(Protocol):
    """A queue between processes; what is put by one process is got in the same order."""

    def put(self, item: Any) -> None:
        """Add an item that can be pickled."""
        ...

    def get(self) -> Any:
        """Wait for the next item."""
        ...


class StopFlag(Protocol):
    """Whether workers should give up what they are doing; shared by processes."""

    def is_set(self) -> bool:
        """Whether it was raised."""
        ...


class Stop(StopFlag, Protocol):
    """The runner's side of the flag."""

    def set(self) -> None:
        """Raise it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """Where sessions are played. The methods of `reports` and `stop` raise EOFError or OSError when these are lost.

    scratch: a folder for what sessions need while they play. job_count: how many matches can be played at the same time, now;
    raises HostError. new_executor: a fresh one, when a process of the last one died; the caller shuts it down. kill: ends all
    processes of all executors at once.
    """

    reports: ReportQueue
    stop: Stop
    scratch: Path
    job_count: Callable[[], int]
    new_executor: Callable[[], Executor]
    kill: Callable[[], None]


@contextmanager
def local_workers(jobs: int, *, cores: int = 1) -> Iterator[Workers]:
    """`jobs` processes on this machine, started when sessions are submitted. Raises HostError when the machine has no room.

    cores: that one table needs. When the machine has just as many as all need, every worker has its own, for itself and for
    the bots at its table: no table takes another one's time, and a turn that stays on one core is faster.
    """
    context = _Context()
    with scratch_folder() as scratch:
        manager = SyncManager(None if sys.platform == "win32" else str(scratch / "manager"), ctx=context)
        try:
            manager.start(_set_up_manager)
        except (EOFError, OSError) as error:
            raise WorkerError(f"the process that passes reports on could not be started: {error!r}") from error
        others = frozenset(multiprocessing.active_children())
        try:
            yield Workers(
                reports=manager.Queue(),
                stop=manager.Event(),
                scratch=scratch,
                job_count=lambda: jobs,
                new_executor=partial(_new_executor, jobs, context, partial(_places, manager, jobs, cores)),
                kill=partial(_kill_children_but, others),
            )
        finally:
            manager.shutdown()


def _new_executor(jobs: int, context: SpawnContext, places: Callable[[], ReportQueue | None]) -> Executor:
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_set_up, initargs=(places(),))


def _places(manager: SyncManager, jobs: int, cores: int) -> ReportQueue | None:
    """A queue with a set of cores for each worker; None when there are not just as many as are needed."""
    available = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if jobs * cores != len(available) or jobs == 1:
        return None
    places: ReportQueue = manager.Queue()
    for job in range(jobs):
        places.put(available[job * cores : (job + 1) * cores])
    return places


class _Process(SpawnProcess):
    """A process that does not hear Ctrl-C before `_set_up` has told it what to do then."""

    def start(self) -> None:
        """Start it; it inherits what this thread does not hear."""
        if sys.platform == "win32":
            super().start()
            return
        # It would be started by the first of us, and let us hear again too early.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    Process = _Process


def _set_up(places: ReportQueue | None = None) -> None:
    """Set a fresh process up: deaf to Ctrl-C, gone as soon as its parent is, on its own cores when there are some for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.join,), daemon=True, name="follow-parent").start()
    if places is not None:
        os.sched_setaffinity(0, places.get())


def _set_up_manager() -> None:
    """The same, and deaf to SIGTERM, too: when it is sent to all of us, the reports of the last matches are still to come."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _set_up()


def _exit_after(wait: Callable[[], None]) -> None:
    wait()
    os._exit(1)


def _kill_children_but(others: Set[BaseProcess]) -> None:
    for process in multiprocessing.active_children():
        if process not in others:
            process.kill()
