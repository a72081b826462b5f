"""The table: who received the fewest defeat points, and all the numbers that are printed beside it.

The order: fewest defeat points in all; when level, fewest per match, where every opponent counts alike however often it was
met; then head-to-head: the defeat points in the matches among exactly the teams that are level, applied again to those of them
that it leaves level; then most games won; then the teams share a rank, and the ranks after it are skipped (1, 1, 3).
Head-to-head counts only where all pairs of the level teams have met equally often. Where the schedule itself has teams play
different opponents or unequally often, defeat points in all say nothing, and the order begins with those per match; in a
knockout it begins with the rounds survived. Teams without a match come last, without a rank. The order in the tournament file
means nothing: teams that share a rank stand in the order of their names.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby, permutations
from typing import Any

from arena.errors import StoreError
from arena.records.summary import MatchSummary
from arena.rules.cards import TEAMS, Team
from arena.rules.match import Goats


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTotal:
    """One team's matches against one other, or against all others.

    defeat_points: received by the team. opponent_defeat_points: received by the other side. Games: complete ones only.
    """

    matches_won: int = 0
    matches_lost: int = 0
    matches_drawn: int = 0
    games_won: int = 0
    games_lost: int = 0
    eggs: int = 0
    defeat_points: int = 0
    opponent_defeat_points: int = 0

    @property
    def matches(self) -> int:
        """Matches played."""
        return self.matches_won + self.matches_lost + self.matches_drawn

    @property
    def games(self) -> int:
        """Games played to their end."""
        return self.games_won + self.games_lost + self.eggs


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One team's line of the table.

    rank: from 1, shared where nothing separates; None without a match. total: against all others. mean: defeat points per
    match, every opponent counting alike; None without a match. goats and goats_with_eggs:
    lost matches by what the team was called, each in one of the two. card_points: of all complete games. forfeits: matches,
    counted among the lost. think_us, thinks: as in MatchSummary.
    """

    rank: int | None
    team: str
    total: PairTotal
    mean: Fraction | None
    goats: int
    goats_with_eggs: int
    card_points: int
    faults: int
    forfeits: int
    think_us: int
    thinks: int

    @property
    def defeat_points_per_match(self) -> float | None:
        """Every opponent counts alike; None without a match."""
        return None if self.mean is None else float(self.mean)

    @property
    def card_points_per_game(self) -> float | None:
        """0..120; None without a complete game."""
        return _ratio(self.card_points, self.total.games)

    @property
    def think_ms(self) -> float | None:
        """Mean time of an answer in milliseconds; None without one."""
        mean_us = _ratio(self.think_us, self.thinks)
        return None if mean_us is None else mean_us / 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The table in its order.

    pairs: by team and opponent, both ways round, for those that have met. matches: in all. isolations: all tiers that were
    used, sorted.
    """

    rows: tuple[Row, ...]
    pairs: Mapping[tuple[str, str], PairTotal]
    matches: int
    isolations: tuple[str, ...]

    @property
    def is_even(self) -> bool:
        """Whether all teams have played equally often, so that the totals can be compared."""
        return len({row.total.matches for row in self.rows}) <= 1


def compute_standings(
    teams: Iterable[str],
    matches: Iterable[MatchSummary],
    *,
    by_total: bool = True,
    players: Mapping[str, tuple[str, ...]] | None = None,
    survived: Mapping[str, int] | None = None,
) -> Standings:
    """The table of these teams after these matches, which are read once, in any order.

    by_total: whether defeat points in all come first. players: who is ranked in place of the teams, by team: each is given
    what its teams are. survived: rounds of a knockout, by team. Raises StoreError when a match has a team that is not among
    `teams`.
    """
    ranked = {team: (team,) if players is None else players[team] for team in teams}
    tallies = {player: _Tally() for members in ranked.values() for player in members}
    pairs: dict[tuple[str, str], _PairTally] = {}
    count = 0
    isolations = set()
    for match in matches:
        count += 1
        isolations.add(match.isolation)
        names = match.key.seated
        for side in TEAMS:
            if names[side] not in ranked:
                raise StoreError(f"a match of {names[side]!r} is stored, which is no team of this run")
            for player in ranked[names[side]]:
                tallies[player].add(match, side)
                for opponent in ranked.get(names[1 - side], ()):
                    pairs.setdefault((player, opponent), _PairTally()).add(match, side)
    totals = {pair: tally.total() for pair, tally in pairs.items()}
    return Standings(
        rows=tuple(_iter_rows(tallies, totals, by_total=by_total, survived=survived or {})),
        pairs=totals,
        matches=count,
        isolations=tuple(sorted(isolations)),
    )


class _PairTally:
    """A PairTotal that is being counted."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(PairTotal.__dataclass_fields__, 0)

    def add(self, match: MatchSummary, side: Team) -> None:
        other = 1 - side
        if match.loser == side or side in match.forfeited:
            outcome = "matches_lost"
        elif match.is_draw:
            outcome = "matches_drawn"
        else:
            outcome = "matches_won"
        self.counts[outcome] += 1
        self.counts["games_won"] += match.games_won[side]
        self.counts["games_lost"] += match.games_won[other]
        self.counts["eggs"] += match.eggs
        self.counts["defeat_points"] += match.defeat_points[side]
        self.counts["opponent_defeat_points"] += match.defeat_points[other]

    def total(self) -> PairTotal:
        return PairTotal(**self.counts)


