"""Plays what a tournament has still to play, and keeps every match in the store as soon as it is finished."""

import contextlib
import math
import queue
import threading
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Protocol

from arena.errors import StoreError, WorkerError
from arena.records.model import MatchKey, MatchRecord
from arena.records.store import Store
from arena.records.summary import MatchSummary, summarize
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms
from arena.rules.cards import Team
from arena.seat.chair import ChairOptions
from arena.seat.isolation.cage import Isolation
from arena.tournament.bench import Bench, unplayed_match
from arena.tournament.config import TournamentConfig, format_of
from arena.tournament.history import History
from arena.tournament.items import Ended, Interrupt, Item, Items, Lost, forward_reports, report_end, signals_as_items
from arena.tournament.pairings import Pairing
from arena.tournament.plan import Plan, block_json, matches_by_pairing, parse_block
from arena.tournament.schedule import Block, Session
from arena.tournament.session import SessionJob, Voided, play_session
from arena.tournament.workers import Workers

MAX_FAILURES = 3
"""Sessions in a row that may fail for our reasons, without a match finished between them, before the run stops."""
_DRAIN_SECONDS = 30.0
"""How long no worker may give a sign of life when all were told to stop, before they are killed."""
_SIGNAL_SECONDS = 0.5
"""How late a signal may be heard."""
_ONE_SIGNAL_SECONDS = 1.0
"""Within so long a second signal is the first one: some programs send it to us and to our process group."""


class Observer(Protocol):
    """Who is told how a run goes on."""

    def plan(self, matches: Mapping[Pairing, int], *, finished: Mapping[Pairing, int]) -> None:
        """So many more matches are planned of these pairings, of which so many were finished by an earlier runner."""

    def begin(self, pairing: Pairing) -> None:
        """Matches of this pairing were handed to a worker."""

    def add(self, pairing: Pairing) -> None:
        """One more match of it is played and stored."""

    def note(self, text: str) -> None:
        """Something out of the ordinary, in words."""


def play_run(
    config: TournamentConfig,
    store: Store,
    *,
    isolation: Isolation,
    logs: Path,
    workers: AbstractContextManager[Workers],
    observer: Observer,
) -> None:
    """Play every match that the store does not have, then mark the run as finished.

    isolation: how the bots are kept. logs: folder for their output. workers: not entered yet. Raises KeyboardInterrupt after
    Ctrl-C or SIGTERM, when the workers have given up their matches and all finished ones are stored; HostError when the run
    cannot go on for reasons that are not a bot's. Call it in the main thread.
    """
    items: Items = queue.SimpleQueue()
    with signals_as_items(items):
        with workers as entered:
            _Run(config, store, items, isolation=isolation, logs=logs, workers=entered, observer=observer).play()
        store.finish()


