"""Who sits where, in the words of the one who looks."""

from dataclasses import dataclass
from enum import IntEnum

from arena.rules.cards import SEATS, TEAM_OF_SEAT, Seat, Team
from arena.show.console import Printer


class Side(IntEnum):
    """The sides of the screen, clockwise; the viewer sits below, and partners are opposite."""

    BELOW = 0
    LEFT = 1
    ABOVE = 2
    RIGHT = 3


_LABELS = {Side.BELOW: "You", Side.LEFT: "Left", Side.ABOVE: "Partner", Side.RIGHT: "Right"}
_TEAMS = ("Even", "Odd")
"""By the numbers of their seats."""
_NAME_CELLS = 12
_PRINTER = Printer("utf-8")


@dataclass(frozen=True, slots=True)
class Players:
    """bots: names by seat, hostile text; nothing of it comes out of here but made harmless. viewer: None for a spectator."""

    bots: tuple[str, str, str, str]
    viewer: Seat | None

    def side(self, seat: Seat) -> Side:
        """Where a seat is on the screen."""
        return Side((seat - (self.viewer or 0)) % len(SEATS))

    def label(self, seat: Seat) -> str:
        """What a seat is called: at most eight cells."""
        return f"Seat {seat}" if self.viewer is None else _LABELS[self.side(seat)]

    def name(self, seat: Seat) -> str:
        """The name of the bot, at most 12 cells; empty for the viewer."""
        return "" if seat == self.viewer else _PRINTER.short(self.bots[seat], _NAME_CELLS)

    def is_viewer(self, seat: Seat) -> bool:
        """Whether it is "you"."""
        return seat == self.viewer

    def verb(self, seat: Seat, verb: str) -> str:
        """Label and verb: `Left leads`, `You lead`."""
        return f"{self.label(seat)} {verb}" if self.is_viewer(seat) else f"{self.label(seat)} {verb}s"

    def team(self, team: Team) -> str:
        """What a team is called."""
        if self.viewer is None:
            return _TEAMS[team]
        return "We" if TEAM_OF_SEAT[self.viewer] == team else "They"

    def teams_in_order(self) -> tuple[Team, Team]:
        """The viewer's own team first."""
        own = TEAM_OF_SEAT[self.viewer or SEATS[0]]
        return own, Team(1 - own)

    def score(self, pair: tuple[int, int]) -> str:
        """A pair by team, the viewer's own first: `We 4 : 2 They`."""
        first, second = self.teams_in_order()
        return f"{self.team(first)} {pair[first]} : {pair[second]} {self.team(second)}"
