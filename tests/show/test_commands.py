"""`arena standings` and `arena replay`, on a store that was written by a run."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from arena.cli.replay import replay
from arena.cli.standings import standings
from arena.errors import RunError, StoreError, UserError
from arena.records.store import Store
from arena.tournament.pairings import Circle
from arena.tournament.plan import block_json
from arena.tournament.schedule import Block
from tests.builders import SECRET, key, play_match

TEAMS = ("Wild Goats", "Козлы", "עִזִּים")
CONFIG = {"name": "Spring [b]contest", "matches": 2, "teams": [{"name": name, "bots": ["a", "b"]} for name in TEAMS]}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    with Store.create(folder, config=json.dumps(CONFIG), source="", secret=SECRET) as store:
        store.add_block(block_json(Block(pairings=Circle(TEAMS), sets=range(2))))
        for number in range(4):
            store.add_match(
                play_match(key(*TEAMS[:2], number=number // 2, swapped=bool(number % 2)), seed=number), number=number + 1
            )
    return folder


def call(command: click.Command, arguments: Sequence[object]) -> Result:
    result = CliRunner().invoke(command, list(map(str, arguments)), standalone_mode=False)
    if result.exception:
        raise result.exception
    return result


def test_table(run: Path) -> None:
    text = call(standings, [run]).stdout
    assert text.startswith("Spring [b]contest\n")
    assert "Matches played: 4 of 12." in text
    assert all(name in text for name in TEAMS)
    assert "\x1b" not in text


def test_json_alone_on_stdout(run: Path) -> None:
    result = call(standings, [run, "--json"])
    values = json.loads(result.stdout)
    assert values["name"] == CONFIG["name"]
    assert {row["team"] for row in values["standings"]} == set(TEAMS)
    assert result.stderr == ""


def test_csv_in_utf8(run: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(call(standings, [run, "--csv"]).stdout_bytes.decode("utf-8"))))
    assert {row["team"] for row in rows} == set(TEAMS)
    assert [row["matches"] for row in rows] == ["4", "4", "0"]


def test_pairs(run: Path) -> None:
    text = call(standings, [run, "--pairs"]).stdout
    assert text.startswith("Spring [b]contest\n")
    assert "Difference" in text
    assert "Козлы" in text
    assert "עִזִּים" not in text  # has not played


@pytest.mark.parametrize("options", [["--csv", "--json"], ["--pairs", "--json"], ["--csv", "--pairs"]])
def test_one_format_at_a_time(run: Path, options: list[str]) -> None:
    with pytest.raises(click.UsageError):
        call(standings, [run, *options])


def test_secret_is_in_no_output(run: Path) -> None:
    for arguments in ([run], [run, "--json"], [run, "--csv"]):
        assert SECRET.hex() not in call(standings, arguments).output
    assert SECRET.hex() not in call(replay, [run, 1]).output


def test_replay_of_a_match_by_its_number(run: Path) -> None:
    text = call(replay, [run, 2]).stdout
    assert text.startswith("Match 2\n")
    # Match 2 has the seats swapped.
    assert "seats 0 and 2  Козлы" in text
    assert "Match over" in text
    assert "\x1b" not in text


def test_replay_from_a_seat_and_of_one_game(run: Path) -> None:
    text = call(replay, [run, 1, "--seat", 3, "--game", 2]).stdout
    assert text.startswith("Match 1   as seat 3 saw it\n")
    assert "\nGame 2 " in text
    assert "\nGame 1 " not in text
    assert "▒▒" in text


@pytest.mark.parametrize("arguments", [["0"], ["x"], ["1", "--seat", "4"], ["1", "--seat", "-1"], ["1", "--game", "0"]])
def test_arguments_out_of_bounds_are_a_mistake_in_use(run: Path, arguments: list[str]) -> None:
    with pytest.raises(click.UsageError):
        call(replay, [run, *arguments])


def test_what_is_not_there_is_named(run: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no match 99"):
        call(replay, [run, 99])
    with pytest.raises(UserError, match="no game 50"):
        call(replay, [run, 1, "--game", 50])
    for command, arguments in ((standings, [tmp_path / "no"]), (replay, [tmp_path / "no", 1])):
        with pytest.raises(RunError, match="no such folder"):
            call(command, arguments)


@pytest.mark.parametrize("config", ["", "[]", "{}", '{"name": "x", "matches": 1, "teams": [1]}'])
def test_damaged_configuration_is_named(tmp_path: Path, config: str) -> None:
    Store.create(tmp_path / "run", config=config, source="", secret=SECRET).close()
    with pytest.raises(StoreError, match="configuration is damaged"):
        call(standings, [tmp_path / "run"])
