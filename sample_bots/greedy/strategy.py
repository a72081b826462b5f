"""The policy of POLICY.md: give every legal move a score, play the best one. Integers only, nothing is remembered."""

from collections.abc import Sequence

from arena.rules.cards import RANKS, SUIT_MASKS, Cards, Suit, iter_cards, points_of
from arena.rules.moves import Move, MoveKind
from arena.rules.view import View

TRUMP_BONUS = 12
GROUP_BONUS = (0, 0, 8, 24, 48)
"""What a hand is worth more when so many of its cards are of one suit: they can be led together."""
LEAD_BONUS = (0, 0, 20, 80, 160)
"""What it is worth to lead so many cards: the more, the harder they are to beat."""
BEAT_BONUS = 10
"""What it is worth to beat, for each card of the trick."""


def choose_move(view: View, legal: Sequence[Move]) -> Move:
    """The legal move with the highest score; of several, the one that comes first in `legal`."""
    return max(legal, key=lambda move: score(view, move))  # max() keeps the first


def score(view: View, move: Move) -> int:
    """How good a move looks."""
    if move.kind is MoveKind.PULL:
        return 1
    if move.kind is MoveKind.PASS:
        return 0
    points = points_of(move.cards)
    lost = worth(view.hand, view.trump) - worth(view.hand & ~move.cards, view.trump)
    if move.kind is MoveKind.LEAD:
        return LEAD_BONUS[move.count] + points - lost

    table = [play for play in view.trick.plays if not play.returned]
    winning = view.trick.winning_play
    is_partner_winning = winning is not None and winning.seat % 2 == view.seat % 2
    is_last = len(table) == 3
    if move.kind is MoveKind.BEAT:
        if is_partner_winning:
            return points - lost
        return BEAT_BONUS * move.count + points + sum(points_of(play.cards) for play in table) - lost
    if not is_partner_winning:
        return -points - lost  # the points go to the opponents
    return 2 * points - lost if is_last else -lost  # for sure to the partner, or perhaps


def worth(hand: Cards, trump: Suit) -> int:
    """What a hand is worth to keep: its ranks, its trumps, and the most cards it has of one suit."""
    ranks = sum(card % RANKS for card in iter_cards(hand))
    trumps = (hand & SUIT_MASKS[trump]).bit_count()
    longest = max((hand & mask).bit_count() for mask in SUIT_MASKS)
    return ranks + TRUMP_BONUS * trumps + GROUP_BONUS[longest]
