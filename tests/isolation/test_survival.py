"""The referee outlives everything, and when it does not, no bot outlives it.

With ARENA_LONG=1 the tests that count do so in full: 1,000 starts, 64 tables, 10,000 turns, calls that rest for over a minute.
"""

import asyncio
import contextlib
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from arena.errors import OverloadError
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms, play_match
from arena.rules.cards import SEATS
from arena.rules.options import Rules, TimeControl
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import Isolation, make_reachable
from arena.seat.isolation.tier import Tier
from arena.seat.manifest import Manifest
from arena.seat.trouble import Reply, Trouble, TroubleKind
from tests.isolation.machine import findings, groups_of, offered, processes_at
from tests.referee.table import key
from tests.seat_tools import (
    NULL,
    PATIENCE,
    RAW,
    RULES,
    SECRET,
    TEAMS,
    TIME,
    ask,
    children,
    command,
    descriptors,
    until,
    write_bot,
)

USUAL = MatchTerms(
    rules=Rules(),
    time=TimeControl(move_ms=1000, bank_ms=20_000, max_faults=3),
    policy=FaultPolicy(max_faults=3, restarts=1),
    isolation="as told",
)
"""What tournaments have when their file says nothing."""
IS_LONG = bool(os.environ.get("ARENA_LONG"))
STARTS = 334 if IS_LONG else 13
TABLES = 64 if IS_LONG else 4
TURNS = 10_000 if IS_LONG else 500
REPOSITORY = Path(__file__).parents[2]
long_only = pytest.mark.skipif(not IS_LONG, reason="takes more than a minute: ARENA_LONG=1, as in make test-long, runs it")


def make_folder(folder: Path) -> None:
    """A folder through which bots' users may pass."""
    folder.mkdir()
    make_reachable(folder)


def chair_of(manifest: Manifest, folder: Path, *, isolation: Isolation, seat: int = 0) -> Chair:
    """A chair with folders of its own, not yet entered."""
    place, logs = folder / "s", folder / "l"
    make_folder(folder)
    place.mkdir()
    logs.mkdir()
    options = ChairOptions(startup_ms=20_000, first_turn_ms=2000, log_bytes=10_000, isolation=isolation)
    return Chair(SEATS[seat], manifest=manifest, folder=place, logs=logs, options=options)


async def open_table(stack: AsyncExitStack, manifest: Manifest, folder: Path, *, isolation: Isolation) -> Sequence[Chair]:
    """Four chairs with the same bot, not yet started."""
    make_folder(folder)
    chairs = [chair_of(manifest, folder / str(seat), isolation=isolation, seat=seat) for seat in SEATS]
    return [await stack.enter_async_context(chair) for chair in chairs]


