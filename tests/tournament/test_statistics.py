"""What is said of chance, against cases that were worked out in another way."""

import random
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from arena.records.summary import MatchSummary
from arena.tournament.standings import compute_standings
from arena.tournament.statistics import Missing, SetTally, Statistics, compute_statistics
from tests.builders import result

Points = tuple[int, int]
UPS_AND_DOWNS: Sequence[Points] = [(12, 4), (6, 12), (12, 8), (2, 12), (12, 10)]


def statistics_of(teams: Iterable[str], matches: Iterable[MatchSummary]) -> Statistics:
    sets = SetTally()
    return compute_statistics(compute_standings(teams, sets.passing(matches)), sets)


def meetings(first: str, second: str, points: Iterable[Points]) -> list[MatchSummary]:
    """Sets of one match each."""
    return [result(first, second, at, number=number) for number, at in enumerate(points)]


def draws(points: Sequence[Points]) -> list[tuple[Points, ...]]:
    """Everything that drawing one fewer than there are can give, each as likely as any other."""
    return list(product(points, repeat=len(points) - 1))


def test_interval_is_that_of_all_possible_draws() -> None:
    found = statistics_of("AB", meetings("A", "B", UPS_AND_DOWNS)).teams["A"].points
    means = [np.mean([first for first, _ in drawn]) for drawn in draws(UPS_AND_DOWNS)]
    mean = np.mean([first for first, _ in UPS_AND_DOWNS])
    stretch = stats.t.ppf(0.975, df=4) / stats.norm.ppf(0.975)
    low, high = mean + (np.quantile(means, [0.025, 0.975]) - mean) * stretch
    assert found.value == pytest.approx(mean)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((max(low, 0), high), abs=0.5)


def test_rank_chances_are_those_of_all_possible_draws_and_level_ones_are_shared() -> None:
    found = statistics_of("AB", meetings("A", "B", UPS_AND_DOWNS)).teams
    differences = [sum(first - second for first, second in drawn) for drawn in draws(UPS_AND_DOWNS)]
    first = np.mean([1.0 if it < 0 else 0.5 if it == 0 else 0.0 for it in differences])
    assert any(it == 0 for it in differences)
    assert found["A"].rank_chances == pytest.approx((first, 1 - first), abs=0.03)
    assert found["B"].rank_chances == pytest.approx((1 - first, first), abs=0.03)


def test_many_sets_give_nearly_the_interval_of_a_mean() -> None:
    chance = random.Random(1)
    points = [(chance.choice([0, 2, 4, 6, 12, 14]), chance.randint(0, 14)) for _ in range(200)]
    found = statistics_of("AB", meetings("A", "B", points))
    for at, values in (
        (found.teams["A"].points, [first for first, _ in points]),
        (found.pairs["A", "B"].difference, [first - second for first, second in points]),
    ):
        low, high = stats.t.interval(0.95, 199, np.mean(values), stats.sem(values))
        assert at.interval is not None
        assert (at.interval.low, at.interval.high) == pytest.approx((low, high), abs=0.15 * (high - low) / 2)


def test_two_sets_a_pairing_do_not_make_intervals_too_narrow() -> None:
    """The variance of a mean of pairings, by the textbook: half the spread of two sets, squared, over the pairings."""
    chance = random.Random(2)
    names = [f"team {number}" for number in range(12)]
    matches = [
        match
        for first, second in combinations(names, 2)
        for match in meetings(first, second, [(chance.randint(0, 14), chance.randint(0, 14)) for _ in range(2)])
    ]
    found = statistics_of(names, matches)
    for name in names:
        pairs = [
            [match.defeat_points[match.key.seated.index(name)] for match in matches if set(match.key.teams) == {name, other}]
            for other in names
            if other != name
        ]
        error = np.sqrt(sum((one - other) ** 2 / 4 for one, other in pairs)) / len(pairs)
        interval = found.teams[name].points.interval
        assert interval is not None
        # Student's t of 4 to 11 degrees. Drawing as many sets as there are would take 30 % off.
        assert 2.1 < (interval.high - interval.low) / (2 * error) < 2.9


