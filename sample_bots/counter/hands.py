"""What hands are worth, and what a sensible player does with one: counter expects all seats to play like the bot greedy.

This is sample_bots/greedy/POLICY.md again, made for speed: on sets of cards instead of views and moves, and every answer
about a hand is kept, because the same hands come up in many guesses.
"""

from functools import lru_cache

from arena.rules.cards import DECK_SIZE, RANKS, SUIT_MASKS, Cards, Suit, iter_cards, points_of
from arena.rules.moves import BEAT_CODE, DISCARD_CODE, MoveCode, is_beaten_by, leads, subsets

# The bot greedy's numbers.
TRUMP_BONUS = 12
GROUP_BONUS = (0, 0, 8, 24, 48)
LEAD_BONUS = (0, 0, 20, 80, 160)
BEAT_BONUS = 10

# What cards kept after a trick bring later, in card points, by rank: least squares over 140,000 tricks of greedy against
# greedy. It is very little for plain cards, whatever their points. The taker of the trick leads next.
PLAIN = (0, 0, 0, 0, 0, 0, 0, 0.5, 1)
PLAIN_OF_TAKER = (0, 0, 0.5, 0.5, 0.5, 1, 1.5, 2, 2.5)
TRUMP = (5, 6, 7.5, 8, 9.5, 12, 15, 20, 26)
TRUMP_OF_TAKER = (5.5, 7, 8.5, 8.5, 10, 12, 15, 18.5, 22)
# And what the longest suit brings, by the number of its cards.
GROUP = (0, 0, 1, 7, 20)
GROUP_OF_TAKER = (0, 0, 6, 22, 40)

CACHED = 8192
"""Hands kept of each kind: a few megabytes."""


class Hands:
    """Hands in games with one trump suit."""

    def __init__(self, trump: Suit) -> None:
        self.trump = trump
        trumps = range(trump * RANKS, (trump + 1) * RANKS)
        self._ranks = [card % RANKS + TRUMP_BONUS * (card in trumps) for card in range(DECK_SIZE)]
        self._kept = [(TRUMP if card in trumps else PLAIN)[card % RANKS] for card in range(DECK_SIZE)]
        self._led = [(TRUMP_OF_TAKER if card in trumps else PLAIN_OF_TAKER)[card % RANKS] for card in range(DECK_SIZE)]
        keep = lru_cache(CACHED)
        self.points = keep(points_of)
        self.worth = keep(self._worth)
        self.future = keep(self._future)
        self.future_of_taker = keep(self._future_of_taker)
        self.lead = keep(self._lead)
        self._beats = keep(self._all_beats)
        self._discard = keep(self._best_discard)
        # By card, the cards that are higher.
        self._above = [
            SUIT_MASKS[card // RANKS] >> (card + 1) << (card + 1) | (0 if card in trumps else SUIT_MASKS[trump])
            for card in range(DECK_SIZE)
        ]

    def reply(self, hand: Cards, winning: Cards, *, is_partner_winning: bool, is_last: bool, shown: int) -> MoveCode:
        """What greedy would play to a trick; shown: the card points that lie there face up."""
        count = winning.bit_count()
        above = self.above(hand, winning)
        share = 2 if is_partner_winning and is_last else 0 if is_partner_winning else -1
        if above.bit_count() >= count:
            value, discard = self._discard(hand, count, share)
            bonus = 0 if is_partner_winning else BEAT_BONUS * count + shown
            for beat_value, cards in self._beats(hand, count):
                if beat_value + bonus < value:
                    break
                if not cards & ~above and is_beaten_by(winning, cards, self.trump):
                    return BEAT_CODE | cards
            return DISCARD_CODE | discard
        return DISCARD_CODE | self._discard(hand, count, share)[1]

    def above(self, hand: Cards, winning: Cards) -> Cards:
        """The cards of a hand that a beat can be made of: those above the lowest card that wins. None is left out."""
        lowest = winning & ~SUIT_MASKS[self.trump] or winning
        return hand & self._above[(lowest & -lowest).bit_length() - 1]

    def discard_from(self, hand: Cards, free: Cards, count: int, *, share: int) -> Cards:
        """What greedy would discard from a hand if only the cards in `free` were allowed; share: see `_best_discard`."""
        return max(subsets(free, count), key=lambda cards: self.worth(hand ^ cards) + share * self.points(cards))

    def _worth(self, hand: Cards) -> int:
        return sum([self._ranks[card] for card in iter_cards(hand)]) + GROUP_BONUS[_longest(hand)]

    def _future(self, hand: Cards) -> float:
        return sum([self._kept[card] for card in iter_cards(hand)]) + GROUP[_longest(hand)]

    def _future_of_taker(self, hand: Cards) -> float:
        return sum([self._led[card] for card in iter_cards(hand)]) + GROUP_OF_TAKER[_longest(hand)]

    def _lead(self, hand: Cards, most: int) -> MoveCode:
        return max(
            leads(hand, most),
            key=lambda cards: LEAD_BONUS[cards.bit_count()] + self.points(cards) + self.worth(hand ^ cards),
        )

    def _all_beats(self, hand: Cards, count: int) -> list[tuple[int, Cards]]:
        """All sets of so many cards, the one that greedy likes best to beat with first, if it does beat."""
        rows = [(self.worth(hand ^ cards) + self.points(cards), cards) for cards in subsets(hand, count)]
        return sorted(rows, key=lambda row: -row[0])

    def _best_discard(self, hand: Cards, count: int, share: int) -> tuple[int, Cards]:
        """The set of so many cards that greedy discards, and its value.

        share: how its points count. -1: the opponents get them, 0: the partner perhaps, 2: the partner for sure.
        """
        rows = [(self.worth(hand ^ cards) + share * self.points(cards), cards) for cards in subsets(hand, count)]
        return max(rows, key=lambda row: row[0])


def _longest(hand: Cards) -> int:
    clubs, diamonds, hearts, spades = SUIT_MASKS
    return max(
        (hand & clubs).bit_count(), (hand & diamonds).bit_count(), (hand & hearts).bit_count(), (hand & spades).bit_count()
    )
