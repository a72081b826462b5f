"""Real runs for tests: the `arena` command as a process of its own, with bots that a test can hold in the middle of a match."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from arena.errors import RunError
from arena.records.store import Store

ARENA = Path(sys.executable).with_name("arena")
PATIENCE = 60.0
"""Seconds after which a condition that a test waits for will not come true any more; never a measure of anything."""

HELD = """
import pathlib
import time

from arena.bot import Bot, serve

HOLD = pathlib.Path("build/hold")


class Held(Bot):
    '''Always plays the same move of those it has, and no further than the match whose number stands in `build/hold`.'''

    begun = 0

    def match_start(self, start):
        self.begun += 1

    def choose(self, turn):
        while self.begun > self.last():
            time.sleep(0.01)
        return turn.legal[{move}]

    def last(self):
        try:
            return int(HOLD.read_text())
        except FileNotFoundError:
            return self.begun


print("started")
serve(Held())
"""
TEAMS = {"Козлы 🐐": ("first", "first"), "עִזִּים": ("last", "last")}
PLANNED = 6
"""Matches of a contest, three in each of two sessions."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a command."""

    code: int
    stdout: str
    stderr: str


class Contest:
    """A folder with a tournament file, its bots and its run; commands are started in it."""

    def __init__(
        self,
        folder: Path,
        *,
        bots: Mapping[str, str] | None = None,
        teams: Mapping[str, tuple[str, str]] | None = None,
        **keys: Any,
    ) -> None:
        """bots: sources in Python by id. teams: the bots of each team by name. keys: what else the file says."""
        self.folder = folder
        self.temporary = folder / "t"
        self.temporary.mkdir()
        bots = bots or {"first": HELD.format(move=0), "last": HELD.format(move=-1)}
        for name, source in bots.items():
            write_bot(folder / "bots" / name, source)
        self.content: dict[str, Any] = {
            "name": "A contest",
            "rules": {"match_target": 2},
            "time": {"startup_seconds": 60, "move_seconds": 60},
            "seed": 7,
            "matches": PLANNED // 2,
            "jobs": 1,
            "bots": {name: f"bots/{name}" for name in bots},
            "teams": [{"name": name, "bots": list(pair)} for name, pair in (teams or TEAMS).items()],
        } | keys
        self.write()

    @property
    def run(self) -> Path:
        """Where the run is when nobody says otherwise."""
        return self.folder / "runs" / "contest"

    def write(self, **keys: Any) -> None:
        """Write the tournament file, with other values of some keys."""
        text = yaml.safe_dump(self.content | keys, allow_unicode=True, sort_keys=False)
        (self.folder / "contest.yaml").write_text(text, encoding="utf-8")

    def hold(self, *, after: int) -> None:
        """Have bots stop in the match after so many of their process."""
        for folder in (self.folder / "bots").iterdir():
            # Where a bot keeps what is not its source: it must not look like another one.
            (folder / "build").mkdir(exist_ok=True)
            # All at once, since a bot reads it at any time.
            (folder / "build" / "new").write_text(str(after))
            (folder / "build" / "new").replace(folder / "build" / "hold")

    def release(self) -> None:
        """Let the bots play on."""
        for file in self.folder.glob("bots/*/build/hold"):
            file.unlink()

    def call(self, *arguments: object, **options: Any) -> Result:
        """Run `arena` to its end."""
        with self.start(*arguments, **options) as process:
            return process.result()

    @contextmanager
    def start(self, *arguments: object, environment: Mapping[str, str] | None = None, **options: Any) -> Iterator["Process"]:
        """Run `arena` in a process group of its own; it is killed in the end, when it still runs."""
        yield from self._start([ARENA, *arguments], environment or {}, options)

    @contextmanager
    def shell(self, script: str) -> Iterator["Process"]:
        """The same with a shell script, in which `arena` is "$0"."""
        yield from self._start(["sh", "-c", script, ARENA], {}, {})

    def _start(self, command: list[object], environment: Mapping[str, str], options: dict[str, Any]) -> Iterator["Process"]:
        variables = os.environ | {"TMPDIR": str(self.temporary)} | environment
        process = Process(command, cwd=self.folder, env=variables, **options)
        try:
            yield process
        finally:
            process.kill_all()

    def play(self, *arguments: object, **options: Any) -> Result:
        """`arena tournament` to its end."""
        return self.call("tournament", "contest.yaml", *arguments, **options)

    def playing(self, *arguments: object, **options: Any) -> Any:
        """`arena tournament`, going on."""
        return self.start("tournament", "contest.yaml", *arguments, **options)

    def stored(self) -> int:
        """How many matches the store has, 0 when there is none yet."""
        try:
            with Store.open(self.run) as store:
                return store.match_count()
        except RunError:
            return 0

    def standings(self) -> dict[str, Any]:
        """The table, without what no two runs have in common."""
        result = self.call("standings", self.run, "--json")
        assert result.code == 0, result
        return without_times(result.stdout)

    def leftovers(self) -> list[str]:
        """What was left in the folder for temporary files, besides the locks that all runs of this machine share."""
        shared = ("arena-users", "arena-starts-")
        return [path.name for path in self.temporary.iterdir() if not path.name.startswith(shared)]

    def starts(self) -> list[str]:
        """The logs of all bots, where each start shows."""
        return [path.read_text() for path in sorted(self.run.glob("logs/*/*/stdout.log"))]


