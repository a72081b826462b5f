"""A machine that something else keeps busy: what it does to bots is its own fault, and what bots do to themselves is not.

Everything is put on one core, with so many processes that compute there that nobody gets far.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from arena.errors import OverloadError
from arena.rules.cards import SEATS
from arena.rules.options import TimeControl
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.isolation.usage import processes_cpu_ns, read_threads
from arena.seat.manifest import Manifest
from arena.seat.trouble import Reply, Trouble, TroubleKind
from tests.isolation.machine import offered
from tests.isolation.test_survival import make_folder
from tests.seat_tools import RULES, TEAMS, ask, until, write_raw_bot

BUSY = 12
"""Processes that compute on the core: a bot gets a tenth of it, or a third where control groups favour bots."""
LIMIT = TimeControl(move_ms=600, bank_ms=0, max_faults=9)
TRIES = 5

COMPUTES = """
raw = greeted()
while True:
    turn = raw.turn()
    end = time.process_time() + {seconds}
    while time.process_time() < end:
        pass
    raw.answer(turn.number, turn.legal[0])
"""
HANGS = """
raw = greeted()
raw.turn()
time.sleep(1000)
"""
STARTS = """
end = time.process_time() + 0.8
while time.process_time() < end:
    pass
greeted().play()
"""
SLOW = """
raw = greeted()
while True:
    turn = raw.turn()
    end = time.monotonic() + {seconds}
    while time.monotonic() < end:
        pass
    raw.answer(turn.number, turn.legal[0])
"""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who waited for a processor")


@pytest.fixture(name="core")
def core_fixture() -> Iterator[int]:
    """We, and whom we start, are on this core alone."""
    before = os.sched_getaffinity(0)
    core = max(before)
    os.sched_setaffinity(0, {core})
    yield core
    os.sched_setaffinity(0, before)


@contextlib.contextmanager
def busy_core(count: int = BUSY) -> Iterator[None]:
    """So many strangers who compute where we are, in sessions of their own: else they would count as one."""
    strangers = [subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for stranger in strangers:
            stranger.kill()
            stranger.wait()


@contextlib.asynccontextmanager
async def chair_of(manifest: Manifest, root: Path, isolation: Isolation, *, startup_ms: int = 60_000) -> AsyncIterator[Chair]:
    """A chair that is open, and whose bot is ended."""
    make_folder(root / "c")
    seat, logs = root / "c" / "s", root / "c" / "l"
    seat.mkdir()
    logs.mkdir()
    options = ChairOptions(startup_ms=startup_ms, first_turn_ms=0, log_bytes=10_000, isolation=isolation)
    async with Chair(SEATS[0], manifest=manifest, folder=seat, logs=logs, options=options) as chair:
        yield chair
        await chair.end()


async def asked(chair: Chair) -> Reply | Trouble:
    """What comes of one turn of a match."""
    await chair.begin_match(teams=TEAMS, rules=RULES, time=LIMIT)
    return await ask(chair)


@pytest.mark.parametrize("tier", Tier)
def test_a_bot_that_was_kept_from_computing_is_not_late(tier: Tier, open_root: Path, core: int) -> None:
    isolation = offered(tier)
    manifest = write_raw_bot(open_root / "bot", COMPUTES.format(seconds=0.3))

    async def scenario() -> None:
        async with chair_of(manifest, open_root, isolation) as chair:
            assert await chair.start() is None
            with busy_core(), pytest.raises(OverloadError, match=r"it waited \d+\.\d s for a processor"):
                await asked(chair)

    asyncio.run(scenario())


@pytest.mark.parametrize("tier", Tier)
def test_a_bot_that_hangs_is_late_on_a_busy_machine_too(tier: Tier, open_root: Path, core: int) -> None:
    isolation = offered(tier)
    manifest = write_raw_bot(open_root / "bot", HANGS)

    async def scenario() -> None:
        async with chair_of(manifest, open_root, isolation) as chair:
            assert await chair.start() is None
            with busy_core():
                trouble = await asked(chair)
            assert isinstance(trouble, Trouble)
            assert trouble.kind is TroubleKind.LATE
            assert trouble.cpu_seconds is not None
            assert trouble.cpu_seconds < 0.3

    asyncio.run(scenario())


def test_a_start_on_a_busy_machine_is_given_more_time(open_root: Path, core: int) -> None:
    isolation = offered(Tier.LIMITS)
    manifest = write_raw_bot(open_root / "bot", "import time\n", STARTS)

    async def scenario() -> None:
        async with chair_of(manifest, open_root, isolation, startup_ms=2000) as chair:
            with busy_core():
                assert await chair.start() is None

    asyncio.run(scenario())


def test_a_bot_that_its_limit_holds_back_is_late(open_root: Path, core: int) -> None:
    """It waits for nine tenths of the time, for nothing but its own share."""
    isolation = offered(Tier.STRICT, limits=Limits(cpu_percent=10))
    manifest = write_raw_bot(open_root / "bot", SLOW.format(seconds=0.65))

    async def outcome(chair: Chair) -> Reply | Trouble | None:
        try:
            return await asked(chair)
        except OverloadError:  # it may be one, where other tests run
            await chair.end()
            assert await chair.start() is None
            return None

    async def scenario() -> None:
        async with chair_of(manifest, open_root, isolation) as chair:
            assert await chair.start() is None
            outcomes = [await outcome(chair) for _ in range(TRIES)]
            assert any(isinstance(found, Trouble) and found.kind is TroubleKind.LATE for found in outcomes), outcomes

    asyncio.run(scenario())


@pytest.fixture(name="stranger")
def stranger_fixture() -> Iterator[int]:
    """A process that computes."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    yield process.pid
    process.kill()
    process.wait()


def test_the_kernel_tells_who_ran_and_who_waited(stranger: int, core: int) -> None:
    async def scenario() -> None:
        os.sched_setaffinity(stranger, {core})
        await until(lambda: processes_cpu_ns([stranger]) > 50_000_000)
        with busy_core(2):
            before = read_threads([stranger])[stranger].waited_ns
            await until(lambda: read_threads([stranger])[stranger].waited_ns > before + 100_000_000)

    asyncio.run(scenario())


@pytest.mark.parametrize("way", ["less important", "idle", "on one core"])
def test_a_thread_that_waits_by_its_own_choice_is_not_counted(stranger: int, way: str) -> None:
    assert list(read_threads([stranger])) == [stranger]
    if way == "less important":
        os.setpriority(os.PRIO_PROCESS, stranger, os.getpriority(os.PRIO_PROCESS, 0) + 1)
    elif way == "idle":
        os.sched_setscheduler(stranger, os.SCHED_IDLE, os.sched_param(0))
    else:
        cores = os.sched_getaffinity(0)
        if len(cores) == 1:
            pytest.skip("there is only one core")
        os.sched_setaffinity(stranger, {max(cores)})
    assert read_threads([stranger]) == {}


def test_who_is_gone_has_no_figures() -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    assert read_threads([process.pid]) == {}
    assert processes_cpu_ns([process.pid]) == 0
