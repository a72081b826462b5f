"""The round robin: complete, balanced whenever it is cut short, numbered, and never held in memory."""

import itertools
import tracemalloc
from collections import Counter

import pytest

from arena.records.model import MatchKey
from arena.tournament.schedule import Restart, RoundRobin, Session

SIZES = range(2, 31)


def names(count: int) -> tuple[str, ...]:
    """Names whose order is not the alphabet's, so that nothing works by sorting them."""
    return tuple(f"team {index * 7 % 31}" for index in range(count))


def all_keys(schedule: RoundRobin) -> list[MatchKey]:
    return [key for session in schedule.iter_sessions() for key in session.iter_keys()]


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("restart", Restart)
def test_every_pair_meets_in_every_duplicate_pair_from_both_seatings(count: int, restart: Restart) -> None:
    teams = names(count)
    wanted = {
        MatchKey(pair, number, swapped)
        for pair in itertools.combinations(teams, 2)
        for number in range(3)
        for swapped in (False, True)
    }
    schedule = RoundRobin(teams, 3, restart)
    keys = all_keys(schedule)
    assert len(keys) == len(wanted) == schedule.match_count
    assert set(keys) == wanted


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("restart", Restart)
def test_all_teams_have_played_about_equally_often_at_any_moment(count: int, restart: Restart) -> None:
    teams = names(count)
    played: Counter[str] = Counter(dict.fromkeys(teams, 0))
    for session in RoundRobin(teams, 2, restart).iter_sessions():
        played.update(session.teams)
        # One session for the half of a round that is going on; two more for the round that a team sat out, which only
        # happens with an odd number, once to each.
        assert max(played.values()) - min(played.values()) <= (1 if count % 2 == 0 else 3)


@pytest.mark.parametrize("count", [2, 3, 8, 9])
def test_a_run_cut_short_has_both_seatings_of_nearly_all_pairings_it_began(count: int) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for session in RoundRobin(names(count), 4).iter_sessions():
        seen[session.teams] += 1
        assert sum(times == 1 for times in seen.values()) <= count // 2


@pytest.mark.parametrize("count", [2, 5, 6])
def test_the_first_pass_is_over_before_the_second_begins_when_every_match_restarts(count: int) -> None:
    numbers = [key.number for key in all_keys(RoundRobin(names(count), 3, Restart.MATCH))]
    assert numbers == sorted(numbers)


def test_a_session_has_all_matches_of_a_pairing_from_one_seating() -> None:
    sessions = list(RoundRobin(("a", "b", "c"), 5).iter_sessions())
    assert len(sessions) == 6
    assert all(list(session.numbers) == [0, 1, 2, 3, 4] for session in sessions)
    assert len({(session.teams, session.swapped) for session in sessions}) == 6


def test_a_session_is_one_match_when_every_match_restarts() -> None:
    sessions = list(RoundRobin(("a", "b", "c"), 5, Restart.MATCH).iter_sessions())
    assert len(sessions) == 30
    assert all(len(session.numbers) == 1 for session in sessions)


def test_no_session_plays_the_same_deals_twice() -> None:
    for session in RoundRobin(names(7), 6).iter_sessions():
        deals = [key.deals for key in session.iter_keys()]
        assert len(set(deals)) == len(deals)


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("restart", Restart)
def test_matches_are_numbered_from_one_in_the_order_of_the_schedule(count: int, restart: Restart) -> None:
    schedule = RoundRobin(names(count), 3, restart)
    for number, key in enumerate(all_keys(schedule), start=1):
        assert schedule.match_number(key) == number
        assert schedule.match_key(number) == key


@pytest.mark.parametrize("number", [0, -1, 13])
def test_a_number_that_no_match_has_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="numbered 1 to 12"):
        RoundRobin(("a", "b", "c"), 2).match_key(number)


@pytest.mark.parametrize(
    "key",
    [
        MatchKey(("a", "b"), 2, swapped=False),
        MatchKey(("a", "b"), -1, swapped=False),
        MatchKey(("b", "a"), 0, swapped=False),
        MatchKey(("a", "a"), 0, swapped=False),
        MatchKey(("a", "d"), 0, swapped=False),
    ],
)
def test_a_match_that_is_not_in_the_schedule_has_no_number(key: MatchKey) -> None:
    with pytest.raises(ValueError, match="is not a match of this schedule"):
        RoundRobin(("a", "b", "c"), 2).match_number(key)


@pytest.mark.parametrize("restart", Restart)
def test_what_remains_is_what_was_not_finished_in_the_same_order(restart: Restart) -> None:
    schedule = RoundRobin(names(6), 4, restart)
    keys = all_keys(schedule)
    finished = {key for index, key in enumerate(keys) if index % 3 == 0 or index < 20}
    remaining = [key for session in schedule.iter_remaining(finished) for key in session.iter_keys()]
    assert remaining == [key for key in keys if key not in finished]
    assert all(session.numbers for session in schedule.iter_remaining(finished))
    assert list(schedule.iter_remaining(set())) == list(schedule.iter_sessions())
    assert list(schedule.iter_remaining(set(keys))) == []


def test_what_remains_of_a_session_keeps_its_seating() -> None:
    schedule = RoundRobin(("a", "b"), 3)
    finished = {MatchKey(("a", "b"), 1, swapped=True)}
    assert list(schedule.iter_remaining(finished)) == [
        Session(teams=("a", "b"), swapped=False, numbers=range(3)),
        Session(teams=("a", "b"), swapped=True, numbers=(0, 2)),
    ]


@pytest.mark.parametrize("restart", Restart)
def test_a_million_planned_matches_take_no_memory(restart: Restart) -> None:
    schedule = RoundRobin(names(30), 1150, restart)
    assert schedule.match_count > 1_000_000
    tracemalloc.start()
    try:
        begun = sum(len(session.numbers) for session in itertools.islice(schedule.iter_sessions(), 50_000))
        schedule.match_number(schedule.match_key(schedule.match_count))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert begun >= 50_000
    assert peak < 100_000
