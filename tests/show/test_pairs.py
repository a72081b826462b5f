"""The meetings of every two teams, as they are printed."""

import io
import re
from collections.abc import Iterable

from rich.cells import cell_len

from arena.records.summary import MatchSummary
from arena.show.console import open_console
from arena.show.leaderboard import Leaderboard
from arena.show.pairs import print_pairs
from arena.tournament.standings import compute_standings
from arena.tournament.statistics import SetTally, compute_statistics
from tests.builders import result

CLEAR = [(12, 4), (12, 2), (12, 8), (12, 0), (12, 6), (12, 4)]
EVEN = [(12, 4), (4, 12), (12, 8), (8, 12), (6, 12), (12, 6)]


def matches(first: str, second: str, points: Iterable[tuple[int, int]]) -> list[MatchSummary]:
    return [result(first, second, at, number=number) for number, at in enumerate(points)]


def printed(teams: Iterable[str], played: Iterable[MatchSummary], *, width: int = 80) -> str:
    sets = SetTally()
    standings = compute_standings(teams, sets.passing(played))
    stream = io.StringIO()
    console = open_console(stream)
    console.width = width
    print_pairs(Leaderboard(title="Cup", standings=standings, statistics=compute_statistics(standings, sets)), console)
    return stream.getvalue()


def test_a_line_for_every_two_that_met_in_the_order_of_the_table() -> None:
    text = printed("ABCD", [*matches("A", "B", CLEAR), *matches("B", "C", EVEN), *matches("A", "C", CLEAR)])
    assert re.findall(r"(?m)^([ABCD]) +([ABCD]) ", text) == [("B", "C"), ("B", "A"), ("C", "A")]
    assert re.search(r"(?m)^B +A +6 +-8\.00 +-\d+\.\d\d +-\d\.\d\d +\*", text)
    assert re.search(r"(?m)^B +C +6 +0\.00 +-\d\.\d\d +\+\d\.\d\d +$", text)
    assert "1 of 20" in text


def test_the_reason_for_a_missing_interval_is_told() -> None:
    text = printed("AB", matches("A", "B", CLEAR[:1]))
    assert re.search(r"(?m)^B +A +1 +-8\.00 +- +- *$", text)
    assert "No interval: a pairing has a single set of deals" in text
    assert "1 of 20" not in text


def test_nothing_was_played() -> None:
    assert "No match was played." in printed("AB", [])


def test_bots_that_are_ranked_are_compared_over_all_their_partners() -> None:
    teams = {"a + b": ("a", "b"), "c + d": ("c", "d"), "a + c": ("a", "c"), "b + d": ("b", "d")}
    sets = SetTally()
    played = [*matches("a + b", "c + d", CLEAR), *matches("a + c", "b + d", EVEN)]
    standings = compute_standings(teams, sets.passing(played), players=teams)
    stream = io.StringIO()
    statistics = compute_statistics(standings, sets, players=teams)
    print_pairs(Leaderboard(title="Cup", standings=standings, statistics=statistics), open_console(stream))
    assert re.search(r"(?m)^[ad] +[ad] +12 ", stream.getvalue())


def test_long_names_are_folded_to_the_width() -> None:
    first, second = (
        "Козлы и бараны из деревни Простоквашино, первая сборная",
        "A team\x1b[1m with a name that goes on and on and on",
    )
    for width in (60, 80, 120):
        text = printed([first, second], matches(first, second, EVEN), width=width)
        assert max(map(cell_len, text.splitlines())) <= width
        assert "Козлы" in text
        assert "\x1b" not in text
