"""What a seat sees: the only door between the whole state and a bot.

Everything a bot is told about a game is made here, from what its seat may know. `tests/rules/test_noninterference.py`
re-deals all the rest and finds nothing changed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from arena.rules.cards import Card, Cards, Seat, Suit, suit_of
from arena.rules.moves import Move, MoveCode, MoveKind
from arena.rules.options import Discards

if TYPE_CHECKING:
    from arena.rules.game import Game, Trick


@dataclass(frozen=True, slots=True)
class PlayView:
    """One play of a trick as a seat sees it; a pass is not a play and is never seen.

    cards: the cards, or 0 when they were laid face down by another seat. count: how many, 1..4, always known.
    returned: a pull sent them back to their owner.
    """

    seat: Seat
    kind: MoveKind
    count: int
    cards: Cards
    returned: bool


@dataclass(frozen=True, slots=True)
class TrickView:
    """One trick: who had the lead when it began, the plays in order, who took it (None while it is not complete)."""

    leader: Seat
    plays: tuple[PlayView, ...]
    taker: Seat | None

    @property
    def winning_play(self) -> PlayView | None:
        """The lead or the last beat that was not returned; None before the lead."""
        for play in reversed(self.plays):
            if play.kind is not MoveKind.DISCARD and not play.returned:
                return play
        return None


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat may know it.

    hand: its own cards. tricks: all tricks so far, the last one is the current one. turn: the seat that has to lead or to
    answer, also while pulls are offered; None after the game. hand_counts: cards in every hand, by seat. stock_count: 0..20.
    """

    seat: Seat
    dealer: Seat
    indicator: Card
    hand: Cards
    hand_counts: tuple[int, int, int, int]
    stock_count: int
    turn: Seat | None
    tricks: tuple[TrickView, ...]

    @property
    def trump(self) -> Suit:
        """The trump suit."""
        return suit_of(self.indicator)

    @property
    def trick(self) -> TrickView:
        """The current trick, or the last one after the game."""
        return self.tricks[-1]

    @property
    def own_discards(self) -> Cards:
        """What this seat has discarded for good in this game."""
        return _union(play.cards for play in self._plays() if play.seat == self.seat and play.kind is MoveKind.DISCARD)

    @property
    def seen(self) -> Cards:
        """Every card that was played for good before this seat's eyes, its own discards included, its hand not."""
        return _union(play.cards for play in self._plays())

    def _plays(self) -> Iterable[PlayView]:
        return (play for trick in self.tricks for play in trick.plays if not play.returned)


def view_of(game: "Game", seat: Seat) -> View:
    """What `seat` may know of a game at this moment."""
    shown = game.shown_to[seat]
    face_up = game.rules.discards is Discards.OPEN
    complete = len(game.tricks) if game.is_over else len(game.tricks) - 1
    while len(shown) < complete:
        shown.append(_show(game.tricks[len(shown)], seat, face_up))
    tricks = (*shown, *(_show(trick, seat, face_up) for trick in game.tricks[complete:]))
    hands = game.hands
    return View(
        seat=seat,
        dealer=game.dealer,
        indicator=game.indicator,
        hand=hands[seat],
        hand_counts=(hands[0].bit_count(), hands[1].bit_count(), hands[2].bit_count(), hands[3].bit_count()),
        stock_count=game.stock_count,
        turn=None if game.is_over else game.turn,
        tricks=tricks,
    )


def _show(trick: "Trick", viewer: Seat, face_up: bool) -> TrickView:
    pulled_at = trick.pulled_at
    plays = [
        _play_view(seat, code, face_up or seat == viewer, index < pulled_at)
        for index, (seat, code) in enumerate(zip(trick.seats, trick.codes, strict=True))
    ]
    return TrickView(trick.leader, tuple(plays), trick.taker)


@lru_cache(maxsize=16384)
def _play_view(seat: Seat, code: MoveCode, is_open: bool, is_returned: bool) -> PlayView:
    """A play as somebody sees it who sees discards or not; plays are values, so those made lately are handed out again."""
    move = Move.from_code(code)
    cards = move.cards if is_open or move.kind is not MoveKind.DISCARD else 0
    return PlayView(seat, move.kind, move.count, cards, is_returned)


def _union(sets: Iterable[Cards]) -> Cards:
    union = 0
    for cards in sets:
        union |= cards
    return union
