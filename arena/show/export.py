"""The table for programs: JSON and CSV."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict

from arena.show.leaderboard import Leaderboard
from arena.show.text import harmless
from arena.tournament.standings import Row
from arena.tournament.statistics import CONFIDENCE, TeamStatistics

SCHEMA = 1
_FORMULA_STARTS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""What spreadsheets take for the start of a formula, in both widths."""
_NUMBERS: Mapping[str, Callable[[Row], float | None]] = {
    "matches": lambda row: row.total.matches,
    "matches_won": lambda row: row.total.matches_won,
    "matches_lost": lambda row: row.total.matches_lost,
    "matches_drawn": lambda row: row.total.matches_drawn,
    "games": lambda row: row.total.games,
    "games_won": lambda row: row.total.games_won,
    "games_lost": lambda row: row.total.games_lost,
    "eggs": lambda row: row.total.eggs,
    "defeat_points": lambda row: row.total.defeat_points,
    "defeat_points_per_match": lambda row: row.defeat_points_per_match,
    "opponent_defeat_points": lambda row: row.total.opponent_defeat_points,
    "goats": lambda row: row.goats,
    "goats_with_eggs": lambda row: row.goats_with_eggs,
    "card_points": lambda row: row.card_points,
    "card_points_per_game": lambda row: row.card_points_per_game,
    "faults": lambda row: row.faults,
    "forfeits": lambda row: row.forfeits,
    "think_ms": lambda row: row.think_ms,
}
"""The numbers of a team, under the names that both formats have for them."""
_CHANCE: Mapping[str, Callable[[TeamStatistics], float | None]] = {
    "sets": lambda team: team.sets,
    "defeat_points_low": lambda team: None if team.points.interval is None else team.points.interval.low,
    "defeat_points_high": lambda team: None if team.points.interval is None else team.points.interval.high,
    "band_first": lambda team: None if team.band is None else team.band[0],
    "band_last": lambda team: None if team.band is None else team.band[1],
}
"""The same of what is known of chance. In CSV a band is two numbers: spreadsheets read 1-2 as a day."""


def standings_json(board: Leaderboard) -> str:
    """Everything of the table as JSON with ASCII only, ending with a newline; names are the exact text that was given.

    Rows are in the order of the table. A mean of nothing and the rank of a team without a match are null. pairs: both ways
    round, sorted by names. Times are milliseconds. What `statistics` could not tell is null, `no_interval` says why.
    """
    standings = board.standings
    statistics = board.statistics
    values = {
        "schema": SCHEMA,
        "name": board.title,
        "matches": standings.matches,
        "matches_planned": board.planned,
        "isolation": list(standings.isolations),
        **_deals(board),
        "statistics": statistics and {"confidence": CONFIDENCE, "replicates": statistics.replicates},
        "standings": [{"rank": row.rank, "team": row.team, **_numbers(row), **_chances(board, row)} for row in standings.rows],
        "pairs": [
            {
                "team": team,
                "opponent": opponent,
                "matches": total.matches,
                "games": total.games,
                **asdict(total),
                **_difference(board, team, opponent),
            }
            for (team, opponent), total in sorted(standings.pairs.items())
        ],
    }
    return json.dumps(values, indent=2, allow_nan=False) + "\n"


def standings_csv(board: Leaderboard) -> str:
    """One line of heading, one line a team, in the order of the table; no mean, no rank: empty.

    A name that a spreadsheet would take for a formula has an apostrophe before it.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("rank", "team", *_NUMBERS, *_CHANCE))
    for row in board.standings.rows:
        writer.writerow((row.rank, spreadsheet_text(row.team), *_numbers(row).values(), *_chance(board, row).values()))
    return text.getvalue()


def _deals(board: Leaderboard) -> dict[str, object]:
    """What docs/verification.md explains; the secret is null until the run is finished."""
    if board.commitment is None:
        return {}
    return {"deals": {"commitment": board.commitment, "secret": board.secret and board.secret.hex()}}


def _numbers(row: Row) -> dict[str, float | None]:
    return {name: number(row) for name, number in _NUMBERS.items()}


def _chance(board: Leaderboard, row: Row) -> dict[str, float | None]:
    found = board.statistics and board.statistics.teams[row.team]
    return {name: number(found) if found else None for name, number in _CHANCE.items()}


def _chances(board: Leaderboard, row: Row) -> dict[str, object]:
    found = board.statistics and board.statistics.teams[row.team]
    return {
        **_chance(board, row),
        "no_interval": found and found.points.missing,
        "rank_chances": found and found.rank_chances,
    }


def _difference(board: Leaderboard, team: str, opponent: str) -> dict[str, object]:
    """Defeat points a match that the team received more than this opponent, in their meetings."""
    found = board.statistics and board.statistics.pairs[team, opponent]
    interval = found.difference.interval if found else None
    return {
        "sets": found and found.sets,
        "difference": found and found.difference.value,
        "difference_low": interval and interval.low,
        "difference_high": interval and interval.high,
        "no_interval": found and found.difference.missing,
    }


def spreadsheet_text(text: str) -> str:
    """Text of others as a cell of a CSV file: on one line, harmless, and no formula."""
    text = harmless(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA_STARTS) else text
