"""Writes the table of attacks into docs/security.md, from what the bad bots of the tests are expected to come to.

    python docs/security_table.py

Each row is a program in tests/bad_bots that tests/isolation/test_bad_bots.py runs in every tier, and that fails when a cell is
wrong; tests/isolation/test_security_table.py fails when the table is not this one.
"""

import sys
from itertools import groupby
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
sys.path.insert(0, str(REPOSITORY))

from arena.seat.isolation.tier import Tier  # noqa: E402
from tests.isolation.expectation import Expectation, bad_bots, load_expectation  # noqa: E402

DOCUMENT = Path(__file__).with_name("security.md")
BEGIN = "<!-- attacks: made by docs/security_table.py -->"
END = "<!-- end of attacks -->"
GROUPS = (
    "starting and ending",
    "time",
    "protocol",
    "rules of the game",
    "output",
    "processes, memory, disk",
    "files",
    "network and other processes",
)


def make_table() -> str:
    """The table, with a heading for every group."""
    expected = sorted(map(load_expectation, bad_bots()), key=lambda one: (GROUPS.index(one.group), one.name))
    lines: list[str] = []
    for group, bots in groupby(expected, key=lambda one: one.group):
        lines += [
            "",
            f"### {group.capitalize()}",
            "",
            "| a bot that | the match | limits | sandbox | strict | test |",
            "|---|---|---|---|---|---|",
        ]
        lines += [_row(bot) for bot in bots]
    return "\n".join([*lines, ""])


def _row(bot: Expectation) -> str:
    cells = (bot.attacks, _verdict(bot), *(bot.tiers[tier] for tier in Tier), f"`{bot.name}`")
    return f"| {' | '.join(cells)} |"


def _verdict(bot: Expectation) -> str:
    """What the match makes of it."""
    kinds = dict.fromkeys(" or ".join(kinds).replace("_", " ") for kinds in bot.kinds(Tier.STRICT))
    if not kinds:
        return "goes on" if bot.limits_faults is None else "goes on; in `limits` it is lost"
    return f"{', '.join(kinds)}: {'lost' if bot.forfeits else 'a move is played for it'}"


def insert_table(text: str) -> str:
    """A text with the table between the two marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{make_table()}\n{END}{after}"


if __name__ == "__main__":
    DOCUMENT.write_text(insert_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
