"""`arena check`: what is printed, for people and for graders, and the exit code."""

import io
import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from arena.check.examination import Examination
from arena.check.report import Measured, Outcome, Problem, Report, Step, Verdict, report_json
from arena.cli.check import check
from arena.cli.new import new
from arena.errors import EXIT_DONE, EXIT_MISTAKE, OverloadError
from arena.show.check import print_step, print_verdict

KEYS = ["manifest", "build", "start", "turns", "late", "restart", "copies", "seats", "opponents", "time", "memory", "output"]
PROBLEM = Problem(
    reason="it ended in the middle of a match: it exited with status 1",
    advice="Look at its last lines.",
    sent=("seat 2 (partner 0), trick 1, trump hearts (shown: 9H), 20 cards in the stock", "legal: pull 6C 7C 8C 9C | pass"),
    answered="nothing",
    output="Traceback:\n  File\x1b[2J \u202eevil\n" + "x" * 300,
)


def step(outcome: Outcome, problem: Problem | None = None) -> Step:
    verdict = Verdict(outcome=outcome, summary="" if problem else "0.5 s of 10 s", problem=problem)
    return Step(number=4, key="turns", title="it answers every kind of turn", verdict=verdict, seconds=0.5)


def report(*steps: Step) -> Report:
    return Report(folder=Path("/bots/x"), name="x", language="", isolation="limits", steps=steps, measured=Measured())


def printed(*steps: Step, encoding: str = "utf-8", width: int = 80) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=stream, width=width, markup=False, highlight=False, emoji=False)
    for each in steps:
        print_step(each, console)
    print_verdict(report(*steps), console)
    stream.seek(0)
    return stream.read()


def call(*arguments: object) -> Result:
    return CliRunner().invoke(check, list(map(str, arguments)))


@pytest.fixture(name="open_folder")
def open_folder_fixture() -> Iterator[Path]:
    """A folder that other users can pass through, such as those that bots are in the strict tier."""
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.timeout(300)
def test_a_new_bot_passes(open_folder: Path) -> None:
    """The whole command, with the matches against the sample bots."""
    made = CliRunner().invoke(new, [str(open_folder / "careful"), "--lang", "python"])
    assert made.exit_code == EXIT_DONE, made.output
    result = call(open_folder / "careful", "--json", "--time", 5)
    value = json.loads(result.stdout)
    assert (result.exit_code, value["may_play"]) == (EXIT_DONE, True), result.stdout
    assert value["name"] == "careful"
    assert [step["key"] for step in value["steps"]] == KEYS
    assert {step["outcome"] for step in value["steps"]} <= {"passed", "warned"}
    assert "9 kinds" in value["steps"][3]["summary"]
    measured = value["measured"]
    assert measured["turns"] > 100
    assert 0 < measured["median_ms"] <= measured["p95_ms"] <= measured["worst_ms"] < 10_000
    assert 10 < measured["memory_mib"] < 500
    assert "beat random" in value["steps"][8]["summary"]


def test_a_bot_that_may_not_play(tmp_path: Path) -> None:
    result = call(tmp_path)
    assert result.exit_code == EXIT_MISTAKE
    assert "there is no bot.yaml" in result.stdout
    assert "It may not play yet: 1 of 12 steps failed." in result.stdout
    assert "\x1b" not in result.stdout
    graded = call(tmp_path, "--json")
    assert graded.exit_code == EXIT_MISTAKE
    assert json.loads(graded.stdout)["may_play"] is False


@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_cross_says_all_that_is_needed(width: int) -> None:
    text = printed(step(Outcome.FAILED, PROBLEM), width=width)
    assert "✗ it answers every kind of turn" in text
    for line in (
        "it ended in the middle",
        "legal: pull 6C 7C 8C 9C | pass",
        "answered  nothing",
        "Traceback:",
        "Look at its last",
    ):
        assert line in text
    assert all(len(line) <= min(width, 100) for line in text.splitlines())
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "1 of 1 steps failed" in text


def test_the_end_of_a_last_line_that_is_long_is_shown() -> None:
    """It names the method that is misspelt."""
    last = "TypeError: Can't instantiate abstract class Goat with abstract method choose"
    text = printed(step(Outcome.FAILED, replace(PROBLEM, output=f'  File "main.py", line 5, in <module>\n{last}\n')))
    assert last in " ".join(text.split())
    assert all(len(line) <= 80 for line in text.splitlines())


def test_an_overload_of_the_machine_begins_the_examination_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, left = Examination.run, [OverloadError("too much to do")]

    async def overloaded(examination: Examination) -> Report:
        found = await run(examination)
        if left:
            raise left.pop()
        return found

    monkeypatch.setattr(Examination, "run", overloaded)
    monkeypatch.setattr("arena.cli.check.PAUSES_SECONDS", (0.01,))
    result = call(tmp_path, "--json")
    assert result.exit_code == EXIT_MISTAKE
    assert json.loads(result.stdout)["may_play"] is False
    assert "not the bot's fault: too much to do. The examination begins anew" in result.stderr


def test_ticks_and_warnings() -> None:
    text = printed(step(Outcome.PASSED), step(Outcome.WARNED), step(Outcome.SKIPPED))
    assert "✓ it answers every kind of turn: 0.5 s of 10 s" in text
    assert "It may play. See the 1 marked !" in text


def test_a_terminal_without_the_signs() -> None:
    text = printed(step(Outcome.PASSED), step(Outcome.FAILED, PROBLEM), encoding="ascii")
    assert " ok it answers" in text
    assert " NO it answers" in text


def test_json_of_a_cross() -> None:
    value = json.loads(report_json(report(step(Outcome.PASSED), step(Outcome.FAILED, PROBLEM))))
    assert value["may_play"] is False
    assert value["steps"][0]["problem"] is None
    problem = value["steps"][1]["problem"]
    assert problem["sent"] == list(PROBLEM.sent)
    assert problem["output"] == PROBLEM.output
    assert value["measured"]["memory_mib"] is None
