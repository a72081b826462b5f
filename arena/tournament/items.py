"""What the runner waits for: matches, ends of sessions, lost queues and signals, all in one queue that one loop reads."""

import queue
import signal
import traceback
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TypeAlias

from arena.errors import HostError
from arena.records.model import MatchRecord
from arena.tournament.session import Voided
from arena.tournament.workers import ReportQueue


@dataclass(frozen=True, slots=True)
class Ended:
    """A session is over. error: in words, when it was for reasons of ours or the machine's. pool: number of the executor,
    when it was lost with the session."""

    error: str | None = None
    pool: int | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """Nothing more will come out of the queue for reports. error: in words."""

    error: str


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Somebody wants the run to stop."""


# Filled by threads of their own and by the handlers of signals, read by one loop: nothing breaks into what that does.
Item: TypeAlias = MatchRecord | Voided | Ended | Lost | Interrupt
Items: TypeAlias = "queue.SimpleQueue[Item]"


def report_end(reports: ReportQueue, items: Items, pool: int, future: "Future[None]") -> None:
    """A session's future is done: say so behind whatever the session reported. pool: the number of its executor."""
    ended = Ended()
    error = None if future.cancelled() else future.exception()
    if isinstance(error, BrokenExecutor):
        ended = Ended("a worker process died", pool)
    elif error is not None:
        ended = Ended(str(error) if isinstance(error, HostError) else "".join(traceback.format_exception(error)))
    try:
        # That queue keeps the order: whatever the session reported comes before its end.
        reports.put(ended)
    except (EOFError, OSError):
        items.put(ended)


def forward_reports(reports: ReportQueue, items: Items) -> None:
    """Hand on what the workers report, until their queue is gone with its process."""
    while True:
        try:
            item = reports.get()
        except Exception as error:
            items.put(Lost(repr(error)))
            return
        items.put(item)


@contextmanager
def signals_as_items(items: Items) -> Iterator[None]:
    """Have Ctrl-C and SIGTERM put an item, unless we were started to ignore them."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        items.put(Interrupt())

    heard = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, interrupt) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
