"""Other worlds: games that differ from a given one in what a seat cannot know, and in nothing else.

For the noninterference tests. A world has the same rules, dealer, leader, indicator card and face-up plays, the same counts
of discarded cards, and the same cards and answers of the seat itself. It is made from the deal and the hidden part of the
history:

- cards that the seat has not seen are dealt anew among the places that it has not seen;
- the indicator moves to another allowed place of the stock;
- cards change places in the deck, also cards that were played face up, so that they came at another moment;
- cards that the seat drew together come in another order;
- the other seats choose their face-down discards anew, those that a pull returned included;
- offers of a pull that appear by this are declined, offers that vanish are not made.

Then it is replayed from the start through the engine with checks; what cannot be played is thrown away. Nothing here looks
at a view, or at what the engine remembers beyond the moves: who was dealt what is worked out again from the counts.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from arena.errors import IllegalMoveError
from arena.rules.cards import DECK_SIZE, NEXT_SEAT, SEATS, Card, Cards, Seat, cards_of, iter_cards
from arena.rules.deal import deal_from
from arena.rules.game import Game
from arena.rules.moves import Move, MoveKind
from arena.rules.notation import Transcript
from arena.rules.options import Discards

PASS = Move(MoveKind.PASS)
DEALT = 16
INSIDE_STOCK = range(DEALT + 1, DECK_SIZE - 1)
"""The places in the deck where the indicator may be."""
TRIES = 12


@dataclass(frozen=True, slots=True)
class World:
    """A game as it may have been: all its moves, passes included, and the game after them.

    Offers to other seats that were open at the end are declined up to the seat's own, so that it is asked in one world when
    it is asked in all.
    """

    transcript: Transcript
    game: Game


class InterferenceError(Exception):
    """A seat was offered a pull in one world and not in the other."""


def actual_world(history: Transcript, *, seat: Seat) -> World:
    """The world that really is, brought to the same moment as those of `iter_worlds`."""
    game = history.replay()
    return World(replace(history, moves=history.moves + _settle(game, seat)), game)


def iter_worlds(rng: random.Random, history: Transcript, *, seat: Seat) -> Iterator[World]:
    """Worlds without end that `seat` cannot tell from `history`, which may stop anywhere in a game; now and then the same one.

    Raises InterferenceError when the seat would be offered a pull that it was not offered, or the other way round.
    """
    facts = _Facts.of(history, seat)
    deck = history.deal.deck
    while True:
        for attempt in range(TRIES + 1):
            changed = list(deck)
            if attempt < TRIES:
                for _ in range(rng.randint(1, 3)):
                    rng.choice(_CHANGES)(rng, changed, facts)
            world = _replay(rng, changed, facts)
            if world is not None:
                deck = tuple(changed)
                yield world
                break
        else:
            raise AssertionError("the deck that was just played cannot be played again: the generator is wrong")


def slots_of(history: Transcript) -> tuple[tuple[Seat | None, int], ...]:
    """Who got the card of each place of the deck, and with which draw: 0 is the deal; nobody yet (None) is last.

    Worked out from what everybody sees: the dealer, the takers, and how many cards were played.
    """
    slots: list[tuple[Seat | None, int]] = []
    seat = history.dealer
    for _ in range(DEALT):
        seat = NEXT_SEAT[seat]
        slots.append((seat, 0))
    for number, trick in enumerate(history.replay().tricks, start=1):
        if trick.taker is not None:
            seat = trick.taker
            for _ in range(min(4 * (trick.codes[-1] & (1 << DECK_SIZE) - 1).bit_count(), DECK_SIZE - len(slots))):
                slots.append((seat, number))
                seat = NEXT_SEAT[seat]
    return (*slots, *[(None, DECK_SIZE)] * (DECK_SIZE - len(slots)))


@dataclass(frozen=True, slots=True)
class _Facts:
    """What stays.

    events: the moves without the other seats' passes. kept: by event, what its seat cannot lay face down in it, because it
    lays it face up later. groups: places of the deck among which cards may move. unseen: cards that the seat knows nothing of.
    """

    history: Transcript
    seat: Seat
    indicator: Card
    events: tuple[tuple[Seat, Move], ...]
    kept: tuple[Cards, ...]
    groups: tuple[tuple[int, ...], ...]
    unseen: Cards

    @classmethod
    def of(cls, history: Transcript, seat: Seat) -> "_Facts":
        events = tuple((who, move) for who, move in history.moves if move.kind is not MoveKind.PASS or who == seat)
        face_up = [move.cards if not _is_hidden(history, seat, who, move) else 0 for who, move in events]
        returned = _returned(events)
        kept = [
            0 if at in returned else _union(face_up[after] for after in range(at, len(events)) if events[after][0] == who)
            for at, (who, _) in enumerate(events)
        ]
        slots = slots_of(history)
        own = {slot for slot in slots if slot[0] == seat}
        groups = [tuple(place for place in range(DECK_SIZE) if slots[place][0] != seat)]
        groups += [tuple(place for place in range(DECK_SIZE) if slots[place] == slot) for slot in sorted(own, key=str)]
        groups += [tuple(place for place in range(DECK_SIZE) if slots[place][0] == other) for other in SEATS if other != seat]
        own_cards = cards_of(history.deal.deck[place] for place in range(DECK_SIZE) if slots[place][0] == seat)
        indicator = history.deal.indicator
        unseen = ((1 << DECK_SIZE) - 1) & ~(own_cards | _union(face_up) | 1 << indicator)
        return cls(history, seat, indicator, events, tuple(kept), tuple(groups), unseen)


def _returned(events: tuple[tuple[Seat, Move], ...]) -> set[int]:
    """Which events are plays that a pull sent back to their owners, so that the cards could be played again."""
    returned: set[int] = set()
    trick: list[int] = []
    for at, (_, move) in enumerate(events):
        if move.kind is MoveKind.PULL:
            returned.update(trick)
            trick = [at]
        elif move.kind is not MoveKind.PASS:
            trick.append(at)
        if len(trick) == 4:
            trick = []
    return returned


def _union(sets: Iterable[Cards]) -> Cards:
    union = 0
    for cards in sets:
        union |= cards
    return union


def _is_hidden(history: Transcript, viewer: Seat, seat: Seat, move: Move) -> bool:
    return move.kind is MoveKind.DISCARD and seat != viewer and history.rules.discards is Discards.HIDDEN


def _deal_unseen_anew(rng: random.Random, deck: list[Card], facts: _Facts) -> None:
    places = [place for place, card in enumerate(deck) if facts.unseen >> card & 1]
    for place, card in zip(places, rng.sample([deck[place] for place in places], len(places)), strict=True):
        deck[place] = card


def _move_indicator(rng: random.Random, deck: list[Card], facts: _Facts) -> None:
    place, other = deck.index(facts.indicator), rng.choice(INSIDE_STOCK)
    group = next(group for group in facts.groups if place in group)
    if other in group:
        deck[place], deck[other] = deck[other], deck[place]


def _swap_places(rng: random.Random, deck: list[Card], facts: _Facts) -> None:
    """Two places of one group: all that is not the seat's own, one draw of its own, all draws of one other seat."""
    group = rng.choice(facts.groups)
    if len(group) > 1:
        place, other = rng.sample(group, 2)
        deck[place], deck[other] = deck[other], deck[place]


