"""How much of their time a busy machine keeps from bots: what the threshold in arena/seat/watch.py stands on.

One bot that computes without end and one that sleeps are asked, each in turns of `--turn` seconds, while so many processes
compute on the same core, which is the table's only one:

    python benchmarks/overload.py [--loads 0 1 4 10] [--turns 10] [--turn 1.0] [--tier limits|sandbox|strict]

With --beside another table with a bot that computes is on another core, as with two jobs on two cores. Prints the shares of the
time that the machine owes: of waiting for a processor (the median, and the largest) and of our own standstill.
"""

import argparse
import asyncio
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from arena.errors import OverloadError
from arena.rules.cards import SEATS
from arena.rules.deal import make_deal
from arena.rules.game import Game
from arena.rules.match import MatchScore
from arena.rules.options import Pull, Rules, TimeControl
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import Isolation, make_reachable
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.manifest import Manifest
from arena.seat.watch import Delay, Watch

BOT = """
import time
from arena.bot import Bot, serve

class Slow(Bot):
    def choose(self, turn):
        until = time.monotonic() + {seconds}
        while time.monotonic() < until:
            {does}
        return turn.legal[0]

serve(Slow())
"""
SCORE = MatchScore(game=0, defeat_points=(0, 0), games_won=(0, 0), eggs=0, stake=1)


class Observed(Chair):
    """A chair that keeps the delays which were judged."""

    delays: list[Delay]

    def _watch(self, seconds: float) -> Watch:
        watch = super()._watch(seconds)
        judge = watch.delay
        known = len(self.delays)

        def delay() -> Delay:
            found = judge()
            if len(self.delays) == known:
                self.delays.append(found)
            return found

        watch.delay = delay  # type: ignore[method-assign]
        return watch


@contextlib.contextmanager
def computing(count: int) -> Iterator[None]:
    """So many processes that compute without end, on our core."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


async def ask(does: str, turns: int, seconds: float, isolation: Isolation) -> list[Delay]:
    """The delays of so many turns that a bot is late in."""
    game = Game.from_deal(Rules(pull=Pull.OFF), make_deal(bytes(32), "x", 0), dealer=SEATS[3], leader=SEATS[0])
    with tempfile.TemporaryDirectory(prefix="arena-") as name:
        root = Path(name)
        make_reachable(root)
        (root / "bot").mkdir()
        (root / "seat").mkdir()
        (root / "bot" / "main.py").write_text(BOT.format(seconds=1.05 * seconds, does=does))
        manifest = Manifest(root / "bot", "slow", "python", (), ("python", "main.py"))
        options = ChairOptions(startup_ms=60_000, first_turn_ms=0, log_bytes=10_000, isolation=isolation)
        delays: list[Delay] = []
        async with Observed(SEATS[0], manifest=manifest, folder=root / "seat", logs=root, options=options) as chair:
            chair.delays = []
            await chair.start()
            time = TimeControl(move_ms=round(1000 * seconds), bank_ms=0, max_faults=1)
            for _ in range(turns):
                chair.delays.clear()
                await chair.begin_match(teams=("a", "b"), rules=game.rules, time=time)
                with contextlib.suppress(OverloadError):
                    await chair.ask(game.legal_codes(), view=game.view(SEATS[0]), score=SCORE)
                delays += chair.delays
                await asyncio.sleep(0.3 * seconds)
            await chair.end()
    return delays


def shares(numbers: list[float]) -> str:
    """The median and the largest."""
    return f"{statistics.median(numbers):4.0%} {max(numbers):4.0%}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--loads", type=int, nargs="+", default=[0, 1, 4, 10])
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--turn", type=float, default=1.0)
    parser.add_argument("--tier", choices=list(Tier), default=Tier.LIMITS)
    parser.add_argument("--core", type=int, default=min(os.sched_getaffinity(0)))
    parser.add_argument("--beside", action="store_true")
    arguments = parser.parse_args()
    isolation = Isolation(tier=Tier(arguments.tier), limits=Limits(), freezes=True)
    cores = sorted(os.sched_getaffinity(0))
    with contextlib.ExitStack() as stack:
        if arguments.beside:
            os.sched_setaffinity(0, {next(core for core in cores if core != arguments.core)})
            stack.enter_context(computing(1))
        os.sched_setaffinity(0, {arguments.core})
        print("load  bot      turns  waited: median, most  stalled: median, most  computed  CPU pressure")
        for load in arguments.loads:
            with computing(load):
                for bot, does in (("computes", "pass"), ("sleeps", "time.sleep(0.001)"), ("hangs", "time.sleep(60)")):
                    found = asyncio.run(ask(does, arguments.turns if bot != "hangs" else 1, arguments.turn, isolation))
                    waited = shares([(delay.waited or 0) / delay.lasted for delay in found])
                    stalled = shares([delay.stalled / delay.lasted for delay in found])
                    computed = statistics.median((delay.cpu or 0) / delay.lasted for delay in found)
                    pressure = statistics.median(delay.pressure or 0 for delay in found)
                    print(
                        f"{load:4}  {bot:8} {len(found):5}  {waited:>20}  {stalled:>21}  {computed:8.0%}  {pressure:12.0%}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
