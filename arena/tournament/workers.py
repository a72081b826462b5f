"""Worker processes on this machine: an executor, a queue for what they report, and a flag that stops them.

Processes are spawned, never forked: gRPC's threads do not survive a fork. Workers leave Ctrl-C to the runner, and end when
the runner is gone, however it went.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.managers import SyncManager
from typing import Any, Protocol

from arena.tournament.session import StopFlag


class ReportQueue(Protocol):
    """A queue between processes; what is put by one process is got in the same order."""

    def put(self, item: Any) -> None:
        """Add an item that can be pickled."""
        ...

    def get(self) -> Any:
        """Wait for the next item."""
        ...


class Stop(StopFlag, Protocol):
    """The runner's side of the flag."""

    def set(self) -> None:
        """Raise it."""
        ...


@dataclass(frozen=True, slots=True)
class Workers:
    """Where sessions are played. new_executor: a fresh one, when a process of the last one died; the caller shuts it down."""

    reports: ReportQueue
    stop: Stop
    new_executor: Callable[[], Executor]


@contextmanager
def local_workers(jobs: int) -> Iterator[Workers]:
    """`jobs` processes on this machine, started when the first session is submitted."""
    context = multiprocessing.get_context("spawn")
    manager = SyncManager(ctx=context)
    manager.start(_follow_parent)
    try:
        new_executor = partial(ProcessPoolExecutor, jobs, mp_context=context, initializer=_follow_parent)
        yield Workers(manager.Queue(), manager.Event(), new_executor)
    finally:
        manager.shutdown()


def _follow_parent() -> None:
    """Set a fresh process up: deaf to Ctrl-C, and gone as soon as its parent is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.join,), daemon=True, name="follow-parent").start()


def _exit_after(wait: Callable[[], None]) -> None:
    wait()
    os._exit(1)