_CHANGES = (_deal_unseen_anew, _move_indicator, _swap_places, _swap_places)


def _replay(rng: random.Random, deck: list[Card], facts: _Facts) -> World | None:
    """The game of this deck with the events of the facts and hidden discards chosen anew; None when it cannot be played."""
    if deck.index(facts.indicator) not in INSIDE_STOCK:
        return None
    history, viewer = facts.history, facts.seat
    deal = deal_from(deck, facts.indicator)
    game = Game.from_deal(history.rules, deal, dealer=history.dealer, leader=history.leader)
    moves: list[tuple[Seat, Move]] = []
    for (seat, known), kept in zip(facts.events, facts.kept, strict=True):
        answers_offer = known.kind in (MoveKind.PULL, MoveKind.PASS)
        if known.kind is MoveKind.PULL and seat not in game.asked:
            return None
        while game.is_offer and not (answers_offer and game.to_move == seat):
            if game.to_move == viewer:
                raise InterferenceError(f"seat {viewer} is offered a pull that it was not offered, before {seat} {known}")
            moves.append((game.to_move, PASS))
            game.apply(*moves[-1])
        move = known
        if _is_hidden(history, viewer, seat, known):
            free = list(iter_cards(game.hands[seat] & ~kept))
            if len(free) < known.count:
                return None
            move = Move(MoveKind.DISCARD, cards_of(rng.sample(free, known.count)))
        try:
            game.apply(seat, move)
        except IllegalMoveError:
            if seat == viewer:
                raise InterferenceError(f"seat {viewer} cannot {move} in a world that looks the same") from None
            return None
        moves.append((seat, move))
    moves += _settle(game, viewer)
    return World(replace(history, deal=deal, moves=tuple(moves)), game)


def _settle(game: Game, seat: Seat) -> tuple[tuple[Seat, Move], ...]:
    passes = []
    while game.is_offer and game.to_move != seat:
        passes.append((game.to_move, PASS))
        game.apply(game.to_move, PASS)
    return tuple(passes)
