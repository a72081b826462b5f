"""The gRPC side of a chair against clients of every kind; they live in this process and send whatever bytes they like."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import grpc
import pytest

from arena.seat import connection as module
from arena.seat.connection import Arrived, Connection, Ended
from arena.v1 import bot_pb2 as pb
from tests.seat.client import HELLO, Table, new_table
from tests.seat_tools import PATIENCE

MOVE = pb.Move(kind=pb.MOVE_KIND_LEAD, cards=[pb.CARD_AS])
LIMIT = 65536


def an_answer(turn: int, card: int = pb.CARD_AS) -> bytes:
    return pb.BotMessage(answer=pb.Answer(turn=turn, move=pb.Move(kind=1, cards=[card]))).SerializeToString()


def padded_hello(size: int) -> bytes:
    """A greeting of exactly so many bytes."""
    for length in range(size - len(HELLO) - 12, size):
        message = pb.BotMessage(hello=pb.Hello(versions=[1], name="x" * length)).SerializeToString()
        if len(message) == size:
            return message
    raise AssertionError(f"no greeting has {size} bytes")


def run(root: Path, test: Callable[[Table], Awaitable[None]]) -> None:
    async def main() -> None:
        async with new_table(root) as table:
            await asyncio.wait_for(test(table), 3 * PATIENCE)

    asyncio.run(main())


async def write_until_blocked(connection: Connection) -> None:
    for _ in range(2000):
        try:
            async with asyncio.timeout(0.3):
                await connection.send(b"x" * 60_000)
        except TimeoutError:
            return
    raise AssertionError("120 MB were written to a client that does not read")


def test_a_greeting_is_answered_with_the_version(root: Path) -> None:
    async def test(table: Table) -> None:
        table.connection.expect("token")
        client = table.dial("token")
        await client.send(pb.BotMessage(hello=pb.Hello(versions=[7, 1, 99], name="x" * 1000)).SerializeToString())
        assert await client.read() == pb.RefereeMessage(welcome=pb.Welcome(version=1))
        await table.connection.greeted_or_ended()
        assert table.connection.is_open

    run(root, test)


@pytest.mark.parametrize("token", ["wrong", "", None, "token ", "tokem", "t" * 5000])
def test_a_wrong_token_is_refused_and_the_right_call_is_still_taken(root: Path, token: str | None) -> None:
    async def test(table: Table) -> None:
        table.connection.expect("token")
        intruder = table.dial(token)
        await intruder.send(HELLO)
        assert await intruder.status() == (grpc.StatusCode.UNAUTHENTICATED, "the token is not this seat's")
        assert not table.connection.is_open
        assert table.connection.ended is None
        assert "token" in table.connection.refusal
        client = table.dial("token")
        await client.send(HELLO)
        assert (await client.read()).welcome.version == 1

    run(root, test)


def test_nobody_is_let_in_before_a_bot_is_expected(root: Path) -> None:
    async def test(table: Table) -> None:
        assert (await table.dial("").status())[0] is grpc.StatusCode.UNAUTHENTICATED

    run(root, test)


def test_a_second_call_is_refused_while_the_first_goes_on_and_after_it(root: Path) -> None:
    async def test(table: Table) -> None:
        client = await table.greeted()
        second = table.dial("token")
        await second.send(HELLO)
        assert await second.status() == (grpc.StatusCode.ALREADY_EXISTS, "this seat has a call already")
        answer = table.connection.open_turn(1)
        await client.send(an_answer(1))
        assert isinstance(await answer, Arrived)
        await client.close()
        await table.over()
        assert (await table.dial("token").status())[0] is grpc.StatusCode.ALREADY_EXISTS

    run(root, test)


def test_an_unknown_version_is_refused_with_both_sides_versions(root: Path) -> None:
    async def test(table: Table) -> None:
        for versions, theirs in (([2, 3], "2, 3"), ([], "none"), ([0] * 5000, "0, 0, 0, 0, 0, 0, 0, 0")):
            table.connection.expect("token")
            client = table.dial("token")
            await client.send(pb.BotMessage(hello=pb.Hello(versions=versions)).SerializeToString())
            code, detail = await client.status()
            assert code is grpc.StatusCode.FAILED_PRECONDITION
            assert detail == f"no common protocol version: the bot speaks {theirs}, the referee 1"
            assert (await table.over()).detail == detail

    run(root, test)


@pytest.mark.parametrize(
    ("message", "detail"),
    [
        (an_answer(1), "first message was not a Hello"),
        (b"", "first message was not a Hello"),
        (b"\xff\xff\xff", "no BotMessage"),
        (b"\x0a\x50\x08", "no BotMessage"),
        (b"GET / HTTP/1.1\r\n\r\n", "no BotMessage"),
    ],
)
def test_a_first_message_that_is_no_greeting_ends_the_call(root: Path, message: bytes, detail: str) -> None:
    async def test(table: Table) -> None:
        table.connection.expect("token")
        client = table.dial("token")
        await client.send(message)
        code, told = await client.status()
        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert detail in told
        ended = await table.over()
        assert (ended.detail, ended.code) == (told, code)
        assert not table.connection.is_open

    run(root, test)


@pytest.mark.parametrize(
    ("message", "code", "detail"),
    [
        (HELLO, grpc.StatusCode.INVALID_ARGUMENT, "it greeted twice"),
        (b"\xff", grpc.StatusCode.INVALID_ARGUMENT, "it sent bytes that are no BotMessage"),
        (
            padded_hello(LIMIT + 1),
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "it sent a message of 65,537 bytes; at most 65,536 are allowed",
        ),
        (
            b"\xff" * 500_000,
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "it sent a message of 500,000 bytes; at most 65,536 are allowed",
        ),
    ],
)
def test_what_the_protocol_forbids_ends_the_call_in_the_middle_of_a_turn(
    root: Path, message: bytes, code: grpc.StatusCode, detail: str
) -> None:
    async def test(table: Table) -> None:
        client = await table.greeted()
        answer = table.connection.open_turn(1)
        await client.send(message)
        assert await client.status() == (code, detail)
        assert await asyncio.wait_for(answer, PATIENCE) == Ended(detail, code)
        assert not table.connection.is_open

    run(root, test)


def test_a_message_of_exactly_64_kib_is_taken(root: Path) -> None:
    async def test(table: Table) -> None:
        table.connection.expect("token")
        client = table.dial("token")
        await client.send(padded_hello(LIMIT))
        assert (await client.read()).welcome.version == 1

    run(root, test)


def test_a_huge_message_is_cut_off_by_grpc_which_both_sides_notice(root: Path) -> None:
    async def test(table: Table) -> None:
        client = await table.greeted()
        answer = table.connection.open_turn(1)
        await client.send(b"x" * 3_000_000)
        assert (await client.status())[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
        outcome = await asyncio.wait_for(answer, PATIENCE)
        assert isinstance(outcome, Ended)
        assert outcome.is_cut

    run(root, test)


def test_64_unasked_messages_in_a_row_are_forgiven_and_65_are_not(root: Path) -> None:
    async def test(table: Table) -> None:
        client = await table.greeted()
        # All the ways not to answer the open turn: another number, none, no body, nothing but an unknown field.
        unasked = [an_answer(7), an_answer(0), b"", b"\xf8\x07\x01"]
        for turn in (1, 2):
            await client.send(*(unasked * 16))
            answer = table.connection.open_turn(turn)
            await client.send(an_answer(turn))
            assert isinstance(await asyncio.wait_for(answer, PATIENCE), Arrived)
            table.connection.close_turn()
        await client.send(*(unasked * 16))
        await client.send(an_answer(2))
        detail = "it sent more than 64 messages in a row that answer no open turn"
        assert await client.status() == (grpc.StatusCode.RESOURCE_EXHAUSTED, detail)

    run(root, test)


def test_a_burst_of_ten_thousand_messages_ends_the_call(root: Path) -> None:
    async def test(table: Table) -> None:
        client = await table.greeted()
        await client.send(*[an_answer(1)] * 10_000)
        assert (await table.over()).code is grpc.StatusCode.RESOURCE_EXHAUSTED

    run(root, test)


def test_only_the_first_answer_to_the_open_turn_counts(root: Path) -> None:
    async def test(table: Table) -> None:
        client = await table.greeted()
        connection = table.connection
        closed = connection.open_turn(1)
        connection.close_turn()
        await client.send(an_answer(1))
        answer = connection.open_turn(2)
        # Too late, too early, the one, and one more.
        await client.send(
            an_answer(1, pb.CARD_6C), an_answer(3, pb.CARD_7C), an_answer(2, pb.CARD_8C), an_answer(2, pb.CARD_9C)
        )
        outcome = await asyncio.wait_for(answer, PATIENCE)
        assert isinstance(outcome, Arrived)
        assert list(outcome.move.cards) == [pb.CARD_8C]
        assert not closed.done()
        connection.close_turn()
        answer = connection.open_turn(3)
        await client.send(an_answer(2, pb.CARD_6S), an_answer(3, pb.CARD_7S))
        outcome = await asyncio.wait_for(answer, PATIENCE)
        assert isinstance(outcome, Arrived)
        assert list(outcome.move.cards) == [pb.CARD_7S]

    run(root, test)


def test_what_an_earlier_process_sends_never_answers_for_the_next_one(root: Path) -> None:
    async def test(table: Table) -> None:
        old = await table.greeted("old")
        # On its way, but not yet read, when the next process is expected.
        await old.send(an_answer(1, pb.CARD_6C), an_answer(1, pb.CARD_7C))
        table.connection.expect("new")
        answer = table.connection.open_turn(1)
        assert await old.status() == (grpc.StatusCode.OK, "")
        new = table.dial("new")
        await new.send(HELLO)
        await new.read()
        assert not answer.done()
        await new.send(an_answer(1, pb.CARD_AS))
        outcome = await asyncio.wait_for(answer, PATIENCE)
        assert isinstance(outcome, Arrived)
        assert list(outcome.move.cards) == [pb.CARD_AS]
        assert (await table.dial("old").status())[0] is grpc.StatusCode.UNAUTHENTICATED

    run(root, test)


def test_the_end_of_an_earlier_call_is_not_the_end_of_the_next_one(root: Path) -> None:
    async def test(table: Table) -> None:
        old = await table.greeted("old")
        exited = table.connection.expect("middle")
        await table.greeted("new")
        exited()
        await old.close()
        await asyncio.sleep(2 * module._LINGER_SECONDS)
        assert table.connection.is_open

    run(root, test)


def test_a_call_ends_soon_after_its_process_has_exited_whoever_holds_it_open(root: Path) -> None:
    async def test(table: Table) -> None:
        exited = table.connection.expect("token")
        client = table.dial("token")
        await client.send(HELLO)
        await client.read()
        answer = table.connection.open_turn(1)
        exited()
        outcome = await asyncio.wait_for(answer, PATIENCE)
        assert isinstance(outcome, Ended)
        assert "process exited" in outcome.detail
        assert await client.status() == (grpc.StatusCode.OK, "")

    run(root, test)


def test_a_bot_that_ends_its_call_and_one_that_cancels_it_are_told_apart(root: Path) -> None:
    async def test(table: Table) -> None:
        client = await table.greeted()
        answer = table.connection.open_turn(1)
        await client.call.done_writing()
        assert await asyncio.wait_for(answer, PATIENCE) == Ended("it ended its call")
        client = await table.greeted()
        answer = table.connection.open_turn(1)
        client.call.cancel()
        outcome = await asyncio.wait_for(answer, PATIENCE)
        assert isinstance(outcome, Ended)
        assert outcome.is_cut
        # A turn that is opened on a call that is over gets the same at once.
        assert table.connection.open_turn(2).result() == outcome

    run(root, test)


def test_hanging_up_ends_the_call_with_ok(root: Path) -> None:
    async def test(table: Table) -> None:
        client = await table.greeted()
        table.connection.hang_up()
        assert await client.status() == (grpc.StatusCode.OK, "")
        await table.connection.send(b"into the void")
        # A bot that comes after that is sent home in the same way.
        table.connection.expect("late")
        table.connection.hang_up()
        late = table.dial("late")
        assert await late.status() == (grpc.StatusCode.OK, "")

    run(root, test)


def test_a_bot_that_does_not_read_blocks_one_write_and_then_is_out(root: Path) -> None:
    async def test(table: Table) -> None:
        client = await table.greeted()
        await write_until_blocked(table.connection)
        ended = await table.over()
        assert ended == Ended("it does not read what it is sent")
        await asyncio.wait_for(table.connection.send(b"x"), 0.2)
        assert table.connection.open_turn(1).result() == ended
        # The next process of the bot is not touched by it.
        await client.close()
        await table.greeted("new")

    run(root, test)


def test_a_bug_of_ours_is_told_from_what_a_bot_did(
    root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(table: Table) -> None:
        client = await table.greeted()
        answer = table.connection.open_turn(1)
        monkeypatch.setattr(module, "_parse", lambda data: data.no_such_attribute)
        await client.send(an_answer(1))
        outcome = await asyncio.wait_for(answer, PATIENCE)
        assert isinstance(outcome, Ended)
        assert isinstance(outcome.error, AttributeError)

    run(root, test)
    assert "no_such_attribute" in caplog.text  # gRPC logs it with its traceback


def test_no_bytes_at_all_break_the_reader(root: Path) -> None:
    async def test(table: Table) -> None:
        rng = random.Random(20)
        good = [HELLO, an_answer(1), pb.BotMessage(answer=pb.Answer(turn=2**32 - 1, move=MOVE)).SerializeToString()]
        for _ in range(60):
            table.connection.expect("token")
            client = table.dial("token")
            messages = [HELLO] if rng.random() < 0.8 else []
            for _ in range(rng.randrange(1, 5)):
                data = bytearray(rng.choice(good) if rng.random() < 0.6 else rng.randbytes(rng.randrange(200)))
                for _ in range(rng.randrange(4) if data else 0):
                    data[rng.randrange(len(data)) : rng.randrange(len(data) + 1)] = rng.randbytes(rng.randrange(4)) or b"\0"
                messages.append(bytes(data))
            await client.send(*messages)
            await client.call.done_writing()
            ended = await table.over()
            assert ended.code in (None, grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION)
            assert ended.error is None
            await client.close()

    run(root, test)
