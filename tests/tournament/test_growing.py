"""Tournaments that end when they have said enough, or when the time is over."""

from collections.abc import Callable
from random import Random

from arena.tournament.formats import Play
from arena.tournament.growing import Growing
from arena.tournament.history import History
from arena.tournament.pairings import Circle, Listed, Pairing, iter_pairings
from arena.tournament.schedule import Block
from tests.builders import result

TEAMS = ("A", "B", "C")
SET_MATCHES = 2
Result = Callable[[Pairing], tuple[int, int]]


def equal(seed: int) -> Result:
    """Nobody is better than anybody."""
    luck = Random(seed)
    return lambda pairing: luck.choice([(4, 12), (12, 4)])


def in_order(pairing: Pairing) -> tuple[int, int]:
    """A beats B, and both beat C."""
    return (2, 12)


def play(format_: Growing, outcome: Result, *, match_seconds: float = 1.0) -> list[Block]:
    history = History()
    while (block := format_.next_block(history)) is not None:
        assert len(history.blocks) < 200, "it does not end"
        history.blocks.append(block)
        for session in block.iter_sessions():
            for key in session.iter_keys():
                points = outcome(key.teams)
                history.add(result(*key.teams, points, number=key.number, swapped=key.swapped))
                history.spent_seconds += match_seconds
    return history.blocks


def growing(*, cap: int = 1000, unit: int = 1, confidence: float | None = None, budget: float | None = None) -> Growing:
    return Growing(
        teams=TEAMS, pairings=Circle(TEAMS), play=Play(sets=cap), unit=unit, confidence=confidence, budget_seconds=budget
    )


def sets_of_all(blocks: list[Block]) -> int:
    """How many sets all pairings have played; they are numbered through."""
    whole = [block for block in blocks if isinstance(block.pairings, Circle)]
    assert [number for block in whole for number in block.sets] == list(range(whole[-1].sets.stop))
    return whole[-1].sets.stop


def matches(blocks: list[Block]) -> int:
    return sum(block.match_count for block in blocks)


def test_clear_differences_end_it_early() -> None:
    sets = sets_of_all(play(growing(confidence=0.95), in_order))
    assert 5 <= sets <= 100


def test_equal_teams_play_to_the_cap() -> None:
    blocks = play(growing(cap=60, confidence=0.95), equal(1))
    assert sets_of_all(blocks) == 60
    assert len(blocks) < 20, "it looks less often the more was played"


def test_boards_come_in_fours() -> None:
    blocks = play(growing(cap=48, unit=4, confidence=0.95), equal(2))
    assert sets_of_all(blocks) == 48
    assert all(block.sets.start % 4 == 0 and len(block.sets) % 4 == 0 for block in blocks)


def test_a_budget_is_used_and_not_exceeded() -> None:
    """An hour of matches of 10 s: 60 sets of three pairings."""
    blocks = play(growing(budget=3600), in_order, match_seconds=10)
    assert 55 <= sets_of_all(blocks) <= 60
    assert matches(blocks) * 10 <= 3600
    assert sets_of_all(play(growing(cap=7, budget=3600), in_order, match_seconds=10)) == 7


def test_what_is_left_goes_to_neighbours_that_are_not_told_apart() -> None:
    """A set of all takes 60 s; the second does not fit, but one of a single pairing does, and then another one."""
    blocks = play(growing(budget=105), equal(3), match_seconds=10)
    assert sets_of_all(blocks) == 1
    extra = blocks[1:]
    assert [block.match_count for block in extra] == [2 * SET_MATCHES]
    assert all(len(pair) == 2 and pair[0] < pair[1] for block in extra for pair in iter_pairings(block.pairings))
    assert matches(blocks) * 10 <= 105
    decided = play(growing(budget=60 * 100 + 45, cap=100), in_order, match_seconds=10)
    assert matches(decided) == 100 * 3 * SET_MATCHES, "nothing was left to be decided"


def test_both_end_it() -> None:
    assert sets_of_all(play(growing(budget=300, confidence=0.95), equal(4), match_seconds=10)) <= 5
    assert sets_of_all(play(growing(budget=1e9, confidence=0.95), in_order)) <= 100


def test_no_match_is_planned_twice() -> None:
    """Neighbours change from one extra set to the next, so that pairs in one block have played different numbers of sets."""
    teams = tuple("ABCDEFGH")
    extras = 0
    for seed in range(40):
        budget = 28 * SET_MATCHES * 4.6 + Random(seed).uniform(0, 250)
        format_ = Growing(teams=teams, pairings=Circle(teams), play=Play(sets=12), budget_seconds=budget)
        blocks = play(format_, equal(seed))
        keys = [key for block in blocks for session in block.iter_sessions() for key in session.iter_keys()]
        assert len(set(keys)) == len(keys)
        extras += sum(not isinstance(block.pairings, Circle) for block in blocks)
    assert extras > 50


def test_when_the_time_is_over_nothing_is_played() -> None:
    """The first set of all pairings takes a twentieth more than there is."""
    teams = tuple("ABCDEFGH")
    format_ = Growing(teams=teams, pairings=Circle(teams), play=Play(sets=12), budget_seconds=28 * SET_MATCHES / 1.05)
    assert len(play(format_, equal(1))) == 1


def test_where_not_everybody_meets_everybody_all_pairings_play_equally_often() -> None:
    """Of all pairs of four bots; neighbours in the table may have a bot in common, which cannot play against itself."""
    teams = ("a + b", "a + c", "a + d", "b + c", "b + d", "c + d")
    pairings = Listed(tuple(zip(teams[:3], teams[:2:-1], strict=True)))
    format_ = Growing(teams=teams, pairings=pairings, play=Play(sets=12), budget_seconds=3 * SET_MATCHES * 2.7)
    blocks = play(format_, equal(1))
    assert [block.pairings for block in blocks] == [pairings] * 2
