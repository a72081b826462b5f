"""People without root: arena asks systemd for a scope of its own, and goes on without one when there is none."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.scope import enter_scope
from arena.seat.isolation.cage import make_reachable
from tests.cli.running import ARENA

NOBODY = 65534
SYSTEMD_RUN = """#!/bin/sh
echo "$@" >> {log}
while [ "$1" != -- ]; do shift; done
shift
{answer}
exec "$@"
"""
"""Stands in for systemd's program on a machine without systemd; what it cannot show is that the groups can then be made."""


def doctor_as_nobody(folder: Path, *, answer: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """What `arena doctor` prints for somebody without root, and how it called systemd-run, which begins with `answer`."""
    log = folder / "log"
    log.touch(mode=0o666)
    log.chmod(0o666)
    program = folder / "systemd-run"
    program.write_text(SYSTEMD_RUN.format(log=log, answer=answer))
    program.chmod(0o755)
    command = [str(ARENA), "doctor"]
    if os.getuid() == 0:
        command = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", *command]
        if subprocess.run([*command[:-1], "--version"], capture_output=True, check=False).returncode:
            pytest.skip("other users cannot read this environment's Python")
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "LANG": "C.UTF-8"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=200)
    return done, log.read_text().splitlines()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can reach, unlike pytest's own."""
    if sys.platform != "linux" or shutil.which("setpriv") is None:
        pytest.skip("control groups are Linux's, and setpriv is needed to be somebody else")
    with tempfile.TemporaryDirectory() as folder:
        make_reachable(Path(folder))
        yield Path(folder)


def test_the_same_command_goes_on_in_a_scope(open_folder: Path) -> None:
    done, calls = doctor_as_nobody(open_folder, answer="")
    assert done.returncode == 0, done.stderr
    assert "limits" in done.stdout
    scope = "--user --scope --quiet --collect --property=Delegate=yes --"
    assert calls[0] == f"{scope} true"
    assert calls[1].startswith(scope)
    assert calls[1].endswith("-m arena.cli.main doctor")
    assert len(calls) == 2, "it asked again from inside the scope"


def test_it_goes_on_without_a_scope_when_systemd_gives_none(open_folder: Path) -> None:
    done, calls = doctor_as_nobody(open_folder, answer="echo 'Failed to connect to bus' >&2; exit 1")
    assert done.returncode == 0, done.stderr
    assert "limits" in done.stdout
    assert len(calls) == 1
    assert "bus" not in done.stderr


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root needs no scope")
def test_root_needs_no_scope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "systemd-run"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/called\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    enter_scope()
    assert not (tmp_path / "called").exists()
