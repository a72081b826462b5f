"""Ctrl-C and SIGTERM: what was finished is kept, nothing is left running, and the same command goes on."""

import os
import signal

import pytest

from tests.cli.running import PLANNED, Contest, Result, is_alive, until

GO_ON = "To go on: arena tournament contest.yaml"


def test_interrupted_again_and_again_it_ends_with_the_same_table(contest: Contest, undisturbed: tuple[Contest, Result]) -> None:
    contest.hold(after=1)
    # How many are stored when the bots hold: the second session begins when the first one has a single match left.
    for number, group, stored in ((signal.SIGINT, True, 1), (signal.SIGINT, False, 2), (signal.SIGTERM, False, 4)):
        with contest.playing() as arena:
            until(lambda expected=stored: contest.stored() == expected)
            arena.signal(number, group=group)
            result = arena.result()
            until(arena.nothing_is_left)
        assert result.code == 130, (number, result)
        assert result.stdout == ""
        assert f"{GO_ON}\n" in result.stderr
        assert "Traceback" not in result.stderr
        assert (contest.stored(), contest.leftovers()) == (stored, [])
    contest.release()
    result = contest.play()
    assert result.code == 0, result
    assert f"\n4 of {PLANNED} matches in 0:00\n" in result.stderr
    assert f"{PLANNED} of {PLANNED} matches" in result.stderr
    assert contest.standings() == undisturbed[0].standings()


def test_sigterm_to_all_processes_at_once(contest: Contest) -> None:
    contest.hold(after=1)
    with contest.playing("--json") as arena:
        until(lambda: contest.stored() == 1)
        arena.signal(signal.SIGTERM, group=True)
        result = arena.result()
        until(arena.nothing_is_left)
    assert result.code == 130, result
    assert f"{GO_ON} --json\n" in result.stderr
    assert (contest.stored(), contest.leftovers()) == (1, [])


def test_second_ctrl_c_does_not_wait_for_workers_that_hang(contest: Contest) -> None:
    contest.hold(after=1)
    with contest.playing() as arena:
        until(lambda: contest.stored() == 1)
        (worker,) = arena.workers()
        os.kill(worker, signal.SIGSTOP)
        arena.signal(signal.SIGINT)

        def worker_is_gone() -> bool:
            arena.signal(signal.SIGINT)
            return not is_alive(worker)

        until(worker_is_gone)
        result = arena.result()
        until(arena.nothing_is_left)
    assert result.code == 130, result
    assert GO_ON in result.stderr
    assert "Traceback" not in result.stderr
    assert (contest.stored(), contest.leftovers()) == (1, [])


@pytest.mark.parametrize("processes", [2, 3])
def test_ctrl_c_while_processes_start(contest: Contest, processes: int) -> None:
    contest.hold(after=0)
    with contest.playing() as arena:
        # Python's resource tracker, the manager, the first worker.
        until(lambda: sum("multiprocessing" in command for command in arena.family().values()) >= processes)
        arena.signal(signal.SIGINT, group=True)
        result = arena.result()
        until(arena.nothing_is_left)
    assert result.code == 130, result
    assert "Traceback" not in result.stderr
    assert GO_ON in result.stderr
    assert contest.leftovers() == []


def test_sigterm_before_anything_is_played(contest: Contest) -> None:
    with contest.playing() as arena:
        until(arena.family)
        arena.signal(signal.SIGTERM)
        result = arena.result()
        until(arena.nothing_is_left)
    assert (result.code, result.stdout) == (130, "")
    assert "Traceback" not in result.stderr


def test_started_to_ignore_ctrl_c_it_does(contest: Contest) -> None:
    contest.hold(after=1)
    with contest.shell('trap "" INT; exec "$0" tournament contest.yaml') as arena:
        until(lambda: contest.stored() == 1)
        arena.signal(signal.SIGINT, group=True)
        contest.release()
        result = arena.result()
    assert result.code == 0, result


def test_second_runner_is_refused(contest: Contest) -> None:
    contest.hold(after=1)
    with contest.playing() as arena:
        until(lambda: contest.stored() == 1)
        for more in ((), ("--again",), ("--run", contest.run / ".." / "contest")):
            result = contest.play(*more)
            assert (result.code, result.stdout) == (2, "")
            assert result.stderr.startswith("arena: another arena is playing the run in ")
        # It may be looked at meanwhile.
        assert contest.standings()["matches"] == 1
        assert not arena.is_over
