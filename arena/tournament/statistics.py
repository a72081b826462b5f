"""How sure the table is: intervals beside defeat points per match, the chance of each rank, and who is not told apart.

A *set* is all matches of a pairing with the same deals, whatever the seating: two with the seats swapped, more when members of
a team change seats too. The matches of a set hang together by their deals, so nothing smaller than a set is ever resampled,
and sets are resampled within their pairing: who met whom, and how often, is the schedule's doing and no chance. Pairings with a
single set say something together only: `single_sets`.

This module gathers the results and holds what comes out; `resampling` does the arithmetic and says by which methods. It is
imported only where there is something to compute, since numpy takes longer to start than the rest of `arena standings`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

from arena.records.summary import MatchSummary
from arena.tournament.standings import Standings

CONFIDENCE = 0.95
MIN_FREEDOM = 4
"""Sets beyond the first of each pairing, or beyond what strength explains of single ones, from which an interval is given: with
fewer, too many were measured to be wrong."""
LEVEL = 1e-9
"""Means that differ by less are level: they are fractions of small whole numbers, and what is left is rounding."""


class Missing(StrEnum):
    """Why there is no interval."""

    NO_MATCH = "no match was played"
    SINGLE_SET = "a pairing has a single set of deals, which says nothing about chance"
    FEW_OPPONENTS = "a pairing has a single set of deals, and too few others say what of it was chance"
    FEW_SETS = f"fewer than {MIN_FREEDOM} sets of deals beyond the first of each pairing"
    NO_SPREAD = "every set of deals came out alike, so nothing is known about chance"


@dataclass(frozen=True, slots=True)
class Interval:
    """From low to high, both included, at CONFIDENCE."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean of the matches that were played, and where the mean of very many would lie.

    value: None without a match. interval: None when `missing` says why there is none.
    """

    value: float | None
    interval: Interval | None = None
    missing: Missing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamStatistics:
    """What chance leaves open about one team.

    points: defeat points per match, as in the table. sets: of deals, over all pairings. band: first and last rank that the team
    may deserve, its own rank among them; None while nothing can be said about chance. rank_chances: of ranks 1, 2, and so on,
    as many as teams have played; they add up to 1; None likewise.
    """

    points: Estimate
    sets: int
    band: tuple[int, int] | None = None
    rank_chances: tuple[float, ...] | None = None

    @property
    def is_tied(self) -> bool:
        """Whether the rank is shared with another as far as anybody can tell."""
        return self.band is not None and self.band[0] < self.band[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairStatistics:
    """The direct meetings of two teams. difference: first team's defeat points per match less the second's. sets: of deals."""

    difference: Estimate
    sets: int

    @property
    def is_separated(self) -> bool:
        """Whether the interval leaves out zero."""
        found = self.difference.interval
        return found is not None and not found.low <= 0 <= found.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """By team, and by both teams of every pairing, both ways round. replicates: of the bootstrap; 0 when there was none."""

    teams: Mapping[str, TeamStatistics]
    pairs: Mapping[tuple[str, str], PairStatistics]
    replicates: int


@dataclass(slots=True)
class SetTally:
    """Defeat points by pairing and set, counted while matches go by; the order of the matches means nothing.

    A set that has not all of its matches yet counts with those that it has.
    """

    pairings: dict[tuple[str, str], dict[int, list[int]]] = field(default_factory=dict)
    """By pairing as the schedule has it, and by number of the set: defeat points of the first team, of the second, matches."""

    def add(self, match: MatchSummary) -> None:
        """Count one match."""
        key = match.key
        points = self.pairings.setdefault(key.teams, {}).setdefault(key.number, [0, 0, 0])
        first = key.seated.index(key.teams[0])
        points[0] += match.defeat_points[first]
        points[1] += match.defeat_points[1 - first]
        points[2] += 1

    def passing(self, matches: Iterable[MatchSummary]) -> Iterator[MatchSummary]:
        """The same matches, counted as they go by."""
        for match in matches:
            self.add(match)
            yield match


def compute_statistics(
    standings: Standings, sets: SetTally, *, players: Mapping[str, tuple[str, ...]] | None = None
) -> Statistics:
    """What the results of these sets say about a table: the same for the same results, however often and in what order asked.

    sets: of the matches that the table was made of. players: who is ranked in place of the teams, by team. Chances of ranks and
    bands are about the order by defeat points per match, which is the table's own as long as all teams have met the same
    opponents equally often, and where it is ranked by that.
    """
    members = players or {team: (team,) for teams in sets.pairings for team in teams}
    opponents = Counter(player for teams in sets.pairings for team in teams for player in members[team])
    if any(len(found) > 1 for found in sets.pairings.values()) or max(opponents.values(), default=0) > MIN_FREEDOM:
        from arena.tournament.resampling import resample

        return resample(standings, sets, members)
    counts: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for teams, found in sets.pairings.items():
        counts.update({player: len(found) for team in teams for player in members[team]})
        for one, other in (teams, teams[::-1]):
            met.update(dict.fromkeys(product(members[one], members[other]), len(found)))
    pairs = {}
    for pair, total in standings.pairs.items():
        value = (total.defeat_points - total.opponent_defeat_points) / total.matches
        pairs[pair] = PairStatistics(difference=Estimate(value=value, missing=Missing.SINGLE_SET), sets=met[pair])
    return Statistics(
        teams={
            row.team: TeamStatistics(
                points=Estimate(
                    value=row.defeat_points_per_match, missing=Missing.SINGLE_SET if row.total.matches else Missing.NO_MATCH
                ),
                sets=counts[row.team],
            )
            for row in standings.rows
        },
        pairs=pairs,
        replicates=0,
    )
