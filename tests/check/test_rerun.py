"""A recorded seat sent to a live bot once more: the same bytes as in the match, and what is said of other answers."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.check.rerun import Finding, Rerun, rerun
from arena.records.codec import decode_match, encode_match
from arena.records.model import FaultKind, MatchRecord
from arena.rules.cards import SEATS, Seat
from arena.rules.moves import MoveKind
from arena.rules.options import Discards, Eggs, Rules
from arena.seat.connection import Connection
from arena.seat.manifest import Manifest
from arena.v1 import bot_pb2 as pb
from tests.referee.table import TURNS, Table, find_offer, new_table
from tests.seat_tools import NULL, new_chair, write_bot, write_raw_bot

PULLS = """
class Pulls(Counting):
    def number(self, n, turn):
        return turn.legal[(n * 7) % len(turn.legal)] if turn.legal[0].kind is not MoveKind.PULL else None

serve(Pulls())
"""
"""Takes every pull, and else one move or another."""
ILLEGAL = """
class Illegal(Counting):
    def number(self, n, turn):
        return Move(MoveKind.PASS) if n in (2, 5) and turn.legal[0].kind is not MoveKind.PULL else None

serve(Illegal())
"""
CRASHES = """
class Crashes(Counting):
    def number(self, n, turn):
        if n == 4 and is_first_time("crashed"):
            os._exit(7)

serve(Crashes())
"""
SILENT = """
raw = greeted()
n = 0
while True:
    turn = raw.turn()
    n += 1
    if n not in (3, 4, 9):
        raw.answer(turn.number, turn.legal[-1])
"""
"""Gives no answer at all to some of its turns."""
SLOW = """
class Slow(Counting):
    def number(self, n, turn):
        if n in (2, 6):
            time.sleep(0.4)

serve(Slow())
"""
"""Lives on its bank in some turns."""
OTHER = """
class Other(Counting):
    def number(self, n, turn):
        if n == {turn}:
            {does}

