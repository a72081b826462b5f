"""Guesses of what a seat cannot see: they agree with the view, and what is called certain is true in every world."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from arena.rules.cards import FULL_DECK, SEATS, Cards, Seat, cards_of, iter_cards, points_of
from arena.rules.game import Game
from arena.rules.moves import MoveKind
from arena.rules.notation import Transcript
from arena.rules.options import Discards, Pull, Rules
from arena.rules.view import View
from arena.rules.worlds import Knowledge
from tests.rules.play import random_game
from tests.worlds import World, actual_world, iter_worlds, slots_of

RULE_SETS = {
    "default": Rules(),
    "open": Rules(discards=Discards.OPEN),
    "before_lead": Rules(pull=Pull.BEFORE_LEAD),
    "singles": Rules(max_lead=1),
}


def iter_asked(rng: random.Random, rules: Rules, games: int) -> Iterator[tuple[Transcript, Game, Seat]]:
    """Moments of random games, soon after a pull too, and a seat that is asked there, as a bot would be."""
    for _ in range(games):
        whole = random_game(rng, rules)
        pulls = [at for at, (_, move) in enumerate(whole.moves) if move.kind is MoveKind.PULL]
        soon = {min(at + rng.randint(1, 3), len(whole.moves) - 1) for at in pulls}
        for stop in sorted({*rng.sample(range(len(whole.moves)), 3), *soon}):
            history = replace(whole, moves=whole.moves[:stop])
            game = history.replay()
            for seat in game.asked:
                yield history, actual_world(history, seat=seat).game, seat


def discards_of(game: Game) -> dict[tuple[int, Seat], Cards]:
    """Every discard that was not returned, by index of the trick and seat."""
    return {
        (number, seat): move.cards
        for number, trick in enumerate(game.tricks)
        for at, (seat, move) in enumerate(trick.moves())
        if move.kind is MoveKind.DISCARD and at >= trick.pulled_at
    }


@pytest.mark.parametrize("name", RULE_SETS)
def test_what_is_certain_is_true_in_every_world(name: str) -> None:
    """The worlds come from `tests.worlds`, which knows nothing of `Knowledge`."""
    rng = random.Random(f"certain {name}")
    for history, game, seat in iter_asked(rng, RULE_SETS[name], 25):
        knowledge = Knowledge.of(game.view(seat))
        for world in [actual_world(history, seat=seat), *islice(iter_worlds(rng, history, seat=seat), 4)]:
            check_knowledge(knowledge, world, seat)


def check_knowledge(knowledge: Knowledge, world: World, seat: Seat) -> None:
    game = world.game
    discards = discards_of(game)
    for other in SEATS:
        assert knowledge.held[other] & ~game.hands[other] == 0
    assert knowledge.held[seat] == game.hands[seat]
    for place, cards in knowledge.discards.items():
        assert cards & ~discards[place] == 0
    held = cards_of(card for hand in knowledge.held for card in iter_cards(hand))
    assert knowledge.unseen == FULL_DECK & ~held & ~knowledge.gone
    assert knowledge.gone & (cards_of(game.stock) | game.hands[0] | game.hands[1] | game.hands[2] | game.hands[3]) == 0
    for place in knowledge.places:
        cards = game.hands[place.seat] if place.trick is None else discards[place.trick, place.seat]
        assert (cards & knowledge.unseen).bit_count() == place.count
    assert sum(place.count for place in knowledge.places) + game.stock_count == knowledge.unseen.bit_count()
    if knowledge.unseen >> game.indicator & 1:
        assert place_of_indicator(world) in knowledge.indicator_in
    else:
        assert knowledge.indicator_in == ()


def place_of_indicator(world: World) -> int | tuple[Seat | None, int]:
    """Its index in the stock that is left, or who drew it and after which trick."""
    deal = world.transcript.deal
    who, draw = slots_of(world.transcript)[16 + deal.indicator_place]
    return world.game.stock.index(deal.indicator) if who is None else (who, draw - 1)


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_game_of_a_guess_looks_as_the_view_does(name: str) -> None:
    rules = RULE_SETS[name]
    rng = random.Random(f"guess {name}")
    others = returned = 0
    for history, game, seat in iter_asked(rng, rules, 60):
        view = game.view(seat)
        slots = slots_of(history)[17:35]
        knowledge = Knowledge.of(view)
        for _ in range(3):
            world = knowledge.guess(rng)
            guess = world.game(rules, rng, is_offer=game.is_offer)
            check_guess(guess, game, view)
            check_points(guess, view, world.discards)
            check_indicator(guess, world.discards, slots, view)
            others += guess.hands != game.hands
            returned += any(play.returned for play in view.trick.plays)
    assert others > 200
    if rules.pull is Pull.ANY_TIME:
        assert returned > 20


def check_guess(guess: Game, game: Game, view: View) -> None:
    seat = view.seat
    seen = guess.view(seat)
    assert seen.trick == view.trick
    assert replace(seen, tricks=()) == replace(view, tricks=())
    assert seat in guess.asked
    assert guess.is_offer == game.is_offer
    assert guess.legal_codes(seat) == game.legal_codes(seat)
    assert guess.winning_cards == game.winning_cards
    assert guess.winning_seat == game.winning_seat
    assert guess.stock[-1:] != (guess.indicator,), "never the bottom card"
    assert guess.tricks_taken == game.tricks_taken


def check_points(guess: Game, view: View, discards: dict[tuple[int, Seat], Cards]) -> None:
    """All 36 cards are somewhere once: in hands, in the stock, face up, or in the discards that were guessed."""
    places = [*guess.hands, cards_of(guess.stock), *discards.values()]
    face_up = [
        play.cards for trick in view.tricks for play in trick.plays if not play.returned and play.kind is not MoveKind.DISCARD
    ]
    assert sum(cards.bit_count() for cards in [*places, *face_up]) == 36
    laid = cards_of(card for seat_cards in guess.hands for card in iter_cards(seat_cards)) | cards_of(guess.stock)
    current = {place: cards for place, cards in discards.items() if place[0] == len(view.tricks) - 1}
    on_table = [play.cards for play in view.trick.plays if not play.returned and play.kind is not MoveKind.DISCARD]
    in_piles = FULL_DECK & ~laid & ~cards_of(card for cards in [*current.values(), *on_table] for card in iter_cards(cards))
    assert sum(guess.card_points) == points_of(in_piles)


def check_indicator(
    guess: Game, discards: dict[tuple[int, Seat], Cards], slots: tuple[tuple[Seat | None, int], ...], view: View
) -> None:
    """Whoever is guessed to have discarded the indicator had drawn it before; slots: of the 18 cards it may have been."""
    indicator = view.indicator
    for (number, who), cards in discards.items():
        if cards >> indicator & 1:
            assert any(owner == who and draw <= number for owner, draw in slots), "laid before it was drawn"
    for who in SEATS:
        if guess.hands[who] >> indicator & 1 and who != view.seat:
            assert any(owner == who for owner, _ in slots)
    if indicator in guess.stock:
        assert slots[::-1][len(guess.stock) - 2 - guess.stock.index(indicator)] == (None, 36)


def test_every_unseen_card_is_guessed_to_be_everywhere_it_can_be() -> None:
    """What is not known is not taken for known: over many guesses each card is in each place."""
    rng = random.Random(31)
    history = next(history for history, game, seat in iter_asked(rng, Rules(), 50) if 4 <= game.stock_count <= 8)
    view = history.replay().view(SEATS[0])
    knowledge = Knowledge.of(view)
    ordinary = [card for card in iter_cards(knowledge.unseen) if card != view.indicator]
    found = {(card, place) for card in ordinary for place in [*knowledge.places, "stock"]}
    for _ in range(2_000):
        world = knowledge.guess(rng)
        for card in ordinary:
            if card in world.stock:
                found.discard((card, "stock"))
        for place in knowledge.places:
            cards = world.hands[place.seat] if place.trick is None else world.discards[place.trick, place.seat]
            found -= {(card, place) for card in ordinary if cards >> card & 1}
    assert not found
