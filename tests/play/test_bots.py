"""Bots that are processes, at a table on the screen."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from arena.play.screens import Notice
from arena.records.model import FaultKind
from arena.rules.cards import SEATS
from arena.rules.options import Rules
from arena.seat.manifest import Manifest
from tests.play.tables import Table, opened
from tests.referee.table import TURNS
from tests.seat_tools import NULL, children, is_soon_gone, new_chair, write_bot

EXITS = """
class Exits(Counting):
    def number(self, n, turn):
        print("I held " + " ".join(map(str, turn.legal)), file=sys.stderr, flush=True)
        os._exit(3)

serve(Exits())
"""


@contextlib.asynccontextmanager
async def with_bots(root: Path, bots: dict[int, Manifest], *, rules: Rules | None = None) -> AsyncIterator[Table]:
    """A table with these bots by seat; the others are puppets."""
    async with contextlib.AsyncExitStack() as stack:
        chairs = {
            SEATS[seat]: await stack.enter_async_context(new_chair(bot, root, seat=SEATS[seat])) for seat, bot in bots.items()
        }
        async with opened(chairs, rules=rules) as table:
            yield table


def test_a_match_against_real_bots(root: Path) -> None:
    async def test() -> None:
        null = write_bot(root / "null", NULL)
        async with with_bots(root, {1: null, 2: null, 3: null}) as table:
            while not table.shows(Notice):
                await table.until(lambda: table.legal or table.shows(Notice))
                if table.legal:
                    await table.pilot.pause()
                    await table.lay(table.legal[0])
            await table.until(lambda: table.app.records)
            (record,) = table.app.records
            assert record.faults == ()
            assert not record.forfeited

    asyncio.run(test())


def test_leaving_ends_the_bots(root: Path) -> None:
    async def test() -> None:
        null = write_bot(root / "null", NULL)
        before = set(children())
        async with with_bots(root, {1: null, 2: null, 3: null}) as table:
            await table.asked()
            started = set(children()) - before
            assert len(started) >= 3
            await table.pilot.press("q", "y")
            await table.until(lambda: not table.app.is_running)
        assert all(is_soon_gone(pid) for pid in started)

    asyncio.run(test())


def test_leaving_while_they_start_ends_them(root: Path) -> None:
    never = write_bot(root / "never", "import time\ntime.sleep(600)\n")

    async def test() -> None:
        before = set(children())
        async with with_bots(root, {1: never}) as table:
            await table.until(lambda: set(children()) - before)
            await table.pilot.press("q", "y")
            await table.until(lambda: not table.app.is_running)
        assert table.app.records == []

    asyncio.run(test())


def test_a_bot_that_crashes_is_named_and_ends_the_match(root: Path) -> None:
    async def test() -> None:
        async with with_bots(root, {1: write_bot(root / "crash", TURNS, EXITS)}) as table:
            while not table.shows(Notice):
                await table.until(lambda: table.legal or table.shows(Notice))
                if table.legal:
                    await table.pilot.pause()
                    await table.lay(table.legal[-1])
            await table.until(lambda: table.app.records)
            await table.pilot.pause()
            (record,) = table.app.records
            assert [fault.kind for fault in record.faults] == [FaultKind.CRASH] * 2
            assert record.forfeited == (1,)
            text = table.text()
            assert "You won the match" in text
            assert "They forfeited" in text
            assert "Left: crash" in text
            # It wrote its cards to stderr: those are kept with the fault, and are not shown.
            assert "I held" in record.faults[0].stderr_tail
            assert "I held" not in text
            await table.pilot.press("q")
            await table.until(lambda: not table.app.is_running)

    asyncio.run(test())
