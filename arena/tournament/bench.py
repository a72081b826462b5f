"""Teams that forfeit match after match are benched, so that they do not slow the others down."""

from collections.abc import Iterator
from datetime import UTC, datetime

from arena.records.model import Fault, FaultKind, MatchKey, MatchRecord
from arena.records.summary import MatchSummary
from arena.referee.referee import MatchTerms
from arena.rules.cards import SEATS, TEAM_OF_SEAT, TEAMS, Team
from arena.rules.match import Goats


class Bench:
    """Counts the matches that each team forfeited in a row, in the order of the matches' numbers.

    A team is benched for good once it has forfeited `after` of them in a row: it forfeits all that have higher numbers.
    Matches are finished in any order, and one that was played before its team was known to be benched does not count, nor
    does one that was not played, for either team; so who is benched when depends on the schedule and on how matches end,
    never on how many are played at the same time.
    """

    def __init__(self, after: int) -> None:
        self._after = after
        self._in_a_row: dict[str, int] = {}
        self._next = 1
        self._waiting: dict[int, MatchSummary] = {}

    def add(self, number: int, match: MatchSummary) -> Iterator[tuple[int, MatchKey, tuple[Team, ...]]]:
        """A match was finished; a number is added once.

        The matches, this one or others, that have to be replaced by `unplayed_match`, now that all with lower numbers are
        finished: their numbers, keys, and the benched teams that forfeit them.
        """
        self._waiting[number] = match
        while (settled := self._waiting.pop(self._next, None)) is not None:
            benched = self.benched(settled.key)
            if benched and not (settled.is_unplayed and settled.forfeited == benched):
                yield self._next, settled.key, benched
            elif not benched:
                for team, name in zip(TEAMS, settled.key.seated, strict=True):
                    self._in_a_row[name] = self._in_a_row.get(name, 0) + 1 if team in settled.forfeited else 0
            self._next += 1

    def is_benched(self, name: str) -> bool:
        """Whether a team plays no more."""
        return self._in_a_row.get(name, 0) >= self._after

    @property
    def names(self) -> tuple[str, ...]:
        """The teams that play no more."""
        return tuple(filter(self.is_benched, self._in_a_row))

    def benched(self, key: MatchKey) -> tuple[Team, ...]:
        """The teams of a match, by the table's team, that play no more."""
        return tuple(team for team, name in zip(TEAMS, key.seated, strict=True) if self.is_benched(name))


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
