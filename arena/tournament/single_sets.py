"""What chance is in pairings with a single set of deals, where there is nothing to resample.

A set alone does not say how another one would have come out, but many teams that met many others do: what a team receives from
an opponent is, but for chance, mostly what it receives from everybody plus what that opponent gives to everybody. So both are
fitted by least squares to the means of all pairings (a two-way table with one observation a cell), and what is left over is
taken for chance. What strengths that do not add up leave over is taken for chance, too: intervals become rather too wide.

Replicates then are made by the multiplier bootstrap with normal weights, one for both teams of a pairing, whose results hang
together (Wu 1986, Jackknife, bootstrap and other resampling methods in regression analysis, Annals of Statistics 14, 1261-1295;
for the largest of many differences, Chernozhukov, Chetverikov and Kato 2013, Annals of Statistics 41, 2786-2819). Residuals
are enlarged for what the fit took of them: the HC2 of MacKinnon and White 1985, Journal of Econometrics 29, 305-325.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_NOTHING = 1e-6
"""A residual of which less is left was fitted away: nobody else says anything about these two."""


def residuals(ends: Sequence[tuple[int, int]], means: _Floats, *, teams: int) -> tuple[_Floats, _Floats]:
    """What strength does not explain of what each team received, and which share of it the fit could not take.

    ends: by pairing, its two teams by index. means: by pairing and its two teams, points per match. Both results have the
    shape of `means`; the first is 0 where the second is, and enlarged elsewhere.
    """
    table = np.zeros((2 * teams, 2 * teams))
    sums = np.zeros(2 * teams)
    cells = [((one, teams + other), (other, teams + one)) for one, other in ends]
    for pairing, received in zip(cells, means, strict=True):
        for cell, points in zip(pairing, received, strict=True):
            table[np.ix_(cell, cell)] += 1
            sums[list(cell)] += points
    inverse = np.linalg.pinv(table, hermitian=True)
    fitted = inverse @ sums
    left, shares = np.zeros_like(means), np.zeros_like(means)
    for at, pairing in enumerate(cells):
        for column, cell in enumerate(pairing):
            share = 1 - inverse[np.ix_(cell, cell)].sum()
            if share > _NOTHING:
                shares[at, column] = share
                left[at, column] = (means[at, column] - fitted[list(cell)].sum()) / np.sqrt(share)
    return left, shares
