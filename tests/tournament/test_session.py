"""A worker's session with real bots: what it reports, how it is stopped, how its chairs are closed."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import HostError, OverloadError
from arena.records.model import MatchRecord
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms
from arena.rules.options import Rules, TimeControl
from arena.seat.chair import ChairOptions
from arena.seat.manifest import Manifest
from arena.tournament import session
from arena.tournament.config import BotEntry
from arena.tournament.schedule import Seating, Session
from arena.tournament.session import SessionJob, Voided, play_session
from tests.seat_tools import ISOLATION, NULL, SECRET, nothing_left_fixture, root_fixture, write_bot, write_raw_bot

__all__ = ["nothing_left_fixture", "root_fixture"]

TOGETHER = """
import pathlib
import signal

# It takes all its time to go: until it is killed, or until all four are at it.
signal.signal(signal.SIGTERM, signal.SIG_IGN)
raw = greeted()
while message := raw.read():
    if message.HasField("turn"):
        raw.answer(message.turn.number, message.turn.legal[0])
going = pathlib.Path({folder!r})
(going / str(os.getpid())).touch()
while len(list(going.iterdir())) < 4:
    time.sleep(0.01)
(going / f"{{os.getpid()}} was not alone").touch()
"""


def new_job(root: Path, manifest: Manifest, *, numbers: range = range(2), logs: Path | None = None) -> SessionJob:
    bot = BotEntry(bot_id="bot", path="bot", manifest=manifest)
    time = TimeControl(move_ms=60_000, bank_ms=0, max_faults=3)
    return SessionJob(
        session=Session(teams=("One", "Two"), seating=Seating(swapped=False), numbers=numbers),
        bots=(bot, bot, bot, bot),
        terms=MatchTerms(
            rules=Rules(match_target=2), time=time, policy=FaultPolicy(max_faults=3, restarts=0), isolation="limits"
        ),
        options=ChairOptions(startup_ms=60_000, first_turn_ms=0, log_bytes=10_000, isolation=ISOLATION),
        secret=SECRET,
        logs=logs or root / "logs",
        scratch=root,
    )


def play(job: SessionJob, stop: threading.Event | None = None, *, then: Callable[[], None] = lambda: None) -> list[MatchRecord]:
    """What is reported; after each report `then` is done."""
    records: list[MatchRecord] = []

    def report(item: MatchRecord | Voided) -> None:
        assert isinstance(item, MatchRecord), item
        records.append(item)
        then()

    play_session(job, report, stop or threading.Event())
    return records


def test_matches_in_their_order_from_the_same_processes(root: Path) -> None:
    bot = write_bot(root / "bot", "print('started')\n", NULL)
    records = play(new_job(root, bot))
    assert [record.key.number for record in records] == [0, 1]
    assert not any(record.faults for record in records)
    logs = sorted((root / "logs").glob("*/stdout.log"))
    assert [path.parent.name for path in logs] == [f"seat{seat}-bot" for seat in range(4)]
    assert [path.read_text() for path in logs] == ["started\n"] * 4
    assert sorted(path.name for path in root.iterdir()) == ["bot", "logs"]


def test_stop_before_the_start_starts_nothing(root: Path) -> None:
    stop = threading.Event()
    stop.set()
    assert play(new_job(root, write_bot(root / "bot", NULL)), stop) == []
    assert not (root / "logs").exists()


def test_stop_voids_the_match_that_is_played(root: Path) -> None:
    stop = threading.Event()
    records = play(new_job(root, write_bot(root / "bot", NULL), numbers=range(100_000)), stop, then=stop.set)
    assert 1 <= len(records) < 100_000
    assert sorted(path.name for path in root.iterdir()) == ["bot", "logs"]


def test_chairs_are_closed_at_the_same_time(root: Path) -> None:
    going = root / "going"
    going.mkdir()
    play(new_job(root, write_raw_bot(root / "bot", "import time\n", TOGETHER.format(folder=str(going))), numbers=range(1)))
    assert len(list(going.glob("*was not alone"))) == 4


def test_folder_for_logs_that_cannot_be_made_is_the_machines_fault(root: Path) -> None:
    (root / "file").touch()
    job = new_job(root, write_bot(root / "bot", NULL), logs=root / "file" / "logs")
    with pytest.raises(HostError, match="Not a directory"):
        play(job)


def test_report_that_nobody_takes_is_not_the_bots_fault(root: Path) -> None:
    def lost() -> None:
        raise EOFError

    with pytest.raises(HostError, match="EOFError"):
        play(new_job(root, write_bot(root / "bot", NULL)), then=lost)


class Overloads:
    """Plays as usual, but is told of an overload in the first `count` matches, once they are played."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
        self.play_match = session.play_match
        self.left = count
        monkeypatch.setattr(session, "play_match", self)
        monkeypatch.setattr(session, "PAUSES_SECONDS", (0.01, 0.02))

    async def __call__(self, *arguments: Any, **keywords: Any) -> MatchRecord:
        record = await self.play_match(*arguments, **keywords)
        if self.left:
            self.left -= 1
            raise OverloadError("too much to do")
        return record


def test_a_match_that_an_overload_has_voided_is_played_again_by_fresh_processes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Overloads(monkeypatch, 2)
    job = new_job(root, write_bot(root / "bot", "print('started')\n", NULL))
    items: list[MatchRecord | Voided] = []
    play_session(job, items.append, threading.Event())
    assert items[:2] == [Voided(("One", "Two"), "too much to do")] * 2
    records = [item for item in items[2:] if isinstance(item, MatchRecord)]
    assert [record.key.number for record in records] == [0, 1]
    assert not any(record.faults for record in records)
    logs = [path.read_text() for path in (root / "logs").glob("*/stdout.log")]
    assert [text.count("started") for text in logs] == [3] * 4


def test_an_overload_without_end_ends_the_session(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Overloads(monkeypatch, 3)
    items: list[MatchRecord | Voided] = []
    with pytest.raises(OverloadError, match="too much to do"):
        play_session(new_job(root, write_bot(root / "bot", NULL)), items.append, threading.Event())
    assert items == [Voided(("One", "Two"), "too much to do")] * 2
