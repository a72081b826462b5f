"""What bots do wrong in a match, what is played instead, and who pays for it: the other team never, the next match never."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.records.model import Decision, FaultKind, MatchRecord
from arena.referee.policy import fallback_move
from arena.rules.cards import TEAM_OF_SEAT, TEAMS
from arena.rules.game import Game
from arena.rules.match import Goats
from arena.rules.moves import MoveKind
from arena.rules.options import Pull, Rules
from tests.referee.table import Table, find_offer, new_table, seats_of

LONG = Rules(match_target=48)
"""Enough games for anything to happen."""

ILLEGAL_ONCE = """
class Illegal(Counting):
    def number(self, n, turn):
        if n == 2:
            return Move(MoveKind.LEAD, 0b1111)

serve(Illegal())
"""
ILLEGAL = """
class Illegal(Counting):
    def number(self, n, turn):
        return Move(MoveKind.LEAD, 0b1111)

serve(Illegal())
"""
HANG = """
class Hang(Counting):
    def number(self, n, turn):
        if n == 2 and is_first_time("hung"):
            time.sleep(1000)

serve(Hang())
"""
MUTE = """
class Mute(Counting):
    def number(self, n, turn):
        time.sleep(1000)

serve(Mute())
"""
CRASH_ONCE = """
class Crash(Counting):
    def number(self, n, turn):
        if n == 2 and is_first_time("crashed"):
            print("about to crash", file=sys.stderr, flush=True)
            os._exit(9)

serve(Crash())
"""
CRASH = """
class Crash(Counting):
    def number(self, n, turn):
        os._exit(9)

serve(Crash())
"""
NEVER_STARTS = "sys.exit(4)"


def play(
    root: Path,
    sources: dict[int, str],
    *,
    rules: Rules | None = None,
    move_ms: int = 20_000,
    max_faults: int = 3,
    restarts: int = 1,
    number: int = 0,
) -> MatchRecord:
    """One match. A table's record is checked against the rules by `Table.play`."""

    async def test() -> MatchRecord:
        async with new_table(root, sources, rules=rules) as table:
            return await table.play(number, move_ms=move_ms, max_faults=max_faults, restarts=restarts)

    return asyncio.run(test())


def kinds(record: MatchRecord) -> list[tuple[FaultKind, int]]:
    return [(fault.kind, fault.seat) for fault in record.faults]


def fallbacks(record: MatchRecord) -> list[tuple[Decision, str]]:
    """The referee's own decisions, each with the fallback move of its position."""
    found = []
    for game_record in record.games:
        game = Game.from_deal(record.rules, game_record.deal, dealer=game_record.dealer, leader=game_record.leader)
        for decision in game_record.decisions:
            if decision.is_substitute:
                found.append((decision, str(fallback_move(game, decision.seat))))
            game.apply(decision.seat, decision.move)
    return found


def test_an_illegal_move_is_replaced_and_counted_and_the_match_goes_on(root: Path) -> None:
    record = play(root, {1: ILLEGAL_ONCE}, rules=Rules(pull=Pull.OFF))
    assert kinds(record) == [(FaultKind.ILLEGAL, 1)]
    (fault,) = record.faults
    assert (fault.game, fault.turn, fault.answered) == (0, 2, "lead 6C 7C 8C 9C")
    assert record.forfeited == ()
    ((decision, fallback),) = fallbacks(record)
    assert (decision.seat, str(decision.move)) == (1, fallback)
    # The record tells where it was and what was sent: the legal moves, the fallback among them.
    assert fault.decision is not None
    assert record.games[0].decisions[fault.decision] == decision
    assert fallback in fault.sent.split("; ")
    assert decision.think_us > 0
    told = (root / "1" / "stderr.log").read_text()
    assert told == "fault 1 of 3, turn 2: not a legal move: lead 6C 7C 8C 9C\n"


def test_the_last_fault_that_is_suffered_forfeits_the_match(root: Path) -> None:
    record = play(root, {1: ILLEGAL}, rules=LONG, max_faults=3)
    assert kinds(record) == [(FaultKind.ILLEGAL, 1)] * 3
    assert [fault.turn for fault in record.faults] == [1, 2, 3]
    assert record.forfeited == (TEAMS[1],)
    assert record.loser == TEAMS[1]
    assert record.goats is Goats.GOATS
    assert record.games[-1].result is None
    # The last one is not played any more.
    assert seats_of(record, substitutes=True) == [1, 1]
    assert record.defeat_points[1] == 48


