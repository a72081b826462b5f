"""docs/writing-a-bot.md is true: its kits are there, its numbers are those of the examination, its tournament can be played."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.check.examination import CheckTerms
from arena.check.kits import KITS, offered_languages
from arena.cli.new import new
from arena.seat.isolation.tier import Limits
from arena.tournament.config import load_config

PAGE = (Path(__file__).parents[2] / "docs" / "writing-a-bot.md").read_text(encoding="utf-8")
STRATEGIES = dict(re.findall(r"^\| `(\w+)` \|[^|]*\| `([\w./]+)` \|$", PAGE, re.MULTILINE))
"""The file with the strategy, by language."""


def test_every_language_has_a_row() -> None:
    assert list(STRATEGIES) == list(KITS)


@pytest.mark.parametrize("language", offered_languages())
def test_the_strategy_is_where_the_page_says_and_where_the_command_says(tmp_path: Path, language: str) -> None:
    result = CliRunner().invoke(new, [str(tmp_path / "bot"), "--lang", language])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "bot" / STRATEGIES[language]).is_file()
    assert result.stdout.startswith(f"{tmp_path / 'bot' / STRATEGIES[language]} decides")


def test_the_limits_are_those_of_the_examination() -> None:
    terms = CheckTerms()
    for said in (
        f"for at most {terms.build_seconds:g} s",
        f"the greeting within {terms.startup_ms // 1000} s",
        f"{terms.move_ms // 1000} s a move with {terms.bank_ms // 1000} s in the bank",
        f"{Limits().memory_mib // 1024} GiB, {terms.log_bytes // 1024} KiB a stream",
    ):
        assert said in PAGE


def test_the_tournament_can_be_played(tmp_path: Path) -> None:
    for name in ("wild-goat", "other-goat"):
        assert CliRunner().invoke(new, [str(tmp_path / name), "--lang", "python"]).exit_code == 0
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "first.yaml").write_text(text)
    assert load_config(tmp_path / "first.yaml").name == "First match"