class _Run:
    def __init__(
        self,
        config: TournamentConfig,
        store: Store,
        items: Items,
        *,
        isolation: Isolation,
        logs: Path,
        workers: Workers,
        observer: Observer,
    ) -> None:
        self._config = config
        self._store = store
        self._items = items
        self._isolation = isolation
        self._logs = logs
        self._workers = workers
        self._observer = observer
        self._format = format_of(config)
        self._plan = Plan()
        self._history = History()
        self._began = time.monotonic()
        self._spent_before = 0.0
        self._first = 0
        self._finished = bytearray()
        self._left = 0
        self._bench = Bench(config.bench_after)
        self._terms = MatchTerms(
            rules=config.rules,
            time=config.time,
            policy=FaultPolicy(max_faults=config.time.max_faults, restarts=config.restarts),
            isolation=isolation.tier,
        )
        self._failures = 0
        self._in_flight = 0
        self._executor: Executor | None = None
        self._pool = 0

    def play(self) -> None:
        """Everything that is left."""
        stored = [parse_block(text, self._config.team_names) for text in self._store.blocks()]
        threading.Thread(target=forward_reports, args=(self._workers.reports, self._items), daemon=True).start()
        try:
            for block in stored:
                self._begin(block)
                self._play_block(block)
            while (planned := self._next_block()) is not None:
                self._store.add_block(block_json(planned))
                self._begin(planned)
                self._play_block(planned)
        except BaseException:
            self._drain()
            raise
        finally:
            self._end_executor(waits=self._in_flight == 0)

    def _next_block(self) -> Block | None:
        self._history.spent_seconds = self._spent_before + time.monotonic() - self._began
        return self._format.next_block(self._history)

    def _begin(self, block: Block) -> None:
        """Count what the store has of a block. All blocks before it are finished."""
        self._first = self._plan.match_count
        self._plan.add(block)
        self._history.blocks.append(block)
        self._finished = bytearray(block.match_count)
        self._left = block.match_count
        finished: Counter[Pairing] = Counter()
        jobs = self._workers.job_count()
        for number, match in self._store.iter_numbered(first=self._first + 1, last=self._plan.match_count):
            self._finished[number - self._first - 1] = True
            self._left -= 1
            finished[match.key.teams] += 1
            self._spent_before += match.seconds / jobs
            self._settle(number, match)
        self._observer.plan(matches_by_pairing(block), finished=finished)

    def _play_block(self, block: Block) -> None:
        while self._left:
            # One more in flight than there are workers, so that none waits for us. What failed comes in the next round.
            for session in block.iter_remaining(self._is_finished):
                if any(map(self._bench.is_benched, session.teams)):
                    self._forfeit(session)
                else:
                    self._submit(session)
                self._collect(until=self._workers.job_count())
            self._collect(until=0)

    def _is_finished(self, key: MatchKey) -> bool:
        return bool(self._finished[self._plan.match_number(key) - self._first - 1])

    def _submit(self, session: Session) -> None:
        if self._executor is None:
            self._pool += 1
            self._executor = self._workers.new_executor()
        ended = partial(report_end, self._workers.reports, self._items, self._pool)
        try:
            future = self._executor.submit(play_session, self._job(session), self._workers.reports.put, self._workers.stop)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        except OSError as error:
            raise WorkerError(f"a worker process could not be started: {error}") from error
        self._in_flight += 1
        future.add_done_callback(ended)
        self._observer.begin(session.teams)

    def _forfeit(self, session: Session) -> None:
        """Keep the matches of a session with a benched team without playing them."""
        for key in session.iter_keys():
            self._keep(self._unplayed(key, self._bench.benched(key)))

    def _unplayed(self, key: MatchKey, benched: tuple[Team, ...]) -> MatchRecord:
        bots = self._config.bots_by_seat(key)
        return unplayed_match(key, benched=benched, bots=bots, terms=self._terms, after=self._config.bench_after)

    def _job(self, session: Session) -> SessionJob:
        config = self._config
        key = next(session.iter_keys())
        first, second, third, fourth = map(config.bot, config.bots_by_seat(key))
        return SessionJob(
            session=session,
            bots=(first, second, third, fourth),
            terms=self._terms,
            options=ChairOptions(
                startup_ms=config.startup_ms,
                first_turn_ms=config.first_turn_ms,
                log_bytes=config.log_bytes,
                isolation=self._isolation,
            ),
            secret=self._store.secret,
            logs=self._logs / f"{self._plan.match_number(key):05d}",
            scratch=self._workers.scratch,
        )

    def _collect(self, *, until: int) -> None:
        """Store what has come in, and what comes in until at most so many sessions are being played."""
        while self._in_flight > until or not self._items.empty():
            item = self._next(patience=math.inf)
            if isinstance(item, MatchRecord):
                self._keep(item)
            elif isinstance(item, Ended):
                self._in_flight -= 1
                self._check(item)
            elif isinstance(item, Voided):
                self._observer.note(f"{' against '.join(item.teams)}: a match is played again, since {item.reason}")
            elif isinstance(item, Lost):
                raise WorkerError(f"the process that passes the workers' reports on was lost: {item.error}")
            else:
                raise KeyboardInterrupt

    def _next(self, *, patience: float) -> Item:
        """What happens next; an interrupt when nothing does for so many seconds."""
        deadline = time.monotonic() + patience
        while True:
            # A signal that comes just before the wait does not end it, and its handler runs afterwards.
            with contextlib.suppress(queue.Empty):
                return self._items.get(timeout=_SIGNAL_SECONDS)
            if time.monotonic() > deadline:
                return Interrupt()

    def _keep(self, record: MatchRecord) -> None:
        key = record.key
        if not self._is_finished(key):
            number = self._plan.match_number(key)
            self._store.add_match(record, number=number)
            self._finished[number - self._first - 1] = True
            self._left -= 1
            self._settle(number, summarize(record))
            self._failures = 0
            self._observer.add(key.teams)

    def _settle(self, number: int, match: MatchSummary) -> None:
        """Count a stored match, and replace those that a benched team should not have played."""
        before = self._bench.names
        self._note_result(match)
        for wrong, key, benched in self._bench.add(number, match):
            record = self._unplayed(key, benched)
            self._store.replace_match(record, number=wrong)
            self._note_result(summarize(record))
        for name in self._bench.names:
            if name not in before:
                self._observer.note(f"{name} forfeited {self._config.bench_after} matches in a row and is benched.")

    def _note_result(self, match: MatchSummary) -> None:
        if self._format.looks_back:
            self._history.add(match)

    def _check(self, ended: Ended) -> None:
        """Count a failure of ours. The loss of an executor ends all its sessions and counts once."""
        if ended.error is None:
            return
        if ended.pool is not None:
            if self._executor is None or ended.pool != self._pool:
                return
            self._end_executor(waits=True)
        self._failures += 1
        if self._failures >= MAX_FAILURES:
            raise WorkerError(
                f"the run stopped: sessions failed {self._failures} times in a row without a finished match, and not by a "
                f"bot's fault. The last failure: {ended.error}"
            )
        self._observer.note(f"Matches are played again, not by a bot's fault: {ended.error.splitlines()[-1]}")

    def _drain(self) -> None:
        """Have the workers give up what they play, and keep what they had finished. An error in between is not the one to tell.

        They are killed when they cannot be told, when they give no sign of life, and at one more signal. When not even that
        helps, nobody waits for them.
        """
        began = time.monotonic()
        are_killed = False
        try:
            self._workers.stop.set()
        except (EOFError, OSError):
            self._workers.kill()
        if self._in_flight:
            self._observer.note("Stopping: the matches that are being played are given up.")
        while self._in_flight:
            item = self._next(patience=_DRAIN_SECONDS)
            if isinstance(item, MatchRecord):
                with contextlib.suppress(StoreError):
                    self._keep(item)
            elif isinstance(item, Ended):
                self._in_flight -= 1
            elif isinstance(item, Interrupt) and time.monotonic() - began > _ONE_SIGNAL_SECONDS:
                if are_killed:
                    return
                self._workers.kill()
                are_killed = True

    def _end_executor(self, *, waits: bool) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=waits, cancel_futures=True)
            self._executor = None
