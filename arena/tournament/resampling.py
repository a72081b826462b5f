"""The bootstrap behind `statistics`: which methods, from where, and the arithmetic.

**Resampling.** Stratified by pairing, whole sets of deals, one draw fewer than a pairing has sets, weighted up again (Rao and
Wu 1988, Resampling inference with complex survey data, JASA 83, 231-241). As many draws as sets would give too small a
variance: half of it for pairings of two sets, which are common. Pairings with a single set have a way of their
own: `single_sets`.

**Intervals.** Percentiles of the replicates, their distances from the mean multiplied by t / z, Student's quantile over the
normal one (the correction of Hesterberg 2015, What teachers should know about the bootstrap, The American Statistician 69,
371-386; there it is made by going further into the tails, which few sets do not have). Degrees of freedom after Satterthwaite.
Bootstrap-t and plain percentiles were measured beside it: docs/statistics.md.

**Bands.** Simultaneous confidence sets for ranks from all pairwise differences at once (Mogstad, Romano, Shaikh and Wilhelm
2024, Inference for ranks, Review of Economic Studies 91, 476-518): a team's rank is between one more than the number of teams
that are surely better and the last that the surely worse ones leave. "Surely" is a single-step test by the largest studentised
difference of the replicates (Westfall and Young 1993, Resampling-based multiple testing), with Student's tails for the normal
ones.

**Chances of ranks.** How often a team has the rank among the replicates; level teams share their ranks in equal parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from arena.tournament.single_sets import residuals
from arena.tournament.standings import Row, Standings
from arena.tournament.statistics import (
    CONFIDENCE,
    MIN_FREEDOM,
    Estimate,
    Interval,
    Missing,
    PairStatistics,
    SetTally,
    Statistics,
    TeamStatistics,
)

REPLICATES = 4000
_SEED = 20260131
"""Any number does: with it, a table that is printed twice is the same."""
_TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
_KINDS = 4
"""How many times fewer different results than sets there must be, so that counting draws by result is quicker than drawing."""
_LEVEL = 1e-9
"""Means that differ by less are level: they are fractions of small whole numbers, and what is left is rounding."""

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Pairing:
    """Two teams by index, and by set: defeat points of the first, of the second, matches.

    residual, freedom: of a single set, by team: what is chance in its points per match, and how much of it is known.
    """

    first: int
    second: int
    sets: _Floats
    residual: _Floats | None = None
    freedom: _Floats | None = None

    @property
    def means(self) -> _Floats:
        """Points per match, by team."""
        sums = self.sets.sum(axis=0)
        return np.asarray(sums[:2] / sums[2])

    def covariance(self) -> _Floats:
        """Of these means: that of what each set adds to them (linearised: sets may have different numbers of matches)."""
        if self.residual is not None:
            return np.outer(self.residual, self.residual)
        received, matches = self.sets[:, :2], self.sets[:, 2:]
        added = (received - self.means * matches) / matches.sum()
        return np.asarray(len(self.sets) * np.cov(added, rowvar=False))


def resample(standings: Standings, sets: SetTally) -> Statistics:
    """What `compute_statistics` promises, by the methods above."""
    rows = [row for row in standings.rows if row.total.matches]
    index = {row.team: at for at, row in enumerate(sorted(rows, key=lambda row: row.team))}
    pairings = [
        _Pairing(index[first], index[second], np.array([found[number] for number in sorted(found)], dtype=np.float64))
        for (first, second), found in sorted(sets.pairings.items())
    ]
    if any(len(pairing.sets) == 1 for pairing in pairings):
        pairings = _with_residuals(pairings, teams=len(index))
    names = list(index)
    moments = _Moments(pairings, len(names))
    replicates, pairs = _draw(pairings, names)
    missing = [moments.missing(team) for team in range(len(names))]
    is_known = [reason in (None, Missing.NO_SPREAD) for reason in missing]
    chances = _rank_chances(replicates) if all(is_known) else None
    bands = _bands(moments, replicates, is_known)
    teams = {row.team: TeamStatistics(points=Estimate(value=None, missing=Missing.NO_MATCH), sets=0) for row in standings.rows}
    for row in rows:
        at = index[row.team]
        reason = missing[at]
        interval = None if reason else _interval(replicates[:, at], moments.means[at], freedom=moments.freedom[at], least=0.0)
        teams[row.team] = TeamStatistics(
            points=Estimate(value=row.defeat_points_per_match, interval=interval, missing=reason),
            sets=moments.sets[at],
            band=None if bands is None else _around(bands[at], row, rows),
            rank_chances=None if chances is None else tuple(map(float, chances[at])),
        )
    return Statistics(teams=teams, pairs=pairs, replicates=REPLICATES)


def _with_residuals(pairings: Sequence[_Pairing], *, teams: int) -> list[_Pairing]:
    """The same, with what all of them together say about those with a single set."""
    ends = [(pairing.first, pairing.second) for pairing in pairings]
    found = zip(pairings, *residuals(ends, np.array([pairing.means for pairing in pairings]), teams=teams), strict=True)
    return [replace(it, residual=left, freedom=share) if len(it.sets) == 1 else it for it, left, share in found]


def _draw(pairings: Sequence[_Pairing], names: Sequence[str]) -> tuple[_Floats, dict[tuple[str, str], PairStatistics]]:
    """Every team's mean by replicate and team, and what the replicates say of each pairing by itself."""
    rng = np.random.default_rng(_SEED)
    points = np.zeros((REPLICATES, len(names)))
    opponents = np.zeros(len(names))
    pairs: dict[tuple[str, str], PairStatistics] = {}
    for pairing in pairings:
        drawn = _drawn_means(pairing, rng)
        for column, team in enumerate((pairing.first, pairing.second)):
            points[:, team] += drawn[:, column]
            opponents[team] += 1
        ends = (names[pairing.first], names[pairing.second])
        found = _difference(pairing, drawn[:, 0] - drawn[:, 1])
        pairs[ends] = PairStatistics(difference=found, sets=len(pairing.sets))
        pairs[ends[::-1]] = PairStatistics(difference=_negative(found), sets=len(pairing.sets))
    return points / opponents, pairs


