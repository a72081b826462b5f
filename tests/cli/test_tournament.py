"""`arena tournament`: what it prints and where, what it plays and what not."""

import json
import shutil
from pathlib import Path

import pytest

from arena.records.store import Store
from tests.cli.running import PLANNED, TEAMS, Contest, Result, without_times

ASCII = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
FULL = Path("/dev/full")


@pytest.fixture(name="finished")
def finished_fixture(undisturbed: tuple[Contest, Result]) -> Contest:
    return undisturbed[0]


def test_table_on_stdout_and_progress_on_stderr(undisturbed: tuple[Contest, Result]) -> None:
    _, result = undisturbed
    assert result.code == 0, result
    assert result.stdout.startswith("A contest\n")
    assert f"Matches played: {PLANNED}." in result.stdout
    assert all(name in result.stdout for name in TEAMS)
    assert f"{PLANNED} of {PLANNED} matches" in result.stderr
    assert not any(line in result.stdout for line in result.stderr.splitlines())
    assert "\x1b" not in result.stdout + result.stderr


def test_every_match_is_stored_once_under_its_number(finished: Contest) -> None:
    with Store.open(finished.run) as store:
        assert store.is_finished
        assert sorted(store.match_keys().values()) == list(range(1, PLANNED + 1))
    assert len(finished.standings()["standings"]) == len(TEAMS)


def test_nothing_but_logs_and_the_store_is_left(finished: Contest) -> None:
    assert sorted(path.name for path in finished.run.iterdir()) == ["arena.db", "logs"]
    assert finished.leftovers() == []


def test_finished_run_prints_its_table_again_and_starts_no_bot(undisturbed: tuple[Contest, Result]) -> None:
    contest, first = undisturbed
    starts = contest.starts()
    assert any("started" in log for log in starts)
    again = contest.play()
    assert (again.code, again.stdout, again.stderr) == (0, first.stdout, "")
    assert contest.starts() == starts


def test_json_is_all_of_stdout_and_what_standings_prints(finished: Contest) -> None:
    result = finished.play("--json")
    assert json.loads(result.stdout)["matches"] == PLANNED
    assert result.stdout == finished.call("standings", finished.run, "--json").stdout
    assert (result.code, result.stderr) == (0, "")


def test_again_keeps_the_old_run_and_prints_json_of_the_new_one(contest: Contest, finished: Contest) -> None:
    run = contest.folder / "else where"
    shutil.copytree(finished.run, run)
    old = (run / "arena.db").read_bytes()
    contest.write(seed=8)
    # Names and progress in an encoding that has none of their letters.
    result = contest.play("--run", "else where", "--again", "--json", environment=ASCII)
    assert result.code == 0, result
    assert result.stdout == contest.call("standings", "else where", "--json").stdout
    assert (contest.folder / "else where.1" / "arena.db").read_bytes() == old
    assert not contest.run.exists()
    new, before = without_times(result.stdout), finished.standings()
    assert new["matches"] == before["matches"] == PLANNED
    assert new != before


@pytest.mark.parametrize(
    "arguments", [("tournament", "contest.yaml"), ("standings", "runs/contest"), ("replay", "runs/contest", 1)]
)
def test_reader_who_leaves_early_is_no_error(finished: Contest, arguments: tuple[str, ...]) -> None:
    with finished.start(*arguments) as process:
        process.close_stdout()
        result = process.result()
    assert (result.code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [("tournament", "contest.yaml"), ("standings", "runs/contest", "--csv"), ("replay", "runs/contest", 1), ("--help",)],
)
def test_output_that_cannot_be_written_is_the_machines_fault(finished: Contest, arguments: tuple[str, ...]) -> None:
    with FULL.open("w") as full:
        result = finished.call(*arguments, stdout=full)
    assert (result.code, result.stderr) == (3, "arena: the output cannot be written: No space left on device\n")


def test_messages_that_cannot_be_written_change_nothing(finished: Contest) -> None:
    with FULL.open("w") as full:
        assert finished.call("standings", "no run", stderr=full).code == 2
        assert finished.call("standings", "runs/contest", stderr=full).code == 0


def test_closed_streams_change_nothing(finished: Contest) -> None:
    with finished.shell('"$0" tournament contest.yaml >&- 2>&-') as process:
        assert process.result() == Result(0, "", "")


@pytest.mark.parametrize(
    "arguments", [("tournament", "contest.yaml"), ("standings", "runs/contest"), ("replay", "runs/contest", 1)]
)
def test_terminal_without_the_letters_of_the_names(finished: Contest, arguments: tuple[str, ...]) -> None:
    result = finished.call(*arguments, environment=ASCII)
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout.isascii()
    assert r"\u041a" in result.stdout  # the first letter of a name


def test_csv_has_the_names_whatever_the_locale(finished: Contest) -> None:
    result = finished.call("standings", "runs/contest", "--csv", environment=ASCII)
    assert all(name in result.stdout for name in TEAMS)