def test_whole_sets_are_drawn() -> None:
    """Whatever the deals favour, both teams have had it: the sets are alike, though no two matches of them are."""
    matches = [
        match
        for number in range(6)
        for match in (
            result("A", "B", (12, 2), number=number),
            result("A", "B", (2, 12), number=number, swapped=True),
        )
    ]
    found = statistics_of("AB", matches)
    assert found.teams["A"].points.missing is Missing.NO_SPREAD
    assert found.teams["A"].sets == 6
    assert found.pairs["A", "B"].difference.missing is Missing.NO_SPREAD
    assert found.teams["A"].band == (1, 2)
    assert found.teams["A"].rank_chances == (0.5, 0.5)


def test_members_that_change_seats_are_of_the_same_set() -> None:
    matches = []
    for number, swapped, exchanged in product(range(2), (False, True), range(4)):
        match = result("A", "B", (12, exchanged), number=number, swapped=swapped)
        matches.append(replace(match, key=replace(match.key, exchanged=exchanged)))
    found = statistics_of("AB", matches)
    assert found.teams["A"].sets == 2
    assert found.teams["B"].points.value == 1.5


def test_sets_are_drawn_within_their_pairing() -> None:
    """A lost everything to B and nothing to C. To draw among all of its sets would call that chance."""
    matches = [
        *meetings("A", "B", [(12, 0)] * 5),
        *meetings("A", "C", [(0, 12)] * 5),
        *meetings("B", "C", UPS_AND_DOWNS),
    ]
    found = statistics_of("ABC", matches).teams
    assert found["A"].points.missing is Missing.NO_SPREAD
    assert found["B"].points.interval is not None


def test_order_of_matches_and_the_number_of_times_asked_change_nothing() -> None:
    chance = random.Random(3)
    names = ["A", "B", "C", "D"]
    matches = [
        match
        for first, second in combinations(names, 2)
        for match in meetings(first, second, [(chance.randint(0, 14), chance.randint(0, 14)) for _ in range(6)])
    ]
    expected = statistics_of(names, matches)
    for _ in range(3):
        chance.shuffle(matches)
        chance.shuffle(names)
        assert statistics_of(names, matches) == expected


def test_both_ways_round_a_difference_is_the_same_but_for_its_sign() -> None:
    pairs = statistics_of("AB", meetings("A", "B", UPS_AND_DOWNS)).pairs
    one, other = pairs["A", "B"].difference, pairs["B", "A"].difference
    assert one.value == -0.4
    assert other.value == 0.4
    assert one.interval is not None
    assert other.interval is not None
    assert (one.interval.low, one.interval.high) == (-other.interval.high, -other.interval.low)
    assert not pairs["A", "B"].is_separated


@pytest.mark.parametrize(
    ("count", "missing"), [(1, Missing.SINGLE_SET), (2, Missing.FEW_SETS), (4, Missing.FEW_SETS), (5, None), (40, None)]
)
def test_few_sets_have_no_interval_and_a_reason(count: int, missing: Missing | None) -> None:
    found = statistics_of("AB", meetings("A", "B", (UPS_AND_DOWNS * 8)[:count]))
    for estimate in (found.teams["A"].points, found.pairs["A", "B"].difference):
        assert estimate.missing is missing
        assert (estimate.interval is None) == (missing is not None)
        assert estimate.value is not None
    assert (found.teams["A"].band is None) == (found.teams["A"].rank_chances is None) == (missing is not None)