def test_faults_of_both_partners_are_the_teams(root: Path) -> None:
    record = play(root, {0: ILLEGAL, 2: ILLEGAL}, rules=LONG, max_faults=4)
    assert len(record.faults) == 4
    assert {seat for _, seat in kinds(record)} == {0, 2}
    assert record.forfeited == (TEAMS[0],)


def test_no_answer_in_time_is_replaced_until_the_team_forfeits(root: Path) -> None:
    record = play(root, {2: MUTE}, rules=LONG, move_ms=1000, max_faults=2)
    assert kinds(record) == [(FaultKind.TIMEOUT, 2)] * 2
    assert all(
        re.fullmatch(r"no answer within 1\.000 s(; it computed for 0\.\d s of that)?", fault.detail) for fault in record.faults
    )
    assert [decision.think_us for decision, _ in fallbacks(record)] == [1_000_000]
    assert [str(decision.move) for decision, _ in fallbacks(record)] == [move for _, move in fallbacks(record)]
    assert record.forfeited == (TEAMS[0],)
    assert record.defeat_points[0] == 48


def test_a_forfeit_costs_the_target_and_leaves_the_others_what_they_had(root: Path) -> None:
    # In the second game of its match, so that there is something to keep; the first one counted 2, 4 or 6.
    late = """
class Late(Counting):
    def number(self, n, turn):
        if turn.score.game == 2:
            return Move(MoveKind.LEAD, 0b1111)

serve(Late())
"""
    for seat in (0, 1):
        record = play(root / str(seat), {seat: late}, rules=LONG, max_faults=1)
        assert record.forfeited == (seat,)
        assert len(record.games) == 3
        earned = [0, 0]
        for game in record.games[:2]:
            assert game.result is not None
            earned = [earned[team] + game.result.defeat_points[team] for team in TEAMS]
        assert sum(earned) > 0
        assert record.defeat_points[seat] == 48
        assert record.defeat_points[1 - seat] == earned[1 - seat]
        assert record.loser == seat


def test_both_teams_may_forfeit_in_the_same_round(root: Path) -> None:
    rules = Rules(match_target=6)
    number, asked = find_offer(rules, 2, of_both_teams=True)
    record = play(root, dict.fromkeys(asked, ILLEGAL), rules=rules, max_faults=1, number=number)
    assert kinds(record) == [(FaultKind.ILLEGAL, asked[0]), (FaultKind.ILLEGAL, asked[1])]
    assert record.forfeited == TEAMS
    assert record.defeat_points == (6, 6)
    assert (record.loser, record.goats) == (None, None)


def test_the_faults_of_a_round_stand_in_the_order_of_the_right_to_pull(root: Path) -> None:
    rules = Rules(match_target=6)
    number, asked = find_offer(rules, 2)
    slowly = ILLEGAL.replace("        return", "        time.sleep(0.3)\n        return")
    record = play(root, {asked[0]: slowly, asked[1]: ILLEGAL}, rules=rules, max_faults=2, number=number)
    assert [seat for _, seat in kinds(record)[:2]] == list(asked)


def test_a_fallback_for_an_offer_is_a_pass(root: Path) -> None:
    rules = Rules(match_target=2)
    number, asked = find_offer(rules, 1)
    once = ILLEGAL_ONCE.replace("n == 2", "n == 1")
    record = play(root, {asked[0]: once}, rules=rules, number=number)
    first = record.games[0].decisions[0]
    assert (first.seat, first.move.kind, first.is_substitute) == (asked[0], MoveKind.PASS, True)


def test_a_crash_is_answered_by_a_restart_and_the_turn_is_asked_again(root: Path) -> None:
    record = play(root, {3: CRASH_ONCE})
    assert kinds(record) == [(FaultKind.CRASH, 3)]
    (fault,) = record.faults
    assert (fault.game, fault.turn, fault.exit_status) == (0, 2, 9)
    assert fault.detail == "it exited with status 9"
    assert fault.stderr_tail == "about to crash\n"
    assert record.forfeited == ()
    assert seats_of(record, substitutes=True) == []


