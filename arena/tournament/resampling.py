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

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from arena.tournament.standings import PairTotal, Row, Standings
from arena.tournament.statistics import (
    CONFIDENCE,
    LEVEL,
    Estimate,
    Interval,
    Missing,
    PairStatistics,
    SetTally,
    Statistics,
    TeamStatistics,
)
from arena.tournament.strata import Evidence, Floats, Moments, Pairing, freedom, gather

REPLICATES = 4000
_SEED = 20260131
"""Any number does: with it, a table that is printed twice is the same."""
_TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
_AT_ONCE = 64
"""Opponents whose replicates are looked at together: more are slower, since they leave the processor's caches."""
_KINDS = 4
"""How many times fewer different results than sets there must be, so that counting draws by result is quicker than drawing."""


def resample(standings: Standings, sets: SetTally, members: Mapping[str, tuple[str, ...]]) -> Statistics:
    """What `compute_statistics` promises, by the methods above."""
    names, pairings = gather(standings, sets, members)
    rows = [row for row in standings.rows if row.total.matches]
    moments = Moments(pairings, len(names))
    replicates, pairs = draw(pairings, names, standings)
    missing = [moments.missing(player) for player in range(len(names))]
    is_known = [reason in (None, Missing.NO_SPREAD) for reason in missing]
    chances = _rank_chances(replicates) if all(is_known) else None
    bands = _bands(moments, replicates, is_known)
    teams = {row.team: TeamStatistics(points=Estimate(value=None, missing=Missing.NO_MATCH), sets=0) for row in standings.rows}
    index = {name: at for at, name in enumerate(names)}
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


class _Meetings:
    """The direct meetings of two players, gathered from all pairings in which they met."""

    def __init__(self, total: PairTotal) -> None:
        self._mean = (total.defeat_points - total.opponent_defeat_points) / total.matches
        self.sets = 0
        self._share = 0.0
        self._replicates = np.zeros(REPLICATES)
        self._evidence = Evidence()
        self._variance = 0.0
        self._squares = 0.0

    def add(self, pairing: Pairing, drawn: Floats, share: float) -> None:
        """Count a pairing. drawn: its means by replicate and side. share: of all matches of these two, negative when they
        are the other way round."""
        self._share += abs(share)
        self.sets += len(pairing.sets)
        self._replicates += share * (drawn[:, 0] - drawn[:, 1])
        self._evidence.add(pairing, pairing.known.min())
        (first, shared), (_, second) = pairing.covariance
        variance = share**2 * (first + second - 2 * shared)
        self._variance += variance
        self._squares += variance**2 / pairing.degrees

    @property
    def is_complete(self) -> bool:
        """Whether all pairings have been counted."""
        return self._share > 1 - LEVEL

    def difference(self) -> Estimate:
        """What the first one received less what the second did, per match."""
        if self._evidence.missing is not None:
            return Estimate(value=self._mean, missing=self._evidence.missing)
        if np.ptp(self._replicates) < LEVEL:
            return Estimate(value=self._mean, missing=Missing.NO_SPREAD)
        degrees = freedom(np.array(self._variance), np.array(self._squares))
        return Estimate(value=self._mean, interval=_interval(self._replicates, self._mean, freedom=float(degrees)))


def draw(
    pairings: Sequence[Pairing], names: Sequence[str], standings: Standings
) -> tuple[Floats, dict[tuple[str, str], PairStatistics]]:
    """Every player's mean by replicate and player, and what the replicates say of the direct meetings of two."""
    rng = np.random.default_rng(_SEED)
    points = np.zeros((REPLICATES, len(names)))
    open_meetings: dict[tuple[str, str], _Meetings] = {}
    pairs: dict[tuple[str, str], PairStatistics] = {}
    for pairing in pairings:
        drawn = _drawn_means(pairing, rng)
        for side, (players, weights) in enumerate(zip(pairing.members, pairing.weights, strict=True)):
            for player, weight in zip(players, weights, strict=True):
                points[:, player] += weight * drawn[:, side]
        for (one, other), share in pairing.meetings.items():
            first, second = min(one, other), max(one, other)
            ends = (names[first], names[second])
            if ends not in open_meetings:
                open_meetings[ends] = _Meetings(standings.pairs[ends])
            meetings = open_meetings[ends]
            meetings.add(pairing, drawn, share if one == first else -share)
            if meetings.is_complete:  # not kept: of many teams that would be much memory
                del open_meetings[ends]
                found = meetings.difference()
                pairs[ends] = PairStatistics(difference=found, sets=meetings.sets)
                pairs[ends[::-1]] = PairStatistics(difference=_negative(found), sets=meetings.sets)
    return points, pairs


