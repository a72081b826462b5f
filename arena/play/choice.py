"""Cards that a person puts together for a move, so that nothing can come of it but a legal one."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from arena.rules.cards import Card, Cards
from arena.rules.moves import Move, MoveKind

LAID = (MoveKind.LEAD, MoveKind.BEAT, MoveKind.DISCARD)
"""The moves that are put together from cards; the answers to an offer of a pull are not."""


@dataclass(frozen=True, slots=True)
class Choice:
    """legal: all legal moves of the turn. chosen: the cards so far, always part of a legal move."""

    legal: tuple[Move, ...]
    chosen: Cards = 0

    @property
    def is_offer(self) -> bool:
        """Whether a pull is offered, so that there is nothing to choose but yes or no."""
        return any(move.kind is MoveKind.PULL for move in self.legal)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves with exactly the chosen cards: none yet, a lead, a discard, or a beat and a discard."""
        return tuple(move for move in self.legal if move.kind in LAID and move.cards == self.chosen)

    @property
    def open_cards(self) -> Cards:
        """The cards that can be added."""
        return _union(move.cards for move in self._completions()) & ~self.chosen

    @property
    def beating_cards(self) -> Cards:
        """The cards of all beats that can still come of it, the chosen ones included."""
        return _union(move.cards for move in self._completions() if move.kind is MoveKind.BEAT)

    @property
    def can_beat(self) -> bool:
        """Whether any legal move is a beat."""
        return any(move.kind is MoveKind.BEAT for move in self.legal)

    @property
    def count(self) -> int:
        """How many cards an answer has; 0 for a lead."""
        return next((move.count for move in self.legal if move.kind is MoveKind.DISCARD), 0)

    def move(self, kind: MoveKind) -> Move | None:
        """The legal move of this kind with exactly the chosen cards; for the answers to an offer, the one there is."""
        pool = self.moves if kind in LAID else self.legal
        return next((move for move in pool if move.kind is kind), None)

    def toggled(self, card: Card) -> "Choice":
        """With a card added, or taken back when it was chosen.

        A card that does not go with the others begins a new choice; one that goes nowhere changes nothing.
        """
        bit = 1 << card
        if self.chosen & bit:
            return replace(self, chosen=self.chosen & ~bit)
        if self.open_cards & bit:
            return replace(self, chosen=self.chosen | bit)
        alone = replace(self, chosen=0)
        return replace(self, chosen=bit) if alone.open_cards & bit else self

    def cleared(self) -> "Choice":
        """With no card chosen."""
        return replace(self, chosen=0)

    def _completions(self) -> Iterable[Move]:
        return (move for move in self.legal if move.kind in LAID and not self.chosen & ~move.cards)


def _union(sets: Iterable[Cards]) -> Cards:
    union = 0
    for cards in sets:
        union |= cards
    return union
