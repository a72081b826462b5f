"""A referee that is killed by a test: `python -m tests.isolation.victim TIER FOLDER`, with bots that do not want to go."""

import asyncio
import contextlib
import sys
from pathlib import Path

from arena.rules.cards import SEATS
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import Isolation, make_reachable
from arena.seat.isolation.tier import Limits, Tier
from tests.seat_tools import write_raw_bot

STAYS = """
import os, signal, threading, time

def stay():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        stay()
    os._exit(0)
os.wait()
raw = greeted()
stay()
"""


async def main(tier: Tier, root: Path) -> None:
    """Open a table, say so, and wait."""
    make_reachable(root)
    bot = write_raw_bot(root / "bot", STAYS)
    isolation = Isolation(tier=tier, limits=Limits())
    options = ChairOptions(startup_ms=60_000, first_turn_ms=0, log_bytes=10_000, isolation=isolation)
    async with contextlib.AsyncExitStack() as stack:
        chairs = []
        for seat in SEATS:
            folder, logs = root / f"s{seat}", root / f"l{seat}"
            folder.mkdir()
            logs.mkdir()
            chair = Chair(seat, manifest=bot, folder=folder, logs=logs, options=options)
            chairs.append(await stack.enter_async_context(chair))
        started = await asyncio.gather(*(chair.start() for chair in chairs))
        sys.stdout.write("playing\n" if started == [None] * 4 else f"{started}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Tier(sys.argv[1]), Path(sys.argv[2])))
