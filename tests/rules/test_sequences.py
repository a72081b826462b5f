"""Legal-move sequences of small positions, and whole random games, against the rules written a second time in `reference`."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from arena.rules.cards import CARD_NAMES, SEATS, TEAMS, iter_cards, suit_of
from arena.rules.game import Game
from arena.rules.moves import parse_move
from arena.rules.options import Discards, Pull, PullSuits, Rules
from tests.rules.play import iter_rule_sets, position, random_start
from tests.rules.reference import SUITS, Table, iter_courses, write

DEFAULTS = Rules()
NO_PULL = Rules(pull=Pull.OFF)
SINGLES = Rules(max_lead=1)


@dataclass(frozen=True)
class End:
    """A fixed position, how deep to go, and how many sequences there are."""

    hands: tuple[str, str, str, str]
    depth: int
    count: int
    rules: Rules = DEFAULTS
    trump: str = "S"
    leader: int = 0
    stock: str = ""


ONE_EACH = ("7H", "9H", "AH", "6S")
TWO_EACH = ("7H 9H", "8H 6S", "AH 7S", "10H JD")
THREE_EACH = ("6D 9D JD", "10D KD 8C", "7D QD AD", "6S 9S AC")
TWO_PULLERS = ("7H 9H JH KD", "6C 7C 8C 9C", "8H QH 7S AD", "6S 8S 9S JS")
TRUMP_PULLER_LAST = ("6D 8D AC KC", "JD KD 7C 8C", "6S 7S 8S AS", "6C 9C QC 10C")
ALL_PULLERS = ("6C 7C 8C 9C", "6D 7D 8D 9D", "6H 7H 8H 9H", "6S 7S 8S 9S")
FULL = ("6C 8D KH 7S", "9C 10D QH 8S", "AC JD 6H 9S", "7C 8C AH JS")

ENDS = {
    "one card each": End(ONE_EACH, 4, 8),
    "one card each, other leader and trump": End(ONE_EACH, 4, 2, trump="D", leader=1),
    "two cards each": End(TWO_EACH, 8, 150),
    "two cards each, singles": End(TWO_EACH, 8, 146, rules=SINGLES),
    "two cards each, trump hearts": End(TWO_EACH, 8, 128, trump="H"),
    "three cards each": End(THREE_EACH, 7, 5795),
    "three cards each, at most two led": End(THREE_EACH, 7, 5793, rules=Rules(max_lead=2)),
    "three cards each, to the end": End(("6D 8D AD", "7D 9D KD", "6C 7H 8H", "6H 9H AH"), 12, 5392),
    "pullers beside the leader": End(TWO_PULLERS, 10, 3079),
    "pullers beside the leader, before the lead": End(TWO_PULLERS, 6, 2747, rules=Rules(pull=Pull.BEFORE_LEAD)),
    "pullers beside the leader, off": End(TWO_PULLERS, 5, 9076, rules=NO_PULL),
    "pullers beside the leader, trumps": End(TWO_PULLERS, 8, 3061, rules=Rules(pull_suits=PullSuits.TRUMP)),
    "pullers beside the leader, singles": End(TWO_PULLERS, 11, 2483, rules=SINGLES),
    "pulls after beats": End(TRUMP_PULLER_LAST, 11, 2028),
    "pulls after beats, off": End(TRUMP_PULLER_LAST, 5, 6440, rules=NO_PULL),
    "everybody could pull": End(ALL_PULLERS, 13, 4241),
    "everybody could pull, singles": End(ALL_PULLERS, 14, 1673, rules=SINGLES),
    "four new cards are drawn": End(FULL, 5, 2572, rules=SINGLES, stock="QC KC 10C 6D"),
    "eight new cards, pairs": End(FULL, 5, 3385, rules=Rules(max_lead=2), stock="QC KC 10C 6D 7D 9D QD AD"),
}


def table_of(game: Game) -> Table:
    """The same position for the oracle."""
    return Table(
        hands=[{CARD_NAMES[card] for card in iter_cards(hand)} for hand in game.hands],
        stock=[CARD_NAMES[card] for card in game.stock],
        trump=SUITS[suit_of(game.indicator)],
        first=game.turn,
        max_lead=game.rules.max_lead,
        pull=str(game.rules.pull),
        pull_suits=str(game.rules.pull_suits),
    )


def summary_of_table(table: Table) -> tuple[object, ...]:
    """Everything that must agree after the same moves."""
    return (
        [sorted(hand) for hand in table.hands],
        table.stock,
        table.points,
        table.tricks,
        table.is_over,
        None if table.is_over else (table.actor, table.turn, table.asked),
    )


def summary_of_game(game: Game) -> tuple[object, ...]:
    return (
        [sorted(CARD_NAMES[card] for card in iter_cards(hand)) for hand in game.hands],
        [CARD_NAMES[card] for card in game.stock],
        list(game.card_points),
        list(game.tricks_taken),
        game.is_over,
        None if game.is_over else (game.to_move, game.turn, list(game.asked) if game.is_offer else []),
    )


def iter_games(game: Game, depth: int) -> Iterator[tuple[tuple[str, ...], Game]]:
    """The engine's side of `iter_courses`."""
    if depth == 0 or game.is_over:
        yield (), game
        return
    seat = game.to_move
    for move in game.legal_moves():
        after = game.clone()
        after.apply(seat, move)
        for rest, last in iter_games(after, depth - 1):
            yield (f"{seat} {move}", *rest), last


@pytest.mark.parametrize("name", ENDS)
def test_sequences_are_those_of_the_oracle(name: str) -> None:
    end = ENDS[name]
    game = position(*end.hands, trump=end.trump, leader=end.leader, stock=end.stock, rules=end.rules)
    expected = {course: summary_of_table(table) for course, table in iter_courses(table_of(game), end.depth)}
    found = {course: summary_of_game(last) for course, last in iter_games(game, end.depth)}
    assert len(expected) == end.count
    assert found == expected


def test_random_games_agree_with_the_oracle_at_every_step() -> None:
    rng = random.Random(20250101)
    steps = late_pulls = 0
    for rules in iter_rule_sets():
        for _ in range(20 if rules.pull is Pull.ANY_TIME else 6):
            game = random_start(rng, rules).replay()
            table = table_of(game)
            while not table.is_over:
                legal = {write(table.actor, step): step for step in table.steps()}
                assert {f"{game.to_move} {move}" for move in game.legal_moves()} == set(legal)
                text = rng.choice(sorted(legal))
                if "pull" in text and rng.random() < 0.5:  # so that many pulls come late in a trick
                    text = f"{table.actor} pass"
                step = legal[text]
                late_pulls += step[0] == "pull" and bool(table.laid)
                game.apply(SEATS[table.actor], parse_move(text.partition(" ")[2]))
                table.play(step)
                assert summary_of_game(game) == summary_of_table(table)
                steps += 1
            assert game.is_over
            assert sum(game.card_points[team] for team in TEAMS) == 120
    assert steps > 10_000
    assert late_pulls > 30, "too few to mean anything"


def test_open_discards_change_no_move() -> None:
    game = position(*TRUMP_PULLER_LAST, rules=Rules(discards=Discards.OPEN))
    assert {course for course, _ in iter_games(game, 9)} == {
        course for course, _ in iter_games(position(*TRUMP_PULLER_LAST), 9)
    }
