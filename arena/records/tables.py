"""The tables of arena.db, and how a match becomes a row of one.

A change of these tables is a new SCHEMA_VERSION.
"""

from collections.abc import Sequence
from typing import Any

from arena.records.model import MatchKey
from arena.records.summary import MatchSummary
from arena.rules.cards import TEAMS
from arena.rules.match import Goats

SCHEMA_VERSION = 1

TABLES = """
CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    config TEXT NOT NULL,
    source TEXT NOT NULL,
    secret BLOB NOT NULL,
    arena_version TEXT NOT NULL,
    python_version TEXT NOT NULL,
    created_at TEXT NOT NULL,
    finished_at TEXT
);
CREATE TABLE match (
    number INTEGER PRIMARY KEY CHECK (number >= 1),
    team_a TEXT NOT NULL,
    team_b TEXT NOT NULL,
    pair INTEGER NOT NULL,
    swapped INTEGER NOT NULL,
    defeat_points_0 INTEGER NOT NULL,
    defeat_points_1 INTEGER NOT NULL,
    loser INTEGER,
    goats TEXT,
    forfeited_0 INTEGER NOT NULL,
    forfeited_1 INTEGER NOT NULL,
    games_won_0 INTEGER NOT NULL,
    games_won_1 INTEGER NOT NULL,
    eggs INTEGER NOT NULL,
    card_points_0 INTEGER NOT NULL,
    card_points_1 INTEGER NOT NULL,
    faults_0 INTEGER NOT NULL,
    faults_1 INTEGER NOT NULL,
    think_us_0 INTEGER NOT NULL,
    think_us_1 INTEGER NOT NULL,
    thinks_0 INTEGER NOT NULL,
    thinks_1 INTEGER NOT NULL,
    isolation TEXT NOT NULL,
    record TEXT NOT NULL,
    UNIQUE (team_a, team_b, pair, swapped)
);
"""
KEY_COLUMNS = ("team_a", "team_b", "pair", "swapped")
SUMMARY_COLUMNS = (
    *KEY_COLUMNS,
    *("defeat_points_0", "defeat_points_1", "loser", "goats", "forfeited_0", "forfeited_1", "games_won_0", "games_won_1"),
    *("eggs", "card_points_0", "card_points_1", "faults_0", "faults_1", "think_us_0", "think_us_1", "thinks_0", "thinks_1"),
    "isolation",
)


def summary_row(summary: MatchSummary) -> tuple[Any, ...]:
    """The values of SUMMARY_COLUMNS."""
    key = summary.key
    return (
        *key.teams,
        key.number,
        key.swapped,
        *summary.defeat_points,
        summary.loser,
        summary.goats,
        *(team in summary.forfeited for team in TEAMS),
        *summary.games_won,
        summary.eggs,
        *summary.card_points,
        *summary.faults,
        *summary.think_us,
        *summary.thinks,
        summary.isolation,
    )


def summary_of(row: Sequence[Any]) -> MatchSummary:
    """The summary whose SUMMARY_COLUMNS are `row`."""
    at = dict(zip(SUMMARY_COLUMNS, row, strict=True))
    return MatchSummary(
        key=key_of(*row[: len(KEY_COLUMNS)]),
        defeat_points=(at["defeat_points_0"], at["defeat_points_1"]),
        loser=None if at["loser"] is None else TEAMS[at["loser"]],
        goats=None if at["goats"] is None else Goats(at["goats"]),
        forfeited=tuple(team for team in TEAMS if at[f"forfeited_{team}"]),
        games_won=(at["games_won_0"], at["games_won_1"]),
        eggs=at["eggs"],
        card_points=(at["card_points_0"], at["card_points_1"]),
        faults=(at["faults_0"], at["faults_1"]),
        think_us=(at["think_us_0"], at["think_us_1"]),
        thinks=(at["thinks_0"], at["thinks_1"]),
        isolation=at["isolation"],
    )


def key_of(first: str, second: str, number: int, swapped: int) -> MatchKey:
    """The key whose KEY_COLUMNS these are."""
    return MatchKey((first, second), number, bool(swapped))
