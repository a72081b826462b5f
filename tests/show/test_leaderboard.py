"""The table as it is printed."""

import io
import re
from collections.abc import Iterable
from itertools import combinations

import pytest
from rich.cells import cell_len

from arena.records.summary import MatchSummary, summarize
from arena.rules.cards import SEATS, TEAMS
from arena.show.console import open_console
from arena.show.leaderboard import Leaderboard, interval_text, print_leaderboard
from arena.tournament.standings import compute_standings
from arena.tournament.statistics import Interval, SetTally, compute_statistics
from tests.builders import key, play_match, result
from tests.show.golden import check_golden

NAMES = (
    "Wild Goats",
    "Козлы и бараны из деревни Простоквашино",
    "עִזִּים פְּרָאִיּוֹת",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 Family \U0001f410",
    "Zoe\u0301 [red]bold[/]",
    "Esc\x1b[31m\nape\u202e",
)


def played_board() -> Leaderboard:
    matches = [
        summarize(
            play_match(
                key(first, second, number=number, swapped=swapped),
                seed=100 * index + 2 * number + swapped,
                faulty=SEATS[1] if index % 4 == 3 else None,
                fault_share=0.08,
                max_faults=3,
            )
        )
        for index, (first, second) in enumerate(combinations(NAMES, 2))
        for number in range(2)
        for swapped in (False, True)
    ]
    return board_of(NAMES, matches, title="Spring class contest", planned=60)


def board_of(teams: Iterable[str], matches: Iterable[MatchSummary], *, title: str, planned: int | None = None) -> Leaderboard:
    sets = SetTally()
    standings = compute_standings(teams, sets.passing(matches))
    return Leaderboard(title=title, standings=standings, planned=planned, statistics=compute_statistics(standings, sets))


def printed(board: Leaderboard, *, width: int, encoding: str = "utf-8") -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    console = open_console(stream)
    console.width = width
    print_leaderboard(board, console)
    content = stream.buffer.getvalue()
    return content.decode(encoding)


def test_golden_at_80_columns() -> None:
    check_golden("leaderboard-80.txt", printed(played_board(), width=80))


def test_no_line_is_wider_than_the_terminal_and_no_figure_is_cut() -> None:
    board = played_board()
    assert board.statistics is not None
    for width in (80, 100, 120, 200):
        text = printed(board, width=width)
        assert max(map(cell_len, text.splitlines())) <= width
        for row in board.standings.rows:
            total = row.total
            figures = [
                f"{total.matches_won}-{total.matches_lost}" + (r"\*" if row.forfeits else ""),
                f"{total.games_won}-{total.games_lost}-{total.eggs}",
                str(total.defeat_points),
                f"{total.defeat_points / total.matches:.2f}",
                interval_text(board.statistics.teams[row.team].points.interval),
                rf"{row.goats}\+{row.goats_with_eggs}",
                f"{row.card_points / total.games:.1f}",
                str(row.faults),
            ]
            more = r"\s+\d+\s+\d+" if width >= 112 else ""
            assert row.think_ms is not None
            think = rf"\s+{row.think_ms:.2f}"
            assert re.search(r"(?m)^ *[\d-]+ .*\s" + r"\s+".join(figures) + more + think + r"\s*$", text)


def test_plain_without_a_terminal() -> None:
    text = printed(played_board(), width=80)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_ascii_has_no_box_drawing_and_spells_names() -> None:
    text = printed(played_board(), width=80, encoding="ascii")
    assert "-" * 80 in text
    assert "Wild Goats" in text
    assert "\\u041a" in text


def test_markup_in_names_is_text() -> None:
    assert "[red]bold[/]" in printed(played_board(), width=120)


