"""What a decision costs through the referee, beside a bare gRPC round trip of the same size, and of what the rest is made.

All run in this process against Python processes over a Unix-domain socket, one after another, so that the machine's mood
hits them alike:

    a  a grpc.aio server that writes a message and reads one back, bytes in and bytes out, against a grpc.aio client
    b  the referee with four null bots on the SDK: rules, views, protobuf, clocks, records and all
    c  as a, but against the four null bots in turn: every process asked has slept for three turns and has to be woken, and
       the SDK parses a real turn, chooses and answers
    d  as a, but against four of its clients in turn
    e  the work that no referee and no SDK can leave out, in a tight loop in this process, and none of the way
    f  as d, but before each message the processor is kept busy for as long as e took: the way, with that much between

    python benchmarks/referee.py [--rounds 12] [--decisions 1500] [--tier limits|sandbox|strict] [--freeze]

Prints microseconds a decision for each round, and the medians of the rounds' ratios: b/a, which has a target; f/a, which is
what any referee pays over grpc.aio that does its work with these rules and messages; c/a, d/a, e/a, b/f.
"""

import argparse
import asyncio
import contextlib
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from statistics import mean, median
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
from arena.v1 import bot_pb2 as pb
from arena.wire.decode import decode_answered, decode_move
from arena.wire.encode import TurnEncoder, encode_answer, encode_match_start, encode_welcome

SECRET = bytes(32)
SCORE = MatchScore(game=0, defeat_points=(0, 0), games_won=(0, 0), eggs=0, stake=1)
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
    for number in range(20):
        game = Game.from_deal(Rules(), make_deal(SECRET, "sizes", number), dealer=SEATS[0], leader=SEATS[1])
        while not game.is_over:
            seat, legal = game.to_move, game.legal_codes()
            turn = encoders[seat].encode(
                len(turns) + 1, legal=legal, view=game.view(seat), score=SCORE, move_ms=1000, bank_ms=20_000
            )
            turns.append(turn.SerializeToString())
            answers.append(encode_answer(len(turns), Move.from_code(legal[0])).ByteSize())
            game.advance(legal[0])
    size = mean(map(len, turns))
    return min(turns, key=lambda turn: abs(len(turn) - size)), round(mean(answers))


class Work:
    """What no referee and no SDK can leave out, but for the way: a turn is made and read, an answer made, read and played."""

    def __init__(self) -> None:
        self._games = (
            Game.from_deal(Rules(), make_deal(SECRET, "work", number), dealer=SEATS[0], leader=SEATS[1])
            for number in itertools.count()
        )
        self._encoders = [TurnEncoder() for _ in SEATS]

    async def run(self, count: int) -> float:
        """Microseconds a decision over whole games with at least so many."""
        decisions = 0
        started = time.perf_counter()
        while decisions < count:
            game = next(self._games)
            while not game.is_over:
                self._decide(game)
                decisions += 1
        return (time.perf_counter() - started) / decisions * 1e6

    def _decide(self, game: Game) -> None:
        seat, legal = game.to_move, game.legal_codes()
        view = game.view(seat)
        sent = self._encoders[seat].encode(1, legal=legal, view=view, score=SCORE, move_ms=1000, bank_ms=20_000)
        turn = pb.RefereeMessage.FromString(sent.SerializeToString()).turn
        answer = encode_answer(turn.number, decode_move(turn.legal[0]))
        move = decode_answered(pb.BotMessage.FromString(answer.SerializeToString()).answer.move)
        if move is None or move.code not in legal:
            sys.exit("the first legal move is not legal")
        game.advance(move.code)


class RoundTrips:
    """Bare round trips: one message out and one back, with clients that are asked in turn."""

    def __init__(self, message: bytes, calls: Sequence[Any]) -> None:
        self._message = message
        self._calls = calls

    async def run(self, count: int, *, busy_us: float = 0.0) -> float:
        """Microseconds a round trip; before each one so many microseconds go by with computing, which count."""
        started = time.perf_counter()
        for _, call in zip(range(count), itertools.cycle(self._calls)):
            until = time.perf_counter() + busy_us / 1e6
            while busy_us and time.perf_counter() < until:
                pass
            await call.write(self._message)
            await call.read()
        return (time.perf_counter() - started) / count * 1e6


@contextlib.asynccontextmanager
async def open_calls(
    folder: Path, name: str, command: Sequence[str], *, processes: int, message: bytes, greetings: Sequence[bytes] = ()
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
            address = f"unix://{folder / f'{name}-{number}.sock'}"
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


class Matches:
    """Matches of one table, one after another."""

    def __init__(self, chairs: Sequence[Chair]) -> None:
        self._chairs = chairs
        self._numbers = itertools.count()

    async def run(self, count: int) -> float:
        """Microseconds a decision over whole matches with at least so many decisions."""
        decisions = 0
        started = time.perf_counter()
        while decisions < count:
            key = MatchKey(("null", "void"), next(self._numbers), swapped=False)
            record = await play_match(self._chairs, key=key, bots=("null",) * 4, terms=TERMS, secret=SECRET)
            if record.faults:
                sys.exit(f"a null bot had a fault, so the figures mean nothing: {record.faults[0]}")
            decisions += sum(len(game.decisions) for game in record.games)
        return (time.perf_counter() - started) / decisions * 1e6


async def measure(rounds: int, decisions: int, isolation: Isolation) -> None:
    """All of them, one after another, and what comes of it."""
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
            opened = open_calls(Path(root), "echo", echo_client, processes=1, message=bytes(len(turn)))
            echo = await stack.enter_async_context(opened)
            opened = open_calls(Path(root), "four", echo_client, processes=len(SEATS), message=bytes(len(turn)))
            echoes = await stack.enter_async_context(opened)
            opened = open_calls(Path(root), "bots", null_bot, processes=len(SEATS), message=turn, greetings=greetings)
            bots = await stack.enter_async_context(opened)
            chairs = []
            for seat in SEATS:
                folder = Path(tempfile.mkdtemp(dir=root))
                options = ChairOptions(startup_ms=20_000, first_turn_ms=0, log_bytes=65536, isolation=isolation)
                chair = Chair(seat, manifest=manifest, folder=folder, logs=folder, options=options)
                chairs.append(await stack.enter_async_context(chair))
            referee, work = Matches(chairs), Work()
            for kind in (echo, referee, bots, echoes, work):
                await kind.run(500)
            print("round  a: echo, us  b: referee  c: bots  d: echoes  e: work  f: echoes and work    b/a    f/a")
            results = []
            for index in range(rounds):
                a, b, c, d, e = [await kind.run(decisions) for kind in (echo, referee, bots, echoes, work)]
                f = await echoes.run(decisions, busy_us=e)
                results.append({"a": a, "b": b, "c": c, "d": d, "e": e, "f": f})
                print(f"{index + 1:5} {a:12.0f} {b:11.0f} {c:8.0f} {d:10.0f} {e:8.0f} {f:19.0f} {b / a:6.2f} {f / a:6.2f}")
    middle = {name: median(result[name] for result in results) for name in "abcdef"}
    print("median: " + ", ".join(f"{name} {us:.0f} us" for name, us in middle.items()))
    ratios = {f"{x}/{y}": median(result[x] / result[y] for result in results) for x, y in ("ba", "fa", "ca", "da", "ea", "bf")}
    print("median of the rounds' ratios: " + ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()))


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
