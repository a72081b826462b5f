"""Bots' processes: started apart from ours, and gone for certain, with all that they started."""

import asyncio
import contextlib
import os
import resource
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.seat import process as module
from arena.seat.isolation.wrapper import Launch
from arena.seat.output import Capture
from arena.seat.process import BotProcess
from tests.seat_tools import children, descriptors, is_alive, is_soon_gone, until


@contextlib.asynccontextmanager
async def running(folder: Path, *command: str, cap_bytes: int = 10_000, **environment: str) -> AsyncIterator[BotProcess]:
    """A process with its output in folder/out and folder/err; it is the test that has to end it."""
    stdout = Capture(folder / "out", cap_bytes=cap_bytes)
    stderr = Capture(folder / "err", cap_bytes=cap_bytes)
    try:
        launch = Launch(command=command, folder=folder, environment=environment)
        yield await BotProcess.start(launch, stdout=stdout, stderr=stderr, on_exit=(folder / "exited").touch)
    finally:
        stdout.close()
        stderr.close()


def script(folder: Path, source: str) -> tuple[str, ...]:
    """The command of a Python program that starts fast."""
    (folder / "program.py").write_text(source)
    return sys.executable, "-S", "-E", "program.py"


def pid_in(path: Path) -> int:
    """A process's number from a file that was written by it; 0 while it is not there."""
    with contextlib.suppress(FileNotFoundError, ValueError):
        return int(path.read_text())
    return 0


def test_a_process_runs_in_its_folder_and_its_output_is_kept(tmp_path: Path) -> None:
    async def test() -> None:
        async with running(tmp_path, "/bin/sh", "-c", "pwd; echo to stderr >&2; cat; exit 7") as process:
            await process.wait()  # cat ends at once: there is nothing on its stdin
            assert process.exit_status == 7
            assert (tmp_path / "exited").exists()
            started = time.monotonic()
            await process.stop()
            await process.stop()
            assert time.monotonic() - started < module.GRACE_SECONDS

    asyncio.run(test())
    assert (tmp_path / "out").read_text() == f"{tmp_path}\n"
    assert (tmp_path / "err").read_text() == "to stderr\n"


def test_a_bot_gets_the_listed_variables_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ARENA_SECRET", "PYTHONPATH", "HOME", "VIRTUAL_ENV", "LD_PRELOAD", "HTTP_PROXY"):
        monkeypatch.setenv(name, "/nothing")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("LC_ALL", raising=False)

    async def test() -> None:
        async with running(tmp_path, "/usr/bin/env", "-0", ARENA_TOKEN="secret", ARENA_ADDRESS="unix:///s") as process:
            await process.stop()
            assert process.exit_status == 0

    asyncio.run(test())
    found = dict(line.split("=", 1) for line in (tmp_path / "out").read_text().split("\0") if line)
    assert found["ARENA_TOKEN"] == "secret"
    assert found["TZ"] == "UTC"
    assert set(found) <= {"ARENA_TOKEN", "ARENA_ADDRESS", "PATH", "LANG", "TZ"}
    assert found["PATH"] == os.environ["PATH"]


def test_a_bot_inherits_no_descriptor_and_no_session(tmp_path: Path) -> None:
    source = "import os; print(*sorted(map(int, os.listdir('/proc/self/fd'))), os.getsid(0) == os.getpid() == os.getpgrp())"

    async def test() -> None:
        inherited = os.open(tmp_path, os.O_RDONLY)
        os.set_inheritable(inherited, True)
        async with running(tmp_path, *script(tmp_path, source)) as process:
            await process.stop()
        os.close(inherited)

    asyncio.run(test())
    *numbers, is_leader = (tmp_path / "out").read_text().split()
    assert set(numbers) <= {"0", "1", "2", "3"}  # 3 is the listing itself
    assert is_leader == "True"


def not_executable(folder: Path) -> str:
    (folder / "data.txt").write_text("no program")
    return "./data.txt"


