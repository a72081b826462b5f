"""`arena replay --into` and `arena attach`: bots in a folder, and programs that somebody starts himself."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace as changed
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli.attach import attach
from arena.cli.replay import replay
from arena.errors import EXIT_DONE, EXIT_MISTAKE, StoreError, UserError
from arena.records.model import MatchRecord
from arena.records.store import Store
from arena.rules.cards import SEATS
from tests.builders import find_match, key
from tests.cli.running import ARENA, PATIENCE, write_bot

SECRET = bytes(range(32))
ANSWERS = """
import json
from pathlib import Path

from arena.bot import Bot, serve

MOVES = json.loads(Path("moves.json").read_text())


class Recorded(Bot):
    '''Plays the moves of a list, by their notation.'''

    def choose(self, turn):
        wanted = MOVES.pop(0)
        print("asked for", wanted, file=__import__("sys").stderr)
        return next((move for move in turn.legal if str(move) == wanted), turn.legal[-1])


serve(Recorded())
"""
FIRST = """
from arena.bot import Bot, serve


class First(Bot):
    def choose(self, turn):
        return turn.legal[0]


serve(First())
"""
LOST = """
from arena.bot import Bot, serve


class Lost(Bot):
    def choose(self, turn):
        raise LookupError("I am lost")


