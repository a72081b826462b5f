"""Guessing the cards that counter has not seen, in a way that explains what the others have played.

`arena.rules.worlds.Knowledge` says what is certain: which cards are gone, which came back to a hand from a pull, who drew
how many when, where the trump indicator can be. A guess goes further. For each of the other seats it makes up the whole
story of the game so far: which cards it was dealt and drew, so that it could play what it did play, and what it discarded
face down, which is what greedy would discard. A play that greedy would not have made with the hand of the story is a
surprise. A few stories are tried for each seat, and the one with the fewest surprises is believed.
"""

import math
import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from hands import Hands

from arena.rules.cards import HAND_SIZE, SEATS, SUIT_MASKS, Card, Cards, Seat, is_one_suit, iter_cards, points_of
from arena.rules.moves import BEAT_CODE, DISCARD_CODE, MoveKind
from arena.rules.options import Pull, PullSuits, Rules
from arena.rules.view import TrickView
from arena.rules.worlds import Draw, Knowledge, World

TRIES = 6
"""Stories tried for a seat before the best of them is taken."""
OTHER_KIND = 2
"""Surprises: it beat where greedy discards or the other way round, led another number of cards, did not pull."""
OTHER_CARDS = 1
"""Surprise: it led or beat with other cards than greedy would."""


@dataclass(frozen=True, slots=True)
class Event:
    """What one seat did in one trick, and what it saw as it did so. kind and count: None and 0 if it has not played yet."""

    trick: int
    kind: MoveKind | None
    cards: Cards
    count: int
    winning: Cards
    is_partner_winning: bool
    is_last: bool
    shown: int
    could_pull: bool


@dataclass(frozen=True, slots=True)
class Story:
    """How it may have been for one seat. hand: what it has now. laid: its face-down discards. used: the unseen cards it had."""

    surprises: int
    hand: Cards
    laid: dict[tuple[int, Seat], Cards]
    used: Cards


class Past:
    """What is certain about one other seat.

    got_at: for each card that it ever had, the trick before which it got it, ascending; the four that were dealt have 0.
    known: the cards that it had for sure, each with the last trick before which it can have got it, those first.
    """

    def __init__(self, knowledge: Knowledge, seat: Seat, hands: Hands, rules: Rules) -> None:
        view = knowledge.view
        self._hands = hands
        self._rules = rules
        self.seat = seat
        self.got_at = [0] * HAND_SIZE + [draw.trick + 1 for draw in knowledge.draws if draw.seat == seat]
        self.events: list[Event] = []
        self.known: list[tuple[Card, int]] = []
        for number, trick in enumerate(view.tricks):
            event = _event(trick, number, seat, knowledge.discards.get((number, seat), 0), rules)
            self.events.append(event)
            self.known += [(card, number) for card in iter_cards(event.cards)]
        self.known += [(card, len(view.tricks)) for card in iter_cards(knowledge.held[seat])]

    def tell(
        self, pool: Sequence[Card], rng: random.Random, *, indicator: tuple[Card, Draw] | None, limit: float
    ) -> Story | None:
        """A story with unseen cards from the front of `pool`; None if it does not work out or has `limit` surprises.

        indicator: the trump indicator, when this seat drew it unseen, and when that was.
        """
        got = self._deal(pool, rng, indicator)
        if got is None:
            return None
        cards, used = got
        return self._follow(cards, used, limit)

    def _deal(
        self, pool: Sequence[Card], rng: random.Random, indicator: tuple[Card, Draw] | None
    ) -> tuple[list[Card], Cards] | None:
        """A card for each of `got_at`."""
        got_at = self.got_at
        places: list[Card | None] = [None] * len(got_at)
        used = 0
        if indicator is not None:
            card, draw = indicator
            places[got_at.index(draw.trick + 1)] = card
            used |= 1 << card
        for card, latest in self.known:
            within = bisect_right(got_at, latest)
            at = int(rng.random() * within)
            for _ in range(within):
                if places[at] is None:
                    break
                at = (at + 1) % within
            else:
                return None
            places[at] = card
        cards = []
        unseen = iter(pool)
        for place in places:
            card = next(unseen) if place is None else place
            if place is None:
                used |= 1 << card
            cards.append(card)
        return cards, used

    def _follow(self, cards: list[Card], used: Cards, limit: float) -> Story | None:
        """Play the game so far with these cards."""
        hands = self._hands
        rules = self._rules
        laid: dict[tuple[int, Seat], Cards] = {}
        later = 0  # cards that must not be discarded: they are played face up later, or still in the hand
        for card, _ in self.known:
            later |= 1 << card
        hand = 0
        at = 0
        surprises = 0
        for event in self.events:
            while at < len(cards) and self.got_at[at] <= event.trick:
                hand |= 1 << cards[at]
                at += 1
            if event.could_pull and _can_be_pulled(hand, hands, rules):
                surprises += OTHER_KIND
            if event.kind is None:
                break  # it has not played to the current trick
            later &= ~event.cards
            played = event.cards
            if event.kind is MoveKind.DISCARD and played.bit_count() < event.count:
                free = hand & ~later
                if free.bit_count() < event.count:
                    return None
                share = -1 if not event.is_partner_winning else 2 if event.is_last else 0
                played = hands.discard_from(hand, free, event.count, share=share)
                laid[event.trick, self.seat] = played
            surprises += _surprise(event, hand, played, hands, rules)
            if surprises >= limit:
                return None
            hand &= ~played
        if surprises >= limit:
            return None
        return Story(surprises, hand, laid, used)


