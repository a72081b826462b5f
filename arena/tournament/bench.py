"""Teams that forfeit match after match are benched, so that they do not slow the others down."""

from datetime import UTC, datetime

from arena.records.model import Fault, FaultKind, MatchKey, MatchRecord
from arena.referee.referee import MatchTerms
from arena.rules.cards import SEATS, TEAM_OF_SEAT, TEAMS, Team
from arena.rules.match import Goats


class Bench:
    """Counts the matches that each team forfeited in a row, in the order in which they were finished.

    A team is benched for good once it has forfeited `after` of them in a row. Where several matches are played at the same
    time, their order decides which match is the first that is not played any more; that it is forfeited, it does not.
    """

    def __init__(self, after: int) -> None:
        self._after = after
        self._in_a_row: dict[str, int] = {}

    def add(self, key: MatchKey, forfeited: tuple[Team, ...]) -> None:
        """A match was finished; forfeited: the teams that did, by the table's team."""
        for team, name in zip(TEAMS, key.seated, strict=True):
            if not self.is_benched(name):
                self._in_a_row[name] = self._in_a_row.get(name, 0) + 1 if team in forfeited else 0

    def is_benched(self, name: str) -> bool:
        """Whether a team plays no more."""
        return self._in_a_row.get(name, 0) >= self._after


def unplayed_match(
    key: MatchKey, *, benched: tuple[Team, ...], bots: tuple[str, str, str, str], terms: MatchTerms, after: int
) -> MatchRecord:
    """The record of a match that benched teams (one or both, by the table's team) forfeit without being asked."""
    target = terms.rules.match_target
    first, second = (target if team in benched else 0 for team in TEAMS)
    detail = f"benched: its team forfeited {after} matches in a row, and this one was not played"
    return MatchRecord(
        key=key,
        bots=bots,
        rules=terms.rules,
        time=terms.time,
        games=(),
        faults=tuple(
            Fault(kind=FaultKind.BENCHED, seat=seat, detail=detail) for seat in SEATS if TEAM_OF_SEAT[seat] in benched
        ),
        defeat_points=(first, second),
        loser=benched[0] if len(benched) == 1 else None,
        goats=Goats.GOATS if len(benched) == 1 else None,
        forfeited=benched,
        isolation=terms.isolation,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=0.0,
    )
