"""Every kind of bad bot gets its cross, in the right step and with the right reason, by real processes."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.check.examination import CheckTerms
from arena.check.report import Outcome
from arena.rules.moves import MoveKind, parse_move
from arena.seat.watch import Delay
from tests.check.bots import examine, problem_in, step_of, write_folder, write_tested
from tests.seat_tools import NULL, RAW

IMPATIENT = CheckTerms(move_ms=2000, bank_ms=0)
"""For bots that do not answer: so long is waited for them."""


def test_no_manifest(root: Path, tmp_path: Path) -> None:
    report = examine(tmp_path, root)
    assert "there is no bot.yaml" in problem_in(report, "manifest").reason
    assert {step.verdict.outcome for step in report.steps[1:]} == {Outcome.SKIPPED}
    assert "step 1" in step_of(report, "build").verdict.summary


def test_build_fails(root: Path, tmp_path: Path) -> None:
    command = "[[python, -c, \"print('fine')\"], [python, -c, \"import sys; print('line 1'); sys.exit('no compiler here')\"]]"
    report = examine(write_folder(tmp_path / "bot", NULL, build=command), root)
    problem = problem_in(report, "build")
    assert "ended with status 1" in problem.reason
    assert "no compiler here" in problem.output
    assert "fine" not in problem.output
    assert step_of(report, "start").verdict.outcome is Outcome.SKIPPED


def test_build_program_is_missing(root: Path, tmp_path: Path) -> None:
    problem = problem_in(examine(write_folder(tmp_path / "bot", NULL, build="[no-such-compiler, -O2]"), root), "build")
    assert "`no-such-compiler -O2` cannot be run: No such file" in problem.reason


def test_build_does_not_end(root: Path, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "bot", NULL, build='[python, -c, "import signal; signal.pause()"]')
    problem = problem_in(examine(folder, root, CheckTerms(build_seconds=0.5)), "build")
    assert "more than 0.5 s" in problem.reason


def test_never_starts(root: Path, tmp_path: Path) -> None:
    problem = problem_in(examine(write_folder(tmp_path / "bot", "import no_such_module\n"), root), "start")
    assert "it did not start" in problem.reason
    assert "exited with status 1" in problem.reason
    assert "No module named 'no_such_module'" in problem.output


def test_crashes_on_a_pull_offer(root: Path, tmp_path: Path) -> None:
    folder = write_tested(
        tmp_path / "bot",
        """
        class Tested(Bot):
            def choose(self, turn):
                if any(move.kind is MoveKind.PULL for move in turn.legal):
                    raise LookupError("what is a pull?")
                return turn.legal[0]
        """,
    )
    report = examine(folder, root)
    problem = problem_in(report, "turns")
    assert "LookupError: what is a pull?" in problem.output
    assert problem.answered == "nothing"
    sent = next(line for line in problem.sent if line.startswith("legal: "))
    kinds = [parse_move(move).kind for move in sent.removeprefix("legal: ").split(" | ")]
    assert kinds == [MoveKind.PULL, MoveKind.PASS]
    assert step_of(report, "copies").verdict.outcome is Outcome.SKIPPED


def test_beats_with_what_does_not_beat(root: Path, tmp_path: Path) -> None:
    folder = write_tested(
        tmp_path / "bot",
        """
        class Tested(Bot):
            def choose(self, turn):
                move = turn.legal[0]
                return Move(MoveKind.BEAT, move.cards) if move.kind is MoveKind.DISCARD else move
        """,
    )
    problem = problem_in(examine(folder, root), "turns")
    assert problem.reason == "its answer is not one of the legal moves"
    assert problem.answered.startswith("beat ")
    assert any(line.startswith("legal: discard ") for line in problem.sent)
    assert not any(problem.answered in line for line in problem.sent)


def test_too_slow(root: Path, tmp_path: Path) -> None:
    folder = write_tested(
        tmp_path / "bot",
        """
        class Tested(Bot):
            turns = 0

            def choose(self, turn):
                self.turns += 1
                if self.turns == 4:
                    time.sleep(1000)
                return turn.legal[0]
        """,
    )
    problem = problem_in(examine(folder, root, IMPATIENT), "turns")
    assert problem.reason.startswith("it did not answer in time: no answer within 2.0")
    assert problem.answered == "nothing"
    assert any(line.startswith("legal: ") for line in problem.sent)


def test_loses_count_after_a_late_answer(root: Path, tmp_path: Path) -> None:
    """It takes the fault for a turn, so its numbers are behind from then on."""
    folder = write_folder(
        tmp_path / "bot",
        RAW,
        """
        raw = greeted()
        behind = 0
        while message := raw.read():
            if message.HasField("fault"):
                behind = 1
            if message.HasField("turn"):
                time.sleep(0.01)
                raw.answer(message.turn.number - behind, message.turn.legal[0])
        os._exit(0)
        """,
    )
    report = examine(folder, root, IMPATIENT)
    problem = problem_in(report, "late")
    assert problem.reason.startswith("after one late answer")
    assert "no answer within 2.0" in problem.reason
    assert step_of(report, "turns").verdict.outcome is Outcome.PASSED


def test_a_late_answer_that_is_forced_may_be_the_fault_of_the_machine(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a millisecond a busy machine owes a part; a bot that is in order passes all the same."""

    class Owing(Delay):
        owed = property(lambda self: self.lasted + 10.0)

    monkeypatch.setattr("arena.seat.watch.Delay", Owing)
    folder = write_tested(
        tmp_path / "bot",
        """
        class Tested(Bot):
            def choose(self, turn):
                time.sleep(0.005)
                return turn.legal[0]
        """,
    )
    verdict = step_of(examine(folder, root), "late").verdict
    assert verdict.outcome is Outcome.PASSED
    assert "was late" in verdict.summary


