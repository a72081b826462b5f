"""When a tournament may end early: which neighbours in the table are told apart, however often one has looked.

The rule is made for looking after every set: a test by betting, as in Waudby-Smith and Ramdas 2024 (Estimating means of bounded
random variables by betting, JRSS B 86, 1-27), for symmetric differences, as in Ramdas, Ruf, Larsson and Koolen 2020 (Admissible
anytime-valid sequential inference must rely on nonnegative martingales, arXiv:2009.03167).

Of two equal teams neither is named first by anything but chance, so a difference d is as likely as -d. Somebody who bets on
its sign and wins or loses the share tanh(rate * d) of what he has, then has as much as before on the average: his fortune is a
martingale, and so is the mean of the fortunes of several who bet at different rates, on either sign. By Ville's inequality it
ever grows 1 / a times with a chance of at most a: no matter how often one looks, how large differences can be, or how
they are distributed. Neither bounds nor many sets are needed.

Many pairs are compared, and which of them are neighbours depends on the results, so a is divided by the number of all pairs of
teams (Bonferroni).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, pairwise

from arena.tournament.statistics import CONFIDENCE, SetTally

_RATES = (0.125, 0.25, 0.5, 1.0, 2.0)
"""Bets for differences that stand out after hundreds of sets, and after ten."""


def separation(differences: Iterable[float], *, confidence: float = CONFIDENCE, pairs: int = 1) -> int:
    """Who of two teams has surely more defeat points: 1 the first, -1 the second, 0 nobody can tell yet.

    differences: first team's defeat points less the second's, a number a set, in an order that has nothing to do with the
    results. pairs: of teams, of which any may be asked about. Once told apart they stay so, however many sets are added. When
    the teams are equal, the chance that this ever leaves 0 for any of the pairs is at most 1 - confidence. Raises ValueError
    for a confidence that is not between 0 and 1 or for no pair.
    """
    if not 0 < confidence < 1 or pairs < 1:
        raise ValueError(f"confidence is {confidence} and pairs {pairs}: they must be between 0 and 1, and at least 1")
    needed = math.log(2 * len(_RATES) * pairs / (1 - confidence))
    bets = [sign * rate for sign in (1, -1) for rate in _RATES]
    fortunes = [0.0] * len(bets)  # logarithms
    for scaled in _iter_scaled(differences):
        fortunes = [fortune + _log_gain(bet * scaled) for fortune, bet in zip(fortunes, bets, strict=True)]
        best = max(fortunes)
        if best + math.log(math.fsum(math.exp(fortune - best) for fortune in fortunes)) >= needed:
            return 1 if fortunes.index(best) < len(_RATES) else -1
    return 0


def _log_gain(won: float) -> float:
    """log(1 + tanh(won)), also where the share that is lost comes to all that there is but for rounding."""
    return math.log(2) - max(-2 * won, 0) - math.log1p(math.exp(-2 * abs(won)))


def _iter_scaled(differences: Iterable[float]) -> Iterator[float]:
    """Each difference by the root mean square of those up to it, which says nothing of its sign."""
    squares = 0.0
    for place, difference in enumerate(differences, start=1):
        squares += difference**2
        yield difference * math.sqrt(place / squares) if squares else 0.0


def set_differences(sets: SetTally, first: str, second: str) -> list[float]:
    """Defeat points a match of the first team less the second's, over all their opponents, by number of the set.

    This is what the table ranks by: teams that beat each other in turn have a rank too, and their direct meetings alone would
    not say it. Only the sets count that are complete in all pairings of both teams, up to the first that is not; complete is
    what has as many matches as any set. Empty when the two have not had the same opponents: then they cannot be compared in
    this way.
    """
    size = max((matches for found in sets.pairings.values() for _, _, matches in found.values()), default=0)
    results = (_results(sets, first), _results(sets, second))
    if set(results[0]) - {second} != set(results[1]) - {first}:
        return []
    differences = []
    for number in count():
        found = [[pairing.get(number, (0, 0)) for pairing in team.values()] for team in results]
        if any(matches != size for team in found for _, matches in team) or not all(found):
            break
        one, other = (sum(points for points, _ in team) / (size * len(team)) for team in found)
        differences.append(one - other)
    return differences


def undecided_neighbours(sets: SetTally, order: Sequence[str], *, confidence: float = CONFIDENCE) -> list[tuple[str, str]]:
    """The neighbours in the table that are not told apart yet, from the top; empty when the tournament is decided.

    order: all teams as the table has them, best first. Neighbours count as told apart when the worse one has surely more
    defeat points. When teams are equal, the chance that any two of them are ever told apart is at most 1 - confidence. Raises
    what `separation` does.
    """
    pairs = max(1, len(order) * (len(order) - 1) // 2)
    return [
        (better, worse)
        for better, worse in pairwise(order)
        if separation(set_differences(sets, worse, better), confidence=confidence, pairs=pairs) != 1
    ]


def _results(sets: SetTally, team: str) -> dict[str, dict[int, tuple[int, int]]]:
    """By opponent and number of the set: the team's defeat points, and matches."""
    return {
        teams[1 - side]: {number: (result[side], result[2]) for number, result in found.items()}
        for teams, found in sets.pairings.items()
        for side in (0, 1)
        if teams[side] == team
    }
