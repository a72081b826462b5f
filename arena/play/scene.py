"""A game at one moment, as it is to be seen from a seat or by a spectator."""

from dataclasses import dataclass, replace

from arena.rules.cards import TEAM_OF_SEAT, TEAMS, Card, Cards, Seat, Suit, suit_of
from arena.rules.game import Game
from arena.rules.view import PlayView, TrickView
from arena.show.sight import Sight, look


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is on the table. sight: what the viewer sees of it. turn: who has to lead or to answer; None when nobody has."""

    sight: Sight
    dealer: Seat
    indicator: Card
    turn: Seat | None

    @property
    def trump(self) -> Suit:
        """The trump suit."""
        return suit_of(self.indicator)

    @property
    def trick(self) -> TrickView:
        """The current trick; in a scene of its end, the one that is complete."""
        return self.sight.tricks[-1]

    @property
    def tricks_taken(self) -> tuple[int, int]:
        """Tricks by team."""
        teams = [TEAM_OF_SEAT[trick.taker] for trick in self.sight.tricks if trick.taker is not None]
        return teams.count(TEAMS[0]), teams.count(TEAMS[1])

    def play_of(self, seat: Seat) -> PlayView | None:
        """What lies before a seat: what went back to its owner does not."""
        return next((play for play in self.trick.plays if play.seat == seat and not play.returned), None)

    def hand(self, seat: Seat) -> Cards | None:
        """The hand of a seat; None when it is not to be seen."""
        return self.sight.hands[seat]


def scene_of(game: Game, viewer: Seat | None) -> Scene:
    """The game as `viewer` sees it, a spectator if None; it does not change with the game."""
    turn = None if game.is_over else game.turn
    return Scene(sight=look(game, viewer), dealer=game.dealer, indicator=game.indicator, turn=turn)


def end_of_trick(before: Scene, after: Scene) -> Scene | None:
    """The moment between two scenes at which a complete trick lay on the table and nobody had drawn; None if there was none."""
    index = len(before.sight.tricks) - 1
    trick = after.sight.tricks[index]
    if trick.taker is None or before.trick.taker is not None:
        return None
    last = trick.plays[-1]
    counts = tuple(count - last.count if seat == last.seat else count for seat, count in enumerate(before.sight.hand_counts))
    hands = tuple(
        None if old is None or new is None else old & new
        for old, new in zip(before.sight.hands, after.sight.hands, strict=True)
    )
    sight = replace(
        after.sight,
        hands=hands,
        hand_counts=counts,
        stock_count=before.sight.stock_count,
        tricks=after.sight.tricks[: index + 1],
    )
    return replace(after, sight=sight, turn=None)
