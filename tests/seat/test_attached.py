"""A seat for a program that its author starts: who may sit down, and that no clock runs."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from arena.errors import UserError
from arena.rules.cards import SEATS
from arena.rules.options import TimeControl
from arena.seat.attached import AttachedChair, is_address, parse_address
from arena.seat.clock import StoppedClock
from arena.seat.trouble import Reply, Trouble, TroubleKind
from arena.v1 import bot_pb2 as pb
from tests.seat.client import HELLO, Client
from tests.seat_tools import RULES, TEAMS, ask

SHORT = TimeControl(move_ms=1, bank_ms=0, max_faults=1)


class Invited:
    """A chair at which somebody waits, and the one who calls."""

    def __init__(self, address: str, token: str = "") -> None:
        self.told: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self.chair = AttachedChair(SEATS[0], address=address, token=token, on_wait=lambda *words: self.told.put_nowait(words))

    @contextlib.asynccontextmanager
    async def seated(self) -> AsyncIterator[Client]:
        """A call that has greeted and was told of a match."""
        async with self.chair:
            starting = asyncio.create_task(self.chair.start())
            client = Client(*await self.told.get())
            await client.send(HELLO)
            assert await starting is None
            assert (await client.read()).HasField("welcome")
            await self.chair.begin_match(teams=TEAMS, rules=RULES, time=SHORT)
            assert (await client.read()).match_start.time.move_ms == 1
            yield client
            await client.close()


def answer(turn: pb.Turn) -> bytes:
    return pb.BotMessage(answer=pb.Answer(turn=turn.number, move=turn.legal[0])).SerializeToString()


@pytest.mark.parametrize("kind", ["unix", "tcp"])
def test_an_answer_may_take_its_time(root: Path, kind: str) -> None:
    async def test() -> None:
        invited = Invited(parse_address(f"unix:{root}/seat.sock" if kind == "unix" else "localhost:0"))
        async with invited.seated() as client:
            for number in (1, 2):
                asking = asyncio.create_task(ask(invited.chair))
                turn = (await client.read()).turn
                assert (turn.number, turn.move_ms, turn.bank_ms) == (number, 1, 0)
                done, _ = await asyncio.wait([asking], timeout=0.7)
                assert not done  # 700 times what it has, and more than a message may wait for a bot that does not read
                await client.send(answer(turn))
                assert isinstance(await asking, Reply)
            assert invited.chair.is_ready
            await invited.chair.end()
            assert await client.status() == (grpc.StatusCode.OK, "")

    asyncio.run(test())


def test_who_has_not_the_token_is_refused_and_the_chair_waits_on(root: Path) -> None:
    async def test() -> None:
        invited = Invited(parse_address(f"unix://{root}/seat.sock"), "my own")
        async with invited.chair:
            starting = asyncio.create_task(invited.chair.start())
            address, token = await invited.told.get()
            assert (address, token) == (f"unix://{root}/seat.sock", "my own")
            stranger = Client(address, "guess")
            await stranger.send(HELLO)
            assert (await stranger.status())[0] is grpc.StatusCode.UNAUTHENTICATED
            await stranger.close()
            assert not starting.done()
            client = Client(address, token)
            await client.send(HELLO)
            assert await starting is None
            await client.close()

    asyncio.run(test())


def test_one_that_does_not_greet_is_told_and_another_may_come(root: Path) -> None:
    async def test() -> None:
        invited = Invited(parse_address(f"unix:{root}/seat.sock"))
        async with invited.chair:
            starting = asyncio.create_task(invited.chair.start())
            address, first = await invited.told.get()
            client = Client(address, first)
            await client.send(pb.BotMessage(hello=pb.Hello(versions=[99])).SerializeToString())
            trouble = await starting
            assert trouble is not None
            assert trouble.kind is TroubleKind.NO_START
            assert "no common protocol version" in trouble.detail
            await client.close()
        async with invited.seated():
            assert invited.chair.is_ready

    asyncio.run(test())


def test_a_program_that_goes_is_a_trouble_of_its_turn(root: Path) -> None:
    async def test() -> None:
        invited = Invited(parse_address(f"unix:{root}/seat.sock"))
        async with invited.seated() as client:
            asking = asyncio.create_task(ask(invited.chair))
            await client.read()
            await client.close()
            trouble = await asking
            assert isinstance(trouble, Trouble)
            assert (trouble.kind, trouble.turn) == (TroubleKind.ENDED, 1)
            assert not invited.chair.is_ready

    asyncio.run(test())


def test_an_address_that_cannot_be_had(root: Path) -> None:
    async def test(address: str) -> None:
        async with Invited(parse_address(address)).chair:
            pass

    with socket.socket() as tcp, socket.socket(socket.AF_UNIX) as unix:
        tcp.bind(("127.0.0.1", 0))
        unix.bind(f"{root}/used.sock")
        for taken in (tcp, unix):
            taken.listen()
        (root / "file").write_text("precious")
        for address, reason in (
            (f"127.0.0.1:{tcp.getsockname()[1]}", "in use"),
            (f"unix:{root}/used.sock", "in use"),
            (f"unix:{root}/file", "exists"),
            (f"unix:{root}/no/seat.sock", "No such file"),
        ):
            with pytest.raises(UserError, match=f"cannot be listened at: .*{reason}"):
                asyncio.run(test(parse_address(address)))
    assert (root / "file").read_text() == "precious"
    asyncio.run(test(parse_address(f"unix:{root}/used.sock")))  # which is left of one that has gone
    assert not (root / "used.sock").exists()


def test_addresses_and_folders() -> None:
    for text in ("unix:x.sock", "unix:///tmp/x.sock", "127.0.0.1:5000", "localhost:1", "0.0.0.0:5000", "[::1]:5", ":5"):
        assert is_address(text)
    for text in ("bot", "./bot:5000", "/bots/unix:x", "C:\\bot", "bot:v2"):
        assert not is_address(text)
    assert parse_address("unix:x.sock") == f"unix://{Path.cwd()}/x.sock"
    assert parse_address("unix:///tmp/a b%.sock") == "unix:///tmp/a%20b%25.sock"
    assert parse_address("localhost:05000") == "127.0.0.1:5000"
    # Others must not be able to call: what goes over it is not encrypted.
    for text in ("0.0.0.0:5000", "192.168.1.7:5000", "127.0.0.1:65536", "[::1]:5000", ":5000"):
        with pytest.raises(UserError, match=r"unix:/tmp/bot\.sock or 127\.0\.0\.1:5000"):
            parse_address(text)
    with pytest.raises(UserError, match="at most 103 bytes"):
        parse_address(f"unix:/tmp/{'x' * 100}")


def test_a_stopped_clock_shows_what_was_booked_before() -> None:
    clock = StoppedClock(TimeControl(move_ms=100, bank_ms=1_000, max_faults=1))
    clock.grant(700)
    clock.begin_turn(grace_ms=0)
    assert (clock.move_ms, clock.bank_ms) == (800, 1_000)
    clock.take(10_000_000)
    assert clock.bank_ms == 1_000
    clock.book(800_001)
    assert clock.bank_ms == 999
    clock.begin_turn(grace_ms=0)
    assert clock.move_ms == 100
    clock.book(200_000)
    assert clock.bank_ms == 899