def test_needs_the_beginning_of_a_game(root: Path, tmp_path: Path) -> None:
    folder = write_tested(
        tmp_path / "bot",
        """
        class Tested(Bot):
            tricks = 0

            def choose(self, turn):
                assert len(turn.view.tricks) - self.tricks <= 1, "what happened before?"
                self.tricks = len(turn.view.tricks)
                return turn.legal[0]

            def game_end(self, result):
                self.tricks = 0
        """,
    )
    problem = problem_in(examine(folder, root), "restart")
    assert problem.reason.startswith("started again in the middle of a match: it ended")
    assert "what happened before?" in problem.output


def test_cannot_be_started_twice(root: Path, tmp_path: Path) -> None:
    folder = write_folder(
        tmp_path / "bot",
        """
        import fcntl
        lock = open("lock", "w")
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        """,
        NULL,
    )
    problem = problem_in(examine(folder, root), "copies")
    assert problem.reason.startswith("four copies were started at the same time: it did not start")
    assert "BlockingIOError" in problem.output


def test_prints_a_lot(root: Path, tmp_path: Path) -> None:
    folder = write_tested(
        tmp_path / "bot",
        """
        class Tested(Bot):
            def choose(self, turn):
                print("thinking " * 1000)
                return turn.legal[0]
        """,
    )
    report = examine(folder, root, replace(CheckTerms(), log_bytes=20_480))
    assert "its log of 20,480 bytes was full" in problem_in(report, "turns").reason
    problem = step_of(report, "output").verdict.problem
    assert problem is not None
    assert "more than 20 KiB to stdout" in problem.reason
    assert "thinking" in problem.output
    assert report.measured.stdout_bytes >= 20_480


def test_a_typo_in_the_manifest(root: Path, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "bot", NULL)
    (folder / "bot.yaml").write_text("name: tested\nrum: [python, main.py]\n")
    assert "did you mean run?" in problem_in(examine(folder, root), "manifest").reason
