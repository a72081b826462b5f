"""Where luck comes from: a deal is a function of a secret, a match and a game, and of nothing else."""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from arena.errors import RulesError
from arena.rules.cards import DECK_SIZE, HAND_SIZE, NEXT_SEAT, SEATS, Card, Cards, Seat, Suit, suit_of

SECRET_BYTES = 32
STOCK_SIZE = DECK_SIZE - 4 * HAND_SIZE
"""Cards left after the deal: 20."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A shuffled deck and the place of the card that shows the trump.

    deck: 36 different cards in the order they leave the deck; the first 16 are dealt one at a time, clockwise, from the
        seat after the dealer; the other 20 are the stock, top first.
    indicator_place: index in the stock of the trump indicator, 1..18: neither the top card nor the bottom one.
    Raises RulesError when either is not so.
    """

    deck: tuple[Card, ...]
    indicator_place: int

    def __post_init__(self) -> None:
        if len(self.deck) != DECK_SIZE or set(self.deck) != set(range(DECK_SIZE)):
            raise RulesError("a deck has each of the 36 cards once")
        if not 1 <= self.indicator_place <= STOCK_SIZE - 2:
            raise RulesError(f"indicator_place is {self.indicator_place}: it must be from 1 to {STOCK_SIZE - 2}")

    @property
    def indicator(self) -> Card:
        """The card whose suit is trump."""
        return self.stock[self.indicator_place]

    @property
    def trump(self) -> Suit:
        """The trump suit of the game."""
        return suit_of(self.indicator)

    @property
    def stock(self) -> tuple[Card, ...]:
        """The 20 cards that are not dealt, top first."""
        return self.deck[DECK_SIZE - STOCK_SIZE :]

    def hands(self, dealer: Seat) -> list[Cards]:
        """The four hands by seat, four cards each."""
        hands = [0, 0, 0, 0]
        seat = dealer
        for card in self.deck[: DECK_SIZE - STOCK_SIZE]:
            seat = NEXT_SEAT[seat]
            hands[seat] |= 1 << card
        return hands


def make_deal(secret: bytes, match: str, game: int) -> Deal:
    """The deal of game number `game` (from 0) of the match that is called `match`, uniform over all deals.

    secret: at least 32 bytes, known to the referee only. Raises RulesError for a shorter one.
    """
    stream = _Stream(_key(secret, f"{match}/{game}"))
    deck = list(range(DECK_SIZE))
    for last in range(DECK_SIZE - 1, 0, -1):
        other = stream.below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return Deal(tuple(deck), 1 + stream.below(STOCK_SIZE - 2))


def draw_first_dealer(secret: bytes, match: str) -> Seat:
    """The dealer of the first game of a match, uniform over the seats."""
    return SEATS[_Stream(_key(secret, match)).below(4)]


def deal_from(deck: Sequence[Card], indicator: Card) -> Deal:
    """The deal with this deck and this trump indicator. Raises RulesError when the indicator is not inside the stock."""
    cards = tuple(deck)
    if indicator not in cards:
        raise RulesError("the trump indicator is not in the deck")
    return Deal(cards, cards.index(indicator) - (DECK_SIZE - STOCK_SIZE))


def _key(secret: bytes, what: str) -> bytes:
    if len(secret) < SECRET_BYTES:
        raise RulesError(f"a secret has at least {SECRET_BYTES} bytes, this one has {len(secret)}")
    return hmac.digest(secret, what.encode(), "sha256")


class _Stream:
    """Uniform integers from a key: SHA-256 of key and counter, two bytes a draw, biased values thrown away."""

    __slots__ = ("_block", "_counter", "_key")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._block = b""

    def below(self, bound: int) -> int:
        """A uniform integer from 0 to bound - 1; bound is 1..65536."""
        limit = 65536 - 65536 % bound
        while True:
            if not self._block:
                self._block = hashlib.sha256(self._key + self._counter.to_bytes(4, "big")).digest()
                self._counter += 1
            value = int.from_bytes(self._block[:2], "big")
            self._block = self._block[2:]
            if value < limit:
                return value % bound
