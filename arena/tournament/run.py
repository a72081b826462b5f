"""Plays what a tournament has still to play, and keeps every match in the store as soon as it is finished."""

import contextlib
import queue
import signal
import threading
import traceback
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Protocol

from arena.errors import HostError, WorkerError
from arena.records.model import MatchRecord
from arena.records.store import Store
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms
from arena.seat.chair import ChairOptions
from arena.tournament.config import TournamentConfig, job_count
from arena.tournament.schedule import Session
from arena.tournament.session import SessionJob, play_session
from arena.tournament.workers import ReportQueue, Workers

MAX_FAILURES = 3
"""Sessions in a row that may fail for our reasons, without a match finished between them, before the run stops."""


@dataclass(frozen=True, slots=True)
class _Ended:
    """A session is over. error: in words, when it was for reasons of ours or the machine's. pool: number of the executor,
    when it was lost with the session."""

    error: str | None = None
    pool: int | None = None


class Observer(Protocol):
    """Who is told how a run goes on."""

    def begin(self, pairing: tuple[str, str]) -> None:
        """Matches of this pairing were handed to a worker."""

    def add(self, pairing: tuple[str, str]) -> None:
        """One more match of it is played and stored."""


def play_run(config: TournamentConfig, store: Store, *, logs: Path, workers: Workers, observer: Observer) -> None:
    """Play every match that the store does not have, then mark the run as finished.

    logs: folder for the bots' output. Raises KeyboardInterrupt after Ctrl-C or SIGTERM, when the workers have given up their
    matches and all finished ones are stored; WorkerError when sessions keep failing for reasons that are not a bot's.
    """
    with _interrupted_by_sigterm():
        _Run(config, store, logs=logs, workers=workers, observer=observer).play()
    store.finish()


class _Run:
    def __init__(self, config: TournamentConfig, store: Store, *, logs: Path, workers: Workers, observer: Observer) -> None:
        self._config = config
        self._store = store
        self._logs = logs
        self._workers = workers
        self._observer = observer
        self._schedule = config.schedule
        self._stored = set(store.match_keys())
        self._failures = 0
        self._in_flight = 0
        self._is_stopping = False
        self._executor: Executor | None = None
        self._pool = 0
        self._lost_pool = 0
        # Filled by a thread of its own: Ctrl-C must not break into a call to the queue between the processes.
        self._items: queue.SimpleQueue[MatchRecord | _Ended] = queue.SimpleQueue()

    def play(self) -> None:
        """Everything that is left."""
        threading.Thread(target=_forward, args=(self._workers.reports, self._items), daemon=True).start()
        try:
            while len(self._stored) < self._schedule.match_count:
                # One more in flight than there are workers, so that none waits for us. What failed comes in the next round.
                for session in self._schedule.iter_remaining(self._stored):
                    self._submit(session)
                    self._collect(until=job_count(self._config))
                self._collect(until=0)
        except BaseException:
            self._is_stopping = True
            self._workers.stop.set()
            self._collect(until=0)
            raise
        finally:
            self._end_executor()
            self._workers.reports.put(None)

    def _submit(self, session: Session) -> None:
        if self._executor is None:
            self._pool += 1
            self._executor = self._workers.new_executor()
        config = self._config
        key = next(session.iter_keys())
        first, second, third, fourth = map(config.bot, config.bots_by_seat(key.seated))
        job = SessionJob(
            session=session,
            bots=(first, second, third, fourth),
            terms=MatchTerms(
                rules=config.rules,
                time=config.time,
                policy=FaultPolicy(max_faults=config.time.max_faults, restarts=config.restarts),
                isolation="none",
            ),
            options=ChairOptions(startup_ms=config.startup_ms, log_bytes=config.log_bytes),
            secret=self._store.secret,
            logs=self._logs / f"{self._schedule.match_number(key):05d}",
        )
        reports = self._workers.reports
        self._in_flight += 1
        self._observer.begin(session.teams)
        try:
            future = self._executor.submit(play_session, job, reports.put, self._workers.stop)
        except BrokenExecutor as error:
            reports.put(_Ended(str(error), self._pool))
            return
        # The queue keeps the order: whatever the session reported comes before its end.
        future.add_done_callback(partial(_report_end, reports, self._pool))

    def _collect(self, *, until: int) -> None:
        """Store what comes in until at most so many sessions are being played."""
        while self._in_flight > until:
            item = self._items.get()
            if isinstance(item, _Ended):
                self._in_flight -= 1
                self._check(item)
            elif item.key not in self._stored:
                self._store.add_match(item, number=self._schedule.match_number(item.key))
                self._stored.add(item.key)
                self._failures = 0
                self._observer.add(item.key.teams)

    def _check(self, ended: _Ended) -> None:
        """Count a failure of ours. The loss of an executor ends all its sessions and counts once."""
        if ended.error is None or self._is_stopping or (ended.pool is not None and ended.pool == self._lost_pool):
            return
        if ended.pool is not None:
            self._lost_pool = ended.pool
            self._end_executor()
        self._failures += 1
        if self._failures >= MAX_FAILURES:
            raise WorkerError(
                f"the run stopped: sessions failed {self._failures} times in a row without a finished match, and not by a "
                f"bot's fault; nothing that was played is lost, the same command goes on. The last failure: {ended.error}"
            )

    def _end_executor(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None


def _report_end(reports: ReportQueue, pool: int, future: "Future[None]") -> None:
    error = None if future.cancelled() else future.exception()
    if error is None:
        reports.put(_Ended())
    elif isinstance(error, BrokenExecutor):
        reports.put(_Ended("a worker process died", pool))
    elif isinstance(error, HostError):
        reports.put(_Ended(str(error)))
    else:
        reports.put(_Ended("".join(traceback.format_exception(error))))


def _forward(reports: ReportQueue, items: "queue.SimpleQueue[MatchRecord | _Ended]") -> None:
    """Hand on what the workers report, until None comes or the queue is gone with its process."""
    with contextlib.suppress(EOFError, OSError):
        while (item := reports.get()) is not None:
            items.put(item)


@contextmanager
def _interrupted_by_sigterm() -> Iterator[None]:
    """Have SIGTERM do what Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