def _drawn_means(pairing: Pairing, rng: np.random.Generator) -> Floats:
    """Both teams' points per match, by replicate and team."""
    if pairing.residual is not None:
        return np.asarray(pairing.means + rng.standard_normal((REPLICATES, 1)) * pairing.residual)
    sums = _sums(pairing.sets, rng)
    return np.asarray(sums[:, :2] / sums[:, 2:])


def _sums(sets: Floats, rng: np.random.Generator) -> Floats:
    """The sums over the sets of a pairing, two at least, by replicate and column."""
    count = len(sets)
    weight = count / (count - 1)
    kinds, often = np.unique(sets, axis=0, return_counts=True)
    if len(kinds) * _KINDS < count:
        # Sets with the same result are one that is drawn more often.
        return rng.multinomial(count - 1, often / count, size=REPLICATES) @ kinds * weight
    drawn = rng.integers(0, count, (REPLICATES, count - 1))
    return np.stack([_sum_of(column, drawn) for column in sets.T], axis=1) * weight


def _sum_of(values: Floats, drawn: NDArray[np.int64]) -> Floats:
    if np.ptp(values) == 0:  # as many matches in every set
        return np.full(len(drawn), values[0] * drawn.shape[1])
    return np.asarray(values[drawn].sum(axis=1))


def _negative(estimate: Estimate) -> Estimate:
    found = estimate.interval
    return Estimate(
        value=None if estimate.value is None else 0.0 - estimate.value,
        interval=None if found is None else Interval(0.0 - found.high, 0.0 - found.low),
        missing=estimate.missing,
    )


def _interval(replicates: Floats, mean: float, *, freedom: float, least: float = -np.inf) -> Interval:
    stretch = stdtrit(freedom, _TAILS[1]) / ndtri(_TAILS[1])
    low, high = mean + (np.quantile(replicates, _TAILS) - mean) * stretch
    return Interval(float(max(low, least)), float(high))


def _bands(moments: Moments, replicates: Floats, is_known: Sequence[bool]) -> list[tuple[int, int]] | None:
    """First and last rank of each team; None when chance is known of fewer than two teams."""
    known = np.array(is_known)
    if known.sum() < 2:
        return None
    count = len(known)
    usable = (moments.errors > LEVEL) & known & known[:, None]
    largest = np.zeros(REPLICATES)
    away = np.ascontiguousarray((replicates - moments.means).T)
    for team in range(count - 1):  # a team at a time: all pairs at once would take much memory
        others = np.flatnonzero(usable[team, team + 1 :]) + team + 1
        for some in np.array_split(others, math.ceil(len(others) / _AT_ONCE)) if len(others) else ():
            spread = np.abs(away[team] - away[some]) / moments.errors[team, some, None]
            np.maximum(largest, spread.max(axis=0), out=largest)
    critical = np.quantile(largest, CONFIDENCE, method="higher")
    level = min(2 * ndtr(-critical), 1 - CONFIDENCE)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.abs(moments.differences) / moments.errors
    chance = 2 * stdtr(moments.pair_freedom, -np.where(usable, far, 0))
    # Without any spread a difference is one that no set contradicts.
    surely = np.where(usable, chance <= level, known & known[:, None] & (np.abs(moments.differences) > LEVEL))
    better = (surely & (moments.differences > 0)).sum(axis=1)
    worse = (surely & (moments.differences < 0)).sum(axis=1)
    return [(int(above) + 1, count - int(below)) for above, below in zip(better, worse, strict=True)]


def _around(band: tuple[int, int], row: Row, rows: Sequence[Row]) -> tuple[int, int]:
    """The band, with the ranks that the table gives the team: they may differ while teams have not played equally often."""
    assigned = [other.rank for other in rows].count(row.rank)
    if row.rank is None:
        return band
    return min(band[0], row.rank), max(band[1], row.rank + assigned - 1)


def _rank_chances(replicates: Floats) -> Floats:
    """By team and rank."""
    draws, count = replicates.shape
    # All replicates on one line, each far from the others, so that one search finds everybody's place in their own.
    start = np.arange(draws)[:, None] * (2 * np.ptp(replicates) + 1)
    line = np.sort(replicates + start, axis=1).ravel()
    places = np.arange(draws)[:, None] * count
    better = np.searchsorted(line, replicates + start - LEVEL) - places
    level = np.searchsorted(line, replicates + start + LEVEL, side="right") - places - better
    chances = np.zeros((count, count))
    for team in range(count):
        for step in range(int(level[:, team].max())):
            sharing = level[:, team] > step
            at, shares = better[sharing, team] + step, 1 / level[sharing, team]
            chances[team] += np.bincount(at, weights=shares, minlength=count)
    return np.asarray(chances / draws)
