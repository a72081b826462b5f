"""What chance is in pairings with a single set of deals, where there is nothing to resample.

A set alone does not say how another one would have come out, but many teams that met many others do: what a team receives from
an opponent is, but for chance, mostly what it receives from everybody plus what that opponent gives to everybody. So both are
fitted by least squares to the means of all pairings (a two-way table with one observation a cell), and what is left over is
taken for chance. What strengths that do not add up leave over is taken for chance, too: intervals become rather too wide.

Replicates then are made by the multiplier bootstrap with normal weights, one for both teams of a pairing, whose results hang
together (Wu 1986, Jackknife, bootstrap and other resampling methods in regression analysis, Annals of Statistics 14, 1261-1295;
for the largest of many differences, Chernozhukov, Chetverikov and Kato 2013, Annals of Statistics 41, 2786-2819). Residuals
are enlarged for what the fit took of them, both of a pairing together: the bias reduced linearization of Bell and McCaffrey
2002, Survey Methodology 28, 169-181, also called CR2. Means count in the fit by how many sets are behind them.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_ROUNDING = 1e-10
"""Below this part of the largest eigenvalue, one is zero but for rounding."""
_NOTHING = 1e-6
"""A residual of which less is left was fitted away: nobody else says anything about these two."""


def residuals(ends: Sequence[tuple[int, int]], means: _Floats, *, sets: Sequence[int], teams: int) -> tuple[_Floats, _Floats]:
    """What strength does not explain of what each team received, and which share of it the fit could not take.

    ends: by pairing, its two teams by index. means: by pairing and its two teams, points per match. sets: by pairing, how many
    are behind its means. Both results have the shape of `means`; the first is enlarged for the second, and both are 0 for two
    of whom nobody else says anything.
    """
    table = np.zeros((2 * teams, 2 * teams))
    sums = np.zeros(2 * teams)
    cells = [np.array([(one, teams + other), (other, teams + one)]) for one, other in ends]
    for pairing, received, weight in zip(cells, means, sets, strict=True):
        for cell, points in zip(pairing, received, strict=True):
            table[np.ix_(cell, cell)] += weight
            sums[cell] += weight * points
    inverse = np.linalg.pinv(table, rcond=_ROUNDING, hermitian=True)
    fitted = inverse @ sums
    left, shares = np.zeros_like(means), np.zeros_like(means)
    for at, (pairing, weight) in enumerate(zip(cells, sets, strict=True)):
        # What the fit leaves of these two: the block of the identity less the hat matrix.
        kept = np.eye(2) - weight * inverse[pairing[:, None, :, None], pairing[None, :, None, :]].sum(axis=(2, 3))
        sizes, axes = np.linalg.eigh(kept)
        if sizes[0] > _NOTHING:
            left[at] = axes @ (axes.T @ (means[at] - fitted[pairing].sum(axis=1)) / np.sqrt(sizes))
            shares[at] = np.diag(kept)
    return left, shares
