"""The table for programs: JSON and CSV."""

import csv
import io
import json
from dataclasses import asdict
from typing import Any

from arena.show.leaderboard import Leaderboard
from arena.show.text import harmless
from arena.tournament.standings import Row

SCHEMA = 1
_FORMULA_STARTS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""What spreadsheets take for the start of a formula, in both widths."""


def standings_json(board: Leaderboard) -> str:
    """Everything of the table as JSON with ASCII only, ending with a newline; names are the exact text that was given.

    Rows are in the order of the table. A mean of nothing and the rank of a team without a match are null. pairs: both ways
    round, sorted by names. Times are milliseconds.
    """
    standings = board.standings
    values = {
        "schema": SCHEMA,
        "name": board.title,
        "matches": standings.matches,
        "matches_planned": board.planned,
        "isolation": list(standings.isolations),
        "standings": [{"rank": row.rank, "team": row.team, **_numbers(row)} for row in standings.rows],
        "pairs": [
            {"team": team, "opponent": opponent, "matches": total.matches, "games": total.games, **asdict(total)}
            for (team, opponent), total in sorted(standings.pairs.items())
        ],
    }
    return json.dumps(values, indent=2, allow_nan=False) + "\n"


def standings_csv(board: Leaderboard) -> str:
    """One line of heading, one line a team, in the order of the table; no mean, no rank: empty.

    A name that a spreadsheet would take for a formula has an apostrophe before it.
    """
    text = io.StringIO()
    rows = [{"rank": row.rank, "team": _spreadsheet_text(row.team), **_numbers(row)} for row in board.standings.rows]
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _numbers(row: Row) -> dict[str, Any]:
    total = row.total
    return {
        "matches": total.matches,
        "matches_won": total.matches_won,
        "matches_lost": total.matches_lost,
        "matches_drawn": total.matches_drawn,
        "games": total.games,
        "games_won": total.games_won,
        "games_lost": total.games_lost,
        "eggs": total.eggs,
        "defeat_points": total.defeat_points,
        "defeat_points_per_match": row.defeat_points_per_match,
        "opponent_defeat_points": total.opponent_defeat_points,
        "goats": row.goats,
        "goats_with_eggs": row.goats_with_eggs,
        "card_points": row.card_points,
        "card_points_per_game": row.card_points_per_game,
        "faults": row.faults,
        "forfeits": row.forfeits,
        "think_ms": row.think_ms,
    }


def _spreadsheet_text(text: str) -> str:
    text = harmless(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA_STARTS) else text
