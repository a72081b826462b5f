"""What a fault leads to: the move that is played in its place, and when a team forfeits.

The order of decision, when several things happen in one round of questions: every seat that was asked is heard to its end,
the faults are booked in the order in which the seats were asked, then teams that have used up their patience forfeit; both may.
A team that forfeits loses even when the other side's fault came earlier in the same round.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.records.model import Fault, FaultKind
from arena.rules.cards import CARD_POINTS, RANKS, SEATS, TEAM_OF_SEAT, Card, Cards, Seat, Suit, Team, iter_cards
from arena.rules.game import Game
from arena.rules.moves import Move, MoveKind

COUNTED = frozenset({FaultKind.TIMEOUT, FaultKind.ILLEGAL})
"""Faults that are answered by a fallback move and count towards `max_faults`; the others are answered by a restart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPolicy:
    """max_faults: counted faults of a team in a match with which it forfeits, at least 1. restarts: of one bot in a match."""

    max_faults: int
    restarts: int


class FaultBook:
    """The faults of one match, and who has forfeited."""

    def __init__(self, policy: FaultPolicy) -> None:
        self._policy = policy
        self._counted = dict.fromkeys(TEAM_OF_SEAT, 0)
        self._restarts = dict.fromkeys(SEATS, 0)
        self._forfeited: set[Team] = set()
        self.faults: list[Fault] = []

    @property
    def forfeited(self) -> tuple[Team, ...]:
        """The teams that have forfeited, ascending."""
        return tuple(sorted(self._forfeited))

    def count(self, team: Team) -> int:
        """The counted faults of a team so far."""
        return self._counted[team]

    def add(self, fault: Fault) -> None:
        """Book a fault; the team forfeits when it is a counted one and the last that is suffered."""
        self.faults.append(fault)
        if fault.kind in COUNTED:
            team = TEAM_OF_SEAT[fault.seat]
            self._counted[team] += 1
            if self._counted[team] >= self._policy.max_faults:
                self._forfeited.add(team)

    def order_faults(self, known: int, seats: Sequence[Seat]) -> None:
        """Put the faults after the first `known` in the order of these seats: those of one round came in any order."""
        self.faults[known:] = sorted(self.faults[known:], key=lambda fault: seats.index(fault.seat))

    def may_restart(self, seat: Seat) -> bool:
        """Take one of the restarts of a seat; when none is left its team forfeits."""
        if self._restarts[seat] < self._policy.restarts:
            self._restarts[seat] += 1
            return True
        self._forfeited.add(TEAM_OF_SEAT[seat])
        return False


def fallback_move(game: Game, seat: Seat) -> Move:
    """The move that is played for a seat that gave none: PASS, the cheapest card led, or the cheapest cards discarded.

    Cheapest: fewest card points, then a plain card before a trump, then the lower rank, then the lower suit (C, D, H, S).
    """
    if game.is_offer:
        return Move(MoveKind.PASS)
    count = game.winning_cards.bit_count()
    if not count:
        return Move(MoveKind.LEAD, _cheapest(game.hands[seat], 1, trump=game.trump))
    return Move(MoveKind.DISCARD, _cheapest(game.hands[seat], count, trump=game.trump))


def _cheapest(hand: Cards, count: int, *, trump: Suit) -> Cards:
    def cost(card: Card) -> tuple[int, bool, int, int]:
        suit, rank = divmod(card, RANKS)
        return (CARD_POINTS[card], suit == trump, rank, suit)

    cards = 0
    for card in sorted(iter_cards(hand), key=cost)[:count]:
        cards |= 1 << card
    return cards
