"""Random play as a whole: lengths, eggs, pulls and scores are about what the rules page says.

The bounds are wide on purpose. The page gives 56/35/8 % for games of 2/4/6 defeat points without saying how its random bots
choose. A uniform choice among the legal moves gives about 49/35/15 %, choosing the kind of move first and then the cards
about 59/33/7 %; the published figures lie between, so both must pass, and a rule that is wrong must not.

The page's "1 trick start in 20 has a seat with four of a suit" is high for any player: after a deal it is 1 in 30, whoever
plays (4 * 4 * C(9,4) / C(36,4) = 3.42 %, 3.37 % without counting two such hands twice), and late hands have fewer than
four cards. Counted here is about 1 in 50 of all starts, 1 in 30 of those with full hands.
"""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from arena.rules.cards import SEATS, is_one_suit
from arena.rules.game import Game
from arena.rules.match import score_game
from arena.rules.moves import Move
from arena.rules.options import Rules
from tests.rules.play import random_deal, random_move

GAMES = 4_000


def kind_first(rng: random.Random, game: Game) -> Move:
    """A kind among those that are legal, then one of its moves."""
    moves = game.legal_moves()
    kind = rng.choice(sorted({move.kind for move in moves}))
    return rng.choice([move for move in moves if move.kind is kind])


@pytest.mark.parametrize("choose", [random_move, kind_first])
def test_random_play(choose: Callable[[random.Random, Game], Move]) -> None:
    rng = random.Random(2024)
    scores: Counter[int] = Counter()
    decisions = 0
    starts: Counter[str] = Counter()
    shortest, longest = 9, 3
    team_points = [0, 0]
    for number in range(GAMES):
        dealer = SEATS[number % 4]
        game = Game.from_deal(Rules(), random_deal(rng), dealer=dealer, leader=SEATS[(dealer + 1) % 4])
        tricks = 0
        while not game.is_over:
            if len(game.tricks) > tricks:
                tricks = len(game.tricks)
                is_full = game.hands[0].bit_count() == 4
                four_of_a_suit = is_full and any(map(is_one_suit, game.hands))
                starts["full"] += is_full
                starts["pull"] += four_of_a_suit
                starts["pull in the first trick"] += four_of_a_suit and tricks == 1
            game.advance(choose(rng, game).code)
            decisions += 1
        scores[sum(score_game(game.card_points, game.tricks_taken))] += 1
        shortest, longest = min(shortest, tricks), max(longest, tricks)
        team_points = [team_points[0] + game.card_points[0], team_points[1] + game.card_points[1]]
    assert 25 < decisions / GAMES < 33, "about 29 decisions a game"
    assert 0.022 < starts["pull in the first trick"] / GAMES < 0.046, "3.37 % by counting"
    assert 0.02 < starts["pull"] / starts["full"] < 0.06, "between 1 in 50 and 1 in 17 of the starts with full hands"
    assert 0.004 < scores[0] / GAMES < 0.025, "about 1 game in 100 is eggs"
    assert 0.42 < scores[2] / GAMES < 0.65
    assert 0.27 < scores[4] / GAMES < 0.43
    assert 0.04 < scores[6] / GAMES < 0.20
    assert set(scores) == {0, 2, 4, 6}
    assert shortest >= 3
    assert longest == 9
    assert abs(team_points[0] - team_points[1]) < 4 * GAMES, "the seats are alike"
