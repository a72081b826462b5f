"""Blocks and their pairings: complete, balanced whenever they are cut short, numbered, and never held in memory."""

import itertools
import tracemalloc
from collections import Counter

import pytest

from arena.records.model import MatchKey
from arena.tournament.pairings import Circle, Listed
from arena.tournament.schedule import SEATINGS, Block, Restart, Seating, Seatings, Session

SIZES = range(2, 31)


def names(count: int) -> tuple[str, ...]:
    """Names whose order is not the alphabet's, so that nothing works by sorting them."""
    return tuple(f"team {index * 7 % 31}" for index in range(count))


def round_robin(
    teams: tuple[str, ...], sets: int, restart: Restart = Restart.PAIRING, seatings: Seatings = Seatings.SWAP
) -> Block:
    return Block(pairings=Circle(teams), sets=range(sets), restart=restart, seatings=seatings)


def all_keys(schedule: Block) -> list[MatchKey]:
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
    schedule = round_robin(teams, 3, restart)
    keys = all_keys(schedule)
    assert len(keys) == len(wanted) == schedule.match_count
    assert set(keys) == wanted


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("restart", Restart)
def test_all_teams_have_played_about_equally_often_at_any_moment(count: int, restart: Restart) -> None:
    teams = names(count)
    played: Counter[str] = Counter(dict.fromkeys(teams, 0))
    for session in round_robin(teams, 2, restart).iter_sessions():
        played.update(session.teams)
        # One session for the half of a round that is going on; two more for the round that a team sat out, which only
        # happens with an odd number, once to each.
        assert max(played.values()) - min(played.values()) <= (1 if count % 2 == 0 else 3)


@pytest.mark.parametrize("count", [2, 3, 8, 9])
def test_a_run_cut_short_has_both_seatings_of_nearly_all_pairings_it_began(count: int) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for session in round_robin(names(count), 4).iter_sessions():
        seen[session.teams] += 1
        assert sum(times == 1 for times in seen.values()) <= count // 2


@pytest.mark.parametrize("count", [2, 5, 6])
def test_the_first_pass_is_over_before_the_second_begins_when_every_match_restarts(count: int) -> None:
    numbers = [key.number for key in all_keys(round_robin(names(count), 3, Restart.MATCH))]
    assert numbers == sorted(numbers)


def test_a_session_has_all_matches_of_a_pairing_from_one_seating() -> None:
    sessions = list(round_robin(("a", "b", "c"), 5).iter_sessions())
    assert len(sessions) == 6
    assert all(list(session.numbers) == [0, 1, 2, 3, 4] for session in sessions)
    assert len({(session.teams, session.seating) for session in sessions}) == 6


def test_a_session_is_one_match_when_every_match_restarts() -> None:
    sessions = list(round_robin(("a", "b", "c"), 5, Restart.MATCH).iter_sessions())
    assert len(sessions) == 30
    assert all(len(session.numbers) == 1 for session in sessions)


def test_no_session_plays_the_same_deals_twice() -> None:
    for session in round_robin(names(7), 6).iter_sessions():
        deals = [key.deals for key in session.iter_keys()]
        assert len(set(deals)) == len(deals)


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("restart", Restart)
def test_matches_are_numbered_from_one_in_the_order_of_the_schedule(count: int, restart: Restart) -> None:
    schedule = round_robin(names(count), 3, restart)
    for number, key in enumerate(all_keys(schedule), start=1):
        assert schedule.match_number(key) == number


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
    with pytest.raises(ValueError, match=r"is not a match|does not meet"):
        round_robin(("a", "b", "c"), 2).match_number(key)


@pytest.mark.parametrize("restart", Restart)
def test_what_remains_is_what_was_not_finished_in_the_same_order(restart: Restart) -> None:
    schedule = round_robin(names(6), 4, restart)
    keys = all_keys(schedule)
    finished = {key for index, key in enumerate(keys) if index % 3 == 0 or index < 20}
    remaining = [key for session in schedule.iter_remaining(finished.__contains__) for key in session.iter_keys()]
    assert remaining == [key for key in keys if key not in finished]
    assert all(session.numbers for session in schedule.iter_remaining(finished.__contains__))
    assert list(schedule.iter_remaining(set().__contains__)) == list(schedule.iter_sessions())
    assert list(schedule.iter_remaining(set(keys).__contains__)) == []


def test_what_remains_of_a_session_keeps_its_seating() -> None:
    schedule = round_robin(("a", "b"), 3)
    finished = {MatchKey(("a", "b"), 1, swapped=True)}
    assert list(schedule.iter_remaining(finished.__contains__)) == [
        Session(teams=("a", "b"), seating=Seating(swapped=False), numbers=range(3)),
        Session(teams=("a", "b"), seating=Seating(swapped=True), numbers=(0, 2)),
    ]


@pytest.mark.parametrize("restart", Restart)
def test_a_million_planned_matches_take_no_memory(restart: Restart) -> None:
    schedule = round_robin(names(30), 1150, restart)
    assert schedule.match_count > 1_000_000
    tracemalloc.start()
    try:
        begun = sum(len(session.numbers) for session in itertools.islice(schedule.iter_sessions(), 50_000))
        schedule.match_number(MatchKey(schedule.pairings.at(3, 4), 1149, swapped=True))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert begun >= 50_000
    assert peak < 100_000


def test_a_block_of_chosen_pairs_has_the_sets_that_it_is_given() -> None:
    pairs = (("a", "b"), ("a", "c"))
    block = Block(pairings=Listed(pairs), sets=range(3, 5))
    keys = [key for session in block.iter_sessions() for key in session.iter_keys()]
    assert {(key.teams, key.number) for key in keys} == {(pair, number) for pair in pairs for number in (3, 4)}
    assert [block.match_number(key) for key in keys] == list(range(1, 9))
    for wrong in (MatchKey(pairs[0], 2, swapped=False), MatchKey(("b", "c"), 3, swapped=False)):
        with pytest.raises(ValueError, match="is not"):
            block.match_number(wrong)


@pytest.mark.parametrize("restart", Restart)
def test_in_a_full_seating_every_member_plays_every_hand(restart: Restart) -> None:
    """Bots a and b against c and d: over the 8 matches of a set each bot sits twice on each seat, and no table comes twice."""
    block = round_robin(("one", "two"), 2, restart, Seatings.FULL)
    members = {"one": ("a", "b"), "two": ("c", "d")}
    keys = all_keys(block)
    assert [block.match_number(key) for key in keys] == list(range(1, 17))
    tables = []
    for key in keys:
        if key.number == 0:
            first, second = (members[team][:: -1 if key.exchanged >> bit & 1 else 1] for bit, team in enumerate(key.teams))
            one, other = (second, first) if key.swapped else (first, second)
            tables.append((one[0], other[0], one[1], other[1]))
    assert len(set(tables)) == len(tables) == len(SEATINGS[Seatings.FULL])
    for seat in range(4):
        assert Counter(table[seat] for table in tables) == dict.fromkeys("abcd", 2)
