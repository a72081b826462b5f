"""Two ways to a variance, from the sets themselves and from the replicates, say the same; and the means are the table's."""

import random
from itertools import combinations

import numpy as np
import pytest

from arena.tournament.resampling import draw
from arena.tournament.standings import Standings, compute_standings
from arena.tournament.statistics import SetTally, compute_statistics
from arena.tournament.strata import Moments, gather
from tests.builders import result

Run = tuple[Standings, SetTally, dict[str, tuple[str, ...]]]


def cut_short(count: int, *, sets: tuple[int, int], part: float, are_bots: bool, seed: int) -> Run:
    """A run in which some pairings have more sets than others, and some none yet. sets: fewest and most. part: with any."""
    chance = random.Random(seed)
    names = "ABCDEFGHIJ"[:count]
    members: dict[str, tuple[str, ...]] = {name: (name,) for name in names}
    if are_bots:
        members = {" + ".join(pair): pair for pair in combinations(names, 2)}
    tally = SetTally()
    matches = []
    for first, second in combinations(members, 2):
        if {*members[first]} & {*members[second]} or chance.random() > part:
            continue
        for number in range(chance.randint(*sets)):
            points = 12, 2 * chance.randint(0, 5)
            matches.append(result(first, second, points if chance.random() < 0.4 else points[::-1], number=number))
    standings = compute_standings(members, tally.passing(matches), by_total=False, players=members)
    return standings, tally, members


@pytest.mark.parametrize(
    ("count", "sets", "part", "are_bots"),
    [
        (9, (1, 1), 1.0, False),
        (9, (1, 3), 0.9, False),
        (6, (1, 1), 1.0, True),
        (6, (2, 5), 0.5, True),
        (6, (1, 3), 0.5, True),
        (7, (2, 4), 0.1, True),
    ],
)
def test_replicates_are_spread_as_the_sets_say(count: int, sets: tuple[int, int], part: float, are_bots: bool) -> None:
    standings, tally, members = cut_short(count, sets=sets, part=part, are_bots=are_bots, seed=3)
    names, pairings = gather(standings, tally, members)
    moments = Moments(pairings, len(names))
    drawn, _ = draw(pairings, names, standings)
    table = {row.team: row.defeat_points_per_match for row in standings.rows}
    assert moments.means == pytest.approx([table[name] for name in names])
    assert drawn.mean(axis=0) == pytest.approx(moments.means, abs=0.12)
    spread = (drawn[:, :, None] - drawn[:, None, :]).std(axis=0)
    assert spread == pytest.approx(moments.errors, rel=0.06, abs=1e-9)
    shown = compute_statistics(standings, tally, players=members).teams
    for at, name in enumerate(names):
        if interval := shown[name].points.interval:
            assert interval.low <= moments.means[at] <= interval.high


def test_an_interval_of_direct_meetings_lies_around_their_mean() -> None:
    standings, tally, members = cut_short(6, sets=(3, 6), part=0.7, are_bots=True, seed=4)
    found = compute_statistics(standings, tally, players=members).pairs
    for pair, total in standings.pairs.items():
        difference = found[pair].difference
        assert difference.value == pytest.approx((total.defeat_points - total.opponent_defeat_points) / total.matches)
        if difference.interval is not None:
            low, high = difference.interval.low, difference.interval.high
            assert (low + high) / 2 == pytest.approx(difference.value, abs=0.15 * (high - low))
    assert any(it.difference.interval for it in found.values())


def test_chances_of_ranks_are_those_counted_one_by_one() -> None:
    """Of few different means, many of them level."""
    standings, tally, members = cut_short(5, sets=(2, 3), part=1.0, are_bots=False, seed=5)
    names, pairings = gather(standings, tally, members)
    drawn, _ = draw(pairings, names, standings)
    expected = np.zeros((len(names), len(names)))
    for means in np.round(drawn, 9):
        for at, mean in enumerate(means):
            first, level = int((means < mean).sum()), int((means == mean).sum())
            expected[at, first : first + level] += 1 / level
    found = compute_statistics(standings, tally).teams
    for at, name in enumerate(names):
        assert found[name].rank_chances == pytest.approx(expected[at] / len(drawn))
