"""The sample bots' strategies, in this process: greedy's policy in positions by hand, counter's guesses, strength."""

import importlib
import importlib.util
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from arena.rules.cards import NEXT_SEAT, SEATS, Cards, Seat, cards_of, iter_cards, parse_card, parse_cards
from arena.rules.deal import Deal
from arena.rules.game import Game
from arena.rules.match import MatchScore
from arena.rules.moves import Move, MoveKind, parse_move
from arena.rules.options import Pull, Rules
from arena.rules.view import View
from arena.rules.worlds import Draw, Knowledge, World
from tests.rules.play import iter_rule_sets, random_game, random_start

ROOT = Path(__file__).resolve().parents[2]
BOTS = ROOT / "sample_bots"
START = MatchScore(game=0, defeat_points=(0, 0), games_won=(0, 0), eggs=0, stake=1)


def import_from(folder: Path, *names: str) -> list[ModuleType]:
    """Modules of a bot's folder, imported as from its main.py, and forgotten: another bot has modules of that name."""
    sys.path.insert(0, str(folder))
    before = set(sys.modules)
    try:
        return [importlib.import_module(name) for name in names]
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]


def import_strength() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_of_strength", ROOT / "benchmarks" / "strength.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


STRENGTH = import_strength()
(GREEDY,) = import_from(BOTS / "greedy", "strategy")
HANDS, BELIEFS, COUNTER = import_from(BOTS / "counter", "hands", "beliefs", "strategy")


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


PULLABLE = ["AC 9H 9S 8H", "10S JS KS 8C", "7S 8S 10D AD", "6D 7D 8D 9D"]


def pulled_game(stock: str = "") -> Game:
    """Seat 0 leads the ace, seat 1 beats it with the jack, seat 3 pulls diamonds, seat 0 lays down all it has."""
    game = Game(
        Rules(),
        indicator=parse_card("6S"),
        hands=[parse_cards(hand) for hand in PULLABLE],
        stock=[parse_card(card) for card in stock.split()],
        dealer=Seat(3),
        leader=Seat(0),
    )
    moves = ((3, "pass"), (0, "lead AC"), (3, "pass"), (1, "beat JS"), (3, "pull 6D 7D 8D 9D"), (0, "discard AC 9H 9S 8H"))
    for seat, move in moves:
        game.apply(Seat(seat), parse_move(move))
    return game


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


# Counter


def iter_moments(rng: random.Random, games: int, *, rules: Rules | None = None) -> Iterator[tuple[Game, Seat]]:
    """Each turn of random games, and a seat that is asked."""
    rule_sets = list(iter_rule_sets())
    for _ in range(games):
        history = random_game(rng, rules or rng.choice(rule_sets))
        game = Game.from_deal(history.rules, history.deal, dealer=history.dealer, leader=history.leader)
        for seat, move in history.moves:
            yield game, seat
            game.apply(seat, move)


def test_counter_expects_everybody_to_play_like_greedy() -> None:
    """Its policy on sets of cards is greedy's on views."""
    rng = random.Random("like greedy")
    compared = 0
    for game, seat in iter_moments(rng, 60):
        if game.is_offer:
            continue
        view = game.view(seat)
        hands = HANDS.Hands(view.trump)
        if not game.winning_cards:
            code = hands.lead(view.hand, game.rules.max_lead)
        else:
            table = [play for play in view.trick.plays if not play.returned]
            code = hands.reply(
                view.hand,
                game.winning_cards,
                is_partner_winning=game.winning_seat % 2 == seat % 2,
                is_last=len(table) == 3,
                shown=sum(HANDS.points_of(play.cards) for play in table),
            )
        assert Move.from_code(code) == GREEDY.choose_move(view, game.legal_moves(seat))
        compared += 1
    assert compared > 1000


