"""What holds in every game: thousands of seeded random games under all house rules, with the books kept by the test."""

import random
from collections.abc import Iterable

import pytest

from arena.rules.cards import CARD_NAMES, SEATS, Cards, iter_cards
from arena.rules.game import Game
from arena.rules.match import score_game
from arena.rules.moves import Move, MoveKind
from arena.rules.options import Rules
from tests.rules.play import iter_rule_sets, patient_move, random_start
from tests.rules.reference import POINTS

GAMES_PER_RULE_SET = 60
ALL_CARDS = (1 << 36) - 1
POINTS_OF_CARD = [POINTS.get(name[:-1], 0) for name in CARD_NAMES]
RULE_SETS = {
    f"lead {rules.max_lead}, pull {rules.pull} {rules.pull_suits}, {rules.discards}": rules for rules in iter_rule_sets()
}


class Books:
    """What lies where, kept from the moves alone: hands at the start of the trick, cards on the table, two piles."""

    def __init__(self, game: Game) -> None:
        self.at_start = list(game.hands)
        self.played: list[Cards] = [0, 0, 0, 0]
        self.piles: list[Cards] = [0, 0]
        self.tricks = 0
        self.stock = game.stock

    def play(self, game: Game, seat: int, move: Move) -> None:
        """Write down a move that `game` has just taken, and compare."""
        if move.kind is MoveKind.PASS:
            return
        if move.kind is MoveKind.PULL:
            self.played = [0, 0, 0, 0]
        assert move.cards & ~self.at_start[seat] == 0, "a card from nowhere"
        self.played[seat] = move.cards
        if all(self.played):
            self.end_trick(game, move.count)
        else:
            assert [hand | laid for hand, laid in zip(game.hands, self.played, strict=True)] == self.at_start
            assert not any(hand & laid for hand, laid in zip(game.hands, self.played, strict=True))

    def end_trick(self, game: Game, count: int) -> None:
        assert {laid.bit_count() for laid in self.played} == {count}, "everybody lays as many cards as were led"
        self.tricks += 1
        taker = game.tricks[self.tricks - 1].taker
        assert taker is not None
        self.piles[taker % 2] |= union(self.played)
        kept = [start & ~laid for start, laid in zip(self.at_start, self.played, strict=True)]
        drawn = self.stock[: min(4 * count, len(self.stock))]
        for at, card in enumerate(drawn):
            kept[(taker + at) % 4] |= 1 << card
        self.stock = self.stock[len(drawn) :]
        assert game.hands == kept
        assert game.stock == self.stock
        assert game.turn == taker, "who takes a trick leads the next"
        self.at_start, self.played = kept, [0, 0, 0, 0]

    def check(self, game: Game) -> None:
        """36 different cards, points, equal hands, a stock that is a multiple of 4."""
        places = [*game.hands, *self.played, *self.piles, union(1 << card for card in game.stock)]
        assert sum(cards.bit_count() for cards in places) == 36
        assert union(places) == ALL_CARDS
        assert game.card_points == [points(pile) for pile in self.piles]
        assert sum(game.tricks_taken) == self.tricks
        assert game.stock_count == len(game.stock)
        if not any(self.played):
            assert len({hand.bit_count() for hand in game.hands}) == 1
            assert game.stock_count % 4 == 0
            assert game.is_over == (not any(game.hands))


def union(sets: Iterable[Cards]) -> Cards:
    total = 0
    for cards in sets:
        total |= cards
    return total


def points(cards: Cards) -> int:
    return sum(POINTS_OF_CARD[card] for card in iter_cards(cards))


@pytest.mark.parametrize("name", RULE_SETS)
def test_random_games(name: str) -> None:
    rules = RULE_SETS[name]
    rng = random.Random(name)
    for _ in range(GAMES_PER_RULE_SET):
        start = random_start(rng, rules)
        game = start.replay()
        assert game.turn == start.leader
        assert game.stock_count == 20
        assert game.indicator in game.stock[1:-1]
        books = Books(game)
        books.check(game)
        while not game.is_over:
            seat, move = game.to_move, patient_move(rng, game)
            check_asked(game, rules)
            game.advance(move.code)
            books.play(game, seat, move)
            books.check(game)
        check_end(game)


