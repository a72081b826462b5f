"""What goes wrong around a run: the disk, the machine, the bots."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.records.model import FaultKind
from arena.records.store import Store
from tests.cli.running import HELD, Contest, Result, until

GO_ON = "Every finished match is kept. To go on: arena tournament contest.yaml\n"


@contextmanager
def disk(folder: Path, size: str) -> Iterator[None]:
    """A small disk of its own in a folder."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder]
    if os.getuid() or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("needs a user who may mount a disk")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_disk_full_in_the_middle_of_a_run(contest: Contest, undisturbed: tuple[Contest, Result]) -> None:
    with disk(contest.run.parent, "1m"):
        contest.hold(after=1)
        ballast = contest.run.parent / "ballast"
        with contest.playing() as arena:
            until(lambda: contest.stored() == 1)
            fill(ballast)
            contest.release()
            result = arena.result()
            until(arena.nothing_is_left)
        assert result.code == 3, result
        assert result.stderr.endswith(f"cannot be stored: the disk is full; nothing of this was written\n{GO_ON}")
        assert result.stderr.count("full") == 1
        assert "Traceback" not in result.stderr
        assert (contest.stored(), contest.leftovers()) == (1, [])
        # Nor is there room now.
        result = contest.play()
        assert result.code == 3, result
        assert "Traceback" not in result.stderr
        assert (contest.stored(), contest.leftovers()) == (1, [])
        ballast.unlink()
        assert contest.play().code == 0
        assert contest.standings() == undisturbed[0].standings()


def fill(file: Path) -> None:
    """Write until the disk is full."""
    with file.open("wb", buffering=0) as ballast, contextlib.suppress(OSError):
        while ballast.write(bytes(512)):
            pass
    assert os.statvfs(file).f_bavail == 0


def test_read_only_folder(contest: Contest) -> None:
    if os.getuid():
        contest.run.parent.mkdir(mode=0o500)
        result = contest.play()
    else:
        with disk(contest.run.parent, "1m"):
            subprocess.run(["mount", "-o", "remount,ro", contest.run.parent], check=True)
            result = contest.play()
    assert (result.code, result.stdout) == (3, "")
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("arena: the run's folder runs/contest cannot be made and locked: ")


def test_bots_that_do_not_play(folder: Path) -> None:
    good = HELD.format(move=0)
    bots = {
        "good": good,
        "absent": "raise SystemExit('I will not')",
        "crasher": good.replace("while", "__import__('os').abort()\n        while"),
        "sleeper": good.replace("while", "time.sleep(1000)\n        while"),
    }
    teams = {"Good": ("good", "good"), "Absent": ("absent", "good"), "Ill": ("crasher", "sleeper")}
    times = {"startup_seconds": 60, "move_seconds": 3, "bank_seconds": 0}
    contest = Contest(
        folder,
        bots=bots,
        teams=teams,
        matches=1,
        jobs=2,
        time=times,
        faults={"max_faults": 2, "restarts": 0, "bench_after": 100},
    )
    with contest.playing() as arena:
        until(arena.family)
        result = arena.result()
        until(arena.nothing_is_left)
    assert result.code == 0, result
    assert "lost by forfeit" in result.stdout
    rows = {row["team"]: row for row in contest.standings()["standings"]}
    assert (rows["Good"]["matches_won"], rows["Good"]["faults"]) == (4, 0)
    # Two that have forfeited the same match have both lost it.
    assert (rows["Absent"]["forfeits"], rows["Ill"]["matches_lost"]) == (4, 2)
    with Store.open(contest.run) as store:
        kinds = {fault.kind for _, record in store.iter_matches() for fault in record.faults}
    assert {FaultKind.NO_START, FaultKind.CRASH, FaultKind.TIMEOUT} <= kinds


def test_machine_that_fails_every_session(contest: Contest) -> None:
    contest.run.mkdir(parents=True)
    # In the place of the folder for the bots' logs, so that workers cannot make it.
    (contest.run / "logs").write_text("")
    with contest.playing() as arena:
        until(arena.family)
        result = arena.result()
        until(arena.nothing_is_left)
    assert (result.code, result.stdout) == (3, "")
    assert result.stderr.count("Matches are played again, not by a bot's fault: ") == 2
    assert "arena: the run stopped: sessions failed 3 times in a row" in result.stderr
    assert "Not a directory" in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr.endswith(GO_ON)
    (contest.run / "logs").unlink()
    contest.hold(after=0)
    with contest.playing() as arena:
        until(arena.workers)
        arena.signal(signal.SIGKILL)


def test_folder_for_temporary_files_with_too_long_a_path(contest: Contest) -> None:
    deep = contest.folder / ("x" * 100)
    deep.mkdir()
    result = contest.play(environment={"TMPDIR": str(deep)})
    assert (result.code, result.stdout) == (3, "")
    assert f"arena: {deep} has too long a path for sockets" in result.stderr
    assert "Traceback" not in result.stderr
