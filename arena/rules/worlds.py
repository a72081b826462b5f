"""Guessing what a seat cannot see: whole positions that agree with a view, for bots and research that search.

`Knowledge.of(view)` is what follows from a view for certain. `Knowledge.guess` fills in the rest at random, which gives a
`World`; `World.game` makes the engine's position of it. Nothing here knows more than the view does.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.rules.cards import (
    DECK_SIZE,
    FULL_DECK,
    NEXT_SEAT,
    SEATS,
    TEAM_OF_SEAT,
    Card,
    Cards,
    Seat,
    cards_of,
    iter_cards,
    points_of,
)
from arena.rules.deal import STOCK_SIZE
from arena.rules.game import Game
from arena.rules.moves import PASS_CODE, MoveKind
from arena.rules.options import Rules
from arena.rules.view import PlayView, View


@dataclass(frozen=True, slots=True)
class Place:
    """Cards of one other seat that the viewer has not seen: in its hand now, or laid face down.

    trick: index in the view's tricks of the discard, None for the hand. count: how many such cards, 1..4.
    """

    seat: Seat
    trick: int | None
    count: int


class Draw(NamedTuple):
    """A card drawn from the stock: by whom, and the index of the trick after which."""

    seat: Seat
    trick: int


@dataclass(frozen=True, slots=True)
class World:
    """One way things may be.

    hands: by seat, now. stock: top first. discards: all that was discarded for good, by index of the trick and seat.
    """

    view: View
    hands: tuple[Cards, ...]
    stock: tuple[Card, ...]
    discards: dict[tuple[int, Seat], Cards]

    def game(self, rules: Rules, rng: random.Random, *, is_offer: bool) -> Game:
        """The game where it is the viewer's turn, to answer the offer of a pull or to play; before it, nobody else pulls.

        Its first trick is the view's current one; `card_points` and `tricks_taken` count the earlier ones too. rng chooses
        the cards of a discard that a pull returned unseen.
        """
        view = self.view
        current = len(view.tricks) - 1
        hands = list(self.hands)
        for play in view.trick.plays:
            if not play.returned:
                hands[play.seat] |= self._cards(current, play)
        game = Game(
            rules, indicator=view.indicator, hands=hands, stock=self.stock, dealer=view.dealer, leader=view.trick.leader
        )
        for number, trick in enumerate(view.tricks[:current]):
            team = TEAM_OF_SEAT[trick.taker or 0]
            game.tricks_taken[team] += 1
            game.card_points[team] += sum(points_of(self._cards(number, play)) for play in trick.plays if not play.returned)
        for play in view.trick.plays:
            _pass_until(game, play.seat if play.kind is MoveKind.PULL else None)
            if play.returned and not play.cards:
                cards = cards_of(rng.sample(list(iter_cards(hands[play.seat])), play.count))
            else:
                cards = self._cards(current, play)
            game.advance(play.kind << DECK_SIZE | cards)
        _pass_until(game, view.seat if is_offer else None)
        return game

    def _cards(self, trick: int, play: PlayView) -> Cards:
        return play.cards or self.discards[trick, play.seat]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a seat knows for certain.

    held: by seat, cards that are in its hand for sure: the viewer's own, and those that a pull returned a moment ago.
    gone: cards that are out of play for sure. discards: the known cards of each discard, by index of the trick and seat.
    unseen: the cards whose place is not known; they fill the `places` and the stock.
    draws: who drew the cards that left the stock, in order. indicator_in: where the trump indicator may be if it is unseen,
    each equally likely: an index in what is left of the stock, or the draw that took it.
    """

    view: View
    held: tuple[Cards, ...]
    gone: Cards
    discards: dict[tuple[int, Seat], Cards]
    unseen: Cards
    places: tuple[Place, ...]
    draws: tuple[Draw, ...]
    indicator_in: tuple[int | Draw, ...]

    @classmethod
    def of(cls, view: View) -> "Knowledge":
        """The knowledge of the viewer."""
        held = [0, 0, 0, 0]
        held[view.seat] = view.hand
        gone = view.seen
        discards: dict[tuple[int, Seat], Cards] = {}
        places = []
        for number, trick in enumerate(view.tricks):
            shown = [0, 0, 0, 0]  # what a pull returned, by seat; its owner lays all he has next, so these cards too
            for play in trick.plays:
                if play.returned:
                    shown[play.seat] = play.cards
                    continue
                if play.kind is MoveKind.DISCARD:
                    known = play.cards or shown[play.seat]
                    discards[number, play.seat] = known
                    gone |= known
                    if known.bit_count() < play.count:
                        places.append(Place(play.seat, number, play.count - known.bit_count()))
                shown[play.seat] = 0
            for seat in SEATS:
                held[seat] |= shown[seat]
        for seat in SEATS:
            count = view.hand_counts[seat] - held[seat].bit_count()
            if count:
                places.append(Place(seat, None, count))
        unseen = FULL_DECK & ~(gone | held[0] | held[1] | held[2] | held[3])
        draws = _draws(view)
        indicator_in = _indicator_in(draws, places) if unseen >> view.indicator & 1 else ()
        return cls(view, tuple(held), gone, discards, unseen, tuple(places), draws, indicator_in)

    def guess(self, rng: random.Random) -> World:
        """A world that agrees with the view: every unseen card somewhere it can be, the indicator too."""
        pool = list(iter_cards(self.unseen))
        rng.shuffle(pool)
        hands = list(self.held)
        discards = dict(self.discards)
        indicator = 1 << self.view.indicator
        where: int | Place | None = None
        if self.indicator_in:
            pool.remove(self.view.indicator)
            found = rng.choice(self.indicator_in)
            where = found if isinstance(found, int) else rng.choice(_open_to(found, self.places))
        for place in self.places:
            cards = indicator if place is where else 0
            while cards.bit_count() < place.count:
                cards |= 1 << pool.pop()
            if place.trick is None:
                hands[place.seat] |= cards
            else:
                discards[place.trick, place.seat] |= cards
        if isinstance(where, int):
            pool.insert(where, self.view.indicator)
        return World(self.view, tuple(hands), tuple(pool), discards)


def _draws(view: View) -> tuple[Draw, ...]:
    draws: list[Draw] = []
    left = STOCK_SIZE - view.stock_count
    for number, trick in enumerate(view.tricks):
        if trick.taker is None:
            break
        seat = trick.taker
        for _ in range(min(4 * trick.plays[-1].count, left)):
            draws.append(Draw(seat, number))
            seat = NEXT_SEAT[seat]
        left = STOCK_SIZE - view.stock_count - len(draws)
    return tuple(draws)


def _indicator_in(draws: Sequence[Draw], places: Sequence[Place]) -> tuple[int | Draw, ...]:
    """It was at each index of the stock but the first and the last with the same chance, and the viewer did not draw it."""
    found: list[int | Draw] = []
    for index in range(1, STOCK_SIZE - 1):
        if index >= len(draws):
            found.append(index - len(draws))
        elif _open_to(draws[index], places):
            found.append(draws[index])
    return tuple(found)


def _open_to(draw: Draw, places: Sequence[Place]) -> list[Place]:
    """The places that the card of this draw can be in, each as often as it has cards."""
    return [
        place
        for place in places
        if place.seat == draw.seat and (place.trick is None or place.trick > draw.trick)
        for _ in range(place.count)
    ]


def _pass_until(game: Game, seat: Seat | None) -> None:
    """Decline the offered pull for all seats before this one, or for all."""
    while game.is_offer and game.to_move != seat:
        game.advance(PASS_CODE)