class Beliefs:
    """What one seat thinks at one turn."""

    def __init__(self, knowledge: Knowledge, hands: Hands, rules: Rules) -> None:
        self.knowledge = knowledge
        self._pasts = [Past(knowledge, seat, hands, rules) for seat in SEATS if seat != knowledge.view.seat]

    def guess(self, rng: random.Random) -> World:
        """A world that agrees with the view for certain, and with how the others have played as well as it may be."""
        knowledge = self.knowledge
        indicator = knowledge.view.indicator
        pool = list(iter_cards(knowledge.unseen))
        found = rng.choice(knowledge.indicator_in) if knowledge.indicator_in else None
        if found is not None:
            pool.remove(indicator)
        rng.shuffle(pool)
        rng.shuffle(self._pasts)
        hands = list(knowledge.held)
        discards = dict(knowledge.discards)
        for past in self._pasts:
            drawn = (indicator, found) if isinstance(found, Draw) and found.seat == past.seat else None
            story = self._best_story(past, pool, rng, drawn)
            if story is None:
                return knowledge.guess(rng)  # rare: its cards are so well known that a story is hard to find
            hands[past.seat] = story.hand
            discards.update(story.laid)
            pool = [card for card in pool if not story.used >> card & 1]
        if isinstance(found, int):
            pool.insert(found, indicator)
        return World(knowledge.view, tuple(hands), tuple(pool), discards)

    def _best_story(self, past: Past, pool: list[Card], rng: random.Random, drawn: tuple[Card, Draw] | None) -> Story | None:
        best: Story | None = None
        for _ in range(TRIES):
            story = past.tell(pool, rng, indicator=drawn, limit=best.surprises if best else math.inf)
            if story is not None:
                best = story
                if not best.surprises:
                    break
            cut = int(rng.random() * len(pool))
            pool = pool[cut:] + pool[:cut]
        return best


def _event(trick: TrickView, number: int, seat: Seat, discard: Cards, rules: Rules) -> Event:
    """What this seat did in a trick; of a play that was returned only what came after counts."""
    winner = trick.leader
    winning = 0
    shown = 0
    played = 0
    kind = None
    cards = 0
    count = 0
    for play in trick.plays:
        if play.returned:
            continue
        if play.seat == seat:
            kind, count = play.kind, play.count
            cards = discard if kind is MoveKind.DISCARD else play.cards
            break
        if play.kind is not MoveKind.DISCARD:
            winner, winning = play.seat, play.cards
        shown += points_of(play.cards)
        played += 1
    is_pulled = any(play.kind is MoveKind.PULL for play in trick.plays)
    return Event(
        number,
        kind,
        cards,
        count,
        winning,
        is_partner_winning=winner != seat and winner % 2 == seat % 2,
        is_last=played == 3,
        shown=shown,
        could_pull=rules.pull is not Pull.OFF and seat != trick.leader and not is_pulled,
    )


def _can_be_pulled(hand: Cards, hands: Hands, rules: Rules) -> bool:
    if hand.bit_count() < HAND_SIZE or not is_one_suit(hand):
        return False
    return rules.pull_suits is PullSuits.ANY or bool(hand & SUIT_MASKS[hands.trump])


def _surprise(event: Event, hand: Cards, played: Cards, hands: Hands, rules: Rules) -> int:
    """How far from greedy's the play is."""
    if event.kind is MoveKind.PULL:
        return 0
    if event.kind is MoveKind.LEAD:
        expected = hands.lead(hand, rules.max_lead)
        if expected.bit_count() != event.count:
            return OTHER_KIND
        return OTHER_CARDS if expected != played else 0
    if event.kind is MoveKind.DISCARD and hands.above(hand, event.winning).bit_count() < event.count:
        return 0  # it could not beat
    code = hands.reply(
        hand, event.winning, is_partner_winning=event.is_partner_winning, is_last=event.is_last, shown=event.shown
    )
    if event.kind is MoveKind.DISCARD:
        return OTHER_KIND if code < DISCARD_CODE else 0
    if code >= DISCARD_CODE:
        return OTHER_KIND
    return OTHER_CARDS if code != BEAT_CODE | played else 0
