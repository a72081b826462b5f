"""The runner against workers that follow a script: what it stores, what it counts, when it gives up."""

import contextlib
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from arena.errors import HostError, StoreError, WorkerError
from arena.records.model import MatchKey, MatchRecord
from arena.records.store import Store
from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.tier import Limits, Tier
from arena.tournament import run
from arena.tournament.config import TournamentConfig
from arena.tournament.pairings import Pairing
from arena.tournament.run import MAX_FAILURES, play_run
from arena.tournament.session import SessionJob
from arena.tournament.workers import Workers
from tests.builders import SECRET, play_match
from tests.tournament.files import MINIMAL, load

PATIENCE = 20.0
LOST = object()
KEYS = dict(enumerate((MatchKey(("One", "Two"), number, swapped) for swapped in (False, True) for number in (0, 1)), start=1))
"""The matches of the run by their numbers."""
Report = Callable[[MatchRecord], None]
Script = Callable[[SessionJob, Report, threading.Event], None]


class Reports:
    """The queue for reports; once it is lost, nothing goes in or comes out."""

    def __init__(self) -> None:
        self._queue: queue.Queue[Any] = queue.Queue()
        self._is_lost = False

    def put(self, item: Any) -> None:
        if self._is_lost:
            raise ConnectionRefusedError("nobody is there")
        self._queue.put(item)

    def get(self) -> Any:
        item = self._queue.get()
        if item is LOST:
            raise EOFError
        return item

    def lose(self) -> None:
        self._is_lost = True
        self._queue.put(LOST)


class Pool(ThreadPoolExecutor):
    """Plays sessions in threads, by a script."""

    def __init__(self, script: Script) -> None:
        super().__init__(2)
        self._script = script

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        return super().submit(self._script, *args)


