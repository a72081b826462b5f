"""Whole matches between real bots in good order: what is played, recorded and told."""

import ast
import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.records.model import MatchRecord
from arena.rules.cards import SEATS
from arena.rules.match import Goats
from arena.rules.moves import MoveKind
from arena.rules.options import Discards, Eggs, Pull, PullSuits, Rules
from tests.referee.table import find_offer, key, new_table
from tests.seat_tools import children, until

RANDOM = """
import random

class Random(Counting):
    def number(self, n, turn):
        # A generator for each turn, so that every match is the same again.
        return random.Random(f"{turn.seat} {turn.view}").choice(turn.legal)

serve(Random())
"""
DIARY = """
class Diary(Counting):
    def write(self, *words):
        with open("diary", "a") as file:
            print(repr(words), file=file)

    def match_start(self, start):
        self.write("start", start.seat, start.teams, repr(start.rules), repr(start.time))

    def number(self, n, turn):
        score = turn.score
        legal = sorted(set(turn.legal)) == list(turn.legal)
        self.write("turn", turn.number, score.game, score.defeat_points, score.games_won, score.eggs, score.stake, legal)

    def game_end(self, result):
        self.write("game", result.number, repr(result))

    def match_end(self, end):
        self.write("match", end.defeat_points, end.loser, end.forfeited)

serve(Diary())
"""
BARRIER = """
class Together(Counting):
    '''Says yes to an offer, but only when the other one was asked at the same time.'''

    def number(self, n, turn):
        if turn.legal[-1].kind is not MoveKind.PASS:
            return None
        Path(f"../barrier{turn.seat}").touch()
        patience = time.monotonic() + 20
        while len(list(Path("..").glob("barrier*"))) < 2:
            if time.monotonic() > patience:
                return turn.legal[-1]
            time.sleep(0.005)
        return turn.legal[0]

serve(Together())
"""


def play(root: Path, sources: dict[int, str], *, rules: Rules | None = None, matches: int = 1) -> list[MatchRecord]:
    async def test() -> list[MatchRecord]:
        async with new_table(root, sources, rules=rules) as table:
            return [await table.play(number) for number in range(matches)]

    return asyncio.run(test())


RULE_SETS = {
    "default": Rules(),
    "other": Rules(
        match_target=6,
        max_lead=2,
        pull=Pull.BEFORE_LEAD,
        pull_suits=PullSuits.TRUMP,
        discards=Discards.OPEN,
        eggs=Eggs.DOUBLE_NEXT,
    ),
}


@pytest.mark.parametrize("name", RULE_SETS)
def test_whole_matches_follow_the_rules_and_are_the_same_again(root: Path, name: str) -> None:
    # table.play checks each record by playing it again through the rules.
    records = play(root / "a", dict.fromkeys(range(4), RANDOM), rules=RULE_SETS[name], matches=3)
    assert sum(len(record.games) for record in records) >= 6
    for number, record in enumerate(records):
        assert record.key == key(number)
        assert record.bots == ("a", "b", "c", "d")
        assert record.rules == RULE_SETS[name]
        assert record.faults == ()
        assert record.forfeited == ()
        assert record.isolation == "none"
        decisions = [decision for game in record.games for decision in game.decisions]
        assert all(0 < decision.think_us < 20_000_000 and not decision.is_substitute for decision in decisions)
    again = play(root / "b", dict.fromkeys(range(4), RANDOM), rules=RULE_SETS[name], matches=3)
    assert [without_times(record) for record in again] == [without_times(record) for record in records]


def without_times(record: MatchRecord) -> MatchRecord:
    games = tuple(
        replace(game, decisions=tuple(replace(decision, think_us=0) for decision in game.decisions)) for game in record.games
    )
    return replace(record, games=games, seconds=0, started_at="")


def test_the_cap_of_games_ends_a_match_undecided(root: Path) -> None:
    (record,) = play(root, {}, rules=Rules(match_target=48, max_games=2))
    assert len(record.games) == 2
    assert max(record.defeat_points) < 48
    first, second = record.defeat_points
    assert record.loser == (None if first == second else int(second > first))


