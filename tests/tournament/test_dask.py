"""Runs on a Dask cluster: a real scheduler and real workers on this machine, and what happens when one of them dies.

The bots are deterministic, so that the table has to be that of the same run on this machine without a cluster.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.cli.running import HELD, PLANNED, Contest, Result, until

DASK = Path(sys.executable).with_name("dask")
BUILT = """
import pathlib
import sys
import time

from arena.bot import Bot, serve

HOLD = {hold}
# Not there before the build has run.
INDEX = int(pathlib.Path("build/index").read_text())


class Built(Bot):
    begun = 0

    def match_start(self, start):
        self.begun += 1

    def choose(self, turn):
        while self.begun > self.last():
            time.sleep(0.01)
        return turn.legal[INDEX]

    def last(self):
        try:
            return int(HOLD.read_text())
        except FileNotFoundError:
            return self.begun


print("started")
serve(Built())
"""
BUILD = """
import pathlib

pathlib.Path("build").mkdir(exist_ok=True)
pathlib.Path("build/index").write_text("-1")
with open({log!r}, "a") as log:
    print(pathlib.Path.cwd(), file=log)
"""


class Cluster:
    """A scheduler and workers, all processes of their own, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temporary = folder / "t"
        self.temporary.mkdir()
        self._processes: list[subprocess.Popen[str]] = []
        self._known: set[psutil.Process] = set()
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        until(lambda: self._address() or self.scheduler.poll() is not None)
        self.address = self._address()

    def add_worker(self, *options: str, **variables: str) -> tuple[psutil.Process, str]:
        """One more worker, which has joined: its nanny, and its address."""
        name = f"worker-{len(self._processes)}"
        space = self.folder / "w"
        process = self._start(
            "worker",
            self.address,
            "--name",
            name,
            "--local-directory",
            str(space),
            *(options or ("--nthreads", "1")),
            **variables,
        )
        until(lambda: f"name: {name}" in self._said(self.scheduler) or process.poll() is not None)
        assert process.poll() is None, self._said(process)
        found = re.search(r"Start worker at:\s+(tcp://\S+)", self._said(process))
        assert found is not None
        return psutil.Process(process.pid), found[1]

    def bots(self) -> dict[psutil.Process, list[psutil.Process]]:
        """The bots that run, by the process that plays with them: a keeper each, and what it keeps."""
        found: dict[psutil.Process, list[psutil.Process]] = {}
        for process in self.family():
            with contextlib.suppress(psutil.NoSuchProcess):
                if "main.py" in process.cmdline():
                    found.setdefault(_player(process), []).append(process)
        return found

    def family(self) -> list[psutil.Process]:
        """Everything that has been started."""
        for process in self._processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                started = psutil.Process(process.pid)
                self._known |= {started, *started.children(recursive=True)}
        return [process for process in self._known if _is_alive(process)]

    def builds(self) -> list[str]:
        """Where the bot that needs it was built, each time."""
        log = self.folder / "builds.log"
        return log.read_text().splitlines() if log.exists() else []

    def end(self) -> None:
        """End everything, workers first; nothing may be left."""
        self.family()
        for process in reversed(self._processes):
            process.terminate()
        try:
            until(lambda: not self.family())
        finally:
            for left in self.family():
                left.kill()
            for process in self._processes:
                process.wait()

    def _start(self, *words: str, **variables: str) -> subprocess.Popen[str]:
        environment = os.environ | {"TMPDIR": str(self.temporary)} | variables
        with (self.folder / f"{len(self._processes)}.log").open("w") as log:
            process = subprocess.Popen(
                [DASK, *words, "--no-dashboard"],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                text=True,
            )
        self._processes.append(process)
        return process

    def _said(self, process: subprocess.Popen[str]) -> str:
        return (self.folder / f"{self._processes.index(process)}.log").read_text()

    def _address(self) -> str:
        found = re.search(r"Scheduler at:\s+(tcp://\S+)", self._said(self.scheduler))
        return found[1] if found else ""


def _player(bot: psutil.Process) -> psutil.Process:
    """The worker above a bot: the nearest process that no bot's command made."""
    above = bot.parent()
    while above is not None and "main.py" in " ".join(above.cmdline()):
        above = above.parent()
    assert above is not None
    return above


