"""Moves, which sets of cards beat which, and the legal moves of a hand.

Inside the engine a move is one integer, its *code*: `kind << 36 | cards`. Codes sort as moves do. `Move` is the same thing
for people, with names.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TypeAlias

from arena.errors import NotationError, RulesError
from arena.rules.cards import DECK_SIZE, FULL_DECK, RANKS, SUIT_MASKS, Card, Cards, Suit, format_cards, parse_cards

MoveCode: TypeAlias = int
"""A move as one integer: `kind << 36 | cards`."""


class MoveKind(IntEnum):
    """What a seat does; a set that could beat may be discarded instead, so the kind is part of the move."""

    LEAD = 0
    BEAT = 1
    DISCARD = 2
    PULL = 3
    PASS = 4


BEAT_CODE = MoveKind.BEAT << DECK_SIZE
DISCARD_CODE = MoveKind.DISCARD << DECK_SIZE
PULL_CODE = MoveKind.PULL << DECK_SIZE
PASS_CODE: MoveCode = MoveKind.PASS << DECK_SIZE
"""The one code of a pass: the answer no to the offer of a pull."""

_RANK_BITS = (1 << RANKS) - 1


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A kind and a set of cards. PASS has none, PULL has four, the others one to four; raises RulesError otherwise."""

    kind: MoveKind
    cards: Cards = 0

    def __post_init__(self) -> None:
        count = self.cards.bit_count()
        low, high = {MoveKind.PASS: (0, 0), MoveKind.PULL: (4, 4)}.get(self.kind, (1, 4))
        if self.cards & ~FULL_DECK or not low <= count <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise RulesError(f"{self.kind.name} has {wanted} cards of the deck, not {count}")

    @property
    def code(self) -> MoveCode:
        """The same move as one integer."""
        return self.kind << DECK_SIZE | self.cards

    @property
    def count(self) -> int:
        """How many cards it has, 0..4."""
        return self.cards.bit_count()

    @staticmethod
    @lru_cache(maxsize=16384)
    def from_code(code: MoveCode) -> "Move":
        """The move of a code; moves are values, so those made lately are handed out again."""
        return Move(MoveKind(code >> DECK_SIZE), code & FULL_DECK)

    def __str__(self) -> str:
        """The notation: `lead 6H 7H`, `beat 10H`, `discard AD`, `pull 6C 9C QC 10C`, `pass`."""
        return f"{self.kind.name.lower()} {format_cards(self.cards)}".rstrip()


def parse_move(text: str) -> Move:
    """The move that `text` writes, e.g. `beat 10H AS`. Raises NotationError."""
    word, _, rest = text.strip().partition(" ")
    try:
        kind = MoveKind[word.upper()]
    except KeyError:
        kinds = ", ".join(kind.name.lower() for kind in MoveKind)
        raise NotationError(f"{text!r} is not a move: it starts with one of {kinds}") from None
    try:
        return Move(kind, parse_cards(rest))
    except RulesError as error:
        raise NotationError(f"{text!r} is not a move: {error}") from None


def higher_cards(card: Card, trump: Suit) -> Cards:
    """All cards that are higher than a card: the higher ones of its suit and, when it is not a trump, every trump."""
    suit = card // RANKS
    higher = SUIT_MASKS[suit] & (-2 << card)
    return higher if suit == trump else higher | SUIT_MASKS[trump]


def is_beaten_by(winning: Cards, answer: Cards, trump: Suit) -> bool:
    """Whether `answer` beats `winning`: its cards pair one to one with the others, each higher than its partner.

    winning: the lead (one suit) or the last beat (that suit and trumps): not two plain suits.
    All cards that matter lie on one chain, the plain suit and above it the trumps, so both sets are compared from the top.
    """
    if answer.bit_count() != winning.bit_count():
        return False
    trumps = SUIT_MASKS[trump]
    trump_shift = trump * RANKS
    plain = winning & ~trumps
    if plain:
        plain_shift = (plain.bit_length() - 1) // RANKS * RANKS
        if answer & ~trumps & ~(_RANK_BITS << plain_shift):
            return False
        low = (winning >> trump_shift & _RANK_BITS) << RANKS | (plain >> plain_shift)
        high = (answer >> trump_shift & _RANK_BITS) << RANKS | (answer >> plain_shift & _RANK_BITS)
    else:
        if answer & ~trumps:
            return False
        low = winning >> trump_shift
        high = answer >> trump_shift
    while low:
        top_low = low.bit_length()
        top_high = high.bit_length()
        if top_high <= top_low:
            return False
        low ^= 1 << (top_low - 1)
        high ^= 1 << (top_high - 1)
    return True


def subsets(cards: Cards, count: int) -> list[Cards]:
    """All subsets of `count` members (1..4) of a set of at most four, ascending."""
    if count == 1:
        singles = []
        while cards:
            low = cards & -cards
            singles.append(low)
            cards ^= low
        return singles
    size = cards.bit_count()
    if count >= size:
        return [cards] if count == size else []
    a = cards & -cards
    rest = cards ^ a
    b = rest & -rest
    rest ^= b
    c = rest & -rest
    if count == 3:
        d = rest ^ c
        return [a | b | c, a | b | d, a | c | d, b | c | d]
    if size == 3:
        return [a | b, a | c, b | c]
    d = rest ^ c
    return [a | b, a | c, b | c, a | d, b | d, c | d]


def leads(hand: Cards, max_lead: int) -> list[MoveCode]:
    """The codes of all leads from a hand: one to max_lead cards of one suit, ascending."""
    found = []
    for mask in SUIT_MASKS:
        suited = hand & mask
        if suited:
            for count in range(1, min(max_lead, suited.bit_count()) + 1):
                found += subsets(suited, count)
    found.sort()
    return found


def answers(hand: Cards, winning: Cards, trump: Suit) -> list[MoveCode]:
    """The codes of all answers to the winning play: the beats, then the discards, each ascending."""
    count = winning.bit_count()
    sets = subsets(hand, count)
    if count == 1:
        higher = higher_cards(winning.bit_length() - 1, trump)
        found = [BEAT_CODE | card for card in sets if card & higher]
    else:
        found = [BEAT_CODE | cards for cards in sets if is_beaten_by(winning, cards, trump)]
    found += [DISCARD_CODE | cards for cards in sets]
    return found


def iter_moves(codes: list[MoveCode]) -> Iterator[Move]:
    """The moves of these codes, in their order."""
    return map(Move.from_code, codes)
