"""Pairings as the strata of the bootstrap: what each counts in the means that are ranked, and what it adds to variances.

A mean is that over somebody's opponents, as in the table, of defeat points over matches. Who is ranked is called a player
here: a team, or with `pairs: all` a bot, who then meets an opponent in several pairings, with every partner of either.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arena.tournament.single_sets import residuals
from arena.tournament.standings import Standings
from arena.tournament.statistics import LEVEL, MIN_FREEDOM, Missing, SetTally

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pairing:
    """A stratum. sets: by set, defeat points of the first side, of the second, matches.

    members: the players of both sides, by index. weights: by side and its member, what the side's points per match count in
    that player's mean. meetings: by two members, what they count in the direct meetings of these two.
    residual, freedom: of a single set, by side: what is chance in its points per match, and how much of it is known.
    """

    sets: Floats
    members: tuple[tuple[int, ...], tuple[int, ...]]
    weights: tuple[Floats, Floats]
    meetings: Mapping[tuple[int, int], float]
    residual: Floats | None = None
    freedom: Floats | None = None

    @property
    def means(self) -> Floats:
        """Points per match, by side."""
        sums = self.sets.sum(axis=0)
        return np.asarray(sums[:2] / sums[2])

    @property
    def covariance(self) -> Floats:
        """Of these means: that of what each set adds to them (linearised: sets may have different numbers of matches)."""
        if self.residual is not None:
            return np.outer(self.residual, self.residual)
        received, matches = self.sets[:, :2], self.sets[:, 2:]
        added = (received - self.means * matches) / matches.sum()
        return np.asarray(len(self.sets) * np.cov(added, rowvar=False))

    @property
    def known(self) -> Floats:
        """By side, how many sets' worth say something about chance: those beyond the first."""
        return np.full(2, len(self.sets) - 1.0) if self.freedom is None else self.freedom

    @property
    def degrees(self) -> int:
        """Degrees of freedom of the covariance."""
        return max(1, len(self.sets) - 1)


def gather(standings: Standings, sets: SetTally, members: Mapping[str, tuple[str, ...]]) -> tuple[list[str], list[Pairing]]:
    """The names of the players that have played, whose places are their indexes, and all pairings.

    members: the players of each team of the matches.
    """
    names = sorted(row.team for row in standings.rows if row.total.matches)
    index = {name: at for at, name in enumerate(names)}
    opponents = dict.fromkeys(names, 0)
    for name, _ in standings.pairs:
        opponents[name] += 1
    teams = {team: at for at, team in enumerate(sorted({team for pair in sets.pairings for team in pair}))}
    pairings = []
    for (first, second), found in sorted(sets.pairings.items()):
        sides = members[first], members[second]
        values = np.array([found[number] for number in sorted(found)], dtype=np.float64)
        share = {
            (one, other): values[:, 2].sum() / standings.pairs[one, other].matches for one in sides[0] for other in sides[1]
        }
        weights = (
            np.array([sum(share[one, other] for other in sides[1]) / opponents[one] for one in sides[0]]),
            np.array([sum(share[one, other] for one in sides[0]) / opponents[other] for other in sides[1]]),
        )
        first_side, second_side = (tuple(index[name] for name in side) for side in sides)
        meetings = {(index[one], index[other]): part for (one, other), part in share.items()}
        pairings.append(Pairing(values, (first_side, second_side), weights, meetings))
    if any(len(pairing.sets) == 1 for pairing in pairings):
        ends = [(teams[first], teams[second]) for first, second in sorted(sets.pairings)]
        means, counts = np.array([pairing.means for pairing in pairings]), [len(pairing.sets) for pairing in pairings]
        left, shares = residuals(ends, means, sets=counts, teams=len(teams))
        pairings = [
            replace(pairing, residual=left[at], freedom=shares[at]) if len(pairing.sets) == 1 else pairing
            for at, pairing in enumerate(pairings)
        ]
    return names, pairings


@dataclass(slots=True)
class Evidence:
    """How much some pairings say about chance. of_single: that which those with a single set say.

    is_alone: one of them has a single set of which the others say nothing.
    """

    pairings: int = 0
    in_all: float = 0.0
    of_single: float = 0.0
    has_single: bool = False
    is_alone: bool = False

    def add(self, pairing: Pairing, known: float) -> None:
        """Count a pairing; known: what it says of whom this is about."""
        self.pairings += 1
        self.in_all += known
        if len(pairing.sets) == 1:
            self.has_single = True
            self.of_single += known
            self.is_alone |= not known

    @property
    def missing(self) -> Missing | None:
        """Why that is not enough for an interval; None when it is."""
        if self.is_alone or (self.has_single and self.pairings == 1):
            return Missing.SINGLE_SET
        # What is known of pairings with many sets says nothing of one with a single set.
        if self.has_single and self.of_single < MIN_FREEDOM:
            return Missing.FEW_OPPONENTS
        return Missing.FEW_SETS if self.in_all < MIN_FREEDOM else None


class Moments:
    """Means and their variances from the sets themselves, by player and by two players."""

    def __init__(self, pairings: Sequence[Pairing], players: int) -> None:
        self.means: Floats = np.zeros(players)
        self.sets = [0] * players
        self._evidence = [Evidence() for _ in range(players)]
        own, own_squares = np.zeros(players), np.zeros(players)
        covariance, shared_squares = np.zeros((players, players)), np.zeros((players, players))
        for pairing in pairings:
            for side, weights, mean, known in zip(pairing.members, pairing.weights, pairing.means, pairing.known, strict=True):
                self.means[list(side)] += weights * mean
                for player in side:
                    self.sets[player] += len(pairing.sets)
                    self._evidence[player].add(pairing, known)
            both = [*pairing.members[0], *pairing.members[1]]
            spread = np.zeros((len(both), 2))
            spread[: len(pairing.members[0]), 0], spread[len(pairing.members[0]) :, 1] = pairing.weights
            found = spread @ pairing.covariance @ spread.T
            variances = np.diag(found)
            own[both] += variances
            own_squares[both] += variances**2 / pairing.degrees
            between = variances[:, None] + variances - 2 * found
            block = np.ix_(both, both)
            covariance[block] += found
            shared_squares[block] += (between**2 - variances[:, None] ** 2 - variances**2) / pairing.degrees
        self._own = own
        self.freedom = freedom(own, own_squares)
        self.differences: Floats = self.means[:, None] - self.means
        variances = np.maximum(own[:, None] + own - 2 * covariance, 0)
        np.fill_diagonal(variances, 0)
        self.errors: Floats = np.sqrt(variances)
        self.pair_freedom = freedom(variances, own_squares[:, None] + own_squares + shared_squares)

    def missing(self, player: int) -> Missing | None:
        """Why this player has no interval, if it has none."""
        has_no_spread = self._own[player] < LEVEL**2
        return self._evidence[player].missing or (Missing.NO_SPREAD if has_no_spread else None)


def freedom(variances: Floats, squares: Floats) -> Floats:
    """Degrees of freedom after Satterthwaite; squares: of what adds up to the variances, each over its own. One without any."""
    return np.divide(variances**2, squares, out=np.ones_like(variances), where=squares > 0)
