"""The order of the table and what stands in it, on small tables that were worked out by hand."""

import random
from collections.abc import Iterable
from itertools import combinations

import pytest

from arena.errors import StoreError
from arena.records.summary import MatchSummary, summarize
from arena.rules.cards import SEATS, TEAMS
from arena.rules.match import Goats
from arena.tournament.standings import PairTotal, Row, Standings, compute_standings
from tests.builders import key, play_match, result


def ranks(teams: Iterable[str], matches: Iterable[MatchSummary]) -> list[tuple[int | None, str]]:
    return [(row.rank, row.team) for row in compute_standings(teams, matches).rows]


def row_of(standings: Standings, team: str) -> Row:
    return next(row for row in standings.rows if row.team == team)


def test_fewest_defeat_points_first() -> None:
    matches = [result("A", "B", (12, 0)), result("B", "C", (10, 12)), result("C", "A", (12, 4))]
    assert ranks("ABC", matches) == [(1, "B"), (2, "A"), (3, "C")]


def test_points_count_before_matches_won() -> None:
    """B lost only one of four matches, but A received fewer points."""
    matches = [
        result("A", "B", (0, 12)),
        result("A", "B", (10, 12), number=1),
        result("A", "B", (12, 10), number=2),
        result("A", "B", (12, 10), number=3),
        result("C", "D", (12, 10)),
    ]
    table = compute_standings("ABCD", matches)
    assert [(row.team, row.total.defeat_points) for row in table.rows] == [("D", 10), ("C", 12), ("A", 34), ("B", 44)]


def test_level_points_from_more_matches_are_fewer_per_match() -> None:
    matches = [
        result("A", "X", (12, 0)),
        result("B", "X", (6, 12)),
        result("B", "X", (6, 12), number=1),
    ]
    assert ranks("ABX", matches) == [(1, "B"), (2, "A"), (3, "X")]


def test_head_to_head_separates_level_teams() -> None:
    """A and B have 16 each; A gave B more than it received from it. Games won would say the opposite."""
    matches = [
        result("A", "B", (4, 12), games_won=(1, 9)),
        result("A", "C", (12, 2)),
        result("B", "C", (4, 12), games_won=(9, 1)),
    ]
    assert ranks("BAC", matches) == [(1, "C"), (2, "A"), (3, "B")]


def test_head_to_head_of_three_is_applied_again_to_two_that_it_leaves_level() -> None:
    """Among A, B and C the points are 14, 14, 8, so C is first; between A and B alone they are 2 and 12."""
    among = [
        result("A", "B", (2, 12)),
        result("A", "C", (12, 6)),
        result("B", "C", (2, 2), goats=None),
    ]
    others = [result("D", team, (12, points)) for team, points in (("A", 0), ("B", 0), ("C", 6))]
    table = compute_standings("BACD", [*among, *others])
    assert [row.total.defeat_points for row in table.rows] == [14, 14, 14, 36]
    assert [(row.rank, row.team) for row in table.rows] == [(1, "C"), (2, "A"), (3, "B"), (4, "D")]


def test_games_won_separate_what_head_to_head_does_not() -> None:
    matches = [
        result("A", "B", (12, 6), games_won=(1, 5)),
        result("A", "B", (6, 12), number=1, games_won=(4, 2)),
    ]
    assert ranks("AB", matches) == [(1, "B"), (2, "A")]
    # When they have not met equally often, the matches among them say nothing, and games won decide.
    matches = [
        result("A", "B", (2, 6)),
        result("A", "X", (10, 12), games_won=(1, 0)),
        result("B", "X", (6, 12), games_won=(2, 0)),
        result("C", "X", (6, 12), games_won=(3, 0)),
        result("C", "X", (6, 12), games_won=(3, 0), number=1),
    ]
    assert ranks("ABCX", matches) == [(1, "C"), (2, "B"), (3, "A"), (4, "X")]