def without_interpreter(folder: Path) -> str:
    (folder / "script").write_text("echo hello\n")
    (folder / "script").chmod(0o755)
    return "./script"


def missing_interpreter(folder: Path) -> str:
    (folder / "script").write_text("#!/no/such/interpreter\n")
    (folder / "script").chmod(0o755)
    return "./script"


def loop_of_links(folder: Path) -> str:
    (folder / "link").symlink_to("link")
    return "./link"


COMMANDS = {
    "not found": lambda _: "no-such-program",
    "not found by path": lambda _: "./no-such-program",
    "below a file": lambda folder: f"{not_executable(folder)}/program",
    "a folder": lambda _: ".",
    "a folder by its path": str,
    "not executable": not_executable,
    "no interpreter": without_interpreter,
    "missing interpreter": missing_interpreter,
    "a link to itself": loop_of_links,
    "a name too long": lambda _: "x" * 5000,
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_cannot_be_run_is_the_bots_fault(tmp_path: Path, name: str) -> None:
    async def test() -> None:
        before = descriptors()
        with pytest.raises(OSError, match="Errno") as caught:
            async with running(tmp_path, COMMANDS[name](tmp_path)):
                pass
        assert caught.value.strerror
        assert descriptors() == before

    asyncio.run(test())
    assert children() == []


def test_arguments_that_are_too_long_are_the_bots_fault(tmp_path: Path) -> None:
    async def test() -> None:
        with pytest.raises(OSError, match="Argument list too long"):
            async with running(tmp_path, "/bin/true", "x" * (1 << 20)):
                pass

    asyncio.run(test())


def test_a_folder_that_is_gone_is_our_failure(tmp_path: Path) -> None:
    async def test() -> None:
        capture = Capture(tmp_path / "log", cap_bytes=10)
        launch = Launch(command=("/bin/true",), folder=tmp_path / "gone", environment={})
        with pytest.raises(HostError, match="could not start a process in"):
            await BotProcess.start(launch, stdout=capture, stderr=capture, on_exit=list)
        capture.close()

    asyncio.run(test())


@contextlib.contextmanager
def few_descriptors(left: int) -> Iterator[None]:
    """So many descriptors can still be opened."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = [os.open(os.devnull, os.O_RDONLY)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (taken[0] + 50, hard))
    try:
        with contextlib.suppress(OSError):
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        for _ in range(left):
            os.close(taken.pop())
        yield
    finally:
        for number in taken:
            os.close(number)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_machine_without_descriptors_is_our_failure(tmp_path: Path) -> None:
    async def test() -> None:
        stdout = Capture(tmp_path / "log", cap_bytes=10)
        launch = Launch(command=("/bin/true",), folder=tmp_path, environment={})
        before = descriptors()
        for left in range(4):
            with few_descriptors(left), pytest.raises(HostError, match="Too many open files"):
                await BotProcess.start(launch, stdout=stdout, stderr=stdout, on_exit=list)
            # Before Python 3.11.4 the standard library itself did not close what it had opened by then (gh-87474).
            assert descriptors() == before or sys.version_info < (3, 11, 4)
        stdout.close()

    asyncio.run(test())
    assert children() == []


def test_a_bot_may_take_its_time_to_exit_after_sigterm(tmp_path: Path) -> None:
    source = """
import pathlib, signal, sys, time
def leave(*_):
    pathlib.Path("tidied").touch()
    sys.exit(5)
signal.signal(signal.SIGTERM, leave)
pathlib.Path("ready").touch()
time.sleep(1000)
"""

    async def test() -> None:
        async with running(tmp_path, *script(tmp_path, source)) as process:
            await until((tmp_path / "ready").exists)
            await process.stop()
            assert process.exit_status == 5

    asyncio.run(test())
    assert (tmp_path / "tidied").exists()


def test_sigkill_ends_a_bot_that_ignores_sigterm_and_all_that_it_started(tmp_path: Path) -> None:
    source = """
import os, pathlib, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for number in range(3):
    if not os.fork():
        pathlib.Path(f"child{number}").write_text(str(os.getpid()))
        time.sleep(1000)
pathlib.Path("ready").touch()
time.sleep(1000)
"""

    async def test() -> list[int]:
        async with running(tmp_path, *script(tmp_path, source)) as process:
            await until((tmp_path / "ready").exists)
            paths = [tmp_path / f"child{number}" for number in range(3)]
            await until(lambda: all(pid_in(path) for path in paths))
            await process.stop()
            assert process.exit_status == -signal.SIGKILL
            return [process.pid, *map(pid_in, paths)]

    pids = asyncio.run(test())
    assert all(map(is_soon_gone, pids))
    assert children() == []


def test_what_a_bot_started_goes_when_the_bot_exits_by_itself(tmp_path: Path) -> None:
    source = """
import os, pathlib, time
if not os.fork():
    pathlib.Path("child").write_text(str(os.getpid()))
    time.sleep(1000)
while not pathlib.Path("child").exists():
    time.sleep(0.01)
"""

    async def test() -> None:
        async with running(tmp_path, *script(tmp_path, source)) as process:
            await process.wait()
            assert process.exit_status == 0
            await until(lambda: pid_in(tmp_path / "child"))
            await until(lambda: not is_alive(pid_in(tmp_path / "child")))
            await process.stop()

    asyncio.run(test())


def test_a_process_that_got_away_with_the_output_holds_nothing_up(tmp_path: Path) -> None:
    source = """
import os, pathlib, time
if not os.fork():
    os.setsid()
    pathlib.Path("away").write_text(str(os.getpid()))
    time.sleep(1000)
while not pathlib.Path("away").exists():
    time.sleep(0.01)
"""

    async def test() -> None:
        before = descriptors()
        async with running(tmp_path, *script(tmp_path, source)) as process:
            await process.wait()
            started = time.monotonic()
            await process.stop()
            assert time.monotonic() - started < module.GRACE_SECONDS
        await until(lambda: descriptors() == before)

    try:
        asyncio.run(test())
    finally:
        os.kill(pid_in(tmp_path / "away"), signal.SIGKILL)


def test_at_the_cap_a_bot_cannot_write_any_more(tmp_path: Path) -> None:
    source = """
import os, sys
try:
    for _ in range(100_000):
        os.write(1, b"noise " * 1000)
except BrokenPipeError:
    os.write(2, b"nobody listens")
    sys.exit(9)
"""

    async def test() -> None:
        async with running(tmp_path, *script(tmp_path, source), cap_bytes=50_000) as process:
            await process.wait()
            assert process.exit_status == 9
            await process.stop()

    asyncio.run(test())
    assert 50_000 <= (tmp_path / "out").stat().st_size < 50_200
    assert (tmp_path / "err").read_text() == "nobody listens"


@pytest.mark.parametrize("times", [1, 3])
def test_a_stop_that_is_cancelled_kills_and_reaps_at_once(tmp_path: Path, times: int) -> None:
    source = """
import pathlib, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path("ready").touch()
time.sleep(1000)
"""

    async def test() -> None:
        async with running(tmp_path, *script(tmp_path, source)) as process:
            await until((tmp_path / "ready").exists)
            stopping = asyncio.create_task(process.stop())
            await asyncio.sleep(0.05)
            for _ in range(times):
                stopping.cancel()
                await asyncio.sleep(0)
            with pytest.raises(asyncio.CancelledError):
                await stopping
            assert process.exit_status == -signal.SIGKILL
            assert children() == []

    asyncio.run(test())


def test_nothing_is_left_of_many_starts(tmp_path: Path) -> None:
    async def test() -> None:
        async with running(tmp_path, "/bin/true") as process:
            await process.stop()
        before = descriptors()
        for _ in range(30):
            async with running(tmp_path, "/bin/sh", "-c", "sleep 1000 & echo started") as process:
                await process.stop()
        assert descriptors() == before

    asyncio.run(test())
    assert children() == []