def test_few_sets_of_many_pairings_are_enough() -> None:
    names = "ABCDE"
    matches = [match for pair in combinations(names, 2) for match in meetings(*pair, UPS_AND_DOWNS[:2])]
    found = statistics_of(names, matches)
    assert all(team.points.interval for team in found.teams.values())
    assert all(pair.difference.missing is Missing.FEW_SETS for pair in found.pairs.values())


def test_who_is_not_known_well_enough_is_tied_with_everybody() -> None:
    """C has met A once only. What is known of B and D stands."""
    lost = [(12, at) for at in (2, 4, 0, 2, 4, 2)]
    matches = [*meetings("D", "B", lost), *meetings("A", "C", [(12, 0)])]
    found = statistics_of(["A", "B", "C", "D", "New"], matches).teams
    assert found["C"].points.missing is Missing.SINGLE_SET
    assert (found["B"].band, found["C"].band, found["D"].band) == ((1, 3), (1, 4), (2, 4))
    assert found["B"].rank_chances is None
    assert found["New"].points.missing is Missing.NO_MATCH
    assert found["New"].band is None


def test_bands_are_ranges_around_the_ranks_of_the_table() -> None:
    chance = random.Random(5)
    names = "ABCDEF"
    for _ in range(30):
        strength = {name: chance.choice([0, 0, 4, 8]) for name in names}
        sets = SetTally()
        matches = [
            match
            for first, second in chance.sample(list(combinations(names, 2)), 12)
            for match in meetings(
                first,
                second,
                [(chance.randint(0, 6) + strength[first], chance.randint(0, 6) + strength[second]) for _ in "12345"],
            )
        ]
        standings = compute_standings(names, sets.passing(matches))
        found = compute_statistics(standings, sets).teams
        played = [row for row in standings.rows if row.rank is not None]
        for row in played:
            team = found[row.team]
            assert team.band is not None
            assert row.rank is not None
            assert 1 <= team.band[0] <= row.rank <= team.band[1] <= len(played)
            assert team.rank_chances is not None
            assert sum(team.rank_chances) == pytest.approx(1)
        chances = np.array([found[row.team].rank_chances for row in played])
        assert chances.sum(axis=0) == pytest.approx(np.ones(len(played)))


def test_clear_differences_separate() -> None:
    matches = [
        *meetings("A", "B", [(at % 3, 12 + at % 2) for at in range(8)]),
        *meetings("B", "C", [(2 + at % 5, 12 + at % 3) for at in range(8)]),
        *meetings("A", "C", [(at % 2, 14 - at % 3) for at in range(8)]),
    ]
    found = statistics_of("CAB", matches)
    assert [found.teams[name].band for name in "ABC"] == [(1, 1), (2, 2), (3, 3)]
    assert [found.teams[name].is_tied for name in "ABC"] == [False] * 3
    assert found.teams["A"].rank_chances == (1, 0, 0)
    assert found.pairs["A", "B"].is_separated


def test_no_interval_goes_below_zero() -> None:
    found = statistics_of("AB", meetings("A", "B", [(0, 12), (0, 14), (0, 12), (6, 12), (0, 12)])).teams["A"].points
    assert found.interval is not None
    assert found.interval.low == 0


def test_many_kinds_of_sets_and_few_give_the_same() -> None:
    """Few kinds are counted, many are drawn one by one: the same results, once with a kind of its own for each set."""
    few = meetings("A", "B", [(12, 4), (4, 12), (12, 8), (12, 12)] * 20)
    many = [*few, *meetings("C", "D", [(number, 3 * number) for number in range(80)])]
    one = statistics_of("ABCD", few).teams["A"].points.interval
    other = statistics_of("ABCD", many).teams["A"].points.interval
    assert one == other
    interval = statistics_of("ABCD", many).teams["C"].points.interval
    values = list(range(80))
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(stats.t.interval(0.95, 79, np.mean(values), stats.sem(values)), abs=1)