def test_teams_that_nothing_separates_share_a_rank() -> None:
    matches = [
        result("B", "a", (12, 6), games_won=(3, 3)),
        result("a", "B", (12, 6), number=1, games_won=(3, 3)),
        result("C", "D", (12, 10), games_won=(3, 3)),
        result("C", "D", (12, 10), number=1, games_won=(3, 3)),
    ]
    assert ranks("DCBa", matches) == [(1, "a"), (1, "B"), (3, "D"), (4, "C")]


def test_order_in_the_file_and_order_of_play_mean_nothing() -> None:
    chance = random.Random(3)
    names = [f"team {number}" for number in range(6)]
    for _ in range(200):
        matches = [
            result(first, second, chance.choice([(12, 6), (12, 6), (6, 12), (12, 0)]), number=number, games_won=(3, 3))
            for first, second in combinations(names, 2)
            for number in range(2)
        ]
        expected = compute_standings(names, matches)
        chance.shuffle(names)
        chance.shuffle(matches)
        assert compute_standings(names, matches) == expected


def test_ranks_never_contradict_the_points() -> None:
    chance = random.Random(4)
    names = "ABCDEF"
    for _ in range(200):
        matches = [
            result(first, second, chance.choice([(12, 6), (6, 12), (12, 10)]), number=number)
            for number, (first, second) in enumerate(chance.choices(list(combinations(names, 2)), k=12))
        ]
        table = compute_standings(names, matches)
        played = [row for row in table.rows if row.rank is not None]
        for better, worse in combinations(played, 2):
            assert better.total.defeat_points <= worse.total.defeat_points
            assert better.rank is not None
            assert worse.rank is not None
            assert better.rank <= worse.rank
        assert [row.rank for row in played if row.rank is not None] == sorted(row.rank for row in played if row.rank)
        places = [row.rank for row in played]
        assert all(rank == places.index(rank) + 1 for rank in places)  # 1, 1, 3
        assert len(table.rows) == len(names)


def test_team_without_a_match_comes_last_and_has_no_rank() -> None:
    table = compute_standings(["New", "A", "B"], [result("A", "B", (12, 6))])
    assert [(row.rank, row.team) for row in table.rows] == [(1, "B"), (2, "A"), (None, "New")]
    new = table.rows[-1]
    assert (new.defeat_points_per_match, new.card_points_per_game, new.think_ms) == (None, None, None)
    assert not table.is_even


def test_no_matches_at_all() -> None:
    table = compute_standings(["B", "A"], [])
    assert [(row.rank, row.team) for row in table.rows] == [(None, "A"), (None, "B")]
    assert table.is_even
    assert table.matches == 0


def test_seats_do_not_matter_for_whom_a_match_counts() -> None:
    table = compute_standings("AB", [result("A", "B", (12, 4), swapped=True, games_won=(2, 5), eggs=1)])
    assert row_of(table, "A").total == PairTotal(
        matches_lost=1, games_won=2, games_lost=5, eggs=1, defeat_points=12, opponent_defeat_points=4
    )
    assert row_of(table, "A").goats == 1
    assert row_of(table, "B").goats == 0


def test_pairs_both_ways_round() -> None:
    matches = [
        result("A", "B", (12, 4), games_won=(2, 5)),
        result("A", "B", (2, 12), swapped=True, games_won=(5, 1), eggs=1),
        result("A", "B", (6, 6), number=1),
        result("B", "C", (12, 0)),
    ]
    pairs = compute_standings("ABC", matches).pairs
    assert set(pairs) == {("A", "B"), ("B", "A"), ("B", "C"), ("C", "B")}
    assert pairs["A", "B"] == PairTotal(
        matches_won=1,
        matches_lost=1,
        matches_drawn=1,
        games_won=7,
        games_lost=6,
        eggs=1,
        defeat_points=20,
        opponent_defeat_points=22,
    )
    assert pairs["B", "A"].games_won == 6
    assert pairs["B", "A"].defeat_points == 22


