"""The table for programs."""

import csv
import io
import json

import pytest

from arena.records.summary import MatchSummary
from arena.rules.cards import TEAMS
from arena.show.export import standings_csv, standings_json
from arena.show.leaderboard import Leaderboard
from arena.tournament.standings import compute_standings
from arena.tournament.statistics import SetTally, compute_statistics
from tests.builders import result

COLUMNS = [
    "rank",
    "team",
    "matches",
    "matches_won",
    "matches_lost",
    "matches_drawn",
    "games",
    "games_won",
    "games_lost",
    "eggs",
    "defeat_points",
    "defeat_points_per_match",
    "opponent_defeat_points",
    "goats",
    "goats_with_eggs",
    "card_points",
    "card_points_per_game",
    "faults",
    "forfeits",
    "think_ms",
    "sets",
    "defeat_points_low",
    "defeat_points_high",
    "band_first",
    "band_last",
]
MORE = ["no_interval", "rank_chances"]
"""What a row has in JSON only."""


def board(first: str = "A", second: str = "B") -> Leaderboard:
    matches = [
        result(first, second, (12, 4), games_won=(1, 5), eggs=2),
        result(first, second, (12, 2), number=1, forfeited=(TEAMS[0],)),
    ]
    return board_of([first, second, "New"], matches)


def board_of(teams: list[str], matches: list[MatchSummary]) -> Leaderboard:
    sets = SetTally()
    standings = compute_standings(teams, sets.passing(matches))
    return Leaderboard(title="Cup", standings=standings, planned=6, statistics=compute_statistics(standings, sets))


def test_json_has_every_number_under_fixed_names() -> None:
    values = json.loads(standings_json(board()))
    assert list(values) == ["schema", "name", "matches", "matches_planned", "isolation", "statistics", "standings", "pairs"]
    assert (values["schema"], values["name"], values["matches"], values["matches_planned"]) == (1, "Cup", 2, 6)
    assert values["isolation"] == ["none"]
    assert [list(row) for row in values["standings"]] == [COLUMNS + MORE] * 3
    assert values["standings"][1] == {
        "rank": 2,
        "team": "A",
        "matches": 2,
        "matches_won": 0,
        "matches_lost": 2,
        "matches_drawn": 0,
        "games": 8,
        "games_won": 1,
        "games_lost": 5,
        "eggs": 2,
        "defeat_points": 24,
        "defeat_points_per_match": 12.0,
        "opponent_defeat_points": 6,
        "goats": 2,
        "goats_with_eggs": 0,
        "card_points": 480,
        "card_points_per_game": 60.0,
        "faults": 0,
        "forfeits": 1,
        "think_ms": None,
        "sets": 2,
        "defeat_points_low": None,
        "defeat_points_high": None,
        "band_first": None,
        "band_last": None,
        "no_interval": values["standings"][0]["no_interval"],
        "rank_chances": None,
    }
    assert values["standings"][1]["no_interval"].startswith("fewer than")
    assert values["standings"][2]["no_interval"] == "no match was played"
    assert values["standings"][2]["rank"] is None
    assert [(pair["team"], pair["opponent"], pair["defeat_points"]) for pair in values["pairs"]] == [
        ("A", "B", 24),
        ("B", "A", 6),
    ]


def test_json_is_harmless_and_exact() -> None:
    name = "\x1b[31m עז\u202e \U0001f410\n"
    text = standings_json(board(name))
    assert text.isascii()
    assert "\x1b" not in text
    assert name in [row["team"] for row in json.loads(text)["standings"]]


def test_csv_has_the_same_rows() -> None:
    rows = list(csv.DictReader(io.StringIO(standings_csv(board('Козлы, "wild"', "עז")))))
    values = json.loads(standings_json(board('Козлы, "wild"', "עז")))["standings"]
    assert list(rows[0]) == COLUMNS
    assert [[row[name] for name in COLUMNS] for row in rows] == [
        ["" if row[name] is None else str(row[name]) for name in COLUMNS] for row in values
    ]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", " =1+1", "\uff1d1", "=cmd|' /C calc'!A0"])
def test_csv_formulas_are_text(name: str) -> None:
    teams = [row["team"] for row in csv.DictReader(io.StringIO(standings_csv(board(name))))]
    assert f"'{name}" in teams


def test_csv_has_one_line_a_team_whatever_the_names() -> None:
    text = standings_csv(board("a\nb\r\x1b[1m", "\t=1"))
    assert len(text.splitlines()) == 4
    assert "\x1b" not in text
    assert [row["team"] for row in csv.DictReader(io.StringIO(text))][1].startswith("a\\nb")


def test_empty_run_has_headings() -> None:
    empty = Leaderboard(title="Cup", standings=compute_standings([], []))
    assert standings_csv(empty) == ",".join(COLUMNS) + "\n"
    assert json.loads(standings_json(empty))["standings"] == []


def test_json_has_what_is_known_of_chance() -> None:
    points = [(12, 4), (6, 12), (12, 8), (12, 2), (8, 12), (12, 6)]
    values = json.loads(standings_json(board_of(["A", "B"], [result("A", "B", at, number=n) for n, at in enumerate(points)])))
    assert values["statistics"] == {"confidence": 0.95, "replicates": 4000}
    best, worst = values["standings"]
    for row in (best, worst):
        assert row["defeat_points_low"] < row["defeat_points_per_match"] < row["defeat_points_high"]
        assert (row["band_first"], row["band_last"], row["sets"], row["no_interval"]) == (1, 2, 6, None)
        assert sum(row["rank_chances"]) == pytest.approx(1)
    assert best["rank_chances"] == pytest.approx(worst["rank_chances"][::-1])
    assert best["rank_chances"][0] > 0.5
    one, other = values["pairs"]
    assert (one["team"], one["sets"], one["no_interval"]) == ("A", 6, None)
    assert one["difference"] == pytest.approx(18 / 6)
    assert one["difference_low"] < 3 < one["difference_high"]
    assert [other[f"difference{end}"] for end in ("", "_low", "_high")] == pytest.approx(
        [-one[f"difference{end}"] for end in ("", "_high", "_low")]
    )


def test_without_statistics_their_places_are_empty() -> None:
    found = Leaderboard(title="Cup", standings=compute_standings(["A", "B"], [result("A", "B", (12, 4))]))
    values = json.loads(standings_json(found))
    assert values["statistics"] is None
    assert [list(row) for row in values["standings"]] == [COLUMNS + MORE] * 2
    assert values["pairs"][0]["difference"] is None
    assert [row["band_first"] for row in csv.DictReader(io.StringIO(standings_csv(found)))] == ["", ""]
