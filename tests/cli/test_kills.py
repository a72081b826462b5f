"""SIGKILL of the runner, of a worker and of the process between them: nothing is lost, counted twice or left running.

With ARENA_LONG=1 there are hundreds of kills.
"""

import contextlib
import os
import random
import shutil
import signal
import time

import pytest

from tests.cli.running import PLANNED, Contest, Process, Result, is_alive, until

KILLS = 300 if os.environ.get("ARENA_LONG") else 4
ADAPTIVE = {
    "teams": [{"name": name, "bots": ["first", "last"]} for name in ("One", "Two", "Three", "Four")],
    "schedule": {"kind": "swiss", "rounds": 2},
    "matches": 1,
}
"""A tournament whose second round depends on the results of the first."""


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


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("keys", [{}, ADAPTIVE], ids=["round robin", "swiss"])
def test_somebody_is_killed_again_and_again(contest: Contest, keys: dict[str, object]) -> None:
    """Runners and workers, at moments of chance, run after run: each ends with the table of the one that nobody disturbed."""
    contest.write(jobs=2, **keys)
    assert contest.play().code == 0
    expected, planned = contest.standings(), contest.stored()
    luck = random.Random()
    killed, moments = 0, []
    while killed < KILLS // 2:
        shutil.rmtree(contest.run)
        stored = 0
        while not contest.run.exists() or stored < planned:
            with contest.playing() as arena:
                if luck.random() < 0.7:  # not only while it starts
                    until(lambda before=stored: contest.stored() > before or arena.is_over)
                time.sleep(luck.uniform(0, 1.5))
                killed += kill_somebody(arena, luck)
                result = arena.result()
                until(arena.nothing_is_left)
            moments.append((killed, contest.stored(), result.code))
            assert result.code in (0, -signal.SIGKILL), (moments, result)
            assert contest.stored() >= stored, moments
            stored = contest.stored()
        assert contest.play().code == 0
        assert contest.standings() == expected, moments
        assert contest.call("verify", contest.run).code == 0, moments


def kill_somebody(arena: Process, luck: random.Random) -> bool:
    """SIGKILL for the runner or one of its workers; whether anybody was still there."""
    workers = [pid for pid in arena.workers() if "spawn_main" in arena.family().get(pid, "")]
    victim = luck.choice(workers) if workers and luck.random() < 0.5 else arena.pid
    if arena.is_over:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(victim, signal.SIGKILL)
    return True