def check_asked(game: Game, rules: Rules) -> None:
    assert game.to_move in game.asked
    assert len(set(game.asked)) == len(game.asked)
    if not game.is_offer:
        assert game.asked == (game.turn,)
    for seat in game.asked:
        codes = game.legal_codes(seat)
        assert codes
        assert codes == sorted(set(codes))
        moves = game.legal_moves(seat)
        assert [move.code for move in moves] == codes
        assert all(move.cards & ~game.hands[seat] == 0 for move in moves)
        kinds = {move.kind for move in moves}
        if game.is_offer:
            assert kinds == {MoveKind.PULL, MoveKind.PASS}
        elif game.winning_cards:
            assert MoveKind.DISCARD in kinds
            assert kinds <= {MoveKind.BEAT, MoveKind.DISCARD}
        else:
            assert kinds == {MoveKind.LEAD}
            assert max(move.count for move in moves) <= rules.max_lead


def check_end(game: Game) -> None:
    assert game.asked == ()
    assert game.legal_codes() == []
    assert game.hands == [0, 0, 0, 0]
    assert sum(game.card_points) == 120
    assert 3 <= len(game.tricks) <= 9
    assert sum(game.tricks_taken) == len(game.tricks)
    given = score_game(game.card_points, game.tricks_taken)
    if game.card_points == [60, 60]:
        assert given == (0, 0)
    else:
        loser = 0 if game.card_points[0] < game.card_points[1] else 1
        assert given[loser] in (2, 4, 6)
        assert given[1 - loser] == 0


def fingerprint(game: Game) -> object:
    """Everything that can be asked of a game."""
    return (
        game.hands[:],
        game.stock,
        game.asked,
        game.to_move,
        game.turn,
        game.is_offer,
        game.is_over,
        game.winning_cards,
        game.winning_seat,
        game.card_points[:],
        game.tricks_taken[:],
        game.legal_codes(),
        [game.view(seat) for seat in SEATS],
    )


def test_a_clone_and_its_original_do_not_touch_each_other() -> None:
    rng = random.Random(11)
    for rules in [*iter_rule_sets()][:12]:
        for _ in range(5):
            game = random_start(rng, rules).replay()
            while not game.is_over:
                clone = game.clone()
                before = fingerprint(game)
                assert fingerprint(clone) == before
                while not clone.is_over:
                    clone.advance(patient_move(rng, clone).code)
                    clone.view(rng.choice(SEATS))
                assert fingerprint(game) == before, "playing and looking at the clone changed the original"
                clone = game.clone()
                game.advance(patient_move(rng, game).code)
                assert fingerprint(clone) == before, "playing the original changed the clone"


def test_the_checked_and_the_unchecked_door_do_the_same() -> None:
    rng = random.Random(12)
    for rules in iter_rule_sets():
        for _ in range(3):
            start = random_start(rng, rules)
            checked, unchecked = start.replay(), start.replay()
            while not checked.is_over:
                move = patient_move(rng, checked)
                checked.apply(checked.to_move, move)
                unchecked.advance(move.code)
            assert fingerprint(checked) == fingerprint(unchecked)


def test_a_game_is_a_function_of_its_moves() -> None:
    """The same generator gives the same games: no hidden luck and no state shared between games."""

    def play(seed: int) -> list[object]:
        rng = random.Random(seed)
        game = random_start(rng, Rules()).replay()
        seen = []
        while not game.is_over:
            move = patient_move(rng, game)
            seen.append((game.to_move, move))
            game.advance(move.code)
        return [seen, fingerprint(game)]

    first = [play(seed) for seed in range(20)]
    assert [play(seed) for seed in reversed(range(20))] == first[::-1]