def possible_deal(world: World, rules: Rules) -> Deal | None:
    """A deal and draws that lead to this world, by an exhaustive search over when each seat got the indicator; None for none.

    It knows nothing of how the guess was made: every seat plays its cards as late as the view and the world say, and gets
    those first that it plays first.
    """
    view = world.view
    got: dict[Seat, list[int]] = {seat: [] for seat in SEATS}  # places in the deck
    seat = view.dealer
    for place in range(16):
        seat = NEXT_SEAT[seat]
        got[seat].append(place)
    ready: dict[int, int] = dict.fromkeys(range(16), 0)  # by place in the deck: the first trick it can be played to
    place = 16
    for number, trick in enumerate(view.tricks):
        if trick.taker is None:
            break
        seat = trick.taker
        for _ in range(4 * trick.plays[-1].count):
            if place < 36 - view.stock_count:
                got[seat].append(place)
                ready[place] = number + 1
                seat = NEXT_SEAT[seat]
                place += 1
    deck: list[int | None] = [None] * 36
    for at, card in enumerate(world.stock):
        deck[36 - view.stock_count + at] = card
    for seat in SEATS:
        needed: list[tuple[int, int]] = []
        for number, trick in enumerate(view.tricks):
            for play in trick.plays:
                if play.seat == seat and not play.returned:
                    cards = play.cards or world.discards[number, seat]
                    needed += [(number, card) for card in iter_cards(cards)]
        needed += [(99, card) for card in iter_cards(world.hands[seat])]
        order = next((order for order in orders(sorted(needed), got[seat], view.indicator) if fits(order, ready)), None)
        if order is None:
            return None
        for place, _, card in order:
            deck[place] = card
    cards = tuple(card for card in deck if card is not None)
    indicator_place = cards.index(view.indicator) - 16
    if len(set(cards)) != 36 or not 1 <= indicator_place <= 18:
        return None
    return Deal(cards, indicator_place)


def orders(needed: list[tuple[int, int]], places: list[int], indicator: int) -> Iterator[list[tuple[int, int, int]]]:
    """Cards at places, the first needed at the first place, with the indicator at every place that it can have come from."""
    assert len(needed) == len(places)
    own = [item for item in needed if item[1] == indicator]
    rest = [item for item in needed if item[1] != indicator]
    for place in places if own else [None]:
        if place is not None and not 17 <= place <= 34:
            continue
        free = [other for other in places if other != place]
        order = [(at, when, card) for at, (when, card) in zip(free, rest, strict=True)]
        yield [*order, (place, *own[0])] if place is not None else order


def fits(order: list[tuple[int, int, int]], ready: dict[int, int]) -> bool:
    return all(ready[place] <= when for place, when, _ in order)


def replayed(world: World, deal: Deal, rules: Rules, leader: Seat) -> View:
    """What the viewer sees when this deal is played as the world says."""
    view = world.view
    game = Game.from_deal(rules, deal, dealer=view.dealer, leader=leader)
    for number, trick in enumerate(view.tricks):
        for play in trick.plays:
            while game.is_offer and not (play.kind is MoveKind.PULL and game.to_move == play.seat):
                game.apply(game.to_move, Move(MoveKind.PASS))
            cards: Cards = play.cards
            if not cards and play.returned:
                cards = cards_of(list(iter_cards(game.hands[play.seat]))[: play.count])
            game.apply(play.seat, Move(play.kind, cards or world.discards[number, play.seat]))
    return game.view(view.seat)


@pytest.mark.parametrize("source", ["guess", "beliefs"])
def test_no_impossible_world_is_guessed(source: str) -> None:
    """From every guess a deal is made that, played through the rules, looks to the seat exactly as it does."""
    rng = random.Random("worlds")
    worlds = 0
    hidden_indicator = 0
    for game, seat in iter_moments(rng, 30):
        view = game.view(seat)
        knowledge = Knowledge.of(view)
        beliefs = BELIEFS.Beliefs(knowledge, HANDS.Hands(view.trump), game.rules)
        for _ in range(2):
            world = knowledge.guess(rng) if source == "guess" else beliefs.guess(rng)
            deal = possible_deal(world, game.rules)
            assert deal is not None, (view, world)
            assert replayed(world, deal, game.rules, view.tricks[0].leader) == view
            worlds += 1
            hidden_indicator += any(isinstance(found, Draw) for found in knowledge.indicator_in)
    assert worlds > 1500
    assert hidden_indicator > 300


