"""SIGKILL of the runner, of a worker and of the process between them: nothing is lost, counted twice or left running."""

import os
import random
import signal
import time

from tests.cli.running import PLANNED, Contest, Result, is_alive, until


def test_runner_killed_at_any_moment(contest: Contest, undisturbed: tuple[Contest, Result]) -> None:
    moments: list[str] = []
    stored = 0
    for _ in range(3):
        with contest.playing() as arena:
            # Half of them while it starts, half of them while matches are played.
            if random.random() < 0.5:
                until(lambda before=stored: contest.stored() > before or arena.is_over)
            time.sleep(random.uniform(0, 1.5))
            if not arena.is_over:
                arena.signal(signal.SIGKILL)
            until(arena.nothing_is_left)
        moments.append(f"{contest.stored()} stored")
        assert contest.stored() >= stored, moments
        stored = contest.stored()
    result = contest.play()
    assert result.code == 0, (moments, result)
    assert contest.stored() == PLANNED
    assert contest.standings() == undisturbed[0].standings()
    # The folders of the runs that were killed went with the next one's.
    assert list(contest.temporary.glob("arena-*.lock")) == []


def test_worker_killed_in_the_middle_of_a_match(contest: Contest, undisturbed: tuple[Contest, Result]) -> None:
    contest.write(jobs=2)
    contest.hold(after=1)
    with contest.playing() as arena:
        until(lambda: contest.stored() == 2)
        before = arena.family()
        os.kill(arena.workers()[0], signal.SIGKILL)
        # New workers play the first of the matches that are left of each session, and are held again.
        until(lambda: contest.stored() == 4)
        until(lambda: not any(is_alive(pid) for pid, command in before.items() if "main.py" in command))
        contest.release()
        result = arena.result()
        until(arena.nothing_is_left)
    assert result.code == 0, result
    assert "Matches are played again, not by a bot's fault: a worker process died\n" in result.stderr
    assert contest.standings() == undisturbed[0].standings()
    assert contest.leftovers() == []


def test_manager_killed(contest: Contest, undisturbed: tuple[Contest, Result]) -> None:
    contest.hold(after=1)
    with contest.playing() as arena:
        until(lambda: contest.stored() == 1)
        arena.family()
        os.kill(arena.manager(), signal.SIGKILL)
        result = arena.result()
        until(arena.nothing_is_left)
    assert result.code == 3, result
    assert "\narena: the process that passes the workers' reports on was lost" in result.stderr
    assert "To go on: arena tournament contest.yaml\n" in result.stderr
    assert "Traceback" not in result.stderr
    assert (contest.stored(), contest.leftovers()) == (1, [])
    contest.release()
    assert contest.play().code == 0
    assert contest.standings() == undisturbed[0].standings()
