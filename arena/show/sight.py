"""What is to be seen of a game from a place: by a spectator, who sees all, or from a seat, which sees its view and no more."""

from dataclasses import dataclass

from arena.rules.cards import SEATS, Cards, Seat
from arena.rules.game import Game, Trick
from arena.rules.view import PlayView, TrickView


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A game at one moment; what is not to be seen from there is None.

    hands: by seat. hand_counts: cards in every hand, by seat, always known. tricks: as in `View`; a spectator sees the cards of
    every play. card_points: in the piles, by team.
    """

    hands: tuple[Cards | None, ...]
    hand_counts: tuple[int, ...]
    stock_count: int
    tricks: tuple[TrickView, ...]
    card_points: tuple[int, int] | None


def look(game: Game, viewer: Seat | None) -> Sight:
    """The game as `viewer` sees it, a spectator if None."""
    if viewer is None:
        return Sight(
            hands=tuple(game.hands),
            hand_counts=tuple(hand.bit_count() for hand in game.hands),
            stock_count=game.stock_count,
            tricks=tuple(map(_open_trick, game.tricks)),
            card_points=(game.card_points[0], game.card_points[1]),
        )
    view = game.view(viewer)
    return Sight(
        hands=tuple(view.hand if seat == viewer else None for seat in SEATS),
        hand_counts=view.hand_counts,
        stock_count=view.stock_count,
        tricks=view.tricks,
        card_points=None,
    )


def _open_trick(trick: Trick) -> TrickView:
    plays = tuple(
        PlayView(seat, move.kind, move.count, move.cards, index < trick.pulled_at)
        for index, (seat, move) in enumerate(trick.moves())
    )
    return TrickView(trick.leader, plays, trick.taker)
