"""The sample bots in this process: greedy's policy in positions worked out by hand, legal moves, strength."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from arena.rules.cards import Seat, parse_card, parse_cards
from arena.rules.game import Game
from arena.rules.match import MatchScore
from arena.rules.moves import Move, MoveKind, parse_move
from arena.rules.options import Rules
from tests.rules.play import iter_rule_sets, random_start
from tests.sample_bots.strategies import GREEDY, PULLABLE, STRENGTH, pulled_game

START = MatchScore(game=0, defeat_points=(0, 0), games_won=(0, 0), eggs=0, stake=1)


def turn_of(game: Game, seat: Seat) -> Any:
    return STRENGTH.LocalTurn(1, seat, game.legal_moves(seat), game.view(seat), START, game.rules, ("Goats", "Herd"))


def position(hands: list[str], *played: str, indicator: str = "6S", rules: Rules | None = None) -> Game:
    """A game with these four hands and no stock, after these moves; seat 0 leads, offers of a pull are passed."""
    game = Game(
        rules or Rules(),
        indicator=parse_card(indicator),
        hands=[parse_cards(hand) for hand in hands],
        stock=(),
        dealer=Seat(3),
        leader=Seat(0),
    )
    for move in played:
        while game.is_offer:
            game.advance(Move(MoveKind.PASS).code)
        game.apply(game.to_move, parse_move(move))
    while game.is_offer:
        game.advance(Move(MoveKind.PASS).code)
    return game


def greedy_plays(hands: list[str], *played: str, **options: Any) -> str:
    game = position(hands, *played, **options)
    return str(GREEDY.choose_move(game.view(game.turn), game.legal_moves()))


# Greedy: the steps of POLICY.md, worked out by hand. Trump is spades.


@pytest.mark.parametrize(
    ("hand", "lead"),
    [
        # The hand is worth 11 + 24. Three hearts: 80 + 0 - (35 - 8) = 53; the ace: 0 + 11 - (35 - 27) = 3.
        ("6H 7H 8H AC", "lead 6H 7H 8H"),
        # Worth 7 + 8. The pair: 20 + 0 - (15 - 6) = 11; the jack: 0 + 2 - (15 - 11) = -2.
        ("6H 7H 8C JD", "lead 6H 7H"),
        # Worth 16 + 8. Diamonds: 20 + 21 - (24 - 9) = 26; clubs: 20 + 0 - (24 - 23) = 19.
        ("6C 7C 10D AD", "lead 10D AD"),
        # Worth 6 + 48. All: 160 + 0 - 54 = 106; the upper three: 80 + 0 - (54 - 0) = 26.
        ("6D 7D 8D 9D", "lead 6D 7D 8D 9D"),
        # Worth 18 + 12. The ace: 11 - 8; the ten: 10 - 7, equal, and diamonds stand before hearts.
        ("6C 10D AH 9S", "lead 10D"),
    ],
)
def test_greedy_leads(hand: str, lead: str) -> None:
    assert greedy_plays([hand, "JC QC KS 9H", "JS QS KC 9C", "AS 10S KD JH"]) == lead


def test_greedy_keeps_three_of_a_suit_when_it_may_lead_but_two() -> None:
    """The ace has 0 + 11 - 8 = 3; two of the three hearts have 20 + 0 - (35 - 10) at best."""
    hands = ["6H 7H 8H AC", "JC QC KS 9H", "JS QS KC 9C", "AS 10S KD JH"]
    assert greedy_plays(hands, rules=Rules(max_lead=2)) == "lead AC"


def test_greedy_takes_a_rich_trick_with_a_low_trump_and_leaves_a_poor_one() -> None:
    """The example of POLICY.md, and the same with a lead that has no points: then 10 - 13 is less than 0."""
    hand = "7S 6C 9D KD"
    assert greedy_plays(["AH QS 7C 8C", hand, "JC QC KC 8S", "9C JD JS KS"], "lead AH") == "beat 7S"
    assert greedy_plays(["8H QS 7C 8C", hand, "JC QC KC 8S", "9C JD JS KS"], "lead 8H") == "discard 6C"


def test_the_scores_of_the_example_are_those_of_the_document() -> None:
    game = position(["AH QS 7C 8C", "7S 6C 9D KD", "JC QC KC 8S", "9C JD JS KS"], "lead AH")
    scores = {str(move): GREEDY.score(game.view(Seat(1)), move) for move in game.legal_moves()}
    assert scores == {"beat 7S": 8, "discard 6C": 0, "discard 9D": -11, "discard KD": -18, "discard 7S": -13}


def test_greedy_beats_with_plain_cards_and_brings_points_home() -> None:
    """Worth 40 + 8. The nine: 10 + 0 - 3; the jack: 10 + 2 - 4; trumps lose 13 and more."""
    hands = ["7H QS 7C 8C", "9H JH 7S AS", "JC QC KC 8S", "9C JD JS KS"]
    assert greedy_plays(hands, "lead 7H") == "beat JH"


def test_greedy_gives_points_to_its_partner_only_when_the_trick_is_his() -> None:
    # Seat 2 answers its partner's lead and seat 3 is still to come: the cheapest card, which loses 2 and tears no pair.
    hands = ["7C 8D 9C QH", "6C 6D 6H 7S", "10D 9H JH 8C", "8H JS QS KS"]
    assert greedy_plays(hands, "lead 9C", "discard 6C") == "discard 8C"
    # Seat 3 is last and its partner wins. The ace: 2 x 11 - 8 face down, 11 - 8 if it beats its partner with it.
    hands = ["KD 6C JC 9S", "7C 8D 9C QH", "JH 6D 6H 7S", "AC 9H 8H 8C"]
    assert greedy_plays(hands, "lead 6C", "beat 7C", "discard 6D") == "discard AC"
    # Seat 3 is last and an opponent wins.
    hands = ["KD 6C JC 9S", "7H 8D 9D QH", "JH 6D 6H 7S", "AD 9H 8H 10D"]
    assert greedy_plays(hands, "lead JC", "discard 7H", "beat 7S") == "discard 8H"


def test_greedy_takes_the_first_of_equal_moves() -> None:
    hands = ["AS 9D 9H KS", "6C 6D 6H QS", "7C 7D 7H 7S", "8C 8D 8H 8S"]
    assert greedy_plays(hands, "lead AS") == "discard 6C"


def test_greedy_pulls() -> None:
    game = Game(
        Rules(),
        indicator=parse_card("6S"),
        hands=[parse_cards(hand) for hand in PULLABLE],
        stock=(),
        dealer=Seat(3),
        leader=Seat(0),
    )
    assert game.asked == (Seat(3),)
    assert GREEDY.choose_move(game.view(Seat(3)), game.legal_moves()).kind is MoveKind.PULL


def test_greedy_does_not_count_what_a_pull_returned() -> None:
    """Seat 2 beats for 40 + 21 + 0 - 50: the ace and the jack that lay there are not on the table any more."""
    game = pulled_game()
    game.apply(Seat(1), parse_move("discard 10S JS KS 8C"))
    scores = {str(move): GREEDY.score(game.view(Seat(2)), move) for move in game.legal_moves()}
    assert scores == {"beat 10D AD 7S 8S": 11, "discard 10D AD 7S 8S": -21 - 50}


# All of them


def games_of_all_rules(rng: random.Random, games: int) -> Iterator[Game]:
    """Games under rule sets drawn from all of them, before the first move; one in two of a deal with many pulls."""
    rule_sets = list(iter_rule_sets())
    for _ in range(games):
        start = random_start(rng, rng.choice(rule_sets))
        yield Game.from_deal(start.rules, start.deal, dealer=start.dealer, leader=start.leader)


@pytest.mark.parametrize(("name", "games"), [("random", 100), ("greedy", 100), ("counter", 12)])
def test_always_a_legal_move_and_the_same_for_the_same_turn(name: str, games: int) -> None:
    rng = random.Random(f"legal {name}")
    bot = STRENGTH.load_bot(name)()
    pulls = 0
    for game in games_of_all_rules(rng, games):
        while not game.is_over:
            answers = []
            for seat in game.asked:
                turn = turn_of(game, seat)
                move = bot.choose(turn)
                assert move in turn.legal
                if name != "random" and rng.random() < 0.2:
                    assert STRENGTH.load_bot(name)().choose(turn_of(game, seat)) == move
                # Half of the time something else is played, so that positions come up that the bot would not allow.
                answers.append((seat, move if rng.random() < 0.5 else rng.choice(turn.legal)))
            for seat, move in answers:
                game.apply(seat, move)
                if move.kind is MoveKind.PULL:
                    pulls += 1
                    break
    assert pulls


# Strength


def test_greedy_is_far_stronger_than_random() -> None:
    results = STRENGTH.play_pairs(("greedy", "random"), 20, rules=Rules())
    assert sum(result.tallies[0].won for result in results) >= 36  # of 40
    assert STRENGTH.bootstrap_interval([result.advantage for result in results])[0] > 6


def test_counter_is_far_stronger_than_random() -> None:
    results = STRENGTH.play_pairs(("counter", "random"), 2, rules=Rules())
    assert sum(result.tallies[0].won for result in results) == 4
