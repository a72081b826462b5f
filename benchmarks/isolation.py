"""What each tier costs: from a bot's start to its greeting, and microseconds a turn with and without stopping who is not asked.

Every kind has its own table of four null bots; all are open at the same time and measured in turns, so that the machine's mood
hits all of them. "none" is a bot that is started by itself, without a keeper or walls.

    python benchmarks/isolation.py [--rounds 12] [--decisions 600] [--starts 2]

Prints the median over the rounds, and what it is more than "none".
"""

import argparse
import asyncio
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from arena.records.model import MatchKey
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms, play_match
from arena.rules.cards import SEATS
from arena.rules.options import Rules, TimeControl
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import Isolation, make_reachable
from arena.seat.isolation.probe import probe_tiers
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.isolation.wrapper import Launch
from arena.seat.manifest import load_manifest
from arena.seat.process import BotProcess

SECRET = bytes(32)
TERMS = MatchTerms(
    rules=Rules(),
    time=TimeControl(move_ms=5000, bank_ms=20_000, max_faults=3),
    policy=FaultPolicy(max_faults=3, restarts=0),
    isolation="as told",
)
MANIFEST = load_manifest(Path(__file__).parent / "null_bot")


class BareChair(Chair):
    """A chair whose bot is started by itself."""

    async def _launch(self, token: str, on_exit: Callable[[], None]) -> BotProcess:
        environment = {"ARENA_ADDRESS": self._address, "ARENA_TOKEN": token, "PYTHONUNBUFFERED": "1"}
        launch = Launch(command=MANIFEST.command, folder=MANIFEST.folder, environment=environment)
        return await BotProcess.start(launch, stdout=self._stdout, stderr=self._stderr, on_exit=on_exit)


class Table:
    """Four null bots of one kind, a fifth that is started again and again, and what was measured."""

    def __init__(self, name: str, chairs: list[Chair]) -> None:
        self.name = name
        self.chairs = chairs[:4]
        self.starter = chairs[4]
        self.start_ms: list[float] = []
        self.turn_us: list[float] = []
        self._number = 0

    async def measure_starts(self, count: int) -> None:
        """Start a bot and end it, so many times."""
        for _ in range(count):
            started = time.perf_counter()
            trouble = await self.starter.start()
            self.start_ms.append((time.perf_counter() - started) * 1000)
            if trouble is not None:
                sys.exit(f"{self.name}: a null bot did not start: {trouble.detail}")
            await self.starter.end()

    async def measure_turns(self, decisions: int) -> None:
        """Play whole matches with at least so many decisions."""
        played = 0
        started = time.perf_counter()
        while played < decisions:
            key = MatchKey(("null", "void"), self._number, swapped=False)
            record = await play_match(self.chairs, key=key, bots=("null",) * 4, terms=TERMS, secret=SECRET)
            if record.faults:
                sys.exit(f"{self.name}: a null bot had a fault, so the figures mean nothing: {record.faults[0]}")
            played += sum(len(game.decisions) for game in record.games)
            self._number += 1
        self.turn_us.append((time.perf_counter() - started) / played * 1e6)


async def open_table(stack: contextlib.AsyncExitStack, root: Path, *, isolation: Isolation | None) -> Table:
    """A table of one kind; isolation: None for bots that are started by themselves."""
    chairs: list[Chair] = []
    for seat in (*SEATS, SEATS[0]):
        folder, logs = Path(tempfile.mkdtemp(dir=root)), Path(tempfile.mkdtemp(dir=root))
        kept = isolation or Isolation(tier=Tier.LIMITS, limits=Limits(), freezes=False)
        options = ChairOptions(startup_ms=60_000, first_turn_ms=0, log_bytes=65536, isolation=kept)
        make = BareChair if isolation is None else Chair
        chair = make(seat, manifest=MANIFEST, folder=folder, logs=logs, options=options)
        chairs.append(await stack.enter_async_context(chair))
    if isolation is None:
        return Table("none", chairs)
    return Table(f"{isolation.tier}, stopped" if isolation.freezes else isolation.tier, chairs)


async def measure(rounds: int, decisions: int, starts: int) -> None:
    """All kinds, in turns, and what comes of it."""
    findings = await probe_tiers(Limits())
    kinds: list[Isolation | None] = [None]
    for finding in findings:
        if not finding.works:
            print(f"{finding.tier} is not offered here: {finding.problem}")
            continue
        kinds += [
            Isolation(tier=finding.tier, limits=Limits(), with_proc=finding.with_proc, freezes=freezes)
            for freezes in (False, True)
        ]
    with tempfile.TemporaryDirectory(prefix="arena-") as root:
        make_reachable(Path(root))
        async with contextlib.AsyncExitStack() as stack:
            tables = [await open_table(stack, Path(root), isolation=kind) for kind in kinds]
            for table in tables:  # what is done for the first time is not counted
                await table.measure_turns(1)
            for index in range(rounds):
                for table in tables[index % len(tables) :] + tables[: index % len(tables)]:
                    await table.measure_starts(starts)
                    await table.measure_turns(decisions)
    print_table(tables)


def print_table(tables: list[Table]) -> None:
    """Medians, and the median of the differences to the first kind, round by round."""
    print(f"{'isolation':18} {'start, ms':>10} {'more':>7} {'a turn, us':>11} {'more':>7}")
    bare = tables[0]
    for table in tables:
        start, turn = statistics.median(table.start_ms), statistics.median(table.turn_us)
        more_start = statistics.median(a - b for a, b in zip(table.start_ms, bare.start_ms, strict=True))
        more_turn = statistics.median(a - b for a, b in zip(table.turn_us, bare.turn_us, strict=True))
        print(f"{table.name:18} {start:10.1f} {more_start:7.1f} {turn:11.0f} {more_turn:7.0f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--decisions", type=int, default=600)
    parser.add_argument("--starts", type=int, default=2)
    arguments = parser.parse_args()
    asyncio.run(measure(arguments.rounds, arguments.decisions, arguments.starts))
