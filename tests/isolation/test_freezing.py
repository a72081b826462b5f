"""Who is not asked does not run, memory is counted, and neither shows where it should not."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.seat.chair import Chair
from arena.seat.isolation.tier import Tier
from arena.seat.manifest import Manifest
from arena.seat.trouble import TroubleKind
from tests.isolation.machine import offered, processes_at
from tests.isolation.test_survival import chair_of
from tests.seat_tools import RULES, TEAMS, TIME, ask_for_reply, ask_for_trouble, until, write_bot

BUSY = """
import subprocess
import sys
import threading
from arena.bot import Bot, serve

class Busy(Bot):
    def choose(self, turn):
        return turn.legal[0]

def compute():
    while True:
        pass

threading.Thread(target=compute, daemon=True).start()
subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
serve(Busy())
"""
"""Computes all the time, in a thread and in another process."""

GROWS = """
import os
import signal
import subprocess
import sys
from arena.bot import Bot, serve

def use(mebibytes):
    memory = bytearray(mebibytes << 20)
    for at in range(0, len(memory), 4096):
        memory[at] = 1
    return memory

class Grows(Bot):
    def choose(self, turn):
        {use}

serve(Grows())
"""
ALONE = "use(8 << 10)"
TOGETHER = """
        # Programs of their own: a fork of a process with gRPC's threads may come to nothing.
        fill = "m = bytearray(60 << 20)\\nfor at in range(0, len(m), 4096): m[at] = 1\\nimport time; time.sleep(1000)"
        children = [subprocess.Popen([sys.executable, "-S", "-c", fill]) for _ in range(8)]
        os.wait()  # the kernel chooses which of them it kills
        os.kill(os.getpid(), signal.SIGKILL)
"""


@contextlib.asynccontextmanager
async def playing(
    manifest: Manifest, root: Path, *, tier: Tier, freezes: bool = True, memory_mib: int = 512
) -> AsyncIterator[Chair]:
    """A started chair in a tier."""
    isolation = offered(tier, freezes=freezes)
    isolation = replace(isolation, limits=replace(isolation.limits, memory_mib=memory_mib))
    async with chair_of(manifest, root / "c", isolation=isolation) as chair:
        assert await chair.start() is None
        await chair.begin_match(teams=TEAMS, rules=RULES, time=TIME)
        yield chair
        await chair.end()


def cpu_seconds(root: Path) -> float:
    """What the processes of a bot have computed so far, by the kernel's account."""
    ticks = 0
    for pid in processes_at(root):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / 100


@pytest.mark.parametrize("tier", Tier)
def test_a_stopped_bot_stands_still(tier: Tier, open_root: Path) -> None:
    """Before its first turn and after each, with all of its threads and processes; and it goes on when it is asked."""
    manifest = write_bot(open_root / "busy", BUSY)

    async def scenario() -> None:
        async with playing(manifest, open_root, tier=tier) as chair:
            for _ in range(3):
                await asyncio.sleep(0.3)  # what was not found at once is found by the second look
                before = cpu_seconds(open_root)
                await asyncio.sleep(0.4)
                assert cpu_seconds(open_root) == before > 0
                await ask_for_reply(chair)

    asyncio.run(scenario())


@pytest.mark.parametrize("tier", Tier)
def test_a_bot_that_may_think_on_does_so(tier: Tier, open_root: Path) -> None:
    manifest = write_bot(open_root / "busy", BUSY)

    async def scenario() -> None:
        async with playing(manifest, open_root, tier=tier, freezes=False) as chair:
            await ask_for_reply(chair)
            before = cpu_seconds(open_root)
            await until(lambda: cpu_seconds(open_root) > before + 0.2)

    asyncio.run(scenario())


@pytest.mark.parametrize("use", [ALONE, TOGETHER], ids=["one process", "many processes"])
def test_a_bot_that_runs_out_of_memory_is_told_from_one_that_crashes(use: str, open_root: Path) -> None:
    """The kernel kills it, the trouble says so, and everybody else goes on."""
    grows = write_bot(open_root / "grows", GROWS.replace("{use}", use))

    async def scenario() -> None:
        async with playing(grows, open_root, tier=Tier.STRICT, memory_mib=256) as chair:
            trouble = await ask_for_trouble(chair)
            assert trouble.kind is TroubleKind.ENDED
            assert trouble.is_oom
            assert trouble.exit_status == -9
            assert await chair.start() is None
            assert chair.is_ready

    asyncio.run(scenario())


@pytest.mark.parametrize("tier", [Tier.LIMITS, Tier.SANDBOX])
def test_memory_of_one_process_is_limited_everywhere(tier: Tier, open_root: Path) -> None:
    grows = write_bot(open_root / "grows", GROWS.replace("{use}", ALONE))

    async def scenario() -> None:
        async with playing(grows, open_root, tier=tier, memory_mib=256) as chair:
            trouble = await ask_for_trouble(chair)
            assert trouble.kind is TroubleKind.ENDED
            assert not trouble.is_oom
            assert "MemoryError" in trouble.stderr_tail

    asyncio.run(scenario())


def test_a_crash_is_no_lack_of_memory(open_root: Path) -> None:
    dies = write_bot(open_root / "dies", GROWS.replace("{use}", "os.kill(os.getpid(), signal.SIGKILL)"))

    async def scenario() -> None:
        async with playing(dies, open_root, tier=Tier.STRICT, memory_mib=256) as chair:
            trouble = await ask_for_trouble(chair)
            assert (trouble.kind, trouble.exit_status, trouble.is_oom) == (TroubleKind.ENDED, -9, False)

    asyncio.run(scenario())


@pytest.mark.parametrize("status", [3, 127, 200, 255])
@pytest.mark.parametrize("tier", Tier)
def test_an_exit_status_is_the_bots_own(tier: Tier, status: int, open_root: Path) -> None:
    """Above 128 too, where a shell's way of telling signals does not reach."""
    exits = write_bot(open_root / "exits", GROWS.replace("{use}", f"os._exit({status})"))

    async def scenario() -> None:
        async with playing(exits, open_root, tier=tier) as chair:
            assert (await ask_for_trouble(chair)).exit_status == status

    asyncio.run(scenario())
