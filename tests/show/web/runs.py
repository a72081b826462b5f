"""Runs to make reports of, in a moment and always the same: matches of random moves, faults and hostile names among them."""

import json
from collections.abc import Sequence
from itertools import combinations, count, islice
from pathlib import Path

from arena.records.store import Store
from arena.rules.cards import SEATS
from arena.rules.options import Rules
from tests.builders import SECRET, key, play_match

SCRIPT = "<script>alert(1)</script>"
TEAMS = ("Wild Goats", SCRIPT, "עִזִּים פראיות", "Козлы & Co", "الماعز ١٢")


def make_run(
    folder: Path,
    teams: Sequence[str] = TEAMS,
    *,
    matches: int = 60,
    name: str = "Spring <b>contest</b>",
    rules: Rules | None = None,
) -> Path:
    """A round robin that was played to its end, round by round; in some of the matches somebody plays badly."""
    config = {"name": name, "matches": 3, "teams": [{"name": team, "bots": ["a", "b"]} for team in teams]}
    with Store.create(folder, config=json.dumps(config), source="", secret=SECRET) as store:
        schedule = ((deal, pair, swapped) for deal in count() for pair in combinations(teams, 2) for swapped in (False, True))
        for number, (deal, (first, second), swapped) in enumerate(islice(schedule, matches), start=1):
            record = play_match(
                key(first, second, number=deal, swapped=swapped),
                seed=number,
                rules=rules,
                faulty=SEATS[number % 4] if number % 3 == 0 else None,
                fault_share=0.02,
                max_faults=4,
            )
            store.add_match(record, number=number)
        store.finish()
    return folder
