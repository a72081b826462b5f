"""Guessing what a seat cannot see: whole positions that agree with a view, for bots and research that search.

`Knowledge.of(view)` is what follows from a view for certain. `Knowledge.guess` fills in the rest at random, which gives a
`World`; `World.game` makes the engine's position of it. Nothing here knows more than the view does.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from arena.rules.view import PlayView, TrickView, View


@dataclass(frozen=True, slots=True)
class Place:
    """Cards that the viewer has not seen, of one other seat: in its hand now, or laid face down.

    trick: index in the view's tricks of the discard, None for the hand. count: how many cards, 1..4. is_winning: whether
    the seat's team was winning the trick as it discarded.
    """

    seat: Seat
    trick: int | None
    count: int
    is_winning: bool = False


Taste = Callable[[Place], Sequence[int] | None]
"""What a seat likes to discard: a number for each of the 36 cards, low is liked; None for no opinion."""


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
    gone: cards that are out of play for sure. discards: known cards of discards, by index of the trick and seat.
    unseen: the cards whose place is not known; they fill the `places` and the stock. indicator_in: where the trump
    indicator may be if it is unseen, each equally likely: an index in the stock that is left, or the places one of which
    has it (it was drawn by that seat, after which it could be laid).
    """

    view: View
    held: tuple[Cards, ...]
    gone: Cards
    discards: dict[tuple[int, Seat], Cards]
    unseen: Cards
    places: tuple[Place, ...]
    indicator_in: tuple[int | tuple[Seat, int], ...]

    @classmethod
    def of(cls, view: View) -> "Knowledge":
        """The knowledge of the viewer."""
        held = [0, 0, 0, 0]
        held[view.seat] = view.hand
        gone = view.seen
        discards: dict[tuple[int, Seat], Cards] = {}
        places = []
        for number, trick in enumerate(view.tricks):
            shown = [0, 0, 0, 0]  # by seat: laid face up, then returned; a pull takes whole hands, so they are laid again
            for play in trick.plays:
                if play.returned:
                    shown[play.seat] = play.cards if play.kind is not MoveKind.DISCARD or play.seat != view.seat else 0
                elif play.kind is MoveKind.DISCARD:
                    known = play.cards or shown[play.seat]
                    discards[number, play.seat] = known
                    gone |= known
                    shown[play.seat] = 0
                    if known.bit_count() < play.count:
                        places.append(Place(play.seat, number, play.count - known.bit_count(), _is_winning(trick, play)))
                else:
                    shown[play.seat] = 0
            for seat in SEATS:
                held[seat] |= shown[seat]
        for seat in SEATS:
            count = view.hand_counts[seat] - held[seat].bit_count()
            if count:
                places.append(Place(seat, None, count))
        unseen = FULL_DECK & ~(gone | held[0] | held[1] | held[2] | held[3])
        indicator_in = _indicator_in(view, places) if unseen >> view.indicator & 1 else ()
        return cls(view, tuple(held), gone, discards, unseen, tuple(places), indicator_in)

    def guess(self, rng: random.Random, taste: Taste | None = None) -> World:
        """A world that agrees with the view: every card where it can be, the indicator too.

        taste: makes discards more likely that the seats like; of two cards drawn for each, the more liked is laid.
        """
        pool = list(iter_cards(self.unseen))
        rng.shuffle(pool)
        hands = list(self.held)
        discards = dict(self.discards)
        place_of_indicator: int | Place | None = None
        if self.indicator_in:
            pool.remove(self.view.indicator)
            chosen = rng.choice(self.indicator_in)
            if isinstance(chosen, int):
                place_of_indicator = chosen
            else:
                place_of_indicator = rng.choice([p for p in self.places for _ in range(p.count) if _could_hold(p, chosen)])
        for place in self.places:
            count = place.count
            cards = 0
            if place is place_of_indicator:
                cards = 1 << self.view.indicator
                count -= 1
            if place.trick is None:
                hands[place.seat] |= cards | _take(pool, count)
            else:
                liking = taste(place) if taste else None
                cards |= _take(pool, count) if liking is None else _take_liked(pool, count, liking)
                discards[place.trick, place.seat] |= cards
        if isinstance(place_of_indicator, int):
            pool.insert(place_of_indicator, self.view.indicator)
        return World(self.view, tuple(hands), tuple(pool), discards)


def _take(pool: list[Card], count: int) -> Cards:
    cards = 0
    for _ in range(count):
        cards |= 1 << pool.pop()
    return cards


def _take_liked(pool: list[Card], count: int, liking: Sequence[int]) -> Cards:
    offered = sorted(pool[-2 * count :], key=liking.__getitem__)[:count]
    for card in offered:
        pool.remove(card)
    return cards_of(offered)


def _is_winning(trick: TrickView, discard: PlayView) -> bool:
    winner = trick.leader
    for play in trick.plays:
        if play is discard:
            break
        if play.kind is not MoveKind.DISCARD:
            winner = play.seat
    return TEAM_OF_SEAT[winner] == TEAM_OF_SEAT[discard.seat]


def _indicator_in(view: View, places: Sequence[Place]) -> tuple[int | tuple[Seat, int], ...]:
    """It is at each index but the first and the last of the stock with the same chance; the viewer did not draw it."""
    drawn = _draws(view)
    found: list[int | tuple[Seat, int]] = []
    for index in range(1, STOCK_SIZE - 1):
        if index >= len(drawn):
            found.append(index - len(drawn))
        elif any(_could_hold(place, drawn[index]) for place in places):
            found.append(drawn[index])
    return tuple(found)


def _could_hold(place: Place, draw: tuple[Seat, int]) -> bool:
    seat, after = draw
    return place.seat == seat and (place.trick is None or place.trick > after)


def _draws(view: View) -> list[tuple[Seat, int]]:
    """Who drew each card of the stock, top first, and the index of the trick after which he did."""
    draws: list[tuple[Seat, int]] = []
    for number, trick in enumerate(view.tricks[:-1]):
        seat = trick.taker
        count = 4 * trick.plays[-1].count
        while seat is not None and count and len(draws) < STOCK_SIZE - view.stock_count:
            draws.append((seat, number))
            seat = NEXT_SEAT[seat]
            count -= 1
    return draws


def _pass_until(game: Game, seat: Seat | None) -> None:
    """Decline the offered pull for all seats before this one, or for all."""
    while game.is_offer and game.to_move != seat:
        game.advance(PASS_CODE)
