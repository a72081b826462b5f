"""What people may give wrong: exit code 2, one message that says what, nothing played, no traceback."""

import os
import shutil
from pathlib import Path

import pytest

from arena.cli.main import COMMANDS
from tests.cli.running import Contest, Result


def refused(contest: Contest, *arguments: object, **options: object) -> str:
    """What is said of a mistake."""
    result = contest.call(*arguments, **options)
    assert (result.code, result.stdout) == (2, ""), result
    assert "Traceback" not in result.stderr
    assert "a bug of arena" not in result.stderr
    return result.stderr


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("nothing.yaml", "arena: nothing.yaml: there is no such file\n"),
        ("bots", "arena: bots: is not a file; it must be a YAML file\n"),
        ("nothing\n.yaml", "there is no such file\n"),
        (os.fsdecode(b"\xff.yaml"), "there is no such file\n"),
        ("bots/first/bot.yaml", "there is no such key"),
    ],
)
def test_file_of_a_tournament(contest: Contest, file: str, message: str) -> None:
    assert message in refused(contest, "tournament", file)
    assert not (contest.folder / "runs").exists()


def test_file_that_may_not_be_read(contest: Contest) -> None:
    if os.getuid() == 0:
        pytest.skip("needs a user who may not read everything")
    (contest.folder / "contest.yaml").chmod(0)
    assert refused(contest, "tournament", "contest.yaml").endswith("'contest.yaml' is not readable.\n")


@pytest.mark.parametrize("command", [("standings",), ("replay",)])
@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("runs", "arena: no run at runs: no such folder\n"),
        ("bots", "arena: bots is not a run: it holds no arena.db\n"),
        ("contest.yaml", "arena: contest.yaml is a file: name the folder of the run, the one that holds arena.db\n"),
    ],
)
def test_folder_of_a_run(contest: Contest, command: tuple[str], run: str, message: str) -> None:
    assert refused(contest, *command, run, *(["1"] if command == ("replay",) else [])) == message


def test_file_in_the_place_of_the_store(contest: Contest) -> None:
    contest.run.mkdir(parents=True)
    (contest.run / "arena.db").write_text("not a database, but longer than nothing" * 100)
    assert "is not a SQLite database" in refused(contest, "tournament", "contest.yaml")
    assert "is not a SQLite database" in refused(contest, "standings", contest.run)


@pytest.mark.parametrize("run", ["contest.yaml", "contest.yaml/run", "/"])
def test_run_that_cannot_be_a_folder(contest: Contest, run: str) -> None:
    message = refused(contest, "tournament", "contest.yaml", "--run", run)
    assert message.startswith(f"arena: {run} ")
    assert "folder" in message


@pytest.mark.parametrize(
    "arguments",
    [("nothing",), ("--nothing",), ("tournament",), ("tournament", "a", "b"), ("tournament", "contest.yaml", "--nothing"), ()],
)
def test_command_line(contest: Contest, arguments: tuple[str, ...]) -> None:
    assert refused(contest, *arguments).startswith("Usage: arena ")


def test_changed_file_is_refused_with_what_differs(contest: Contest, undisturbed: tuple[Contest, Result]) -> None:
    shutil.copytree(undisturbed[0].run, contest.run)
    contest.write(rules={"match_target": 4}, matches=2)
    message = refused(contest, "tournament", "contest.yaml")
    assert "\n  rules.match_target was 2 and is 4 now\n" in message
    assert "\n  matches was 3 and is 2 now\n" in message
    assert "--again" in message
    contest.write(seed=8)
    assert "\n  seed: another one\n" in refused(contest, "tournament", "contest.yaml")
    contest.write(jobs=7)
    assert contest.play().code == 0


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_help_is_readable_on_80_columns(contest: Contest, command: tuple[str, ...]) -> None:
    result = contest.call(*command, "--help", environment={"COLUMNS": "80", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert (result.code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("Usage: arena ")
    assert max(map(len, lines)) <= 80
    # Nothing is cut off.
    assert "..." not in result.stdout.replace("[ARGS]...", "")
    if not command:
        assert all(f"  {name}" in result.stdout for name in COMMANDS)


def test_help_does_without_what_plays(contest: Contest) -> None:
    result = contest.call("--help", environment={"PYTHONPROFILEIMPORTTIME": "1"})
    assert "click" in result.stderr
    assert not [name for name in ("grpc", "pydantic", "rich", "sqlite3") if f" {name}\n" in result.stderr]


def test_version(contest: Contest) -> None:
    assert contest.call("--version").stdout.startswith("arena ")
    assert Path(contest.folder, "runs").exists() is False
