"""How long `arena verify` takes, and how much memory, for a run of 100 matches and for one of 10,000.

    python benchmarks/verify.py [MATCHES]

The runs are made first, of random moves, without bots; that takes some minutes for 10,000. A line is printed for each run.
The memory is the peak of what the process had in memory, from /proc.
"""

import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.tournament.played import write_run

_TEAMS = "ABCDE"
_MATCHES_OF_A_SET = len(_TEAMS) * (len(_TEAMS) - 1)
_VERIFY = textwrap.dedent(
    """
    import sys, time
    from arena.cli.main import cli
    cli.main(["verify", sys.argv[1]], standalone_mode=False)
    print(f"{time.process_time():.1f} s of CPU")
    print(open("/proc/self/status").read())
    """
)


def measure(folder: Path, matches: int) -> str:
    """Make a run of about so many matches, verify it in a process of its own, and say what that took."""
    folder.mkdir()
    run = write_run(folder, teams=tuple(_TEAMS), matches=max(1, matches // _MATCHES_OF_A_SET))
    done = subprocess.run([sys.executable, "-c", _VERIFY, run], capture_output=True, text=True, check=True)
    counts, seconds, cpu, peak = re.findall(
        r"all is right: (.*) in (.*)\.\n(?:.*\n)*?(.* of CPU)\n(?:.*\n)*?VmHWM:\s*(\d+) kB", done.stdout
    )[0]
    return f"{counts}: {seconds}, {cpu}, {int(peak) / 1024:.0f} MiB"


def main() -> None:
    """Both runs, the small one first."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        for matches in (100, most):
            print(measure(Path(folder, str(matches)), matches), flush=True)


if __name__ == "__main__":
    main()
