"""The standings page as a function of a board: its parts, and the part that is sent again while a run goes on."""

import re
from dataclasses import replace

import pytest

from arena.records.summary import MatchSummary
from arena.rules.cards import TEAMS as SIDES
from arena.show.leaderboard import Leaderboard
from arena.show.web.standings import cross, render_board, render_standings
from arena.tournament.standings import compute_standings
from arena.tournament.statistics import SetTally, compute_statistics
from tests.builders import result

NAMES = ("A", "B & <i>", "C")


def board(matches: list[MatchSummary], *, planned: int | None = None) -> Leaderboard:
    sets = SetTally()
    standings = compute_standings(NAMES, sets.passing(matches))
    return Leaderboard(
        title="Cup", standings=standings, planned=planned, statistics=compute_statistics(standings, sets), commitment="c0ffee"
    )


def matches(sets: int) -> list[MatchSummary]:
    """A is better than both of the others, who are about level."""
    found = []
    for number in range(sets):
        few_and_many = (2 * (number % 3), 12)
        for swapped in (False, True):
            found += [
                result(*NAMES[:2], (6 + number % 3, 12), number=number, swapped=swapped),
                result(NAMES[0], NAMES[2], (number % 2, 14), number=number, swapped=swapped),
                result(*NAMES[1:], few_and_many if number % 2 else few_and_many[::-1], number=number, swapped=swapped),
            ]
    return found


def test_the_part_that_changes_is_the_page_s_own() -> None:
    some = board(matches(8))
    assert render_board(some) in render_standings(some)
    assert render_board(board(matches(2))) not in render_standings(some)


def test_intervals_and_bands_are_those_of_the_statistics() -> None:
    some = board(matches(8))
    page = render_board(some)
    assert some.statistics is not None
    for row in some.standings.rows:
        found = some.statistics.teams[row.team]
        assert found.points.interval is not None
        low, high = found.points.interval.low, found.points.interval.high
        assert f"{row.defeat_points_per_match:.2f} defeat points a match, 95 % interval {low:.2f} to {high:.2f}" in page
        assert (f">{found.band[0]}–{found.band[1]}<" in page) or not found.is_tied  # type: ignore[index]  # noqa: RUF001
    assert any(team.is_tied for team in some.statistics.teams.values())
    assert "No interval" not in page


def test_without_enough_deals_there_is_no_interval_and_it_says_why() -> None:
    page = render_board(board(matches(1)))
    assert "No interval: a pairing has a single set of deals" in page
    assert 'class="range"' not in page
    assert "95 %" not in page


def test_without_statistics() -> None:
    page = render_board(replace(board(matches(8)), statistics=None))
    assert 'class="range"' not in page
    assert 'class="dot"' in page


def test_the_crosstable_is_the_pairs_and_antisymmetric() -> None:
    some = board(matches(8))
    table = cross(some.standings)
    order = [row.team for row in some.standings.rows]
    for at, team in enumerate(order):
        for other, opponent in enumerate(order):
            cell, mirrored = table.rows[at][other], table.rows[other][at]
            if at == other:
                assert cell is None
                continue
            assert cell is not None
            assert mirrored is not None
            total = some.standings.pairs[team, opponent]
            assert cell.value == (total.opponent_defeat_points - total.defeat_points) / total.matches == -(mirrored.value or 0)
            assert cell.shade.replace("plus", "minus") == mirrored.shade.replace("plus", "minus")
            assert (cell.shade == mirrored.shade) == (cell.shade == "even")


def test_every_cell_has_the_shade_that_the_legend_gives_to_its_number() -> None:
    table = cross(board(matches(8)).standings)
    bounds = {}
    for shade, words in table.legend:
        numbers = [float(it) for it in re.findall(r"-?\d+(?:\.\d+)?", words.replace("\N{MINUS SIGN}", "-"))]
        bounds[shade] = (
            (-99.0, numbers[0]) if "below" in words else (numbers[0], 99.0) if "above" in words else tuple(sorted(numbers))
        )
    assert sorted(bounds) == sorted({"plus-1", "plus-2", "plus-3", "even", "minus-1", "minus-2", "minus-3"})
    for row in table.rows:
        for cell in row:
            if cell is not None and cell.value is not None:
                low, high = bounds[cell.shade]
                assert low <= cell.value <= high
    assert {cell.shade for row in table.rows for cell in row if cell} >= {"plus-3", "even", "minus-3"}


def test_names_are_names_and_linked_where_they_have_a_page() -> None:
    page = render_board(board(matches(2)), links={NAMES[1]: "teams/2.html"})
    assert '<a href="teams/2.html"><bdi dir="auto">B &amp; &lt;i&gt;</bdi></a>' in page
    assert "<i>" not in page
    assert page.count("<a ") == 2  # the table and the crosstable


@pytest.mark.parametrize(("planned", "words"), [(None, "6 matches played"), (6, "6 matches played"), (40, "6 of 40 matches")])
def test_how_far_it_has_gone(planned: int | None, words: str) -> None:
    assert words in render_board(board(matches(1), planned=planned))


def test_uneven_tables_say_so_and_forfeits_are_marked() -> None:
    page = render_board(board([result("A", "C", (12, 0), forfeited=(SIDES[0],))]))
    assert "have not played equally often" in page
    assert "0–1<abbr" in page  # noqa: RUF001
    assert "lost by forfeit" in page


def test_the_hash_of_the_secret_is_there_and_the_secret_only_when_it_may_be_known() -> None:
    some = board(matches(1))
    assert "c0ffee" in render_board(some)
    assert "abab" not in render_board(some)
    assert "abab" in render_board(replace(some, secret=bytes.fromhex("abab" * 16)))