def _drawn_means(pairing: _Pairing, rng: np.random.Generator) -> _Floats:
    """Both teams' points per match, by replicate and team."""
    if pairing.residual is not None:
        return np.asarray(pairing.means + rng.standard_normal((REPLICATES, 1)) * pairing.residual)
    sums = _sums(pairing.sets, rng)
    return np.asarray(sums[:, :2] / sums[:, 2:])


def _sums(sets: _Floats, rng: np.random.Generator) -> _Floats:
    """The sums over the sets of a pairing, two at least, by replicate and column."""
    count = len(sets)
    weight = count / (count - 1)
    kinds, often = np.unique(sets, axis=0, return_counts=True)
    if len(kinds) * _KINDS < count:
        # Sets with the same result are one that is drawn more often.
        return rng.multinomial(count - 1, often / count, size=REPLICATES) @ kinds * weight
    drawn = rng.integers(0, count, (REPLICATES, count - 1))
    return np.stack([_sum_of(column, drawn) for column in sets.T], axis=1) * weight


def _sum_of(values: _Floats, drawn: NDArray[np.int64]) -> _Floats:
    if np.ptp(values) == 0:  # as many matches in every set
        return np.full(len(drawn), values[0] * drawn.shape[1])
    return np.asarray(values[drawn].sum(axis=1))


def _difference(pairing: _Pairing, replicates: _Floats) -> Estimate:
    first, second, matches = pairing.sets.sum(axis=0)
    mean = (first - second) / matches
    freedom = len(pairing.sets) - 1
    if not freedom:
        return Estimate(value=float(mean), missing=Missing.SINGLE_SET)
    if freedom < MIN_FREEDOM:
        return Estimate(value=float(mean), missing=Missing.FEW_SETS)
    if np.ptp(replicates) < _LEVEL:
        return Estimate(value=float(mean), missing=Missing.NO_SPREAD)
    return Estimate(value=float(mean), interval=_interval(replicates, mean, freedom=freedom))


def _negative(estimate: Estimate) -> Estimate:
    found = estimate.interval
    return Estimate(
        value=None if estimate.value is None else 0.0 - estimate.value,
        interval=None if found is None else Interval(0.0 - found.high, 0.0 - found.low),
        missing=estimate.missing,
    )


def _interval(replicates: _Floats, mean: float, *, freedom: float, least: float = -np.inf) -> Interval:
    stretch = stdtrit(freedom, _TAILS[1]) / ndtri(_TAILS[1])
    low, high = mean + (np.quantile(replicates, _TAILS) - mean) * stretch
    return Interval(float(max(low, least)), float(high))