def _is_alive(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


@contextmanager
def new_folder() -> Iterator[Path]:
    """With a short path, for sockets, and open to bots under whatever user they run."""
    folder = Path(tempfile.mkdtemp(prefix="d-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        holding(folder).unlink(missing_ok=True)
        shutil.rmtree(folder)


@contextmanager
def new_cluster() -> Iterator[Cluster]:
    """A cluster without workers; in the end nothing of it may be left."""
    with new_folder() as folder:
        cluster = Cluster(folder)
        try:
            yield cluster
        finally:
            cluster.end()


@pytest.fixture(name="folder")
def folder_fixture() -> Iterator[Path]:
    with new_folder() as folder:
        yield folder


@pytest.fixture(name="cluster", scope="module")
def cluster_fixture() -> Iterator[Cluster]:
    """Two workers, which every test leaves as they were."""
    with new_cluster() as cluster:
        cluster.add_worker()
        cluster.add_worker()
        yield cluster


@pytest.fixture(name="local", scope="module")
def local_fixture() -> Iterator[dict[str, Any]]:
    """The table of the same contest, played without a cluster."""
    with new_folder() as folder:
        contest = new_contest(folder, log=folder / "builds.log")
        subprocess.run([sys.executable, "make.py"], cwd=folder / "bots" / "last", check=True)
        assert contest.play().code == 0
        yield contest.standings()


def holding(folder: Path) -> Path:
    """What holds the bots of a contest in this folder.

    It is beside the interpreter, since that is all of this machine that a bot sees in every tier, wherever it is built.
    """
    return Path(sys.prefix) / f"hold-{folder.name}"


class HeldContest(Contest):
    """A contest whose bots are held, also where they are on a cluster."""

    def hold(self, *, after: int) -> None:
        new = holding(self.folder).with_suffix(".new")
        new.write_text(str(after))
        new.chmod(0o644)
        new.replace(holding(self.folder))

    def release(self) -> None:
        holding(self.folder).unlink()


def new_contest(folder: Path, *, log: Path, address: str | None = None, **keys: Any) -> Contest:
    """Two bots, the second of which has to be built before it can play."""
    hold = f"pathlib.Path(sys.prefix) / {holding(folder).name!r}"
    first = HELD.format(move=0).replace('pathlib.Path("build/hold")', hold).replace("import pathlib", "import pathlib, sys")
    cluster = {"execution": {"engine": "dask", "address": address}} if address else {}
    contest = HeldContest(
        folder,
        bots={"first": first, "last": BUILT.format(hold=hold)},
        isolation="limits",
        jobs="auto",
        **cluster,
        **keys,
    )
    (folder / "bots" / "last" / "bot.yaml").write_text("name: Last\nbuild: [python, make.py]\nrun: [python, main.py]\n")
    (folder / "bots" / "last" / "make.py").write_text(BUILD.format(log=str(log)))
    return contest


def on(cluster: Cluster, folder: Path, **keys: Any) -> Contest:
    return new_contest(folder, log=cluster.folder / "builds.log", address=cluster.address, **keys)


def test_worker_killed_in_the_middle_of_a_match(cluster: Cluster, folder: Path, local: dict[str, Any]) -> None:
    contest = on(cluster, folder)
    contest.hold(after=1)
    before = len(cluster.builds())
    with contest.playing() as arena:
        until(lambda: contest.stored() == 2 and len(cluster.bots()) == 2)
        worker, bots = next(iter(cluster.bots().items()))
        assert len(bots) >= 4
        worker.kill()
        until(lambda: not any(map(_is_alive, bots)))
        contest.release()
        result = arena.result()
    assert result.code == 0, result
    assert re.search(r"Matches are played again, not by a bot's fault: the worker tcp://\S+ died\n", result.stderr), result
    assert "Traceback" not in result.stderr
    assert contest.stored() == PLANNED
    assert contest.standings() == local
    # Where the bots' output would be without a cluster. The session whose worker died has lost its own.
    assert [text for text in contest.starts() if text] == ["started\n"] * 8
    assert not cluster.bots()
    # Two workers, one machine: one build, in a folder of theirs.
    assert len(built := cluster.builds()[before:]) == 1
    assert not built[0].startswith(str(folder))
    assert not (folder / "bots" / "last" / "build" / "index").exists()


def test_runner_that_is_killed_or_interrupted_leaves_no_bots_and_goes_on(
    cluster: Cluster, folder: Path, local: dict[str, Any]
) -> None:
    contest = on(cluster, folder)
    contest.hold(after=1)
    with contest.playing() as arena:
        until(lambda: contest.stored() == 2)
        arena.signal(signal.SIGKILL)
        until(lambda: not cluster.bots())
    with contest.playing() as arena:
        until(lambda: contest.stored() == 4)
        arena.signal(signal.SIGINT, group=True)
        stopped = arena.result()
    assert stopped.code == 130, stopped
    assert "To go on: arena tournament contest.yaml\n" in stopped.stderr
    # They were waited for.
    assert not cluster.bots()
    contest.release()
    assert contest.play().code == 0
    assert contest.standings() == local
    # What killed processes left went with the next session.
    assert not [path for path in cluster.temporary.iterdir() if re.fullmatch(r"arena-[0-9a-f]{8}(\.lock)?", path.name)]


def test_run_goes_on_without_the_cluster(cluster: Cluster, folder: Path, local: dict[str, Any]) -> None:
    contest = on(cluster, folder)
    contest.hold(after=2)
    with contest.playing() as arena:
        until(lambda: contest.stored() == 4)
        arena.signal(signal.SIGTERM)
        assert arena.result().code == 130
    contest.release()
    subprocess.run([sys.executable, "make.py"], cwd=folder / "bots" / "last", check=True)
    contest.write(execution={"engine": "local"})
    assert contest.play().code == 0
    assert contest.standings() == local


@pytest.mark.skipif(not os.environ.get("ARENA_LONG"), reason="it waits half a minute for connections: ARENA_LONG=1 runs it")
def test_lost_scheduler(folder: Path, local: dict[str, Any]) -> None:
    with new_cluster() as cluster:
        cluster.add_worker()
        contest = on(cluster, folder)
        contest.hold(after=1)
        with contest.playing() as arena:
            until(lambda: contest.stored() == 1 and cluster.bots())
            cluster.scheduler.kill()
            result = arena.result()
        assert result.code == 3, result
        assert "was lost" in result.stderr
        assert "To go on: arena tournament contest.yaml\n" in result.stderr
        assert "Traceback" not in result.stderr
        assert contest.stored() == 1
        # Workers end with their scheduler, and bots with their workers.
        until(lambda: not cluster.family())
    unreachable = contest.play()
    assert unreachable.code == 3
    assert f"arena: the scheduler at {cluster.address} cannot be reached" in unreachable.stderr


@pytest.mark.parametrize(
    ("options", "variables", "keys", "told"),
    [
        (("--nthreads", "2"), {}, {}, r"cannot play: it has 2 threads, .*; start workers with --nthreads 1"),
        ((), {"PATH": "/nowhere"}, {"isolation": "sandbox"}, r"does not offer it: there is no .* on the PATH"),
    ],
    ids=["threads", "isolation"],
)
def test_worker_that_is_not_as_it_should_be_is_named(
    cluster: Cluster, folder: Path, options: tuple[str, ...], variables: dict[str, str], keys: dict[str, str], told: str
) -> None:
    nanny, address = cluster.add_worker(*options, **variables)
    try:
        contest = on(cluster, folder)
        contest.write(**keys)
        result = contest.play()
        assert result.code == 2, result
        assert re.search(rf"the worker {re.escape(address)} on \S+ {told}", result.stderr), result
        assert contest.stored() == 0
    finally:
        nanny.terminate()
        until(lambda: not _is_alive(nanny))


def test_missing_package_is_named(folder: Path) -> None:
    (folder / "empty" / "distributed").mkdir(parents=True)
    (folder / "empty" / "distributed" / "__init__.py").write_text(
        "raise ModuleNotFoundError('No module named distributed', name='distributed')"
    )
    contest = new_contest(folder, log=folder / "builds.log", address="tcp://127.0.0.1:9")
    result: Result = contest.play(environment={"PYTHONPATH": str(folder / "empty")})
    assert result.code == 2
    assert "needs the package distributed, which is not installed here; " in result.stderr
    assert result.stderr.endswith("pip install '.[dask]'\n")