def test_what_a_bot_is_told(root: Path) -> None:
    rules = Rules(match_target=8, max_lead=3, pull_suits=PullSuits.TRUMP)
    records = play(root, {2: DIARY}, rules=rules, matches=2)
    lines = [ast.literal_eval(line) for line in (root / "bot2" / "diary").read_text().splitlines()]
    turns = [line for line in lines if line[0] == "turn"]
    assert [line[1] for line in turns] == list(range(1, len(turns) + 1)), "turns are counted from 1 over the whole call"
    assert all(line[-1] for line in turns), "legal moves are sorted and unique"
    expected: list[tuple[object, ...]] = []
    for record in records:
        expected.append(("start", 2, ("Wild Goats", "Old Goats"), repr(rules), repr(record.time)))
        points, won = [0, 0], [0, 0]
        for number, game in enumerate(record.games):
            assert game.result is not None
            asked = sum(decision.seat == 2 for decision in game.decisions)
            expected += [("turn", number, tuple(points), tuple(won), number - sum(won), 1)] * asked
            expected.append(("game", number, repr(game.result)))
            points = [points[team] + game.result.defeat_points[team] for team in (0, 1)]
            won = [won[team] + (game.result.card_points[team] > 60) for team in (0, 1)]
        expected.append(("match", record.defeat_points, record.loser, ()))
    assert [line if line[0] != "turn" else ("turn", *line[2:-1]) for line in lines] == expected


def test_a_loser_is_called_goats(root: Path) -> None:
    for record in play(root, {}, matches=4):
        eggs = [game for game in record.games if game.result is not None and game.result.is_eggs]
        assert record.goats is (Goats.GOATS_WITH_EGGS if eggs else Goats.GOATS)


@pytest.mark.parametrize("of_both_teams", [False, True])
def test_an_offer_goes_to_all_at_once_and_the_first_has_the_right(root: Path, of_both_teams: bool) -> None:
    rules = Rules(match_target=2)
    number, asked = find_offer(rules, 2, of_both_teams=of_both_teams)

    async def test() -> MatchRecord:
        async with new_table(root, dict.fromkeys(asked, BARRIER), rules=rules) as table:
            return await table.play(number)

    game = asyncio.run(test()).games[0]
    first, second = game.decisions[:2]
    assert (first.seat, first.move.kind, first.is_heard) == (asked[0], MoveKind.PULL, True)
    assert (second.seat, second.move.kind, second.is_heard) == (asked[1], MoveKind.PULL, False)
    assert second.think_us > 0
    # He leads what he pulled: the next to play is the seat after him.
    assert game.decisions[2].seat == SEATS[(asked[0] + 1) % 4]


def test_the_second_may_pull_when_the_first_does_not(root: Path) -> None:
    rules = Rules(match_target=2)
    number, asked = find_offer(rules, 2)
    no = BARRIER.replace("return turn.legal[0]", "return turn.legal[-1]")

    async def test() -> MatchRecord:
        async with new_table(root, {asked[0]: no, asked[1]: BARRIER}, rules=rules) as table:
            return await table.play(number)

    first, second, *_ = asyncio.run(test()).games[0].decisions
    assert (first.seat, first.move.kind, first.is_heard) == (asked[0], MoveKind.PASS, True)
    assert (second.seat, second.move.kind, second.is_heard) == (asked[1], MoveKind.PULL, True)


def test_a_failure_of_the_machine_voids_the_match_and_leaves_nothing(root: Path) -> None:
    async def test() -> None:
        async with new_table(root, {3: "serve(Counting())"}) as table:
            (root / "bot3" / "main.py").unlink()
            (root / "bot3").rmdir()
            with pytest.raises(HostError):
                await table.play()
            # The other three were on their way, and are no longer.
            alone = asyncio.all_tasks() - {asyncio.current_task()}
            assert [task for task in alone if "_seat_bot" in repr(task)] == []
        assert children() == []

    asyncio.run(test())


def test_a_match_that_is_cancelled_leaves_nothing(root: Path) -> None:
    slow = """
class Slow(Counting):
    def number(self, n, turn):
        Path("../asked").touch()
        time.sleep(1000)

serve(Slow())
"""

    async def test() -> None:
        async with new_table(root, dict.fromkeys(range(4), slow)) as table:
            playing = asyncio.create_task(table.play())
            await until((root / "asked").exists)
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing
        assert children() == []

    asyncio.run(test())
