"""Chairs with real bots for the tests: small programs that a test writes into a folder, and what has to be gone afterwards."""

import asyncio
import contextlib
import gc
import logging
import os
import tempfile
import textwrap
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from arena.rules.cards import SEATS, Seat
from arena.rules.deal import make_deal
from arena.rules.game import Game
from arena.rules.match import MatchScore
from arena.rules.options import Pull, Rules, TimeControl
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.manifest import Manifest
from arena.seat.trouble import Reply, Trouble

SECRET = bytes(range(32))
RULES = Rules()
TIME = TimeControl(move_ms=5000, bank_ms=0, max_faults=3)
SCORE = MatchScore(game=0, defeat_points=(0, 0), games_won=(0, 0), eggs=0, stake=1)
ISOLATION = Isolation(tier=Tier.LIMITS, limits=Limits(), freezes=False)
TEAMS = ("Wild Goats", "Old Goats")
PATIENCE = 20.0
"""Seconds after which a condition that a test waits for will not come true any more; never a measure of anything."""

NULL = """
from arena.bot import Bot, serve

class Null(Bot):
    def choose(self, turn):
        return turn.legal[0]

serve(Null())
"""
"""A bot that plays its first legal move."""

RAW = """
import os
import queue
import sys
import time

import grpc

from arena.v1 import bot_pb2 as pb


class Raw:
    '''A call that sends whatever bytes it is given; read() parses, and returns None when the call is over.'''

    def __init__(self, token=None):
        self.out = queue.SimpleQueue()
        self.channel = grpc.insecure_channel(os.environ["ARENA_ADDRESS"], [("grpc.use_local_subchannel_pool", 1)])
        play = self.channel.stream_stream("/arena.v1.Referee/Play")
        token = os.environ["ARENA_TOKEN"] if token is None else token
        self.call = play(iter(self.out.get, None), metadata=[("arena-token", token)])

    def send(self, data):
        self.out.put(data)

    def hello(self, versions=(1,)):
        self.send(pb.BotMessage(hello=pb.Hello(versions=versions)).SerializeToString())

    def answer(self, number, move):
        self.send(pb.BotMessage(answer=pb.Answer(turn=number, move=move)).SerializeToString())

    def read(self):
        try:
            return pb.RefereeMessage.FromString(next(self.call))
        except StopIteration:
            return None
        except grpc.RpcError as error:
            print(error.code().name, error.details(), file=sys.stderr, flush=True)
            return None

    def turn(self):
        '''The next turn; the process ends when the call does.'''
        while message := self.read():
            if message.HasField("turn"):
                return message.turn
        os._exit(0)

    def play(self):
        while True:
            turn = self.turn()
            self.answer(turn.number, turn.legal[0])


def linger():
    '''Live on until the test is done, or until it was killed, and touch nothing.'''
    while not os.path.exists("done"):
        time.sleep(0.01)
    os._exit(0)


def greeted():
    raw = Raw()
    raw.hello()
    raw.read()
    return raw

"""
"""What goes before the source of a bot that is not well behaved."""


def write_bot(folder: Path, *sources: str) -> Manifest:
    """A bot in Python, from one piece of source after the other, in a folder that is made for it."""
    folder.mkdir(parents=True)
    (folder / "main.py").write_text("".join(map(textwrap.dedent, sources)))
    return Manifest(folder, folder.name, "python", (), ("python", "main.py"))


def write_raw_bot(folder: Path, *sources: str) -> Manifest:
    """The same with `Raw` at hand."""
    return write_bot(folder, RAW, *sources)


def command(folder: Path, *words: str) -> Manifest:
    """Any command as a bot; its folder is made when it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    return Manifest(folder, folder.name, "", (), words)


def new_chair(
    manifest: Manifest, root: Path, *, seat: Seat = SEATS[0], startup_ms: int = 20_000, log_bytes: int = 100_000
) -> Chair:
    """A chair with its own folders under `root`, not yet entered."""
    folder = root / str(seat)
    folder.mkdir(parents=True, exist_ok=True)
    options = ChairOptions(startup_ms=startup_ms, first_turn_ms=0, log_bytes=log_bytes, isolation=ISOLATION)
    return Chair(seat, manifest=manifest, folder=folder, logs=folder, options=options)


@contextlib.asynccontextmanager
async def started(
    manifest: Manifest, root: Path, *, time_control: TimeControl = TIME, log_bytes: int = 100_000
) -> AsyncIterator[Chair]:
    """A chair whose bot runs and was told of a match."""
    async with new_chair(manifest, root, log_bytes=log_bytes) as chair:
        assert await chair.start() is None
        await chair.begin_match(teams=TEAMS, rules=RULES, time=time_control)
        yield chair


def new_game() -> Game:
    """A game in which seat 0 leads and nobody is offered a pull."""
    return Game.from_deal(Rules(pull=Pull.OFF), make_deal(SECRET, "a game", 0), dealer=SEATS[3], leader=SEATS[0])


async def ask(chair: Chair) -> Reply | Trouble:
    """Ask for a lead."""
    game = new_game()
    return await chair.ask(game.legal_codes(), view=game.view(SEATS[0]), score=SCORE)


async def ask_for_reply(chair: Chair) -> Reply:
    """Ask a bot that answers."""
    outcome = await ask(chair)
    assert isinstance(outcome, Reply), outcome
    return outcome


async def ask_for_trouble(chair: Chair) -> Trouble:
    """Ask a bot that does not answer."""
    outcome = await ask(chair)
    assert isinstance(outcome, Trouble), outcome
    return outcome


async def until(condition: Callable[[], object]) -> None:
    """Wait for a condition without blocking the event loop."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        await asyncio.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def is_soon_gone(pid: int) -> bool:
    """Whether a process that was killed is gone; whoever is init here has to reap it, so it may take a moment."""
    deadline = time.monotonic() + PATIENCE
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_alive(pid)


def children() -> list[int]:
    """The processes that this one has started and not reaped."""
    tasks = Path(f"/proc/{os.getpid()}/task").iterdir()
    found: list[int] = []
    for task in tasks:
        with contextlib.suppress(OSError):  # a thread may end while we look
            found += map(int, (task / "children").read_text().split())
    return found


def descriptors() -> int:
    """How many descriptors are open."""
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture(name="root")
def root_fixture() -> Iterator[Path]:
    """A folder with a short path, for sockets; no socket may be left in it."""
    with tempfile.TemporaryDirectory(prefix="t-") as root:
        yield Path(root)
        assert not [path for path in Path(root).rglob("*") if path.is_socket()]


@pytest.fixture(name="nothing_left", autouse=True)
def nothing_left_fixture(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """No child, no warning of the event loop's and not a word on stderr is left by a test."""
    before = children()
    yield
    assert [pid for pid in children() if pid not in before] == []
    gc.collect()  # tasks complain of exceptions that nobody took when they are collected
    records = [record for record in caplog.get_records("call") if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in records if not record.name.startswith("grpc")] == []
    assert capfd.readouterr().err == ""
