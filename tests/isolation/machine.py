"""What the tests of isolation need of this machine: the tiers that it offers, and what a bot has left on it."""

import asyncio
import contextlib
import functools
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.cgroup import find_hierarchies
from arena.seat.isolation.probe import Finding, probe_tiers
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.isolation.tree import descendants
from tests.seat_tools import PATIENCE

LIMITS = Limits(memory_mib=512, processes=48, disk_mib=8)


@functools.cache
def findings() -> dict[Tier, Finding]:
    """What the probe has found, once a process; in a thread of its own, as the caller may have a loop running."""
    with ThreadPoolExecutor(1) as pool:
        return {finding.tier: finding for finding in pool.submit(asyncio.run, probe_tiers(Limits())).result()}


def offered(tier: Tier, *, limits: Limits = LIMITS, freezes: bool = True) -> Isolation:
    """The isolation of a tier; the test is skipped when the machine does not offer it, or fails where it has to."""
    finding = findings()[tier]
    if finding.works:
        return Isolation(tier=tier, limits=limits, with_proc=finding.with_proc, freezes=freezes)
    reason = f"this machine does not offer {tier}: {finding.problem}"
    if os.environ.get("ARENA_REQUIRE_TOOLS") and os.getuid() == 0 and (tier is Tier.SANDBOX or find_hierarchies().is_enough):
        pytest.fail(f"ARENA_REQUIRE_TOOLS is set, but {reason}")
    pytest.skip(reason)


def processes_at(folder: Path) -> dict[int, str]:
    """Processes that have anything to do with a folder: they work in it, have it mounted, or know it by their environment."""
    word = os.fsencode(folder.name)
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if (entry / "stat").read_bytes().rpartition(b")")[2].split()[0] == b"Z":
                continue
            told = b""
            for name in ("mountinfo", "cmdline", "environ"):
                with contextlib.suppress(OSError):
                    told += (entry / name).read_bytes()
            with contextlib.suppress(OSError):
                told += os.fsencode((entry / "cwd").readlink())
            if word in told:
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return found


def processes_left_at(folder: Path) -> dict[int, str]:
    """The same after the kernel had the time to end those that were killed."""
    deadline = time.monotonic() + PATIENCE
    while (left := processes_at(folder)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def groups_of(pid: int) -> set[Path]:
    """The control groups of bots that the processes below a process are in."""
    names = set()
    for child in descendants(pid):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{child}/cgroup").read_text().splitlines():
                name = line.rpartition("/")[2]
                if name.startswith("seat-"):
                    names.add(name)
    return {folder for folder in iter_groups() if folder.name in names}


def iter_groups() -> Iterator[Path]:
    """All control groups of bots on this machine."""
    hierarchies = find_hierarchies()
    for base in filter(None, (hierarchies.unified, *hierarchies.version1.values())):
        yield from (base / "arena").glob("seat-*")
