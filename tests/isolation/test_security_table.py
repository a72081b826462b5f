"""docs/security.md says what the tests show."""

import re
from pathlib import Path

import pytest

from arena.seat.isolation.tier import Tier
from tests.isolation.expectation import BAD_BOTS, POSSIBLE, STOPPED, bad_bots, load_expectation

DOCUMENT = Path(__file__).parents[2] / "docs" / "security.md"


def rows() -> dict[str, list[str]]:
    """The cells of every row, by the test that is named in it."""
    found = {}
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.fullmatch(r"`\w+`", cells[-1]) and len(cells) == 6:
            found[cells[-1].strip("`")] = cells
    return found


def test_every_bad_bot_has_a_row_and_every_row_a_bad_bot() -> None:
    assert sorted(rows()) == bad_bots()
    assert bad_bots() == sorted(path.parent.name for path in BAD_BOTS.glob("*/bot.yaml"))


@pytest.mark.parametrize("name", bad_bots())
def test_a_row_says_what_the_test_expects(name: str) -> None:
    expected = load_expectation(name)
    attacks, verdict, *tiers, _ = rows()[name]
    assert attacks == expected.attacks
    assert tiers == [expected.tiers[tier] for tier in Tier]
    assert verdict.endswith(": lost") == expected.forfeits
    assert ("goes on" in verdict) == (not expected.faults)


@pytest.mark.parametrize("name", bad_bots())
def test_a_stronger_tier_stops_what_a_weaker_one_stops(name: str) -> None:
    tiers = load_expectation(name).tiers
    assert list(tiers) == list(Tier)
    assert all(text == STOPPED or re.fullmatch(rf"{POSSIBLE}( if .+)?", text) for text in tiers.values())
    stopped = [text == STOPPED for text in tiers.values()]
    assert stopped == sorted(stopped)
