"""What has been played so far, as far as the schedule looks at it: results of sets, standing, time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

from arena.records.model import MatchKey
from arena.records.summary import MatchSummary
from arena.tournament.pairings import Pairing
from arena.tournament.schedule import Block
from arena.tournament.statistics import SetTally


class History:
    """Finished matches and planned blocks.

    blocks: in the order in which they were planned. spent_seconds: on all of it so far, kept by whoever plays.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.spent_seconds = 0.0
        self._points: dict[Pairing, dict[int, dict[tuple[bool, int], tuple[int, int]]]] = defaultdict(lambda: defaultdict(dict))

    def add(self, match: MatchSummary) -> None:
        """A match is finished, or replaced by this one."""
        key = match.key
        self._points[key.teams][key.number][key.swapped, key.exchanged] = points_in_order(key, match.defeat_points)

    def sets(self, pairing: Pairing) -> list[tuple[Fraction, Fraction]]:
        """Defeat points a match of both teams, in every set of a pairing, in the order of the sets."""
        results = []
        for _, matches in sorted(self._points.get(pairing, {}).items()):
            first, second = (Fraction(sum(points), len(matches)) for points in zip(*matches.values(), strict=True))
            results.append((first, second))
        return results

    def standing(self, teams: Sequence[str]) -> list[str]:
        """The teams, fewest defeat points first; level ones, and after them those without a match, in the order given."""
        against: dict[str, list[Fraction]] = {team: [] for team in teams}
        for pairing in self._points:
            first, second = zip(*self.sets(pairing), strict=True)
            against[pairing[0]].append(Fraction(sum(first), len(first)))
            against[pairing[1]].append(Fraction(sum(second), len(second)))
        played = [team for team in teams if against[team]]
        played.sort(key=lambda team: _mean(against[team]))
        return [*played, *(team for team in teams if not against[team])]

    def tally(self) -> SetTally:
        """The same results for the statistics."""
        tally = SetTally()
        for pairing, sets in self._points.items():
            counted = tally.pairings.setdefault(pairing, {})
            for number, matches in sets.items():
                first, second = map(sum, zip(*matches.values(), strict=True))
                counted[number] = [first, second, len(matches)]
        return tally

    def met(self) -> Iterable[Pairing]:
        """The pairings of which something was played."""
        return self._points.keys()


def points_in_order(key: MatchKey, points: tuple[int, int]) -> tuple[int, int]:
    """What is given by the table's team, in the order of the pairing."""
    return (points[1], points[0]) if key.swapped else points


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction()) / len(values)