serve(Other())
"""
FIRST_TURN_MS = 700
"""What the first turn of a process has on top."""


@contextlib.contextmanager
def wiretap() -> Iterator[dict[Connection, list[bytes]]]:
    """All that is written to bots after the welcome, by connection."""
    sent: dict[Connection, list[bytes]] = {}
    send = Connection.send

    async def listening(connection: Connection, message: bytes) -> None:
        sent.setdefault(connection, []).append(message)
        await send(connection, message)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "send", listening)
        yield sent


async def tapped_match(table: Table, number: int, **terms: int) -> tuple[MatchRecord, list[list[bytes]]]:
    """A real match, its record as the store gives it back, and what was written to every seat."""
    for chair in table.chairs:
        chair._first_turn_ms = FIRST_TURN_MS
    with wiretap() as sent:
        record = await table.play(number, **terms)
    return decode_match(encode_match(record)), [sent[chair._connection] for chair in table.chairs]


async def tapped_rerun(bot: Manifest, root: Path, record: MatchRecord, seat: Seat) -> tuple[Rerun, list[bytes]]:
    async with new_chair(bot, root / "again", seat=seat) as chair:
        assert await chair.start() is None
        with wiretap() as sent:
            found: list[Finding] = []
            result = await rerun(chair, record, first_turn_ms=FIRST_TURN_MS, on_difference=found.append)
        assert found == ([] if result.first is None else [result.first])
        await chair.end()
        return result, sent[chair._connection]


def without_number(message: bytes) -> bytes:
    """The same message when the number of its turn is not to be compared."""
    parsed = pb.RefereeMessage.FromString(message)
    if parsed.HasField("turn"):
        parsed.turn.number = 0
    if parsed.HasField("fault"):
        parsed.fault.turn = 0
    return parsed.SerializeToString()


@pytest.mark.parametrize(
    "rules",
    [Rules(match_target=6), Rules(match_target=4, discards=Discards.OPEN, eggs=Eggs.DOUBLE_NEXT, max_lead=2)],
    ids=["usual", "house"],
)
def test_every_seat_is_sent_the_same_bytes(root: Path, rules: Rules) -> None:
    """With pulls that are heard and not heard, moves that are not legal, and time from the bank."""
    number, offered = find_offer(rules, 2)

    async def test() -> None:
        sources = {0: PULLS, 1: PULLS, 2: PULLS, 3: PULLS}
        free = next(seat for seat in SEATS if seat not in offered)
        sources[free] = ILLEGAL
        sources[next(seat for seat in SEATS if seat not in (*offered, free))] = SLOW
        async with new_table(root, sources, rules=rules) as table:
            record, sent = await tapped_match(table, number, move_ms=200, bank_ms=60_000, max_faults=20)
        assert any(not decision.is_heard for game in record.games for decision in game.decisions)
        assert [fault.kind for fault in record.faults] == [FaultKind.ILLEGAL] * len(record.faults) != []
        banks = {pb.RefereeMessage.FromString(message).turn.bank_ms for messages in sent for message in messages}
        assert len(banks - {0, 60_000}) > 0
        null = write_bot(root / "again-null", NULL)
        for seat in SEATS:
            result, again = await tapped_rerun(null, root, record, seat)
            assert again == sent[seat]
            assert result.turns == sum(pb.RefereeMessage.FromString(message).HasField("turn") for message in again)
            own = [it for game in record.games for it in game.decisions if it.seat == seat and not it.is_substitute]
            assert result.compared == len(own)

    asyncio.run(test())


def test_late_turns_and_their_notices_are_sent_again(root: Path) -> None:
    """Also that a bot which owes an answer is not told how the game ended."""

    async def test() -> None:
        silent = write_raw_bot(root / "silent", SILENT)
        null = write_bot(root / "null", NULL)
        async with contextlib.AsyncExitStack() as stack:
            bots = (null, silent, null, null)
            chairs = [
                await stack.enter_async_context(new_chair(bot, root, seat=seat)) for seat, bot in zip(SEATS, bots, strict=True)
            ]
            table = Table((chairs[0], chairs[1], chairs[2], chairs[3]), Rules(match_target=4))
            record, sent = await tapped_match(table, 3, move_ms=1_500, bank_ms=100, max_faults=50)
            await asyncio.gather(*(chair.end() for chair in chairs))
        assert [fault.kind for fault in record.faults if fault.seat == 1].count(FaultKind.TIMEOUT) >= 3
        result, again = await tapped_rerun(null, root, record, SEATS[1])
        assert again == sent[1]
        assert result.turns - result.compared == sum(fault.seat == 1 for fault in record.faults)
        assert not result.is_same  # it plays its last legal move, and this one the first

    asyncio.run(test())


def test_a_new_start_in_the_match_and_the_end_by_a_forfeit(root: Path) -> None:
    """The bot that lives is not started again: it is told the match again, asked again, and numbers go on."""

    async def test() -> None:
        async with new_table(root, {2: CRASHES, 1: ILLEGAL}) as table:
            record, sent = await tapped_match(table, 5, max_faults=2)
        assert [fault.kind for fault in record.faults].count(FaultKind.CRASH) == 1
        assert record.forfeited
        null = write_bot(root / "again-null", NULL)
        result, again = await tapped_rerun(null, root, record, SEATS[2])
        assert list(map(without_number, again)) == list(map(without_number, sent[2]))
        assert sum(pb.RefereeMessage.FromString(message).HasField("match_start") for message in again) == 2
        assert result.is_same
        _, again = await tapped_rerun(null, root, record, SEATS[1])
        assert again == sent[1]
        assert pb.RefereeMessage.FromString(again[-2]).fault.faults == 2

    asyncio.run(test())


def test_what_differs_is_named_and_the_match_goes_on(root: Path) -> None:
    async def test() -> None:
        async with new_table(root, {}) as table:
            record, sent = await tapped_match(table, 0)
        seat = SEATS[3]
        turns = [it for it in map(pb.RefereeMessage.FromString, sent[seat]) if it.HasField("turn")]
        chosen = next(n for n, it in enumerate(turns, start=1) if n > 4 and len(it.turn.legal) > 1)
        turn = turns[chosen - 1].turn
        bot = write_bot(root / "other", TURNS, OTHER.format(turn=chosen, does="return turn.legal[-1]"))
        result, again = await tapped_rerun(bot, root, record, seat)
        assert again == sent[seat]
        assert (result.turns, result.compared, result.differing) == (len(turns), len(turns), 1)
        assert result.first is not None
        assert not result.is_same
        first = result.first
        assert (first.game, first.trick, first.turn) == (turn.score.game + 1, len(turn.view.tricks), chosen)
        kinds = {kind.value + 1: kind.name.lower() for kind in MoveKind}
        assert first.problem.reason.partition("which is: ")[2].split()[0] == kinds[turn.legal[0].kind]
        assert first.problem.answered.split()[0] == kinds[turn.legal[-1].kind]
        assert f"seat {seat} (partner 1)" in first.problem.sent[0]

    asyncio.run(test())


@pytest.mark.parametrize(
    ("does", "words"), [("return Move(MoveKind.PULL, 15)", "nor is it legal"), ("return turn.legal[-1]", "")]
)
def test_an_answer_that_is_not_legal_is_called_so(root: Path, does: str, words: str) -> None:
    async def test() -> None:
        async with new_table(root, {}) as table:
            record, sent = await tapped_match(table, 0)
        turns = [it.turn for it in map(pb.RefereeMessage.FromString, sent[SEATS[0]]) if it.HasField("turn")]
        chosen = next(n for n, it in enumerate(turns, start=1) if it.legal[0].kind == pb.MOVE_KIND_LEAD and len(it.legal) > 1)
        bot = write_bot(root / "other", TURNS, OTHER.format(turn=chosen, does=does))
        result, _ = await tapped_rerun(bot, root, record, SEATS[0])
        assert result.first is not None
        assert result.first.problem.reason.partition("; ")[2] == words

    asyncio.run(test())


def test_a_bot_that_fails_ends_it(root: Path) -> None:
    async def test() -> None:
        async with new_table(root, {}) as table:
            record, _ = await tapped_match(table, 0)
        bot = write_bot(root / "other", TURNS, OTHER.format(turn=3, does="raise LookupError('what is this?')"))
        result, again = await tapped_rerun(bot, root, record, SEATS[0])
        assert (result.turns, result.compared, result.first) == (3, 2, None)
        assert len(again) == 4
        assert result.failure is not None
        assert result.failure.turn == 3
        assert "exited with status" in result.failure.problem.reason
        assert "what is this?" in result.failure.problem.output
        assert not result.is_same

    asyncio.run(test())
