"""What a tournament file can ask for: kinds of matches, of teams, of schedules, of ends, of places to play."""

from enum import StrEnum


class MatchFormat(StrEnum):
    """What a match is."""

    SERIES = "series"
    """Games until a team has `match_target` defeat points."""
    BOARDS = "boards"
    """One game; the deal goes round from one set to the next."""


class Pairs(StrEnum):
    """Where the teams come from."""

    LISTED = "listed"
    """From `teams`, and from a contest."""
    ALL = "all"
    """Every pair of bots is one, and bots are ranked."""


class ScheduleKind(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round_robin"
    """Everybody meets everybody."""
    GAUNTLET = "gauntlet"
    """One team meets all others."""
    SWISS = "swiss"
    """Rounds between teams of similar standing."""
    KNOCKOUT = "knockout"
    """Who loses is out."""


class StopWhen(StrEnum):
    """What ends a tournament before all sets are played."""

    NEVER = "never"
    DECIDED = "decided"
    """All neighbours in the table are told apart."""


class Engine(StrEnum):
    """What plays the matches."""

    LOCAL = "local"
    """Processes of this machine."""
    DASK = "dask"
    """The workers of a Dask cluster."""
