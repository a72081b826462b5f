"""Pairings with a single set of deals: what all of them together say about chance, against least squares written out."""

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from scipy import linalg, stats

from arena.records.summary import MatchSummary
from arena.tournament.single_sets import residuals
from arena.tournament.statistics import Missing
from tests.builders import result
from tests.tournament.test_statistics import meetings, statistics_of

TEAMS = "ABCDEFGHIJ"


def met_once(teams: Sequence[str], *, seed: int, better: str = "") -> list[MatchSummary]:
    """Everybody against everybody, one set each; who is better receives less."""
    chance = random.Random(seed)

    def received(team: str) -> int:
        return 2 * chance.randint(0, 2) if team in better else 2 * chance.randint(3, 7)

    return [result(first, second, (received(first), received(second))) for first, second in combinations(teams, 2)]


def test_what_strengths_explain_is_no_chance() -> None:
    chance = random.Random(3)
    own, given = ([chance.random() * 12 for _ in range(7)] for _ in range(2))
    ends = list(combinations(range(7), 2))
    means = np.array([(own[one] + given[other], own[other] + given[one]) for one, other in ends])
    left, shares = residuals(ends, means, sets=[1] * len(ends), teams=7)
    assert left == pytest.approx(0, abs=1e-9)
    # Two values for each of seven teams, of which one is one of the others: the fit takes 13 of 42.
    assert shares.sum() == pytest.approx(42 - 13)


@pytest.mark.parametrize("sets", [[1] * 12, [1, 1, 5, 1, 2, 1, 1, 1, 20, 1, 1, 1]])
def test_residuals_are_those_of_least_squares(sets: list[int]) -> None:
    """Weighted by sets, and enlarged by the inverse root of what the fit leaves of both teams of a pairing."""
    chance = np.random.default_rng(4)
    ends = [(0, 1), (2, 0), (1, 2), (3, 0), (3, 1), (2, 3), (4, 0), (1, 4), (4, 2), (3, 4), (5, 0), (5, 2)]
    means = chance.integers(0, 13, (len(ends), 2)).astype(float)
    design = np.zeros((2 * len(ends), 12))
    for at, (one, other) in enumerate(ends):
        design[2 * at, [one, 6 + other]] = 1
        design[2 * at + 1, [other, 6 + one]] = 1
    root = np.sqrt(np.repeat(sets, 2))[:, None]
    hat = (root * design) @ np.linalg.pinv(root * design)
    left = (means.ravel() - (hat @ (root[:, 0] * means.ravel())) / root[:, 0]).reshape(-1, 2)
    found, shares = residuals(ends, means, sets=sets, teams=6)
    assert shares.ravel() == pytest.approx(1 - np.diag(hat))
    for at in range(len(ends)):
        kept = (np.eye(len(hat)) - hat)[2 * at : 2 * at + 2, 2 * at : 2 * at + 2]
        assert found[at] == pytest.approx(np.real(linalg.inv(linalg.sqrtm(kept))) @ left[at])


def test_what_is_level_among_many_is_level() -> None:
    """A fit of 48 teams has eigenvalues that are zero but for rounding, which must not be taken for something."""
    teams = [f"team {number}" for number in range(48)]
    found = statistics_of(teams, [result(*pair, (12, 12)) for pair in combinations(teams, 2)])
    assert {team.points.missing for team in found.teams.values()} == {Missing.NO_SPREAD}


def test_a_pairing_that_alone_links_two_groups_is_not_known() -> None:
    groups = "ABCDEFG", "PQRSTUV"
    matches = [match for group in groups for match in met_once(group, seed=8)]
    found = statistics_of("".join(groups), [*matches, result("A", "P", (12, 0))]).teams
    assert {team for team, it in found.items() if it.points.missing is Missing.SINGLE_SET} == {"A", "P"}
    assert all(it.points.interval for team, it in found.items() if team not in "AP")


def test_two_of_whom_nobody_else_says_anything_are_not_known() -> None:
    left, shares = residuals(
        [(0, 1), (2, 3), (2, 4), (3, 4)], np.array([[12.0, 2.0], [4, 12], [12, 0], [8, 12]]), sets=[1, 1, 1, 1], teams=5
    )
    assert left[0].tolist() == [0, 0]
    assert shares[0].tolist() == [0, 0]


def test_interval_is_students_around_the_mean_over_the_opponents() -> None:
    """With many opponents, of whom chance makes all the difference, it is nearly that of a sample of that size."""
    matches = met_once([f"team {number}" for number in range(40)], seed=1)
    found = statistics_of([f"team {number}" for number in range(40)], matches).teams["team 0"].points
    received = [match.defeat_points[0] for match in matches if match.key.teams[0] == "team 0"]
    assert found.interval is not None
    expected = stats.sem(received) * stats.t.ppf(0.975, df=38)
    assert found.value == pytest.approx(np.mean(received))
    assert found.interval.high - found.interval.low == pytest.approx(2 * expected, rel=0.3)
    assert (found.interval.high + found.interval.low) / 2 == pytest.approx(found.value, abs=0.2)


def test_a_class_that_met_once_has_bands() -> None:
    found = statistics_of(TEAMS, met_once(TEAMS, seed=2, better="ABCDE"))
    for team in TEAMS:
        assert found.teams[team].points.interval is not None
        assert found.teams[team].rank_chances is not None
        band = found.teams[team].band
        assert band is not None
        assert band[1] <= 6 if team in "ABCDE" else band[0] >= 5
    assert all(pair.difference.missing is Missing.SINGLE_SET for pair in found.pairs.values())


@pytest.mark.parametrize(
    ("teams", "missing"), [("AB", Missing.SINGLE_SET), ("ABCDE", Missing.SINGLE_SET), ("ABCDEF", Missing.FEW_OPPONENTS)]
)
def test_too_few_opponents_are_no_basis(teams: str, missing: Missing) -> None:
    found = statistics_of(teams, met_once(teams, seed=5))
    assert {team.points.missing for team in found.teams.values()} == {missing}
    assert all(team.band is None for team in found.teams.values())


def test_one_against_all_says_nothing_of_the_others() -> None:
    """A gauntlet: each of them has met one team once."""
    matches = [result("A", team, (2 * at, 12)) for at, team in enumerate("BCDEFGH")]
    found = statistics_of("ABCDEFGH", matches).teams
    assert {found[team].points.missing for team in "ABCDEFGH"} == {Missing.SINGLE_SET}


def test_some_pairings_may_have_more_sets() -> None:
    more = [(12, 2), (4, 12)]
    matches = [*met_once(TEAMS, seed=6), *(result("A", "B", points, number=at) for at, points in enumerate(more, 1))]
    found = statistics_of(TEAMS, matches)
    assert all(team.points.interval for team in found.teams.values())
    assert found.teams["A"].sets == 11
    assert found.pairs["A", "B"].difference.missing is Missing.FEW_SETS


def test_many_sets_against_others_say_nothing_of_a_single_one() -> None:
    """In the middle of a run, when the last of three rounds has begun."""
    pairs = [pair for pair in combinations("ABCDEF", 2) if pair != ("A", "D")]
    often = [match for pair in pairs for match in meetings(*pair, [(12, 4), (2, 12), (12, 8)] * 4)]
    found = statistics_of("ABCDEF", [*often, result("A", "D", (12, 2))]).teams
    assert {team for team, it in found.items() if it.points.interval is None} == {"A", "D"}
    assert found["A"].points.missing is Missing.FEW_OPPONENTS
