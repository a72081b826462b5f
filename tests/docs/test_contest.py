"""docs/contest.md is true: its limits, its list of what is left out, its table and its tournament are those of the program."""

import re
from pathlib import Path

import yaml

from arena.contest import intake
from arena.seat.content import LEFT_OUT_FILES, LEFT_OUT_FOLDERS
from arena.tournament.file import TournamentFile

PAGE = (Path(__file__).parents[2] / "docs" / "contest.md").read_text(encoding="utf-8")


def test_what_is_left_out() -> None:
    for kind, names in (("folders", LEFT_OUT_FOLDERS), ("files", LEFT_OUT_FILES)):
        (row,) = re.findall(rf"^\| {kind} \| (.*) \|$", PAGE, re.MULTILINE)
        assert tuple(row.replace("`", "").split()) == names


def test_the_limits() -> None:
    text = " ".join(PAGE.split())
    for said in (
        f"more than {intake.MAX_FILES} files",
        f"more than {intake.MAX_FILE_BYTES >> 20} MiB in a file",
        f"more than {intake.MAX_TOTAL_BYTES >> 20} MiB in all",
        f"more than {intake.MAX_DEPTH} deep",
        f"longer than {intake.MAX_NAME_BYTES} bytes (a path: {intake.MAX_PATH_BYTES})",
    ):
        assert said in text


def test_the_tournament_is_one() -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert TournamentFile.model_validate(yaml.safe_load(example)).bots["from"] == "spring"
