"""Who is told apart, and when."""

import random
from collections.abc import Iterable
from itertools import combinations

import pytest

from arena.tournament.statistics import SetTally
from arena.tournament.stopping import separation, set_differences, undecided_neighbours
from tests.builders import result


def tally_of(pairings: dict[tuple[str, str], Iterable[tuple[int, int]]]) -> SetTally:
    """Sets of two matches: the same result from both sides."""
    sets = SetTally()
    for (first, second), points in pairings.items():
        for number, at in enumerate(points):
            for swapped in (False, True):
                sets.add(result(first, second, at, number=number, swapped=swapped))
    return sets


def test_direction() -> None:
    assert separation([3.0] * 20) == 1
    assert separation([-3.0] * 20) == -1
    assert separation([3.0, -3.0] * 200) == 0
    assert separation([0.0] * 200) == 0
    assert separation([]) == 0


def test_no_confidence_comes_from_fewer_sets_than_a_coin_would_need() -> None:
    """Nothing is known of differences but their signs: n alike have a chance of 2 ** (1 - n), whatever their size."""
    assert separation([1e9] * 5) == 0
    assert separation([1.0] * 8) == 1
    assert separation([1.0] * 8, confidence=0.999) == 0
    assert separation([1.0] * 8, pairs=100) == 0
    assert separation([1.0] * 20, pairs=100) == 1


def test_size_of_the_points_means_nothing() -> None:
    chance = random.Random(1)
    differences = [chance.gauss(1, 2) for _ in range(200)]
    first = next(count for count in range(201) if separation(differences[:count]))
    for scale in (1e-6, 1e6):
        assert separation([scale * it for it in differences[: first - 1]]) == 0
        assert separation([scale * it for it in differences[:first]]) == 1


def test_one_difference_among_many_that_are_none() -> None:
    assert separation([*[0.0] * 2000, 5.0, -5.0, *[0.0] * 2000, -1e-9, 1e9]) == 0
    assert separation([*[0.0] * 2000, *[-5.0] * 12]) == -1


def test_told_apart_is_told_apart_for_good() -> None:
    assert separation([*[1.0] * 12, *[-1.0] * 300]) == 1


@pytest.mark.parametrize(("confidence", "pairs"), [(0.0, 1), (1.0, 1), (0.95, 0)])
def test_bounds_of_what_is_asked(confidence: float, pairs: int) -> None:
    with pytest.raises(ValueError, match="confidence"):
        separation([1.0], confidence=confidence, pairs=pairs)


def test_differences_are_over_all_opponents() -> None:
    """In set 0: A got 12 and 0, so 6 a match; B got 4 and 8. In set 1: 0 and 2 against 12 and 10."""
    sets = tally_of({("A", "B"): [(12, 4), (0, 12)], ("A", "C"): [(0, 12), (2, 12)], ("C", "B"): [(12, 8), (2, 10)]})
    assert set_differences(sets, "A", "B") == [6 - 6, 1 - 11]
    assert set_differences(sets, "B", "A") == [6 - 6, 11 - 1]


def test_only_complete_sets_count_up_to_the_first_that_is_not() -> None:
    points = [(12, 0)] * 4
    sets = tally_of({("A", "B"): points, ("A", "C"): points, ("B", "C"): points[:2]})
    assert len(set_differences(sets, "A", "B")) == 2
    sets.add(result("B", "C", (0, 12), number=2))  # one of its two matches
    assert len(set_differences(sets, "A", "B")) == 2
    sets.add(result("B", "C", (0, 12), number=2, swapped=True))
    assert len(set_differences(sets, "A", "B")) == 3


def test_other_opponents_cannot_be_compared() -> None:
    points = [(12, 0)] * 30
    sets = tally_of({("A", "B"): points, ("A", "C"): points, ("D", "B"): points})
    assert set_differences(sets, "A", "B") == []
    assert set_differences(sets, "A", "Nobody") == []
    assert undecided_neighbours(sets, ["B", "A"]) == [("B", "A")]


def test_neighbours_that_are_not_told_apart() -> None:
    """A and B are level; C is worse, and D worse still."""
    strength = {"A": 0, "B": 0, "C": 5, "D": 10}
    chance = random.Random(2)
    sets = tally_of(
        {
            pair: [(strength[pair[0]] + chance.randint(0, 4), strength[pair[1]] + chance.randint(0, 4)) for _ in range(30)]
            for pair in combinations("ABCD", 2)
        }
    )
    assert undecided_neighbours(sets, "ABCD") == [("A", "B")]
    assert undecided_neighbours(sets, "BACD") == [("B", "A")]
    assert undecided_neighbours(sets, "ABDC") == [("A", "B"), ("D", "C")]  # D is surely not the better one
    assert undecided_neighbours(sets, "ACD") == []
    assert undecided_neighbours(sets, "A") == []
