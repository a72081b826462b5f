"""Many matches at full concurrency: nobody loses on time, and the runner's memory does not grow.

With ARENA_LONG=1 there are ten thousand; `python benchmarks/jobs.py --matches 10000` prints the figures.
"""

import os
from pathlib import Path

import pytest

from arena.records.store import Store
from tests.cli.running import Contest, Process, until

IS_LONG = bool(os.environ.get("ARENA_LONG"))
SETS = 834 if IS_LONG else 8
"""Of six pairings, two matches each."""
EARLY = 100 if IS_LONG else 24
NULL = """
from arena.bot import Bot, serve

class Null(Bot):
    def choose(self, turn):
        return turn.legal[0]

serve(Null())
"""
TEAMS = ("One", "Two", "Three", "Four")


def resident_kib(process: Process) -> int:
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@pytest.mark.timeout(7200)
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell how much memory a process has")
def test_many_matches_lose_nothing_on_time_and_no_memory(folder: Path) -> None:
    contest = Contest(folder, bots={"first": NULL}, teams=dict.fromkeys(TEAMS, ("first", "first")), matches=SETS, jobs="auto")
    with contest.start("tournament", "contest.yaml", "--run", contest.run, stdout=None, stderr=None) as arena:
        until(lambda: contest.stored() >= EARLY)
        early = late = resident_kib(arena)
        while not arena.is_over and contest.stored() < 12 * SETS - 4:
            before = contest.stored()
            late = resident_kib(arena)
            until(lambda before=before: contest.stored() > before or arena.is_over)
        assert arena.result().code == 0
    with Store.open(contest.run) as store:
        assert store.match_count() == 12 * SETS
        assert [match.key for match in store.iter_summaries() if sum(match.faults)] == []
    assert late < 1.15 * early, "the runner's memory grows with the matches that are played"