def test_numbers_of_a_long_run_fit_into_80_columns() -> None:
    matches = [
        result("A team with a rather long name", "B team", (12, 10), number=number, games_won=(5, 6), eggs=number % 2)
        for number in range(5000)
    ] + [
        result("A team with a rather long name", "B team", (10, 12), number=number, games_won=(6, 5), forfeited=(TEAMS[1],))
        for number in range(5000, 10000)
    ]
    board = board_of(["A team with a rather long name", "B team"], matches, title="Long")
    text = printed(board, width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert re.search(r"(?m)^1-2 .*5000-5000\* +55000-55000-2500 +110000 +11\.00 +10\.\d\d-11\.\d\d ", text)
    assert "B team 5000" in text


def test_forfeits_draws_and_an_unfinished_run_are_explained() -> None:
    matches = [
        result("A", "B", (12, 2), forfeited=(TEAMS[0],)),
        result("A", "B", (4, 4), number=1),
        result("A", "C", (12, 2)),
    ]
    board = Leaderboard(title="Cup", standings=compute_standings(["A", "B", "C", "New"], matches), planned=12)
    text = printed(board, width=80)
    assert re.search(r"(?m)^3 A +0-2-1\*", text)
    assert re.search(r"(?m)^- New +0-0 +0-0-0 +0 +- ", text)
    assert "lost by forfeit" in text
    assert "A 1." in text
    assert "won-lost-drawn" in text
    assert "Matches played: 3 of 12" in text
    assert "not played equally often" in text
    assert "Isolation of the bots: none" in text


def test_nothing_is_explained_that_did_not_happen() -> None:
    board = Leaderboard(title="Cup", standings=compute_standings("AB", [result("A", "B", (12, 2))]), planned=1)
    text = printed(board, width=80)
    for word in ("forfeit", "drawn", "Faults:", "equally", " of 1"):
        assert word not in text


def test_wide_terminal_says_more() -> None:
    assert "Forfeits" not in printed(played_board(), width=80)
    assert "Forfeits" in printed(played_board(), width=120)


def test_colours_only_where_a_terminal_takes_them(colour_terminal: None) -> None:
    stream = io.StringIO()
    console = open_console(stream)
    print_leaderboard(played_board(), console)
    escapes = set(re.findall("\x1b.{0,6}", stream.getvalue()))
    assert escapes
    assert all(re.match("\x1b\\[[0-9;]*m", escape) for escape in escapes)


@pytest.mark.parametrize("encoding", ["cp1251", "cp437", "iso8859-8", "latin-1", "ascii"])
def test_other_encodings_can_print_it(encoding: str) -> None:
    assert "Wild Goats" in printed(played_board(), width=80, encoding=encoding)


def test_a_rank_that_is_sure_stands_alone_and_a_tie_is_a_band() -> None:
    """A and B go up and down against each other; both always beat C."""
    matches = [
        *(result("A", "B", points, number=at) for at, points in enumerate([(12, 4), (6, 12), (12, 8), (2, 12), (8, 12)])),
        *(result(team, "C", (at % 3 * 2, 12 + at % 2), number=at) for team in "AB" for at in range(5)),
    ]
    text = printed(board_of("ABC", matches, title="Cup"), width=80)
    assert re.search(r"(?m)^1-2 A +", text)
    assert re.search(r"(?m)^1-2 B +", text)
    assert re.search(r"(?m)^  3 C +", text)
    assert "A rank such as 1-2 is a tie" in text
    assert re.search(r"(?m)^95% from-to:", text)


def test_without_an_interval_the_reason_is_told() -> None:
    text = printed(board_of("AB", [result("A", "B", (12, 2))], title="Cup"), width=80)
    assert "from-to" not in text
    assert "No interval: a pairing has a single set of deals" in text
    matches = [result("A", "B", (12, at), number=at) for at in range(6)]
    text = printed(board_of("AB", matches, title="Cup"), width=80)
    assert re.search(r"(?m)^2 A .* 12\.00 +- ", text)
    assert "No interval for some: every set of deals came out alike" in text


@pytest.mark.parametrize(
    ("interval", "text"), [(Interval(8.04, 9.16), "8.0-9.2"), (Interval(8.04, 8.16), "8.04-8.16"), (None, "-")]
)
def test_intervals_have_the_places_that_they_need(interval: Interval | None, text: str) -> None:
    assert interval_text(interval) == text
