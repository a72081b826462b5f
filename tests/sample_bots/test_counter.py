"""What counter knows and guesses of the cards it cannot see, and what it makes of a guess."""

import random
from collections.abc import Iterator

import pytest

from arena.rules.cards import NEXT_SEAT, SEATS, Cards, Seat, cards_of, iter_cards, parse_cards
from arena.rules.deal import Deal
from arena.rules.game import Game
from arena.rules.moves import Move, MoveKind, parse_move
from arena.rules.options import Pull, Rules
from arena.rules.view import View
from arena.rules.worlds import Draw, Knowledge, World
from tests.rules.play import iter_rule_sets, random_game, random_start
from tests.sample_bots.strategies import BELIEFS, COUNTER, GREEDY, HANDS, pulled_game


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