class BrokenPool(Pool):
    """Lost already when it is given something."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        raise BrokenExecutor("a process died")


class LostPool(Pool):
    """Lost with whatever it was given, all at once, when it has two sessions."""

    def __init__(self) -> None:
        super().__init__(honest)
        self._futures: list[Future[None]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        self._futures.append(Future())
        if len(self._futures) == 2:
            threading.Thread(target=self._lose).start()
        return self._futures[-1]

    def _lose(self) -> None:
        for future in self._futures:
            future.set_exception(BrokenExecutor("a process died"))


class Table:
    """A run of two teams with 4 matches in 2 sessions, and what it does with scripted workers."""

    def __init__(self, config: TournamentConfig, folder: Path) -> None:
        self.config = config
        self.folder = folder
        self.store = Store.create(folder / "run", config="{}", source="", secret=SECRET)
        self.reports = Reports()
        self.stop = threading.Event()
        self.pools: list[Pool] = []
        self.planned: list[tuple[dict[Pairing, int], dict[Pairing, int]]] = []
        self.begun: list[tuple[str, str]] = []
        self.added: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self.killed = threading.Event()

    def plan(self, matches: Mapping[Pairing, int], *, finished: Mapping[Pairing, int]) -> None:
        self.planned.append((dict(matches), dict(finished)))

    def begin(self, pairing: tuple[str, str]) -> None:
        self.begun.append(pairing)

    def add(self, pairing: tuple[str, str]) -> None:
        self.added.append(pairing)

    def note(self, text: str) -> None:
        self.notes.append(text)

    def play(self, *pools: Pool | Script) -> None:
        """pools: what the runner is given one after the other when it asks for an executor, the last one from then on."""
        scripted = [pool if isinstance(pool, Pool) else Pool(pool) for pool in pools]

        def new_pool() -> Pool:
            self.pools.append(scripted[min(len(self.pools), len(scripted) - 1)])
            return self.pools[-1]

        workers = Workers(
            reports=self.reports,
            stop=self.stop,
            scratch=self.folder,
            job_count=lambda: 2,
            new_executor=new_pool,
            kill=self.killed.set,
        )
        isolation = Isolation(tier=Tier.LIMITS, limits=Limits())
        play_run(
            self.config,
            self.store,
            isolation=isolation,
            logs=self.folder,
            workers=contextlib.nullcontext(workers),
            observer=self,
        )


@pytest.fixture(name="table")
def table_fixture(home: Path, tmp_path: Path) -> Iterator[Table]:
    handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    table = Table(load(home, MINIMAL | {"jobs": 2}), tmp_path)
    yield table
    table.reports.lose()
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers
    assert not [pool for pool in table.pools if not pool._shutdown]
    table.store.close()


def record_of(key: MatchKey) -> MatchRecord:
    return play_match(key, seed=key.number)


def honest(job: SessionJob, report: Report, stop: threading.Event) -> None:
    """Play everything."""
    for key in job.session.iter_keys():
        report(record_of(key))


def waiting(job: SessionJob, report: Report, stop: threading.Event) -> None:
    """Play the first match, hang in the second until told to stop."""
    report(record_of(next(job.session.iter_keys())))
    assert stop.wait(PATIENCE)


def test_everything_is_played_and_the_run_is_finished(table: Table) -> None:
    table.play(honest)
    assert sorted(table.store.match_keys().values()) == [1, 2, 3, 4]
    assert table.store.is_finished
    assert table.added == [("One", "Two")] * 4
    assert table.begun == [("One", "Two")] * 2
    assert (table.notes, table.killed.is_set(), len(table.pools)) == ([], False, 1)


def test_nothing_is_played_again(table: Table) -> None:
    for number in (1, 4):
        table.store.add_match(record_of(KEYS[number]), number=number)
    played: list[MatchKey] = []

    def script(job: SessionJob, report: Report, stop: threading.Event) -> None:
        played.extend(job.session.iter_keys())
        honest(job, report, stop)

    table.play(script)
    assert played == [KEYS[2], KEYS[3]]
    assert table.planned == [({("One", "Two"): 4}, {("One", "Two"): 2})]
    assert table.store.match_count() == 4


def test_run_that_only_lacks_its_mark_needs_no_workers(table: Table) -> None:
    for number in range(1, 5):
        table.store.add_match(record_of(KEYS[number]), number=number)
    table.play(honest)
    assert table.store.is_finished
    assert table.pools == []


def test_match_that_is_reported_twice_counts_once(table: Table) -> None:
    def script(job: SessionJob, report: Report, stop: threading.Event) -> None:
        honest(job, report, stop)
        honest(job, report, stop)

    table.play(script)
    assert table.store.match_count() == len(table.added) == 4


@pytest.mark.parametrize(
    ("error", "told"), [(HostError("no room in the inn"), "no room in the inn"), (ZeroDivisionError("by a bug"), "in failing")]
)
def test_sessions_that_always_fail_end_the_run(table: Table, error: Exception, told: str) -> None:
    tries = []

    def failing(job: SessionJob, report: Report, stop: threading.Event) -> None:
        tries.append(job)
        raise error

    with pytest.raises(WorkerError, match=f"{MAX_FAILURES} times in a row") as caught:
        table.play(failing)
    assert told in str(caught.value)
    # Those that are under way when the last one fails are of no account.
    assert MAX_FAILURES <= len(tries) <= MAX_FAILURES + 2
    assert not table.store.is_finished
    assert table.stop.is_set()
    assert table.notes[: MAX_FAILURES - 1] == [f"Matches are played again, not by a bot's fault: {_last_line(error)}"] * 2


def _last_line(error: Exception) -> str:
    return str(error) if isinstance(error, HostError) else f"{type(error).__name__}: {error}"


def test_failures_with_matches_between_them_do_not_end_the_run(table: Table) -> None:
    def script(job: SessionJob, report: Report, stop: threading.Event) -> None:
        report(record_of(next(job.session.iter_keys())))
        raise HostError("once more")

    table.play(script)
    assert table.store.is_finished
    assert len(table.notes) == 4 > MAX_FAILURES


def test_loss_of_an_executor_counts_once_and_another_one_is_taken(table: Table) -> None:
    table.play(LostPool(), BrokenPool(honest), honest)
    assert table.store.is_finished
    assert len(table.pools) == 3
    assert len(table.notes) == 2


def test_executors_that_are_always_lost_end_the_run(table: Table) -> None:
    with pytest.raises(WorkerError, match="a worker process died"):
        table.play(BrokenPool(honest))
    assert len(table.pools) == MAX_FAILURES


def test_machine_that_cannot_start_a_worker_ends_the_run(table: Table) -> None:
    class Full(Pool):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            raise BlockingIOError(11, "Resource temporarily unavailable")

    with pytest.raises(WorkerError, match=r"could not be started: .*Resource temporarily unavailable"):
        table.play(Full(honest))


def test_store_that_fails_ends_the_run_and_what_comes_after_is_tried(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    add_match = table.store.add_match
    tried: list[int] = []

    def add(record: MatchRecord, *, number: int) -> None:
        tried.append(number)
        if len(tried) in (2, 3):
            raise StoreError(f"the disk is full at the {len(tried)}nd")
        add_match(record, number=number)

    both = threading.Barrier(2)

    def script(job: SessionJob, report: Report, stop: threading.Event) -> None:
        both.wait(PATIENCE)
        honest(job, report, stop)

    monkeypatch.setattr(table.store, "add_match", add)
    with pytest.raises(StoreError, match="full at the 2nd"):
        table.play(script)
    assert len(tried) == 4
    assert table.store.match_count() == 2
    assert table.stop.is_set()


def test_lost_queue_ends_the_run(table: Table) -> None:
    def script(job: SessionJob, report: Report, stop: threading.Event) -> None:
        table.reports.lose()
        assert stop.wait(PATIENCE)  # it is noticed before sessions fail for it
        report(record_of(next(job.session.iter_keys())))

    with pytest.raises(WorkerError, match="was lost: EOFError"):
        table.play(script)


def test_flag_that_is_lost_has_the_workers_killed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost() -> None:
        raise ConnectionRefusedError

    def script(job: SessionJob, report: Report, stop: threading.Event) -> None:
        table.reports.lose()
        assert table.killed.wait(PATIENCE)

    monkeypatch.setattr(table.stop, "set", lost)
    with pytest.raises(WorkerError, match="was lost"):
        table.play(script)
    assert table.killed.is_set()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_stops_the_run_and_what_is_finished_is_kept(table: Table, number: signal.Signals) -> None:
    both = threading.Barrier(2)

    def script(job: SessionJob, report: Report, stop: threading.Event) -> None:
        if both.wait(PATIENCE) == 0:
            os.kill(os.getpid(), number)
        assert stop.wait(PATIENCE)
        # Just finished when it is told.
        report(record_of(next(job.session.iter_keys())))

    with pytest.raises(KeyboardInterrupt):
        table.play(script)
    assert table.store.match_count() == 2
    assert not table.store.is_finished
    assert table.notes == ["Stopping: the matches that are being played are given up."]
    assert not table.killed.is_set()


def test_second_signal_kills_the_workers(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_ONE_SIGNAL_SECONDS", 0.0)

    def script(job: SessionJob, report: Report, stop: threading.Event) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.wait(PATIENCE)
        os.kill(os.getpid(), signal.SIGINT)
        assert table.killed.wait(PATIENCE)

    with pytest.raises(KeyboardInterrupt):
        table.play(script)
    assert table.killed.is_set()


def test_workers_that_give_no_sign_of_life_are_killed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_ONE_SIGNAL_SECONDS", 0.0)
    monkeypatch.setattr(run, "_DRAIN_SECONDS", 0.05)
    both = threading.Barrier(2)

    def script(job: SessionJob, report: Report, stop: threading.Event) -> None:
        if both.wait(PATIENCE) == 0:
            os.kill(os.getpid(), signal.SIGINT)
        assert table.killed.wait(PATIENCE)

    with pytest.raises(KeyboardInterrupt):
        table.play(script)
    assert table.killed.is_set()


def test_workers_that_cannot_even_be_killed_hold_nobody_up(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_ONE_SIGNAL_SECONDS", 0.0)
    monkeypatch.setattr(run, "_DRAIN_SECONDS", 0.05)

    class Deaf(Pool):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            os.kill(os.getpid(), signal.SIGTERM)
            return Future()

    with pytest.raises(KeyboardInterrupt):
        table.play(Deaf(honest))
    assert table.killed.is_set()


def test_signal_after_the_last_match_is_too_late(table: Table) -> None:
    class Late(Pool):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            super().shutdown(wait, cancel_futures=cancel_futures)

    table.play(Late(honest))
    assert table.store.is_finished


def test_observer_that_fails_ends_the_run(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(pairing: tuple[str, str]) -> None:
        raise KeyError(pairing)

    monkeypatch.setattr(table, "add", fail)
    with pytest.raises(KeyError):
        table.play(waiting)
    assert table.store.match_count() >= 1