class _Tally:
    """A Row that is being counted."""

    def __init__(self) -> None:
        self.all = _PairTally()
        self.goats = dict.fromkeys(Goats, 0)
        self.card_points = 0
        self.faults = 0
        self.forfeits = 0
        self.think_us = 0
        self.thinks = 0

    def add(self, match: MatchSummary, side: Team) -> None:
        self.all.add(match, side)
        if match.loser == side and match.goats is not None:
            self.goats[match.goats] += 1
        self.card_points += match.card_points[side]
        self.faults += match.faults[side]
        self.forfeits += side in match.forfeited
        self.think_us += match.think_us[side]
        self.thinks += match.thinks[side]

    def row(self, team: str, *, rank: int | None, mean: Fraction | None) -> Row:
        return Row(
            rank=rank,
            team=team,
            total=self.all.total(),
            mean=mean,
            goats=self.goats[Goats.GOATS],
            goats_with_eggs=self.goats[Goats.GOATS_WITH_EGGS],
            card_points=self.card_points,
            faults=self.faults,
            forfeits=self.forfeits,
            think_us=self.think_us,
            thinks=self.thinks,
        )


def _iter_rows(
    tallies: Mapping[str, _Tally],
    pairs: Mapping[tuple[str, str], PairTotal],
    *,
    by_total: bool,
    survived: Mapping[str, int],
) -> Iterator[Row]:
    means: dict[str, list[Fraction]] = {}
    for (team, _), total in pairs.items():
        means.setdefault(team, []).append(Fraction(total.defeat_points, total.matches))
    mean = {team: sum(found, Fraction()) / len(found) for team, found in means.items()}
    games_won = {team: tally.all.counts["games_won"] for team, tally in tallies.items()}

    def points(team: str) -> tuple[int, int, Fraction]:
        return -survived.get(team, 0), tallies[team].all.counts["defeat_points"] if by_total else 0, mean[team]

    rank = 1
    for level in _split(list(mean), points):
        for met in _iter_head_to_head(level, pairs):
            for group in _split(met, lambda team: -games_won[team]):
                for team in _by_name(group):
                    yield tallies[team].row(team, rank=rank, mean=mean[team])
                rank += len(group)
    for team in _by_name([team for team in tallies if team not in mean]):
        yield tallies[team].row(team, rank=None, mean=None)


def _iter_head_to_head(level: list[str], pairs: Mapping[tuple[str, str], PairTotal]) -> Iterator[list[str]]:
    """Level teams in groups that the matches among them do not separate, best first."""
    meetings = {pairs[pair].matches if pair in pairs else 0 for pair in combinations(level, 2)}
    if len(meetings) != 1 or meetings == {0}:
        yield level
        return
    among = dict.fromkeys(level, 0)
    for pair in permutations(level, 2):
        among[pair[0]] += pairs[pair].defeat_points
    groups = list(_split(level, among.__getitem__))
    if len(groups) == 1:
        yield level
        return
    for group in groups:
        yield from _iter_head_to_head(group, pairs)


def _split(teams: Sequence[str], value: Callable[[str], Any]) -> Iterator[list[str]]:
    """The teams in groups of equal value, lowest first."""
    for _, group in groupby(sorted(teams, key=value), key=value):
        yield list(group)


def _by_name(teams: Sequence[str]) -> list[str]:
    return sorted(teams, key=lambda team: (team.casefold(), team))


def _ratio(total: int, count: int) -> float | None:
    return total / count if count else None
