"""Control groups: where they can be made, by the texts of the kernel, and what they do, on a machine that has them."""

import asyncio
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from arena.seat.isolation.cgroup import Cgroup, find_hierarchies, read_hierarchies, remove_leftovers
from arena.seat.isolation.tier import Limits
from tests.seat_tools import PATIENCE, is_soon_gone, until

LIMITS = Limits(memory_mib=64, processes=20, cpu_percent=50)


def make_tree(root: Path, *folders: str, controllers: str = "cpu memory pids") -> None:
    """Folders as the cgroup file system has them."""
    for folder in folders:
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "cgroup.controllers").write_text(controllers + "\n")


def test_version_2_alone_for_somebody_who_was_given_a_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tree(tmp_path, "user.slice/run-1.scope")
    own = tmp_path / "user.slice/run-1.scope"
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) == own)
    mounts = f"cgroup2 {tmp_path} cgroup2 rw,nosuid 0 0\nproc /proc proc rw 0 0\n"
    for group in ("/user.slice/run-1.scope", "/user.slice/run-1.scope/arena-self"):  # before and after it has moved
        found = read_hierarchies(mounts, f"0::{group}\n")
        assert (found.unified, found.controllers, found.version1) == (own, {"cpu", "memory", "pids"}, {})
        assert found.is_enough


def test_version_2_alone_for_root_is_at_the_top(tmp_path: Path) -> None:
    """The group of a login holds a shell too, and a group that holds processes cannot limit its children."""
    make_tree(tmp_path, ".", "user.slice")
    found = read_hierarchies(f"cgroup2 {tmp_path} cgroup2 rw 0 0\n", "0::/user.slice\n")
    assert found.unified == tmp_path
    assert found.is_enough


def test_both_versions_share_the_controllers(tmp_path: Path) -> None:
    make_tree(tmp_path, "unified", controllers="hugetlb")
    (tmp_path / "memory" / "box").mkdir(parents=True)
    (tmp_path / "pids").mkdir()
    mounts = "".join(
        f"cgroup {tmp_path}/{name} {kind} rw,{options} 0 0\n"
        for name, kind, options in (("unified", "cgroup2", ""), ("memory", "cgroup", "memory"), ("pids", "cgroup", "pids"))
    )
    found = read_hierarchies(mounts, "8:pids:/\n4:memory:/box\n1:name=systemd:/\n0::/\n")
    assert found.unified == tmp_path / "unified"
    assert found.version1 == {"memory": tmp_path / "memory" / "box", "pids": tmp_path / "pids"}
    assert found.is_enough


@pytest.mark.parametrize("mounts", ["", "cgroup2 /nowhere cgroup2 rw 0 0\n"], ids=["none", "not ours"])
def test_no_groups_are_not_enough(mounts: str) -> None:
    found = read_hierarchies(mounts, "0::/\n")
    assert not found.is_enough
    with pytest.raises(FileNotFoundError, match="no cgroup version 2"):
        Cgroup.create("any", LIMITS, found)


def test_without_memory_it_is_not_enough(tmp_path: Path) -> None:
    make_tree(tmp_path, ".", controllers="cpu pids")
    assert not read_hierarchies(f"cgroup2 {tmp_path} cgroup2 rw 0 0\n", "0::/\n").is_enough


def test_limits_of_version_2(tmp_path: Path) -> None:
    """On a copy of what the kernel has there, since few machines have both versions."""
    make_tree(tmp_path, ".")
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory pids\n")
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "cgroup.subtree_control").write_text("")
    group = Cgroup.create("seat-x", LIMITS, read_hierarchies(f"cgroup2 {tmp_path} cgroup2 rw 0 0\n", "0::/\n"))
    folder = tmp_path / "arena" / "seat-x"
    assert (folder / "memory.max").read_text() == str(64 << 20)
    assert (folder / "pids.max").read_text() == "20"
    assert (folder / "cpu.max").read_text() == "50000 100000"
    assert (tmp_path / "arena" / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"
    assert group.entrances == (folder / "cgroup.procs",)
    (folder / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
    assert group.oom_kills == 2


@pytest.fixture(name="group")
def group_fixture() -> Iterator[Cgroup]:
    """A real group."""
    hierarchies = find_hierarchies()
    if not hierarchies.is_enough:
        pytest.skip("this process may not make control groups here")
    group = Cgroup.create(f"seat-{secrets.token_hex(8)}", LIMITS, hierarchies)
    yield group
    group.remove()
    assert not [entrance for entrance in group.entrances if entrance.exists()]


def enter(group: Cgroup, source: str) -> subprocess.Popen[str]:
    """A Python that enters a group and then runs a piece of source."""
    entering = "".join(f"open({str(path)!r}, 'w').write(str(os.getpid()))\n" for path in group.entrances)
    command = [sys.executable, "-c", f"import os, time\n{entering}print('in', flush=True)\n{source}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "in\n"
    return process


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    """How a process ended, and what it has printed."""
    out, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, out


def test_memory_is_limited_and_the_kills_are_counted(group: Cgroup) -> None:
    assert group.oom_kills == 0
    process = enter(group, "memory = bytearray(1 << 30)\nfor at in range(0, len(memory), 4096): memory[at] = 1")
    assert finish(process) == (-9, "")
    assert group.oom_kills == 1


def test_processes_are_limited(group: Cgroup) -> None:
    source = """
children = []
try:
    while len(children) < 40:
        child = os.fork()
        if not child:
            time.sleep(3600)
        children.append(child)
except BlockingIOError:
    pass
print(len(children), flush=True)
"""
    process = enter(group, source)
    assert finish_first_line(process) == "19\n"
    group.remove()
    process.wait(PATIENCE)


def finish_first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    with process.stdout as stream:
        return stream.readline()


def test_cpu_time_is_limited(group: Cgroup) -> None:
    """Half a core: a second of computing takes about two."""
    process = enter(group, "start = time.monotonic()\nwhile time.process_time() < 0.6: pass\nprint(time.monotonic() - start)")
    status, out = finish(process)
    assert status == 0
    assert float(out) > 0.8
    assert group.cpu_us > 500_000


def test_a_frozen_group_stands_still_and_can_be_killed(group: Cgroup) -> None:
    process = enter(group, "while True: pass")
    assert process.stdout is not None
    process.stdout.close()

    def has_used_more_than(used: int) -> bool:
        return group.cpu_us > used

    async def scenario() -> None:
        for _ in range(2):
            group.freeze()
            await until(lambda: "frozen 1" in events.read_text())
            used = group.cpu_us
            await asyncio.sleep(0.2)
            assert group.cpu_us == used
            group.thaw()
            await until(partial(has_used_more_than, used))

    events = group.entrances[0].parent / "cgroup.events"
    asyncio.run(scenario())
    group.freeze()
    group.remove()
    assert process.wait(PATIENCE) == -9
    assert is_soon_gone(process.pid)


def test_leftovers_are_empty_and_old() -> None:
    hierarchies = find_hierarchies()
    if not hierarchies.is_enough:
        pytest.skip("this process may not make control groups here")
    groups = [Cgroup.create(f"seat-{secrets.token_hex(8)}", LIMITS, hierarchies) for _ in range(3)]
    old, young, used = [[entrance.parent for entrance in group.entrances] for group in groups]
    for folder in (*old, *used):
        os.utime(folder, (0, time.time() - 100))
    process = enter(groups[2], "time.sleep(3600)")
    try:
        remove_leftovers(hierarchies)
        assert not [folder for folder in old if folder.exists()]
        assert all(folder.exists() for folder in (*young, *used))
    finally:
        for group in groups:
            group.remove()
        process.communicate()
