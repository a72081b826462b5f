"""Every bad bot in every tier: its verdict, what its attack came to, and that nothing is left but a normal table."""

import asyncio
import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import OverloadError
from arena.records.model import MatchRecord
from arena.rules.cards import SEATS, TEAM_OF_SEAT, TEAMS
from arena.rules.options import Rules
from arena.seat.chair import Chair
from arena.seat.isolation.cage import make_reachable
from arena.seat.isolation.tier import Tier
from arena.seat.output import CAP_NOTE
from tests.isolation.expectation import BAD_BOTS, POSSIBLE, STOPPED, Expectation, bad_bots, load_expectation
from tests.isolation.hall import LOG_BYTES, Hall, contents, logs_of, make_harmless, watched_groups
from tests.isolation.machine import groups_of, offered, processes_at, processes_left_at
from tests.referee.table import Table
from tests.seat_tools import until

USUAL_STARTUP_MS = 20_000
ONE_GAME = Rules(match_target=2, max_games=1)
TRIES = 20
"""Matches that a busy machine may void, one after another, before it is taken for something that a bot can do."""


class Sitting:
    """One bad bot at the table of a hall, from its first match to the end of a normal one."""

    def __init__(self, hall: Hall, expected: Expectation) -> None:
        self.hall = hall
        self.expected = expected
        self.tier = hall.isolation.tier
        self.home = Path(tempfile.mkdtemp(prefix="h", dir=hall.root))
        make_reachable(self.home)
        self.bot = hall.write_bad_bot(expected.name, self.home)
        self.bad_seats = SEATS[::2] if expected.partner else SEATS[:1]

    async def play(self) -> None:
        """All of it."""
        before = contents(self.bot)
        own_groups = groups_of(os.getpid())
        innocent_processes = processes_at(self.hall.bots).keys()
        async with AsyncExitStack() as stack:
            bad = [await stack.enter_async_context(self._chair(seat)) for seat in self.bad_seats]
            innocents = [
                self.hall.innocents["slow" if self.expected.opponent and seat == 1 else str(seat)] for seat in (1, 2, 3)
            ]
            chairs = (bad[0], innocents[0], bad[1] if self.expected.partner else innocents[1], innocents[2])
            table = Table(chairs, ONE_GAME)
            with watched_groups() as groups:
                for number in range(self.expected.starts):
                    record = await self._play(table, number)
                    for chair in bad:
                        await chair.end()
            self._check_verdict(record)
            self._check_survivors()
            if self.expected.tiers[self.tier] == STOPPED:
                assert contents(self.bot) == before
            make_harmless(self.bot, self.tier)
            if self.expected.startup_ms < USUAL_STARTUP_MS:  # a limit that may be too short for a bot that only starts
                again = await stack.enter_async_context(self._chair(self.bad_seats[0], startup_ms=USUAL_STARTUP_MS))
                table = Table((again, *chairs[1:]), ONE_GAME)
            normal = await table.play(9, move_ms=20_000, max_faults=2)
            assert (normal.faults, normal.forfeited) == ((), ())
            assert all(game.result for game in normal.games)
        assert processes_left_at(self.home) == {}
        assert processes_at(self.hall.bots).keys() == innocent_processes, "an innocent bot was started again"
        # Those of tests that run at the same time go, too.
        await until(lambda: not [group for group in groups - own_groups if group.exists()])

    async def _play(self, table: Table, number: int) -> MatchRecord:
        """A match, played again when the machine was overloaded, as a tournament does."""
        for left in reversed(range(TRIES)):
            try:
                return await table.play(number, move_ms=self.expected.move_ms, max_faults=2)
            except OverloadError:
                if not left:
                    raise
                await asyncio.sleep(1)
        raise AssertionError

    def _chair(self, seat: int, *, startup_ms: int = 0) -> Chair:
        folder = self.home / (f"again{seat}" if startup_ms else f"s{seat}")
        expected = replace(self.expected, startup_ms=startup_ms or self.expected.startup_ms)
        return self.hall.bad_chair(SEATS[seat], self.bot, expected=expected, folder=folder)

    def _check_verdict(self, record: MatchRecord) -> None:
        expected, faults = self.expected, record.faults
        kinds = expected.kinds(self.tier)
        assert len(faults) == len(kinds), faults
        assert all(fault.kind in allowed for fault, allowed in zip(faults, kinds, strict=True)), faults
        assert {fault.seat for fault in faults} <= set(self.bad_seats), faults
        if expected.exit_status is not None:
            assert {fault.exit_status for fault in faults} == {expected.exit_status}, faults
        own = TEAM_OF_SEAT[self.bad_seats[0]]
        if expected.is_forfeit(self.tier):
            # Nobody has finished a game: the others are given nothing, and no defeat points.
            assert record.forfeited == (own,)
            assert record.loser == own
            assert [record.defeat_points[team] for team in TEAMS if team != own] == [0]
        else:
            assert record.forfeited == ()
            assert record.games[0].result is not None

    def _check_survivors(self) -> None:
        if self.expected.survivors is self.tier:
            left = processes_at(self.home)
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            assert left, "it was said that this tier leaves a process behind, and there is none"
        assert processes_left_at(self.home) == {}

    def check_logs(self) -> None:
        """What the bot says that its attack came to."""
        told = ""
        for seat in self.bad_seats:
            folder = logs_of(self.home / f"s{seat}")
            assert all(path.stat().st_size <= LOG_BYTES + len(CAP_NOTE) for path in folder.iterdir())
            told += (folder / "stderr.log").read_text(errors="replace")
        attempts = [line for line in told.splitlines() if line.startswith("ATTACK ")]
        succeeded = [line for line in attempts if line.startswith("ATTACK SUCCEEDED")]
        assert "Traceback" not in told or self.expected.faults, told
        if self.expected.tiers[self.tier] == STOPPED:
            assert succeeded == []
            assert attempts or not _tells(self.expected.name), told
        elif self.expected.tiers[self.tier] == POSSIBLE and self.expected.survivors is not self.tier:
            assert succeeded, f"it was said to be possible, and was not: {told}"


def _tells(name: str) -> bool:
    """Whether a bad bot prints how its attack went."""
    source = "".join(path.read_text() for path in (BAD_BOTS / name).glob("main.py"))
    return any(word in source for word in ("failed(", "failed)", "attempt(", "ATTACK FAILED", "ponder("))


@pytest.fixture(name="hall", scope="module", params=list(Tier))
def hall_fixture(request: pytest.FixtureRequest) -> Iterator[tuple[Hall, asyncio.Runner]]:
    """An open hall in a tier, and the loop in which it lives."""
    isolation = offered(request.param)
    with tempfile.TemporaryDirectory(prefix="t-") as root, asyncio.Runner() as runner:
        make_reachable(Path(root))
        hall = Hall(isolation, Path(root))
        runner.run(hall.open())
        yield hall, runner
        runner.run(hall.close())
        assert processes_left_at(Path(root)) == {}
        assert not [path for path in Path(root).rglob("*") if path.is_socket()]
        assert Path(root).name not in Path("/proc/self/mountinfo").read_text()


@pytest.mark.parametrize("name", bad_bots())
def test_bad_bot(hall: tuple[Hall, asyncio.Runner], name: str) -> None:
    place, runner = hall
    sitting = Sitting(place, load_expectation(name))
    runner.run(sitting.play())
    sitting.check_logs()
