"""How much sooner two jobs finish than one, and what ten thousand matches cost in memory and lose on time.

Plays the same tournament of null bots with `jobs: 1` and with `jobs: 2`, in turns, each as `arena tournament` in a process of
its own, start and all; then, with --matches, one long tournament at full concurrency.

    python benchmarks/jobs.py [--rounds 3] [--sets 40] [--matches 10000] [--pondering allowed]

Prints seconds and their ratio, whose median counts; of the long one the faults, and the runner's memory after 100 matches and
at the end.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

from arena.errors import RunError
from arena.records.store import Store
from arena.tournament.config import available_cores

ARENA = Path(sys.executable).with_name("arena")
NULL_BOT = Path(__file__).resolve().parent / "null_bot"
TEAMS = ("One", "Two", "Three", "Four")
PAIRINGS = len(TEAMS) * (len(TEAMS) - 1) // 2
EARLY = 100
"""Matches after which memory is looked at for the first time."""


def write_contest(folder: Path, *, sets: int, jobs: int | str, pondering: str) -> Path:
    """A tournament file for null bots, with the default time control."""
    content = {
        "name": "Null bots",
        "matches": sets,
        "rules": {"match_target": 2},
        "jobs": jobs,
        "seed": 1,
        "pondering": pondering,
        "isolation": "limits",
        "bots": {"null": str(NULL_BOT)},
        "teams": [{"name": team, "bots": ["null", "null"]} for team in TEAMS],
    }
    path = folder / "null.yaml"
    path.write_text(yaml.safe_dump(content))
    return path


def start(path: Path, run: Path) -> subprocess.Popen[bytes]:
    command = [ARENA, "tournament", path, "--run", run]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def played(run: Path) -> int:
    """Matches in the store so far."""
    try:
        with Store.open(run) as store:
            return store.match_count()
    except RunError:
        return 0


def finish(process: subprocess.Popen[bytes]) -> None:
    _, messages = process.communicate()
    if process.returncode:
        sys.exit(f"the tournament ended with {process.returncode}: {messages.decode()}")


def seconds_of(folder: Path, number: int, *, sets: int, jobs: int, pondering: str) -> float:
    path = write_contest(folder, sets=sets, jobs=jobs, pondering=pondering)
    began = time.monotonic()
    finish(start(path, folder / f"run-{number}-{jobs}"))
    return time.monotonic() - began


def resident_mib(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def play_many(folder: Path, matches: int, pondering: str) -> None:
    sets = -(-matches // (2 * PAIRINGS))
    path = write_contest(folder, sets=sets, jobs="auto", pondering=pondering)
    run = folder / "many"
    began = time.monotonic()
    process = start(path, run)
    while played(run) < EARLY:
        time.sleep(0.05)
    early = last = resident_mib(process.pid)
    while process.poll() is None and played(run) < 2 * PAIRINGS * sets:
        last = resident_mib(process.pid)
        time.sleep(0.5)
    finish(process)
    seconds = time.monotonic() - began
    with Store.open(run) as store:
        faults = sum(sum(match.faults) for match in store.iter_summaries())
        count = store.match_count()
    print(f"{count} matches in {seconds:.0f} s with {available_cores()} jobs, faults: {faults}")
    print(f"the runner's memory: {early:.1f} MiB after {EARLY} matches, {last:.1f} MiB at the end, ratio {last / early:.2f}")


def main() -> None:
    """Both parts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sets", type=int, default=40)
    parser.add_argument("--matches", type=int, default=0, help="of the long tournament; none without it")
    parser.add_argument("--pondering", choices=["forbidden", "allowed"], default="forbidden")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arena-") as root:
        folder = Path(root)
        ratios = []
        for number in range(arguments.rounds):
            one, two = (
                seconds_of(folder, number, sets=arguments.sets, jobs=jobs, pondering=arguments.pondering) for jobs in (1, 2)
            )
            ratios.append(one / two)
            print(f"round {number + 1}: one job {one:.1f} s, two jobs {two:.1f} s, ratio {one / two:.2f}", flush=True)
        if ratios:
            print(f"median ratio {statistics.median(ratios):.2f}")
        if arguments.matches:
            play_many(folder, arguments.matches, arguments.pondering)


if __name__ == "__main__":
    main()
