"""Cards as small integers, sets of cards as 36-bit masks, seats and teams.

A card is `suit * 9 + rank`, 0..35. A set of cards is an int with bit `card` set for each member. Within a suit a higher
bit is a higher card, so the ten stands between the king and the ace.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import NewType, TypeAlias

from arena.errors import NotationError

Card: TypeAlias = int
"""One card, 0..35."""
Cards: TypeAlias = int
"""A set of cards: a mask of 36 bits."""
Seat = NewType("Seat", int)
"""A place at the table, 0..3, numbered clockwise."""
Team = NewType("Team", int)
"""A partnership: 0 is seats 0 and 2, 1 is seats 1 and 3."""


class Suit(IntEnum):
    """The four suits, in the order of the cards' numbers."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


SUIT_LETTERS = "CDHS"
RANK_NAMES = ("6", "7", "8", "9", "J", "Q", "K", "10", "A")
RANKS = 9
DECK_SIZE = 36
HAND_SIZE = 4
FULL_DECK: Cards = (1 << DECK_SIZE) - 1
DECK_POINTS = 120
CARD_POINTS = (0, 0, 0, 0, 2, 3, 4, 10, 11) * 4
"""Card points by card."""

SEATS = (Seat(0), Seat(1), Seat(2), Seat(3))
TEAMS = (Team(0), Team(1))
NEXT_SEAT = (Seat(1), Seat(2), Seat(3), Seat(0))
"""The next seat clockwise, by seat."""
TEAM_OF_SEAT = (Team(0), Team(1), Team(0), Team(1))
"""A seat's team, by seat."""

SUIT_MASKS: tuple[Cards, ...] = tuple(((1 << RANKS) - 1) << (suit * RANKS) for suit in range(4))
"""All nine cards of a suit, by suit."""
_RANK_MASKS = tuple(sum(1 << (suit * RANKS + rank) for suit in range(4)) for rank in range(RANKS))
_JACKS, _QUEENS, _KINGS, _TENS, _ACES = _RANK_MASKS[4:]

CARD_NAMES = tuple(RANK_NAMES[card % RANKS] + SUIT_LETTERS[card // RANKS] for card in range(DECK_SIZE))
"""A card's notation, by card: rank, then the suit's letter: `10H`, `AS`."""
_CARD_BY_NAME = {name: card for card, name in enumerate(CARD_NAMES)}


def parse_card(text: str) -> Card:
    """The card that `text` names, e.g. `10H`; letters may be small. Raises NotationError."""
    card = _CARD_BY_NAME.get(text.upper())
    if card is None:
        raise NotationError(f"{text!r} is not a card: write the rank (6 7 8 9 J Q K 10 A), then C, D, H or S, like 10H")
    return card


def parse_cards(text: str) -> Cards:
    """The set of cards named in `text`, separated by blanks. Raises NotationError, also for a card named twice."""
    cards = 0
    for word in text.split():
        bit = 1 << parse_card(word)
        if cards & bit:
            raise NotationError(f"{word!r} is named twice in {text!r}")
        cards |= bit
    return cards


def format_cards(cards: Cards) -> str:
    """The notation of a set of cards, ascending: `6H 10H AS`; empty for none."""
    return " ".join(CARD_NAMES[card] for card in iter_cards(cards))


def iter_cards(cards: Cards) -> Iterator[Card]:
    """The members of a set, ascending."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def cards_of(members: Iterable[Card]) -> Cards:
    """The set with these members (0..35 each)."""
    cards = 0
    for card in members:
        cards |= 1 << card
    return cards


def suit_of(card: Card) -> Suit:
    """The suit of one card."""
    return Suit(card // RANKS)


def is_one_suit(cards: Cards) -> bool:
    """Whether a set is not empty and all of one suit."""
    if not cards:
        return False
    return not cards & ~SUIT_MASKS[(cards.bit_length() - 1) // RANKS]


def points_of(cards: Cards) -> int:
    """The card points of a set, 0..120."""
    return (
        2 * (cards & _JACKS).bit_count()
        + 3 * (cards & _QUEENS).bit_count()
        + 4 * (cards & _KINGS).bit_count()
        + 10 * (cards & _TENS).bit_count()
        + 11 * (cards & _ACES).bit_count()
    )