class Process:
    """A running `arena`, and all that it started."""

    def __init__(self, command: list[object], **options: Any) -> None:
        self._popen = subprocess.Popen(
            list(map(str, command)),
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options,
            encoding="utf-8",
            errors="surrogateescape",
            process_group=0,
        )
        self._known: dict[int, str] = {}

    @property
    def pid(self) -> int:
        """The runner's number, which is its group's, too."""
        return self._popen.pid

    @property
    def is_over(self) -> bool:
        """Whether the runner has ended."""
        return self._popen.poll() is not None

    def close_stdout(self) -> None:
        """Read no more of its output."""
        assert self._popen.stdout is not None
        self._popen.stdout.close()

    def result(self) -> Result:
        """Wait for its end."""
        stdout, stderr = self._popen.communicate(timeout=PATIENCE)
        return Result(self._popen.returncode, stdout or "", stderr or "")

    def signal(self, number: signal.Signals, *, group: bool = False) -> None:
        """Send a signal to the runner, or to everything in its process group as a terminal does."""
        self.family()
        (os.killpg if group else os.kill)(self.pid, number)

    def family(self) -> dict[int, str]:
        """Everything that it has started and that runs: the process's number and its command line."""
        found: dict[int, str] = {}
        waiting = [self.pid]
        while waiting:
            for pid in _children(waiting.pop()):
                found[pid] = _command(pid)
                waiting.append(pid)
        self._known |= found
        return found

    def workers(self) -> list[int]:
        """The worker processes: they have bots."""
        return [pid for pid in _children(self.pid) if _children(pid)]

    def manager(self) -> int:
        """The process with the queue for reports: the second that is started, after the tracker of Python."""
        return next(pid for pid in sorted(_children(self.pid)) if "spawn_main" in _command(pid))

    def nothing_is_left(self) -> bool:
        """Whether all that `family` has ever seen has ended, and all that was started by that."""
        for pid in list(self._known):
            self._known |= {child: _command(child) for child in _children(pid)}
        return self.is_over and not any(map(is_alive, self._known))

    def kill_all(self) -> None:
        """Make an end, whatever became of the test."""
        self.family()
        for pid in [self.pid] if self._popen.poll() is None else []:
            os.kill(pid, signal.SIGKILL)
        for pid in filter(is_alive, self._known):
            os.kill(pid, signal.SIGKILL)
        self._popen.communicate()


def write_bot(folder: Path, source: str) -> None:
    """A bot in Python."""
    folder.mkdir(parents=True)
    (folder / "bot.yaml").write_text(f"name: {folder.name}\nrun: [python, main.py]\n", encoding="utf-8")
    (folder / "main.py").write_text(textwrap.dedent(source), encoding="utf-8")


def until(condition: Callable[[], object]) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def without_times(text: str) -> dict[str, Any]:
    """Standings from JSON, without what no two runs have in common."""
    values: dict[str, Any] = json.loads(text)
    for row in values["standings"]:
        del row["think_ms"]
    return values


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _children(pid: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""
