"""What a decision costs through the referee, beside a bare gRPC round trip of the same size.

All run in this process against Python processes over a Unix-domain socket, one after another, so that the machine's mood
hits them alike:

    a  a grpc.aio server that writes a message and reads one back, bytes in and bytes out, against a grpc.aio client
    b  the referee with four null bots on the SDK: rules, views, protobuf, clocks, records and all
    c  as a, but against the four null bots in turn: every process asked has slept for three turns and has to be woken, and
       the SDK parses a real turn, chooses and answers

    python benchmarks/referee.py [--rounds 12] [--decisions 1500] [--tier limits|sandbox|strict] [--freeze]

Prints microseconds a decision for each round and the ratios b/a, whose median counts, c/a and b/c.
"""

import argparse
import asyncio
import contextlib
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from arena.records.model import MatchKey
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms, play_match
from arena.rules.cards import SEATS
from arena.rules.deal import make_deal
from arena.rules.game import Game
from arena.rules.match import MatchScore
from arena.rules.moves import Move
from arena.rules.options import Rules, TimeControl
from arena.seat.chair import Chair, ChairOptions
from arena.seat.connection import METHOD
from arena.seat.isolation.cage import Isolation, make_reachable
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.manifest import load_manifest
from arena.wire.encode import TurnEncoder, encode_answer, encode_match_start, encode_welcome

SECRET = bytes(32)
TERMS = MatchTerms(
    rules=Rules(),
    time=TimeControl(move_ms=1000, bank_ms=20_000, max_faults=3),
    policy=FaultPolicy(max_faults=3, restarts=0),
    isolation="as told",
)


def mean_turn() -> tuple[bytes, int]:
    """A turn of average size, and the bytes of an average answer, over games of first legal moves as the null bots play."""
    turns, answers = [], []
    encoders = [TurnEncoder() for _ in SEATS]
    score = MatchScore(game=0, defeat_points=(0, 0), games_won=(0, 0), eggs=0, stake=1)
    for number in range(20):
        game = Game.from_deal(Rules(), make_deal(SECRET, "sizes", number), dealer=SEATS[0], leader=SEATS[1])
        while not game.is_over:
            seat, legal = game.to_move, game.legal_codes()
            turn = encoders[seat].encode(
                len(turns) + 1, legal=legal, view=game.view(seat), score=score, move_ms=1000, bank_ms=20_000
            )
            turns.append(turn.SerializeToString())
            answers.append(encode_answer(len(turns), Move.from_code(legal[0])).ByteSize())
            game.advance(legal[0])
    mean = statistics.mean(map(len, turns))
    return min(turns, key=lambda turn: abs(len(turn) - mean)), round(statistics.mean(answers))


class RoundTrips:
    """Bare round trips: one message out and one back, with clients that are asked in turn."""

    def __init__(self, message: bytes, calls: Sequence[Any]) -> None:
        self._message = message
        self._calls = calls

    async def run(self, count: int) -> float:
        """Microseconds a round trip."""
        started = time.perf_counter()
        for _, call in zip(range(count), itertools.cycle(self._calls)):
            await call.write(self._message)
            await call.read()
        return (time.perf_counter() - started) / count * 1e6


@contextlib.asynccontextmanager
async def open_calls(
    folder: Path, command: Sequence[str], *, processes: int, message: bytes, greetings: Sequence[bytes] = ()
) -> AsyncIterator[RoundTrips]:
    """Serve one call each from so many processes, on a server each; they greet, and are told `greetings`."""
    calls: asyncio.Queue[Any] = asyncio.Queue()
    done = asyncio.Event()

    async def play(_: Any, context: Any) -> None:
        await context.read()
        for greeting in greetings:
            await context.write(greeting)
        calls.put_nowait(context)
        await done.wait()

    async with contextlib.AsyncExitStack() as stack:
        for number in range(processes):
            server = grpc.aio.server()
            method = grpc.stream_stream_rpc_method_handler(play)
            server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(METHOD, {"Play": method}),))
            address = f"unix://{folder / f'{processes}-{number}.sock'}"
            server.add_insecure_port(address)
            await server.start()
            stack.push_async_callback(server.stop, None)
            environment = {**os.environ, "ARENA_ADDRESS": address}
            client = await asyncio.create_subprocess_exec(*command, env=environment, stderr=subprocess.DEVNULL)
            stack.push_async_callback(client.wait)
            stack.callback(_kill, client)
        yield RoundTrips(message, [await calls.get() for _ in range(processes)])
        done.set()