class _Moments:
    """Means and their variances from the sets themselves, by team and by two teams.

    A mean is that over a team's opponents, as in the table, of defeat points over matches.
    """

    def __init__(self, pairings: Sequence[_Pairing], teams: int) -> None:
        points, opponents = np.zeros(teams), np.zeros(teams)
        self.sets = [0] * teams
        self._has_single = np.zeros(teams, dtype=bool)
        self._is_alone = np.zeros(teams, dtype=bool)
        self._structure = np.zeros(teams)
        for pairing in pairings:
            count = len(pairing.sets)
            ends = [pairing.first, pairing.second]
            points[ends] += pairing.means
            opponents[ends] += 1
            self.sets[pairing.first] += count
            self.sets[pairing.second] += count
            self._has_single[ends] |= count == 1
            if pairing.freedom is None:
                self._structure[ends] += count - 1
            else:
                self._structure[ends] += pairing.freedom
                self._is_alone[ends] |= pairing.freedom == 0
        self.means: _Floats = points / opponents
        own, own_squares = np.zeros(teams), np.zeros(teams)
        covariance, shared_squares = np.zeros((teams, teams)), np.zeros((teams, teams))
        for pairing in pairings:
            ends = [pairing.first, pairing.second]
            found = pairing.covariance() / np.outer(opponents[ends], opponents[ends])
            freedom = max(1, len(pairing.sets) - 1)
            first, second = np.diag(found)
            own[ends] += (first, second)
            own_squares[ends] += np.array((first, second)) ** 2 / freedom
            between = first + second - 2 * found[0, 1]
            for one, other in (ends, ends[::-1]):
                covariance[one, other] += found[0, 1]
                shared_squares[one, other] += (between**2 - first**2 - second**2) / freedom
        self._own = own
        self.freedom = _freedom(own, own_squares)
        self.differences: _Floats = self.means[:, None] - self.means
        variances = np.maximum(own[:, None] + own - 2 * covariance, 0)
        self.errors: _Floats = np.sqrt(variances)
        self.pair_freedom = _freedom(variances, own_squares[:, None] + own_squares + shared_squares)

    def missing(self, team: int) -> Missing | None:
        """Why this team has no interval, if it has none."""
        if self._is_alone[team]:
            return Missing.SINGLE_SET
        if self._structure[team] < MIN_FREEDOM:
            return Missing.FEW_OPPONENTS if self._has_single[team] else Missing.FEW_SETS
        return Missing.NO_SPREAD if self._own[team] < _LEVEL**2 else None


def _freedom(variances: _Floats, squares: _Floats) -> _Floats:
    """Degrees of freedom after Satterthwaite; one where nothing varies."""
    return np.divide(variances**2, squares, out=np.ones_like(variances), where=squares > 0)


def _bands(moments: _Moments, replicates: _Floats, is_known: Sequence[bool]) -> list[tuple[int, int]] | None:
    """First and last rank of each team; None when chance is known of fewer than two teams."""
    known = np.array(is_known)
    if known.sum() < 2:
        return None
    count = len(known)
    usable = (moments.errors > _LEVEL) & known & known[:, None]
    largest = np.zeros(REPLICATES)
    for team in range(count - 1):  # a team at a time: all pairs at once would take much memory
        others = np.flatnonzero(usable[team, team + 1 :]) + team + 1
        if len(others):
            spread = np.abs(replicates[:, [team]] - replicates[:, others] - moments.differences[team, others])
            np.maximum(largest, (spread / moments.errors[team, others]).max(axis=1), out=largest)
    critical = np.quantile(largest, CONFIDENCE, method="higher")
    level = min(2 * ndtr(-critical), 1 - CONFIDENCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.abs(moments.differences) / moments.errors
    chance = 2 * stdtr(moments.pair_freedom, -np.where(usable, far, 0))
    # Without any spread a difference is one that no set contradicts.
    surely = np.where(usable, chance <= level, known & known[:, None] & (np.abs(moments.differences) > _LEVEL))
    better = (surely & (moments.differences > 0)).sum(axis=1)
    worse = (surely & (moments.differences < 0)).sum(axis=1)
    return [(int(above) + 1, count - int(below)) for above, below in zip(better, worse, strict=True)]


def _around(band: tuple[int, int], row: Row, rows: Sequence[Row]) -> tuple[int, int]:
    """The band, with the ranks that the table gives the team: they may differ while teams have not played equally often."""
    assigned = [other.rank for other in rows].count(row.rank)
    if row.rank is None:
        return band
    return min(band[0], row.rank), max(band[1], row.rank + assigned - 1)


def _rank_chances(replicates: _Floats) -> _Floats:
    """By team and rank."""
    count = replicates.shape[1]
    chances = np.zeros((count, count))
    for team in range(count):
        away = replicates - replicates[:, [team]]
        better = (away < -_LEVEL).sum(axis=1)
        level = (np.abs(away) <= _LEVEL).sum(axis=1)
        for step in range(int(level.max())):
            sharing = level > step
            chances[team] += np.bincount(better[sharing] + step, weights=1 / level[sharing], minlength=count)
    return chances / len(replicates)