serve(Lost())
"""
SEAT = SEATS[1]


@pytest.fixture(name="record", scope="module")
def record_fixture() -> MatchRecord:
    """Random moves, with turns in which this seat gave no answer of its own."""
    return find_match(
        lambda it: any(d.seat == SEAT and not d.is_heard for game in it.games for d in game.decisions),
        faulty=SEAT,
        fault_share=0.05,
    )


@pytest.fixture(name="run")
def run_fixture(folder: Path, record: MatchRecord) -> Path:
    """A run whose match 1 is that record; match 2 was forfeited before a game."""
    config = {"name": "x", "matches": 1, "teams": [], "time": {"first_turn_seconds": 2.0}}
    with Store.create(folder / "run", config=json.dumps(config), source="", secret=SECRET) as store:
        store.add_match(record, number=1)
        empty = changed(record, key=key(number=9001), games=(), faults=())
        store.add_match(empty, number=2)
    return folder / "run"


def moves(record: MatchRecord) -> list[str]:
    """What this seat was asked for, in order; a word where the referee moved instead."""
    found = [it for game in record.games for it in game.decisions if it.seat == SEAT]
    return ["anything" if it.is_substitute else str(it.move) for it in found]


def write_answers(folder: Path, answers: list[str]) -> Path:
    write_bot(folder, ANSWERS)
    (folder / "moves.json").write_text(json.dumps(answers))
    return folder


def call(*arguments: object) -> Result:
    return CliRunner().invoke(replay, list(map(str, arguments)))


def test_a_bot_that_answers_as_recorded(run: Path, folder: Path, record: MatchRecord) -> None:
    bot = write_answers(folder / "bot", moves(record))
    result = call(run, 1, "--seat", SEAT, "--into", bot)
    assert result.exit_code == EXIT_DONE, result.output
    own = [answer for answer in moves(record) if answer != "anything"]
    others = len(moves(record)) - len(own)
    assert others
    lines = result.stdout.splitlines()
    assert (
        lines[-1]
        == f"All {len(own)} answers are the recorded ones. To {others} other turns the record has no answer of its own."
    )
    assert len(lines) == 2
    # What it prints is not lost.
    assert result.stderr.count("asked for") == len(moves(record))


def test_the_first_answer_that_differs(run: Path, folder: Path, record: MatchRecord) -> None:
    answers = moves(record)
    games = [game.decisions for game in record.games]
    choices = [n for n, answer in enumerate(answers) if answer.startswith("lead") and n > 3]
    wrong = choices[:2]
    bot = write_answers(folder / "bot", [a if n not in wrong else "not this" for n, a in enumerate(answers)])
    result = call(run, 1, "--seat", SEAT, "--into", bot)
    assert result.exit_code == EXIT_MISTAKE
    found = re.search(r"The first answer that differs: game (\d+), trick \d+, turn (\d+) of the seat", result.stdout)
    assert found is not None
    before = sum(it.seat == SEAT for decisions in games[: int(found[1]) - 1] for it in decisions)
    after = before + sum(it.seat == SEAT for it in games[int(found[1]) - 1])
    assert before <= wrong[0] < after
    assert int(found[2]) == wrong[0] + 1
    assert f"which is: {answers[wrong[0]]}" in result.stdout
    assert result.stdout.splitlines()[-1].startswith(f"{len(wrong)} of ")


def test_a_bot_that_fails(run: Path, folder: Path) -> None:
    write_bot(folder / "bot", LOST)
    result = call(run, 1, "--seat", SEAT, "--into", folder / "bot")
    assert result.exit_code == EXIT_MISTAKE
    assert "It did not come to the end: game 1, trick 1, turn 1" in result.stdout
    assert "LookupError: I am lost" in result.stdout


def test_mistakes_in_use(run: Path, folder: Path) -> None:
    for arguments in (["--into", folder], ["--into", folder, "--seat", 1, "--game", 1]):
        result = call(run, 1, *arguments)
        assert result.exit_code == EXIT_MISTAKE
        assert "--into needs --seat" in result.stderr
    result = call(run, 2, "--seat", 1, "--into", folder)
    assert isinstance(result.exception, UserError)
    assert "has no game" in str(result.exception)
    assert isinstance(call(run, 1, "--seat", 1, "--into", folder / "no").exception, UserError)


def test_a_run_without_its_times(folder: Path, record: MatchRecord) -> None:
    with Store.create(folder / "run", config='{"name": "x"}', source="", secret=SECRET) as store:
        store.add_match(record, number=1)
    assert isinstance(call(folder / "run", 1, "--seat", 1, "--into", folder).exception, StoreError)


class Waiting:
    """A command that waits for a call, and the program that its author starts with the two variables."""

    def __init__(self, *arguments: object, environment: dict[str, str]) -> None:
        words = [str(word) for word in (ARENA, *arguments)]
        self.command = subprocess.Popen(
            words, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def variables(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for line in self.command.stderr or ():
            name, _, value = line.strip().partition("=")
            if name.startswith("ARENA_"):
                found[name] = value
            if "Waiting for its call" in line:
                return found
        raise AssertionError(f"it does not wait: {found}")

    def answer(self, program: Path) -> tuple[int, str, int]:
        """The exit code and output of the command, and the exit code of the program."""
        variables = os.environ | self.variables()
        with subprocess.Popen([sys.executable, "main.py"], cwd=program, env=variables, stderr=subprocess.DEVNULL) as started:
            stdout, _ = self.command.communicate(timeout=2 * PATIENCE)
            return self.command.returncode, stdout, started.wait(PATIENCE)

    def close(self) -> None:
        if self.command.poll() is None:
            self.command.kill()
        self.command.communicate()


@pytest.fixture(name="wait")
def wait_fixture(folder: Path) -> Iterator[type[Waiting]]:
    commands: list[Waiting] = []

    class Closed(Waiting):
        def __init__(self, *arguments: object, environment: dict[str, str]) -> None:
            super().__init__(*arguments, environment=environment | {"TMPDIR": str(folder)})
            commands.append(self)

    yield Closed
    for command in commands:
        command.close()


def test_a_program_that_its_author_starts(run: Path, folder: Path, record: MatchRecord, wait: type[Waiting]) -> None:
    bot = write_answers(folder / "bot", moves(record))
    address = f"unix:{folder}/bot.sock"
    waiting = wait("replay", run, 1, "--seat", SEAT, "--into", address, environment={"ARENA_TOKEN": "always-this"})
    code, stdout, own_code = waiting.answer(bot)
    assert (code, own_code) == (EXIT_DONE, 0), stdout
    assert "answers are the recorded ones" in stdout


def test_a_match_with_a_program_that_its_author_starts(folder: Path, wait: type[Waiting]) -> None:
    write_bot(folder / "bot", FIRST)
    write_bot(folder / "other", FIRST)
    waiting = wait("attach", "127.0.0.1:0", "--seat", 3, "--with", folder / "other", environment={})
    code, stdout, own_code = waiting.answer(folder / "bot")
    assert (code, own_code) == (EXIT_DONE, 0), stdout
    assert re.fullmatch(r"It (won|lost|drew) after \d+ games, defeat points \d+ : \d+\.\n", stdout)


def test_what_a_program_does_wrong_ends_the_match(folder: Path, wait: type[Waiting]) -> None:
    write_bot(folder / "bot", LOST)
    write_bot(folder / "other", FIRST)
    waiting = wait("attach", f"unix:{folder}/a.sock", "--with", folder / "other", environment={})
    code, stdout, own_code = waiting.answer(folder / "bot")
    assert code == EXIT_MISTAKE
    assert own_code != 0
    assert "why       it ended in the middle of a match" in stdout
    assert "was sent  seat 0" in stdout


def test_attach_takes_an_address_only(tmp_path: Path) -> None:
    result = CliRunner().invoke(attach, [str(tmp_path)])
    assert isinstance(result.exception, UserError)
    assert "is no address to wait at" in str(result.exception)