def test_a_restart_does_not_fill_the_bank_again(root: Path) -> None:
    source = """
class Spends(Counting):
    def number(self, n, turn):
        with open("banks", "a") as file:
            print(turn.bank_ms, file=file)
        if n == 1 and is_first_time("spent"):
            time.sleep(0.2)
        elif is_first_time("crashed"):
            os._exit(1)

serve(Spends())
"""

    async def test() -> MatchRecord:
        async with new_table(root, {1: source}, rules=Rules(match_target=2)) as table:
            return await table.play(move_ms=100, bank_ms=60_000, max_faults=50)

    assert FaultKind.CRASH in {fault.kind for fault in asyncio.run(test()).faults}
    first, second, *rest = map(int, (root / "bot1" / "banks").read_text().split())
    assert first == 60_000
    assert second <= 60_000 - 100
    assert rest[0] == second, "the turn that was asked again after the restart"
    assert sorted(rest, reverse=True) == rest


def test_restarts_are_counted_by_bot_and_then_the_team_forfeits(root: Path) -> None:
    record = play(root, {0: CRASH}, rules=LONG, restarts=2)
    assert kinds(record) == [(FaultKind.CRASH, 0)] * 3
    assert record.forfeited == (TEAMS[0],)
    assert (record.loser, record.defeat_points[0]) == (TEAMS[0], 48)
    assert seats_of(record, substitutes=True) == []
    assert play(root / "strict", {0: CRASH_ONCE}, rules=LONG, restarts=0).forfeited == (TEAMS[0],)


def test_partners_have_a_restart_each(root: Path) -> None:
    record = play(root, {1: CRASH_ONCE, 3: CRASH_ONCE}, restarts=1)
    assert sorted(kinds(record)) == [(FaultKind.CRASH, 1), (FaultKind.CRASH, 3)]
    assert record.forfeited == ()


def test_a_crash_while_nobody_asks_shows_in_the_next_turn(root: Path) -> None:
    source = """
import threading

class Delayed(Counting):
    def number(self, n, turn):
        if n == 1 and is_first_time("crashed"):
            threading.Timer(0.05, os._exit, [6]).start()

serve(Delayed())
"""
    wait = """
class Wait(Counting):
    def number(self, n, turn):
        time.sleep(0.2 if n == 1 else 0)

serve(Wait())
"""
    record = play(root, {0: source, 1: wait, 2: wait, 3: wait})
    assert [(fault.kind, fault.seat, fault.exit_status) for fault in record.faults] == [(FaultKind.CRASH, 0, 6)]
    assert record.forfeited == ()


def test_a_bot_that_breaks_the_protocol_is_started_again(root: Path) -> None:
    # The second greeting goes out by the queue of the SDK, which is found where Python keeps it.
    source = """
import gc
import queue

from arena.v1 import bot_pb2 as pb

class Twice(Counting):
    def number(self, n, turn):
        if is_first_time("greeted"):
            for each in gc.get_objects():
                if type(each) is queue.SimpleQueue:
                    each.put(pb.BotMessage(hello=pb.Hello(versions=[1])))
            time.sleep(1000)

serve(Twice())
"""
    record = play(root, {2: source})
    assert kinds(record) == [(FaultKind.PROTOCOL, 2)]
    assert record.faults[0].detail == "it greeted twice"
    assert record.forfeited == ()


def test_a_bot_that_does_not_start_forfeits_before_a_card_is_dealt(root: Path) -> None:
    record = play(root, {1: NEVER_STARTS}, restarts=2)
    assert kinds(record) == [(FaultKind.NO_START, 1)] * 3
    assert all((fault.game, fault.turn, fault.exit_status) == (None, None, 4) for fault in record.faults)
    assert record.games == ()
    assert (record.forfeited, record.loser, record.defeat_points) == ((TEAMS[1],), TEAMS[1], (0, 4))


def test_both_teams_without_a_bot_both_forfeit(root: Path) -> None:
    record = play(root, {3: NEVER_STARTS, 0: NEVER_STARTS}, restarts=0)
    assert kinds(record) == [(FaultKind.NO_START, 0), (FaultKind.NO_START, 3)]
    assert (record.forfeited, record.loser, record.defeat_points) == (TEAMS, None, (4, 4))


