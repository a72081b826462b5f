"""What a decision costs through the referee, beside a bare gRPC round trip of the same size.

Both run in this process against Python processes over a Unix-domain socket, in turns, so that the machine's mood hits both:

    a  a grpc.aio server that writes a message and reads one back, bytes in and bytes out, against a grpc.aio client
    b  the referee with four null bots on the SDK: rules, views, protobuf, clocks, records and all

    python benchmarks/referee.py [--rounds 12] [--decisions 1500] [--tier limits|sandbox|strict] [--freeze]

Prints microseconds a decision for each round and the ratio b/a, whose median counts.
"""

import argparse
import asyncio
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
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
from arena.seat.isolation.cage import Isolation, make_reachable
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.manifest import load_manifest
from arena.wire.encode import TurnEncoder, encode_answer

SECRET = bytes(32)
TERMS = MatchTerms(
    rules=Rules(),
    time=TimeControl(move_ms=1000, bank_ms=20_000, max_faults=3),
    policy=FaultPolicy(max_faults=3, restarts=0),
    isolation="as told",
)


def mean_sizes() -> tuple[int, int]:
    """Bytes of a turn and of an answer, on the average over games of first legal moves, as the null bots play them."""
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
            turns.append(turn.ByteSize())
            answers.append(encode_answer(len(turns), Move.from_code(legal[0])).ByteSize())
            game.advance(legal[0])
    return round(statistics.mean(turns)), round(statistics.mean(answers))


class Echo:
    """The bare round trip: one client process, one call, messages of fixed sizes."""

    def __init__(self, out_bytes: int, call: Any, done: asyncio.Event) -> None:
        self._message = bytes(out_bytes)
        self._call = call
        self.done = done

    async def round_trips(self, count: int) -> float:
        """Microseconds a round trip."""
        started = time.perf_counter()
        for _ in range(count):
            await self._call.write(self._message)
            await self._call.read()
        return (time.perf_counter() - started) / count * 1e6


@contextlib.asynccontextmanager
async def open_echo(folder: Path, *, out_bytes: int, back_bytes: int) -> AsyncIterator[Echo]:
    """Serve one call from one client process that answers each message with `back_bytes` bytes."""
    calls: asyncio.Queue[Any] = asyncio.Queue()
    done = asyncio.Event()

    async def play(_: Any, context: Any) -> None:
        await context.read()
        calls.put_nowait(context)
        await done.wait()

    server = grpc.aio.server()
    handler = grpc.method_handlers_generic_handler("Echo", {"Play": grpc.stream_stream_rpc_method_handler(play)})
    server.add_generic_rpc_handlers((handler,))
    address = f"unix://{folder / 'echo.sock'}"
    server.add_insecure_port(address)
    await server.start()
    client = await asyncio.create_subprocess_exec(sys.executable, __file__, "--echo-client", address, str(back_bytes))
    try:
        yield Echo(out_bytes, await calls.get(), done)
    finally:
        done.set()
        client.kill()
        await client.wait()
        await server.stop(None)


async def answer_forever(address: str, back_bytes: int) -> None:
    """The echo's client."""
    answer = bytes(back_bytes)
    async with grpc.aio.insecure_channel(address) as channel:
        call = channel.stream_stream("/Echo/Play")()
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
    """Both, in turns, and what comes of it."""
    out_bytes, back_bytes = mean_sizes()
    print(f"a turn has {out_bytes} bytes, an answer {back_bytes}")
    manifest = load_manifest(Path(__file__).parent / "null_bot")
    with tempfile.TemporaryDirectory(prefix="arena-") as root:
        make_reachable(Path(root))
        async with contextlib.AsyncExitStack() as stack:
            echo = await stack.enter_async_context(open_echo(Path(root), out_bytes=out_bytes, back_bytes=back_bytes))
            chairs = []
            for seat in SEATS:
                folder = Path(tempfile.mkdtemp(dir=root))
                options = ChairOptions(startup_ms=20_000, first_turn_ms=0, log_bytes=65536, isolation=isolation)
                chair = Chair(seat, manifest=manifest, folder=folder, logs=folder, options=options)
                chairs.append(await stack.enter_async_context(chair))
            _, number = await play_decisions(chairs, 500, 0)
            await echo.round_trips(500)
            print("round  a: bare echo, us   b: referee, us    b/a")
            pairs = []
            for index in range(rounds):
                bare = await echo.round_trips(decisions)
                full, number = await play_decisions(chairs, decisions, number)
                pairs.append((bare, full))
                print(f"{index + 1:5} {bare:18.0f} {full:16.0f} {full / bare:6.2f}")
    bare, full = map(statistics.median, zip(*pairs, strict=True))
    ratio = statistics.median(b / a for a, b in pairs)
    print(f"median: bare echo {bare:.0f} us, referee {full:.0f} us a decision ({1e6 / full:.0f} a second), b/a {ratio:.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--echo-client"]:
        asyncio.run(answer_forever(sys.argv[2], int(sys.argv[3])))
    else:
        parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
        parser.add_argument("--rounds", type=int, default=12)
        parser.add_argument("--decisions", type=int, default=1500)
        parser.add_argument("--tier", choices=list(Tier), default=Tier.LIMITS, help="how the null bots are isolated")
        parser.add_argument("--freeze", action="store_true", help="stop bots while they are not asked anything")
        arguments = parser.parse_args()
        isolation = Isolation(tier=Tier(arguments.tier), limits=Limits(), freezes=arguments.freeze)
        asyncio.run(measure(arguments.rounds, arguments.decisions, isolation))
