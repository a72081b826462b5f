"""What a Python bot is given: plain values, read from the referee's messages when they are first asked for."""

from dataclasses import dataclass
from functools import cached_property

from arena.rules.cards import SEATS, Seat, Team
from arena.rules.match import MatchScore
from arena.rules.moves import Move
from arena.rules.options import Rules, TimeControl
from arena.rules.view import View
from arena.v1 import bot_pb2 as pb
from arena.wire.decode import decode_loser, decode_move, decode_rules, decode_score, decode_time, decode_view


@dataclass(frozen=True, slots=True)
class MatchStart:
    """What stays the same for a match: the own seat, the two teams' names, the rules and the clock."""

    seat: Seat
    teams: tuple[str, str]
    rules: Rules
    time: TimeControl

    @classmethod
    def from_message(cls, message: pb.MatchStart) -> "MatchStart":
        """The value of a message."""
        first, second = message.teams
        return cls(SEATS[message.seat], (first, second), decode_rules(message.rules), decode_time(message.time))


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """How a match ended: defeat points by team, the team that lost (None: nobody alone did), the teams that forfeited."""

    defeat_points: tuple[int, int]
    loser: Team | None
    forfeited: tuple[Team, ...]

    @classmethod
    def from_message(cls, message: pb.MatchResult) -> "MatchEnd":
        """The value of a message."""
        first, second = message.defeat_points
        return cls((first, second), decode_loser(message), tuple(map(Team, message.forfeited)))


class Turn:
    """One decision to take; everything that the seat may know is here.

    legal: the legal moves, sorted, at least one; for the offer of a pull exactly PULL and PASS. view: the game as this seat
    sees it. score: the match before this game. move_ms and bank_ms: time for this turn, and what may be taken on top.
    start: the match, with rules, teams and the own seat.
    """

    def __init__(self, message: pb.Turn, start: MatchStart) -> None:
        self._message = message
        self.start = start
        self.number: int = message.number
        self.move_ms: int = message.move_ms
        self.bank_ms: int = message.bank_ms

    @cached_property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves."""
        return tuple(map(decode_move, self._message.legal))

    @cached_property
    def view(self) -> View:
        """The game as this seat sees it."""
        return decode_view(self._message.view)

    @cached_property
    def score(self) -> MatchScore:
        """The match before this game."""
        return decode_score(self._message.score)

    @property
    def seat(self) -> Seat:
        """The own seat."""
        return self.start.seat

    @property
    def teams(self) -> tuple[str, str]:
        """The two teams' names: seats 0 and 2, seats 1 and 3."""
        return self.start.teams

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.start.rules