def test_forfeit_is_a_lost_match_and_is_marked() -> None:
    table = compute_standings("AB", [result("A", "B", (12, 4), forfeited=(TEAMS[0],)), result("A", "B", (2, 12), number=1)])
    assert (row_of(table, "A").forfeits, row_of(table, "B").forfeits) == (1, 0)
    assert (row_of(table, "A").total.matches_won, row_of(table, "A").total.matches_lost) == (1, 1)
    assert (row_of(table, "B").total.matches_won, row_of(table, "B").total.matches_lost) == (1, 1)


def test_forfeit_of_both_is_lost_by_both() -> None:
    table = compute_standings("AB", [result("A", "B", (12, 12), forfeited=TEAMS)])
    for row in table.rows:
        assert (row.total.matches_lost, row.total.matches_drawn, row.forfeits, row.rank) == (1, 0, 1, 1)


def test_goats_of_both_kinds_are_counted_apart() -> None:
    matches = [
        result("A", "B", (12, 4), goats=Goats.GOATS_WITH_EGGS),
        result("A", "B", (12, 4), number=1),
        result("A", "B", (12, 4), number=2),
        result("A", "B", (4, 4), number=3),
    ]
    row = row_of(compute_standings("AB", matches), "A")
    assert (row.goats, row.goats_with_eggs, row.total.matches_drawn) == (2, 1, 1)


def test_unknown_team_is_named() -> None:
    with pytest.raises(StoreError, match="'Strangers'"):
        compute_standings("AB", [result("A", "Strangers", (12, 4))])


def test_totals_of_played_matches() -> None:
    """Against the records, counted in another way: game by game, for one team at a time."""
    names = ("A", "B", "C")
    records = [
        play_match(
            key(first, second, number=number, swapped=bool(number % 2)),
            seed=number,
            faulty=SEATS[1],
            fault_share=0.05,
            max_faults=3,
        )
        for first, second in combinations(names, 2)
        for number in range(6)
    ]
    table = compute_standings(names, map(summarize, records))
    assert table.matches == 18
    assert table.is_even
    for name in names:
        row = row_of(table, name)
        won = lost = eggs = card_points = defeat_points = faults = 0
        times = []
        for record in records:
            if name not in record.key.teams:
                continue
            side = record.key.seated.index(name)
            defeat_points += record.defeat_points[side]
            faults += sum(fault.seat % 2 == side for fault in record.faults)
            for game in record.games:
                times += [decision.think_us for decision in game.decisions if decision.seat % 2 == side]
                if game.result is None:
                    continue
                mine = game.result.card_points[side]
                won, lost, eggs = won + (mine > 60), lost + (mine < 60), eggs + (mine == 60)
                card_points += mine
        assert (row.total.games_won, row.total.games_lost, row.total.eggs) == (won, lost, eggs)
        assert row.total.defeat_points == defeat_points
        assert row.defeat_points_per_match == pytest.approx(defeat_points / 12)
        assert row.card_points_per_game == pytest.approx(card_points / (won + lost + eggs))
        assert row.faults == faults
        assert row.think_ms == pytest.approx(sum(times) / len(times) / 1000)


def test_matches_are_read_one_at_a_time() -> None:
    """Ten thousand matches are not held: at most one of them is alive at any time."""
    alive = 0
    most = 0

    class Watched(MatchSummary):
        __slots__ = ()

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def stream() -> Iterable[MatchSummary]:
        nonlocal alive, most
        sample = result("A", "B", (12, 6))
        fields = {name: getattr(sample, name) for name in MatchSummary.__dataclass_fields__}
        for _ in range(10_000):
            alive += 1
            most = max(most, alive)
            yield Watched(**fields)

    assert compute_standings("AB", stream()).rows[0].total.matches == 10_000
    assert most <= 2
