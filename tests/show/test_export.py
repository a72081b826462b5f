"""The table for programs."""

import csv
import io
import json

import pytest

from arena.rules.cards import TEAMS
from arena.show.export import standings_csv, standings_json
from arena.show.leaderboard import Leaderboard
from arena.tournament.standings import compute_standings
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
]


def board(first: str = "A", second: str = "B") -> Leaderboard:
    matches = [
        result(first, second, (12, 4), games_won=(1, 5), eggs=2),
        result(first, second, (12, 2), number=1, forfeited=(TEAMS[0],)),
    ]
    return Leaderboard(title="Cup", standings=compute_standings([first, second, "New"], matches), planned=6)


def test_json_has_every_number_under_fixed_names() -> None:
    values = json.loads(standings_json(board()))
    assert list(values) == ["schema", "name", "matches", "matches_planned", "isolation", "standings", "pairs"]
    assert (values["schema"], values["name"], values["matches"], values["matches_planned"]) == (1, "Cup", 2, 6)
    assert values["isolation"] == ["none"]
    assert [list(row) for row in values["standings"]] == [COLUMNS] * 3
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
    }
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
