"""Where luck comes from: a deal is a function of a secret, a match and a game, and of nothing else."""

import hashlib
import hmac
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from arena.errors import RulesError
from arena.rules.cards import DECK_SIZE, HAND_SIZE, NEXT_SEAT, SEATS, Card, Cards, Seat, Suit, suit_of

SECRET_BYTES = 32
_KEY_BYTES = 8
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
    # A shuffle by sorting: 36 keys of 64 bits. That two are equal has a chance of 2**-54 and would favour the lower card.
    stream = _stream(secret, f"{match}/{game}", (DECK_SIZE + 1) * _KEY_BYTES)
    keys = struct.unpack(f"<{DECK_SIZE + 1}Q", stream)
    deck = sorted(range(DECK_SIZE), key=keys.__getitem__)
    return Deal(tuple(deck), 1 + keys[DECK_SIZE] % (STOCK_SIZE - 2))


def draw_first_dealer(secret: bytes, match: str) -> Seat:
    """The dealer of the first game of a match, uniform over the seats."""
    return SEATS[_stream(secret, match, 1)[0] % len(SEATS)]


def deal_from(deck: Sequence[Card], indicator: Card) -> Deal:
    """The deal with this deck and this trump indicator. Raises RulesError when the indicator is not inside the stock."""
    cards = tuple(deck)
    if indicator not in cards:
        raise RulesError("the trump indicator is not in the deck")
    place = cards.index(indicator) - (DECK_SIZE - STOCK_SIZE)
    if len(cards) == DECK_SIZE and not 1 <= place <= STOCK_SIZE - 2:
        raise RulesError("the trump indicator must be inside the stock: not dealt, not its top card and not its bottom one")
    return Deal(cards, place)


def _stream(secret: bytes, what: str, count: int) -> bytes:
    """`count` bytes for one purpose: SHAKE-256 of HMAC-SHA256(secret, what)."""
    if len(secret) < SECRET_BYTES:
        raise RulesError(f"a secret has at least {SECRET_BYTES} bytes, this one has {len(secret)}")
    return hashlib.shake_256(hmac.digest(secret, what.encode(), "sha256")).digest(count)
