"""The filter of the strict tier: what it refuses, and that what bots need goes on."""

import json
import platform
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from arena.seat.isolation.seccomp import REFUSED, REFUSED_COMMANDS, filter_program, is_supported
from arena.seat.isolation.tier import Limits, Tier
from tests.isolation.inside import run_inside, run_python
from tests.isolation.machine import offered

CALLS = """
import ctypes, errno, fcntl, json, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(*words):
    ctypes.set_errno(0)
    libc.syscall(*map(ctypes.c_long, words))
    return errno.errorcode.get(ctypes.get_errno(), "none")
def command(number):
    file = os.open("/usr", os.O_RDONLY)
    try:
        fcntl.fcntl(file, number, bytes(32) if number in (5, 36) else 0)
        return "none"
    except OSError as error:
        return errno.errorcode[error.errno]
    finally:
        os.close(file)
calls, commands, high = json.loads({told!r})
print(json.dumps([
    {{name: call(number, -1, -1, -1, -1, -1) for name, number in calls.items()}},
    {{name: command(number) for name, number in commands.items()}},
    call(high + calls["flock"], -1, -1),
]))
"""

LIVES = """
import asyncio, fcntl, multiprocessing, os, signal, socket, sqlite3, subprocess, tempfile, threading, time
threads = [threading.Thread(target=time.sleep, args=[0.01]) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(abs, [-1, -2]) == [1, 2]
assert subprocess.run(["sh", "-c", "echo hello | tr a-z A-Z"], capture_output=True, text=True).stdout == "HELLO\\n"
async def main():
    process = await asyncio.create_subprocess_exec("true")
    assert await process.wait() == 0
asyncio.run(main())
with tempfile.TemporaryDirectory() as folder:
    with sqlite3.connect(os.path.join(folder, "a.sqlite")) as base:
        base.execute("create table a (b)")
        base.execute("insert into a values (1)")
    with open(os.path.join(folder, "lock"), "w") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
left, right = socket.socketpair()
left.send(b"x")
assert right.recv(1) == b"x"
print("lives")
"""

needs_filter = pytest.mark.skipif(not is_supported(), reason=f"there is no filter for {platform.machine()}")


def outcomes(tier: Tier, root: Path) -> tuple[dict[str, str], dict[str, str], str]:
    """What each refused call, each refused command, and a call by the other numbers of this machine end with."""
    machine = platform.machine()
    told = json.dumps([REFUSED[machine], REFUSED_COMMANDS, 0x40000000 if machine == "x86_64" else 0])
    calls, commands, other = json.loads(run_python(offered(tier), CALLS.format(told=told), root))
    return calls, commands, other


@needs_filter
def test_what_is_refused_is_refused(open_root: Path) -> None:
    calls, commands, other = outcomes(Tier.STRICT, open_root)
    assert calls == dict.fromkeys(REFUSED[platform.machine()], "EPERM")
    assert commands == dict.fromkeys(REFUSED_COMMANDS, "EPERM")
    assert other == "EPERM"


@needs_filter
def test_it_is_the_filter_that_refuses(open_root: Path) -> None:
    """Without it, the calls that matter fail for what they were given, or do not fail."""
    calls, commands, _ = outcomes(Tier.SANDBOX, open_root)
    for name in ("flock", "inotify_init1", "inotify_add_watch", "move_pages"):
        assert calls[name] != "EPERM", name
    for name in ("F_GETLK", "F_NOTIFY", "F_GETLEASE"):
        assert commands[name] != "EPERM", name


@pytest.mark.parametrize("tier", Tier)
def test_python_has_what_it_needs(tier: Tier, open_root: Path) -> None:
    assert run_python(offered(tier), LIVES, open_root) == "lives\n"


@pytest.mark.parametrize("tier", Tier)
def test_node_has_what_it_needs(tier: Tier, open_root: Path) -> None:
    if shutil.which("node", path="/usr/bin") is None:
        pytest.skip("there is no Node.js in /usr/bin")
    source = "const {Worker} = require('worker_threads');new Worker('0', {eval: true}).on('exit', () => console.log('lives'))"
    outcome = run_inside(offered(tier, limits=Limits()), ("node", "-e", source), open_root)
    assert (outcome.status, outcome.out) == (0, "lives\n"), outcome.err


@pytest.mark.parametrize("tier", Tier)
def test_java_has_what_it_needs(tier: Tier, open_root: Path) -> None:
    if shutil.which("javac", path="/usr/bin") is None:
        pytest.skip("there is no Java in /usr/bin")
    isolation = offered(tier, limits=Limits())
    folder = open_root / "java"
    folder.mkdir()
    (folder / "A.java").write_text("""
class A {
    public static void main(String[] words) throws Exception {
        var thread = new Thread(() -> System.out.println("lives"));
        thread.start();
        thread.join();
    }
}
""")
    subprocess.run(["javac", "A.java"], cwd=folder, check=True)
    outcome = run_inside(isolation, ("java", "-cp", ".", "A"), open_root, bot=folder)
    assert (outcome.status, outcome.out) == (0, "lives\n"), outcome.err + outcome.out


@pytest.mark.parametrize("machine", REFUSED)
def test_a_filter_is_a_program_that_ends(machine: str) -> None:
    """Every jump leads forward to an instruction, and every way through it ends in a verdict; run here step by step."""
    program = [struct.unpack_from("=HBBI", filter_program(machine), at) for at in range(0, len(filter_program(machine)), 8)]
    for calls, allowed in (({"none": 1}, True), (REFUSED[machine], False)):
        for number in calls.values():
            assert _is_allowed(program, {0: number, 4: _architecture(machine), 24: 0}) is allowed
    fcntl = {"x86_64": 72, "aarch64": 25}[machine]
    for command in range(1100):
        data = {0: fcntl, 4: _architecture(machine), 24: command}
        assert _is_allowed(program, data) is (command not in REFUSED_COMMANDS.values())


def _architecture(machine: str) -> int:
    return {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[machine]


def _is_allowed(program: list[tuple[int, int, int, int]], data: dict[int, int]) -> bool:
    value, at = 0, 0
    while True:
        code, if_true, if_false, operand = program[at]
        at += 1
        if code == 0x20:
            value = data[operand]
        elif code == 0x15:
            at += if_true if value == operand else if_false
        elif code == 0x45:
            at += if_true if value & operand else if_false
        else:
            assert code == 0x06
            assert operand in (0x7FFF0000, 0x50001, 0x80000000)
            return operand == 0x7FFF0000
