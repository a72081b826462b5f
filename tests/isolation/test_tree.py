"""Finding and stopping the processes of a bot from the outside."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.seat.isolation.tree import ProcessTree, descendants
from tests.seat_tools import PATIENCE

FAMILY = """
import os, sys, threading, time
# A child of another thread, too: the kernel keeps children by thread.
def child():
    if os.fork() == 0:
        time.sleep(3600)
    time.sleep(3600)
threading.Thread(target=child, daemon=True).start()
for _ in range(3):
    if os.fork():
        break
time.sleep(3600)
"""


@pytest.fixture(name="family")
def family_fixture() -> Iterator[int]:
    """A process with four descendants, one of them its other thread's, three of them a chain."""
    process = subprocess.Popen([sys.executable, "-c", FAMILY])
    deadline = time.monotonic() + PATIENCE
    while len(descendants(process.pid)) < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    yield process.pid
    for pid in (*descendants(process.pid), process.pid):
        os.kill(pid, signal.SIGKILL)
    process.wait()


def states(pids: list[int]) -> set[str]:
    """What processes do: S sleeps, T is stopped."""
    return {Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in pids}


def becomes(pids: list[int], state: str) -> bool:
    deadline = time.monotonic() + PATIENCE
    while states(pids) != {state} and time.monotonic() < deadline:
        time.sleep(0.01)
    return states(pids) == {state}


def test_all_descendants_are_stopped_and_go_on(family: int) -> None:
    pids = descendants(family)
    assert len(pids) == 4
    tree = ProcessTree(family)
    for _ in range(2):  # the second time without looking for them
        tree.freeze()
        assert becomes(pids, "T")
        assert states([family]) == {"S"}
        tree.thaw()
        assert becomes(pids, "S")


def test_the_second_look_finds_what_was_started_after_the_first(family: int) -> None:
    tree = ProcessTree(os.getpid())
    tree.freeze()
    tree.thaw()
    late = subprocess.Popen(["sleep", "3600"])
    try:
        tree.freeze()
        assert states([late.pid]) != {"T"}
        tree.freeze_all()
        assert becomes([late.pid], "T")
    finally:
        tree.thaw()
        late.kill()
        late.wait()


def test_a_process_that_is_gone_has_nobody() -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    assert descendants(process.pid) == []
    tree = ProcessTree(process.pid)
    tree.freeze()
    tree.thaw()