def test_a_bot_that_cannot_be_started_again_in_the_middle_forfeits(root: Path) -> None:
    source = """
if not is_first_time("started"):
    sys.exit("no second time")
"""
    record = play(root, {2: source + CRASH}, rules=LONG, restarts=2)
    assert kinds(record) == [(FaultKind.CRASH, 2), (FaultKind.NO_START, 2), (FaultKind.NO_START, 2)]
    assert [fault.game for fault in record.faults] == [0, 0, 0]
    assert [fault.stderr_tail for fault in record.faults] == ["", "no second time\n", "no second time\n"]
    assert record.forfeited == (TEAMS[0],)


ACCIDENTS = {"hang": HANG, "crash": CRASH_ONCE, "illegal": ILLEGAL_ONCE}


@pytest.mark.parametrize("name", ACCIDENTS)
def test_after_a_forfeit_the_same_chairs_play_the_next_match_as_if_nothing_had_been(root: Path, name: str) -> None:
    async def test() -> list[MatchRecord]:
        async with new_table(root, {1: ACCIDENTS[name]}) as table:
            first = await table.play(0, move_ms=2000, max_faults=1, restarts=0)
            # The bots of the others are the same processes as before.
            return [first, await table.play(1), await table.play(2)]

    first, second, third = asyncio.run(test())
    assert first.forfeited == (TEAMS[1],)
    if name == "illegal":  # it goes on as the same process: its second turn is over
        assert (root / "1" / "stderr.log").read_text().count("fault") == 1
    for record in (second, third):
        assert (record.faults, record.forfeited) == ((), ())
        assert all(game.result is not None for game in record.games)


def test_after_a_match_in_which_a_bot_was_late_it_is_in_order_again(root: Path) -> None:
    slow_once = """
class Slow(Counting):
    def number(self, n, turn):
        if n == 2 and is_first_time("slow"):
            time.sleep(1.5)

serve(Slow())
"""

    async def test() -> list[MatchRecord]:
        async with new_table(root, {3: slow_once}, rules=Rules(match_target=2)) as table:
            return [await table.play(0, move_ms=1000, max_faults=5), await table.play(1)]

    first, second = asyncio.run(test())
    assert kinds(first)[0] == (FaultKind.TIMEOUT, 3)
    assert first.forfeited == ()
    assert second.faults == ()


def test_the_opponents_are_told_nothing_of_faults(root: Path) -> None:
    listen = """
from arena.v1 import bot_pb2 as pb

class Listen(Counting):
    def number(self, n, turn):
        return None

    def match_end(self, end):
        Path("end").write_text(repr((end.defeat_points, end.loser, end.forfeited)))

serve(Listen())
"""
    record = play(root, {0: listen, 1: ILLEGAL, 2: listen, 3: listen}, rules=LONG)
    for seat in (0, 2, 3):
        assert (root / str(seat) / "stderr.log").read_text() == ""
        assert (root / f"bot{seat}" / "end").read_text() == repr((record.defeat_points, TEAMS[1], (TEAMS[1],)))
    own = (root / "1" / "stderr.log").read_text().splitlines()
    assert [re.findall(r"\d+", line)[:3] for line in own] == [["1", "3", "1"], ["2", "3", "2"], ["3", "3", "3"]]


def test_every_trouble_at_once_costs_only_those_who_made_it(root: Path) -> None:
    async def repeat(table: Table, matches: int, check: Callable[[MatchRecord], None]) -> None:
        for number in range(matches):
            check(await table.play(number, move_ms=1500, max_faults=2, restarts=1))

    def check(record: MatchRecord) -> None:
        guilty = {TEAM_OF_SEAT[fault.seat] for fault in record.faults}
        assert guilty <= {TEAMS[0]}
        assert set(record.forfeited) <= {TEAMS[0]}
        if not record.forfeited:
            assert record.loser is not None
        assert all(decision.seat % 2 == 0 for game in record.games for decision in game.decisions if decision.is_substitute)

    async def test() -> None:
        async with new_table(root, {0: CRASH_ONCE, 2: HANG}) as table:
            await repeat(table, 2, check)

    asyncio.run(test())