@pytest.mark.parametrize(
    "code",
    [
        "import arena.cli.standings, arena.show.export, arena.tournament.stopping",
        "from arena.tournament.statistics import *\nfrom arena.tournament.standings import compute_standings\n"
        "compute_statistics(compute_standings('AB', []), SetTally())",
    ],
)
def test_numpy_is_not_imported_where_nothing_is_to_be_computed(code: str) -> None:
    subprocess.run([sys.executable, "-c", f"{code}\nimport sys\nsys.exit('numpy' in sys.modules)"], check=True)


def test_every_opponent_counts_alike_as_in_the_table() -> None:
    """A met B in ten sets and C in five."""
    matches = [
        *meetings("A", "B", [(12, 4 + at % 3) for at in range(10)]),
        *meetings("A", "C", [(at % 2, 12) for at in range(5)]),
    ]
    sets = SetTally()
    standings = compute_standings("ABC", sets.passing(matches))
    found = compute_statistics(standings, sets).teams["A"].points
    assert found.value == standings.rows[[row.team for row in standings.rows].index("A")].defeat_points_per_match
    assert found.value == pytest.approx((12 + 0.4) / 2)
    assert found.interval is not None
    assert found.interval.low < found.value < found.interval.high
    # All that varies is how A does against C, which is half of it.
    assert found.interval.high - found.interval.low == pytest.approx(
        stats.t.ppf(0.975, 4) * stats.sem([0, 1, 0, 1, 0]), rel=0.2
    )


def test_bots_with_all_partners_are_ranked_like_teams_with_the_same_results() -> None:
    """Four bots make three pairings, in each of which a bot has another partner."""
    sets = {
        ("A + B", "C + D"): UPS_AND_DOWNS,
        ("A + C", "B + D"): [(2, 12), (4, 12), (12, 10), (0, 12), (6, 12)],
        ("A + D", "B + C"): [(12, 8), (12, 6), (4, 12), (12, 2), (12, 4)],
    }
    players = {team: tuple(team.split(" + ")) for pair in sets for team in pair}
    tally = SetTally()
    matches = [match for pair, points in sets.items() for match in meetings(*pair, points)]
    standings = compute_standings(players, tally.passing(matches), players=players)
    found = compute_statistics(standings, tally, players=players)
    like = statistics_of(
        "AXYZ",
        [match for opponent, points in zip("XYZ", sets.values(), strict=True) for match in meetings("A", opponent, points)],
    )
    one, other = found.teams["A"].points, like.teams["A"].points
    assert one.value == pytest.approx(other.value)
    assert one.interval is not None
    assert other.interval is not None
    assert (one.interval.low, one.interval.high) == pytest.approx((other.interval.low, other.interval.high), abs=0.3)
    assert found.teams["A"].sets == 15
    # Against B: with C against D, and with D against C.
    assert found.pairs["A", "B"].sets == 10
    points = [*sets["A + C", "B + D"], *sets["A + D", "B + C"]]
    assert found.pairs["A", "B"].difference.value == np.mean([first - second for first, second in points])
    assert found.pairs["A", "B"].difference.interval is not None
    assert found.pairs["B", "A"].difference.interval is not None
    assert found.pairs["B", "A"].difference.interval.low == -found.pairs["A", "B"].difference.interval.high


def test_bots_whose_teams_met_once_have_no_interval_when_they_are_few() -> None:
    players = {team: tuple(team.split(" + ")) for team in ("A + B", "C + D", "A + C", "B + D")}
    tally = SetTally()
    matches = [result("A + B", "C + D", (12, 4)), result("A + C", "B + D", (2, 12))]
    standings = compute_standings(players, tally.passing(matches), players=players)
    found = compute_statistics(standings, tally, players=players)
    assert {team.points.missing for team in found.teams.values()} == {Missing.SINGLE_SET}
    assert {team.sets for team in found.teams.values()} == {2}
    assert found.pairs["A", "D"].sets == 2
    assert found.pairs["A", "D"].difference.value == -1