def _kill(client: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        client.kill()


async def answer_forever(back_bytes: int) -> None:
    """The echo's client."""
    answer = bytes(back_bytes)
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        call = channel.stream_stream(f"/{METHOD}/Play")()
        await call.write(answer)
        while await call.read() is not grpc.aio.EOF:
            await call.write(answer)


async def play_decisions(chairs: list[Chair], count: int, first_match: int) -> tuple[float, int]:
    """Microseconds a decision over whole matches with at least `count` decisions, and the number of the next match."""
    decisions, number = 0, first_match
    started = time.perf_counter()
    while decisions < count:
        key = MatchKey(("null", "void"), number, swapped=False)
        record = await play_match(chairs, key=key, bots=("null",) * 4, terms=TERMS, secret=SECRET)
        if record.faults:
            sys.exit(f"a null bot had a fault, so the figures mean nothing: {record.faults[0]}")
        decisions += sum(len(game.decisions) for game in record.games)
        number += 1
    return (time.perf_counter() - started) / decisions * 1e6, number


async def measure(rounds: int, decisions: int, isolation: Isolation) -> None:
    """All three, one after another, and what comes of it."""
    turn, back_bytes = mean_turn()
    print(f"a turn has {len(turn)} bytes, an answer {back_bytes}")
    manifest = load_manifest(Path(__file__).parent / "null_bot")
    echo_client = [sys.executable, __file__, "--echo-client", str(back_bytes)]
    null_bot = [sys.executable, str(manifest.folder / "main.py")]
    start = encode_match_start(SEATS[0], teams=("null", "void"), rules=TERMS.rules, time=TERMS.time)
    greetings = [encode_welcome(1).SerializeToString(), start.SerializeToString()]
    with tempfile.TemporaryDirectory(prefix="arena-") as root:
        make_reachable(Path(root))
        async with contextlib.AsyncExitStack() as stack:
            opened = open_calls(Path(root), echo_client, processes=1, message=bytes(len(turn)))
            echo = await stack.enter_async_context(opened)
            opened = open_calls(Path(root), null_bot, processes=len(SEATS), message=turn, greetings=greetings)
            bots = await stack.enter_async_context(opened)
            chairs = []
            for seat in SEATS:
                folder = Path(tempfile.mkdtemp(dir=root))
                options = ChairOptions(startup_ms=20_000, first_turn_ms=0, log_bytes=65536, isolation=isolation)
                chair = Chair(seat, manifest=manifest, folder=folder, logs=folder, options=options)
                chairs.append(await stack.enter_async_context(chair))
            _, number = await play_decisions(chairs, 500, 0)
            await echo.run(500)
            await bots.run(500)
            print("round  a: echo, us  b: referee  c: bare four bots    b/a    c/a    b/c")
            results = []
            for index in range(rounds):
                bare = await echo.run(decisions)
                full, number = await play_decisions(chairs, decisions, number)
                floor = await bots.run(decisions)
                results.append((bare, full, floor, full / bare, floor / bare, full / floor))
                print("{:5} {:12.0f} {:12.0f} {:18.0f} {:6.2f} {:6.2f} {:6.2f}".format(index + 1, *results[-1]))
    bare, full, floor, *ratios = map(statistics.median, zip(*results, strict=True))
    print(f"median: a {bare:.0f} us, b {full:.0f} us a decision ({1e6 / full:.0f} a second), c {floor:.0f} us")
    print("median of the rounds' ratios: b/a {:.2f}, c/a {:.2f}, b/c {:.2f}".format(*ratios))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--echo-client"]:
        asyncio.run(answer_forever(int(sys.argv[2])))
    else:
        parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
        parser.add_argument("--rounds", type=int, default=12)
        parser.add_argument("--decisions", type=int, default=1500)
        parser.add_argument("--tier", choices=list(Tier), default=Tier.LIMITS, help="how the null bots are isolated")
        parser.add_argument("--freeze", action="store_true", help="stop bots while they are not asked anything")
        arguments = parser.parse_args()
        isolation = Isolation(tier=Tier(arguments.tier), limits=Limits(), freezes=arguments.freeze)
        asyncio.run(measure(arguments.rounds, arguments.decisions, isolation))