def test_a_returned_card_is_in_its_owners_hand_and_gone_when_he_has_laid_all() -> None:
    game = pulled_game(stock="6H 6S 7H 7C")
    jack, ace = parse_cards("JS"), parse_cards("AC")
    before = Knowledge.of(game.view(Seat(2)))
    assert before.held[1] == jack
    assert before.discards[0, Seat(0)] == ace
    assert not before.unseen & (jack | ace)
    rng = random.Random(1)
    beliefs = BELIEFS.Beliefs(before, HANDS.Hands(before.view.trump), Rules())
    for _ in range(50):
        world = beliefs.guess(rng)
        assert world.hands[1] & jack
        assert world.discards[0, Seat(0)] & ace
    # Seat 1 lays its whole hand face down, so the jack is gone, though nobody saw it go.
    game.apply(Seat(1), parse_move("discard 10S JS KS 8C"))
    after = Knowledge.of(game.view(Seat(2)))
    assert after.held[1] == 0
    assert after.discards[0, Seat(1)] == jack
    assert after.gone & jack


def test_counter_believes_what_plays_tell() -> None:
    """In games of greedy, the cards are where counter thinks more often than where a blind guess puts them."""
    rng = random.Random("beliefs")
    blind = believed = 0
    rules = Rules()
    for _ in range(25):
        start = random_start(rng, rules)
        game = Game.from_deal(rules, start.deal, dealer=start.dealer, leader=start.leader)
        while not game.is_over:
            if not game.is_offer and game.stock_count <= 4:
                view = game.view(game.turn)
                knowledge = Knowledge.of(view)
                beliefs = BELIEFS.Beliefs(knowledge, HANDS.Hands(view.trump), rules)
                for _ in range(12):
                    blind += well_placed(game, knowledge, knowledge.guess(rng))
                    believed += well_placed(game, knowledge, beliefs.guess(rng))
            answers = [(seat, GREEDY.choose_move(game.view(seat), game.legal_moves(seat))) for seat in game.asked]
            for seat, move in answers:
                game.apply(seat, move)
                if move.kind is MoveKind.PULL:
                    break
    assert believed > 1.15 * blind > 0


def well_placed(game: Game, knowledge: Knowledge, world: World) -> int:
    return sum((game.hands[seat] & world.hands[seat] & knowledge.unseen).bit_count() for seat in SEATS)


def test_counter_plays_a_world_to_its_end_as_the_engine_would() -> None:
    """With nothing left to draw, what a move leads to in the true world is what greedy in all seats makes of it."""
    rng = random.Random("trial")
    compared = 0
    for game, seat in iter_moments(rng, 40, rules=Rules(pull=Pull.OFF)):
        if game.stock_count:
            continue
        view = game.view(seat)
        trial = COUNTER.Trial(true_world(game, view), game.rules, HANDS.Hands(view.trump))
        for move in game.legal_moves():
            copy = game.clone()
            copy.apply(seat, move)
            while not copy.is_over:
                copy.apply(copy.turn, GREEDY.choose_move(copy.view(copy.turn), copy.legal_moves()))
            points = copy.card_points[seat % 2]
            ours, theirs = defeat_points_of(points), defeat_points_of(120 - points)
            assert trial.outcome(move) == pytest.approx(theirs - ours, abs=0.35), (points, move)
            compared += 1
    assert compared > 300


def defeat_points_of(points: int) -> int:
    """Those of a team with so many card points, as if it had a trick."""
    return 0 if points >= 60 else 2 if points > 30 else 4


def true_world(game: Game, view: View) -> World:
    discards = {
        (number, seat): move.cards
        for number, trick in enumerate(game.tricks)
        for seat, move in trick.moves()
        if move.kind is MoveKind.DISCARD
    }
    return World(view, tuple(game.hands), game.stock, discards)


# Strength


def test_greedy_is_far_stronger_than_random() -> None:
    results = STRENGTH.play_pairs(("greedy", "random"), 20, rules=Rules())
    assert sum(result.tallies[0].won for result in results) >= 36  # of 40
    assert STRENGTH.bootstrap_interval([result.advantage for result in results])[0] > 6


def test_counter_is_far_stronger_than_random() -> None:
    results = STRENGTH.play_pairs(("counter", "random"), 2, rules=Rules())
    assert sum(result.tallies[0].won for result in results) == 4