@pytest.mark.parametrize("tier", Tier)
def test_no_bot_outlives_a_killed_referee(tier: Tier) -> None:
    offered(tier)
    with tempfile.TemporaryDirectory(prefix="t-") as root:
        words = [sys.executable, "-m", "tests.isolation.victim", tier, root]
        referee = subprocess.Popen(words, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
        assert referee.stdout is not None
        with referee.stdout as told:
            assert told.readline() == "playing\n"
            # Each bot is at least its own process and the one that it has hidden.
            bots = [words for pid, words in processes_at(Path(root)).items() if pid != referee.pid and "main.py" in words]
            assert len(bots) >= 8, bots
            groups = groups_of(referee.pid)
            assert bool(groups) == (tier is Tier.STRICT)
            referee.kill()
            killed_at = time.monotonic()
            referee.wait()
        while processes_at(Path(root)) and time.monotonic() < killed_at + PATIENCE:
            time.sleep(0.02)
        assert time.monotonic() - killed_at < 3
        for group in groups:  # nobody is left in them; `remove_leftovers` takes them away, which is tested there
            group.rmdir()


@pytest.mark.parametrize("tier", Tier)
def test_many_starts_while_calls_are_open(tier: Tier, open_root: Path) -> None:
    """Nothing hangs, and no process, zombie or descriptor is left, whether a bot runs or exits at once."""
    isolation = offered(tier)
    null = write_bot(open_root / "null", NULL)
    exits = command(open_root / "exits", "true")

    async def restart(chair: Chair, talking: Chair) -> None:
        trouble, reply = await asyncio.gather(chair.start(), ask(talking))
        assert isinstance(reply, Reply), reply
        assert trouble is None or trouble.kind is TroubleKind.NO_START

    async def scenario() -> None:
        async with AsyncExitStack() as stack:
            names = ("talking", "plays", "exits")
            manifests = (null, null, exits)
            talking, plays, leaves = [
                await stack.enter_async_context(chair_of(manifest, open_root / f"c-{name}", isolation=isolation))
                for name, manifest in zip(names, manifests, strict=True)
            ]
            assert await talking.start() is None
            await talking.begin_match(teams=TEAMS, rules=RULES, time=TIME)
            await restart(plays, talking)
            await restart(leaves, talking)
            await plays.end()
            gc.collect()
            before, processes = descriptors(), len(children())
            for number in range(STARTS):
                await restart(plays if number % 4 == 0 else leaves, talking)
            await plays.end()
            gc.collect()
            await until(lambda: descriptors() <= before)  # gRPC's threads may still close calls that were ended
            assert len(children()) == processes

    asyncio.run(scenario())


def test_tables_that_start_at_the_same_moment(open_root: Path) -> None:
    """A machine that is busy with starts is not held against the bots: they wait for each other."""
    isolation = offered(max((tier for tier, finding in findings().items() if finding.works), key=lambda tier: tier.strength))
    null = write_bot(open_root / "null", NULL)

    async def scenario() -> list[Trouble | None]:
        async with AsyncExitStack() as stack:
            chairs: list[Chair] = []
            for number in range(TABLES):
                chairs += await open_table(stack, null, open_root / f"t{number}", isolation=isolation)
            started = await asyncio.gather(*(chair.start() for chair in chairs))
            await asyncio.gather(*(chair.end() for chair in chairs))
            return started

    assert asyncio.run(scenario()) == [None] * (4 * TABLES)


@pytest.mark.parametrize("tier", Tier)
def test_null_bots_at_full_load_have_no_fault(tier: Tier, open_root: Path) -> None:
    """While as many processes compute as there are cores, bots that answer at once are never late."""
    isolation = offered(tier)
    null = write_bot(open_root / "null", NULL)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]

    async def scenario() -> None:
        async with AsyncExitStack() as stack:
            chairs = await open_table(stack, null, open_root / "t", isolation=isolation)
            turns, number = 0, 0
            while turns < TURNS:
                record = await play_match(chairs, key=key(number), bots=("a", "b", "c", "d"), terms=USUAL, secret=SECRET)
                assert record.faults == ()
                turns += sum(len(game.decisions) for game in record.games)
                number += 1

    try:
        asyncio.run(scenario())
    finally:
        for process in busy:
            process.kill()
            process.wait()


@pytest.mark.parametrize("tier", Tier)
def test_the_limit_is_where_it_is_said_to_be(tier: Tier, open_root: Path) -> None:
    """An answer 50 ms before the limit counts, one 50 ms after it never does; but the first turn has its grace."""
    isolation = offered(tier)
    limit_ms = 400
    sleeps = """
    import time
    from raw import greeted

    raw = greeted()
    while True:
        turn = raw.turn()
        time.sleep(({limit} + {more}) / 1000)
        raw.answer(turn.number, turn.legal[0])
    """

    async def outcomes(name: str, more_ms: int) -> list[Reply | Trouble]:
        manifest = write_bot(open_root / name, sleeps.format(limit=limit_ms, more=more_ms))
        (manifest.folder / "raw.py").write_text(RAW)
        chair = chair_of(manifest, open_root / f"c-{name}", isolation=isolation)
        async with chair:
            found = []
            assert await chair.start() is None
            await chair.begin_match(teams=TEAMS, rules=RULES, time=TimeControl(move_ms=limit_ms, bank_ms=0, max_faults=9))
            for _ in range(5):
                with contextlib.suppress(OverloadError):  # a machine that other tests keep busy; then it is no verdict
                    found.append(await ask(chair))
                await asyncio.sleep(0.1)  # what is late has to be read before the next turn
            await chair.end()
            return found

    before, after = asyncio.run(outcomes("before", -50)), asyncio.run(outcomes("after", 50))
    # A machine that is busy may keep an answer from us for longer than 50 ms, but not each of five.
    assert any(isinstance(outcome, Reply) for outcome in before[1:]), before
    assert all(isinstance(outcome, Trouble) and outcome.kind is TroubleKind.LATE for outcome in after[1:]), after
    assert isinstance(after[0], Reply), after


@long_only
@pytest.mark.parametrize("tier", Tier)
def test_a_call_may_rest_for_longer_than_a_minute(tier: Tier, open_root: Path) -> None:
    """A stopped bot cannot answer pings: gRPC must not break its call for that, as it does after a minute."""
    isolation = offered(tier)
    null = write_bot(open_root / "null", NULL)

    async def scenario() -> None:
        async with chair_of(null, open_root / "c", isolation=isolation) as chair:
            assert await chair.start() is None
            await chair.begin_match(teams=TEAMS, rules=RULES, time=TIME)
            for _ in range(2):
                assert isinstance(await ask(chair), Reply)
                await asyncio.sleep(65)
                assert chair.is_ready
            assert isinstance(await ask(chair), Reply)

    asyncio.run(scenario())
