"""The tables of arena.db, and how a match becomes a row of one.

A change of these tables is a new SCHEMA_VERSION.
"""

from collections.abc import Sequence
from typing import Any

from arena.records.model import MatchKey
from arena.records.seal import StoredText, checksum
from arena.records.summary import MatchSummary
from arena.rules.cards import TEAMS
from arena.rules.match import Goats

SCHEMA_VERSION = 2

TABLES = """
CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    config TEXT NOT NULL,
    source TEXT NOT NULL,
    secret BLOB NOT NULL,
    commitment TEXT NOT NULL,
    arena_version TEXT NOT NULL,
    python_version TEXT NOT NULL,
    created_at TEXT NOT NULL,
    finished_at TEXT,
    checksum BLOB NOT NULL
);
CREATE TABLE block (
    number INTEGER PRIMARY KEY CHECK (number >= 1),
    content TEXT NOT NULL,
    checksum BLOB NOT NULL
);
CREATE TABLE match (
    number INTEGER PRIMARY KEY CHECK (number >= 1),
    team_a TEXT NOT NULL,
    team_b TEXT NOT NULL,
    pair INTEGER NOT NULL,
    swapped INTEGER NOT NULL,
    exchanged INTEGER NOT NULL,
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
    seconds REAL NOT NULL,
    record TEXT NOT NULL,
    checksum BLOB NOT NULL,
    UNIQUE (team_a, team_b, pair, swapped, exchanged)
);
"""
KEY_COLUMNS = ("team_a", "team_b", "pair", "swapped", "exchanged")
SUMMARY_COLUMNS = (
    *KEY_COLUMNS,
    *("defeat_points_0", "defeat_points_1", "loser", "goats", "forfeited_0", "forfeited_1", "games_won_0", "games_won_1"),
    *("eggs", "card_points_0", "card_points_1", "faults_0", "faults_1", "think_us_0", "think_us_1", "thinks_0", "thinks_1"),
    "isolation",
    "seconds",
)


class MatchRow:
    """A row of the table `match` as it stands in the file: number, SUMMARY_COLUMNS, record, and its checksum."""

    __slots__ = ("_values", "seal")

    def __init__(self, values: Sequence[Any], seal: Any) -> None:
        """values: text is StoredText. seal: the checksum that the file has for them."""
        self._values = values
        self.seal = seal

    @property
    def number(self) -> int:
        """Of the match; SQLite has no row without one."""
        number: int = self._values[0]
        return number

    @property
    def is_whole(self) -> bool:
        """Whether every byte of it is as it was written. Only then may the others be asked."""
        return bool(self.seal == checksum(self._values))

    @property
    def columns(self) -> tuple[Any, ...]:
        """The values of SUMMARY_COLUMNS."""
        return tuple(value.decode() if isinstance(value, StoredText) else value for value in self._values[1:-1])

    @property
    def record(self) -> str:
        """The record's text."""
        text: str = self._values[-1].decode()
        return text


def summary_row(summary: MatchSummary) -> tuple[Any, ...]:
    """The values of SUMMARY_COLUMNS."""
    key = summary.key
    return (
        *key.teams,
        key.number,
        key.swapped,
        key.exchanged,
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
        summary.seconds,
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
        seconds=at["seconds"],
    )


def key_of(first: str, second: str, number: int, swapped: int, exchanged: int) -> MatchKey:
    """The key whose KEY_COLUMNS these are."""
    return MatchKey((first, second), number, bool(swapped), exchanged)
