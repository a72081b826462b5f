"""What is kept of a match: every deal, decision, time and fault, and how it ended. Plain values, no behaviour."""

from dataclasses import dataclass
from enum import StrEnum

from arena.rules.cards import Seat, Team
from arena.rules.deal import Deal
from arena.rules.match import GameResult, Goats
from arena.rules.moves import Move
from arena.rules.options import Rules, TimeControl


class FaultKind(StrEnum):
    """What a bot did wrong."""

    NO_START = "no_start"
    """It did not greet within the start limit, ended before it, or its greeting was refused."""
    CRASH = "crash"
    """Its process or its call ended in the middle of a match."""
    PROTOCOL = "protocol"
    """It sent what the protocol does not allow, and its call was ended."""
    TIMEOUT = "timeout"
    """No answer within the time for the turn and the bank."""
    ILLEGAL = "illegal"
    """An answer that is not one of the legal moves."""
    BENCHED = "benched"
    """Its team forfeited too many matches in a row and was not asked to this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault of one bot; what came from the bot is hostile text, cut to a bounded length where it was taken.

    game: number of the game in its match, turn: the number that the bot was sent; None when no turn was open.
    decision: how many decisions of that game are in the record before it; None when that is not known.
    sent: the legal moves that it was sent, in notation; empty when no turn was open. detail: in plain words, ours.
    answered: what the bot answered, as notation or a description; empty when nothing. exit_status: of its process, negative
    for a signal; None while it runs. is_oom: whether the kernel killed a process of it for memory, where that is known.
    stderr_tail: its last lines.
    """

    kind: FaultKind
    seat: Seat
    detail: str
    game: int | None = None
    turn: int | None = None
    decision: int | None = None
    sent: str = ""
    answered: str = ""
    exit_status: int | None = None
    is_oom: bool = False
    stderr_tail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One answer of a seat: what was played, in the order in which the rules took it.

    think_us: microseconds from the write of the turn to the arrival of the answer; 0 for a move that nobody was asked for.
    is_substitute: the referee played its fallback move after a fault.
    A seat that was offered a pull and not heard (a seat before it pulled) has its answer here too, with is_heard False.
    """

    seat: Seat
    move: Move
    think_us: int
    is_substitute: bool = False
    is_heard: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One game; result is None when a forfeit ended the match in the middle of it."""

    deal: Deal
    dealer: Seat
    leader: Seat
    decisions: tuple[Decision, ...]
    result: GameResult | None


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """Which match of a run this is; the same key is never scored twice.

    teams: the pairing, two team names in the order of the schedule. number: of the duplicate set in its pairing, from 0.
    swapped: False when the pairing's first team sits on seats 0 and 2, True for the same deals from the other seats.
    exchanged: the sum of 1 when the members of the pairing's first team have changed places, and 2 when the second's have.
    """

    teams: tuple[str, str]
    number: int
    swapped: bool
    exchanged: int = 0

    @property
    def deals(self) -> str:
        """The name under which the deals are drawn: the same for all matches of a duplicate set."""
        return f"{self.teams[0]!r} {self.teams[1]!r} {self.number}"

    @property
    def seated(self) -> tuple[str, str]:
        """The teams' names by the table's team: seats 0 and 2, seats 1 and 3."""
        return (self.teams[1], self.teams[0]) if self.swapped else self.teams


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A finished match. The pairs are by the table's team (team 0 is seats 0 and 2), bots by seat.

    defeat_points: what counts for the table; a team that forfeited has at least match_target.
    loser: None for a draw at the cap of games and when both forfeited. goats: what the loser is called.
    forfeited: the teams that did. isolation: the tier that was used. started_at: UTC, ISO 8601. seconds: how long it took.
    """

    key: MatchKey
    bots: tuple[str, str, str, str]
    rules: Rules
    time: TimeControl
    games: tuple[GameRecord, ...]
    faults: tuple[Fault, ...]
    defeat_points: tuple[int, int]
    loser: Team | None
    goats: Goats | None
    forfeited: tuple[Team, ...]
    isolation: str
    started_at: str
    seconds: float
