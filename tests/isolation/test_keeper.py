"""The keeper of the limits tier, run as a program."""

import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.seat.isolation import keeper
from arena.seat.isolation.tier import Tier
from tests.isolation.inside import run_inside, run_python
from tests.isolation.machine import offered
from tests.seat_tools import PATIENCE, is_soon_gone

MEBIBYTE = 1 << 20


@contextmanager
def kept(*words: str, keep: int | None = None) -> Iterator[subprocess.Popen[str]]:
    """A keeper with 256 MiB, files of 1 MiB, 64 descriptors, and a command. keep: a descriptor for it."""
    command = [sys.executable, "-I", "-S", keeper.__file__, str(256 * MEBIBYTE), str(MEBIBYTE), "64", "--", *words]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        start_new_session=True,
        pass_fds=[] if keep is None else [keep],
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def python(source: str) -> tuple[str, str, str]:
    return (sys.executable, "-c", source)


def is_closed(read_end: int) -> bool:
    """Whether nobody has the other end any more: all processes that had inherited it are gone."""
    with selectors.DefaultSelector() as selector:
        selector.register(read_end, selectors.EVENT_READ)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if selector.select(0.1) and not os.read(read_end, 4096):
                return True
    return False


@pytest.mark.parametrize("status", [0, 7, 255])
def test_it_exits_as_the_bot_does(status: int) -> None:
    with kept(*python(f"import os; os._exit({status})")) as process:
        assert process.wait(PATIENCE) == status


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGABRT])
def test_it_ends_by_the_signal_that_ended_the_bot(number: signal.Signals) -> None:
    with kept(*python(f"import os; os.kill(os.getpid(), {number.value})")) as process:
        assert process.wait(PATIENCE) == -number


def test_a_command_that_cannot_be_run_is_named() -> None:
    with kept("./no-such-program") as process:
        assert process.wait(PATIENCE) == 127
        assert process.stderr is not None
        assert process.stderr.read() == "./no-such-program: No such file or directory\n"


def test_sigterm_is_handed_on() -> None:
    source = (
        "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(9)); print('ready', flush=True); signal.pause()"
    )
    with kept(*python(source)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.terminate()
        assert process.wait(PATIENCE) == 9


def hides(write_end: int) -> tuple[str, ...]:
    """A daemon, which has left its session and its parents."""
    return python(f"""
import os, signal, time
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if os.fork():
    time.sleep(3600)
os.setsid()
if os.fork():
    os._exit(0)
os.write({write_end}, b"x")
time.sleep(3600)
""")


def chain(write_end: int, folder: Path) -> tuple[str, ...]:
    """A chain of 1,100 processes, each the child of the last: too deep for whoever walks down it by recursion."""
    script = folder / "chain.sh"
    script.write_text(
        f'if [ "$1" -gt 0 ]; then sh "$0" $(($1 - 1)) & wait; else echo x >/proc/self/fd/{write_end}; sleep 3600; fi'
    )
    return ("sh", str(script), "1100")


@pytest.mark.parametrize("is_chain", [False, True], ids=["daemon", "chain"])
def test_nothing_is_left_when_whoever_started_it_is_gone(is_chain: bool, tmp_path: Path) -> None:
    """Its standard input is closed by the kernel, however its owner ended."""
    read_end, write_end = os.pipe()
    words = chain(write_end, tmp_path) if is_chain else hides(write_end)
    with kept(*words, keep=write_end) as process:
        os.close(write_end)
        assert os.read(read_end, 1) == b"x"  # the last one is there
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 1
        assert is_closed(read_end)
    os.close(read_end)


def test_nothing_is_left_when_the_bot_has_ended() -> None:
    read_end, write_end = os.pipe()
    source = (
        "import os, time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  time.sleep(3600)\n os._exit(0)\nos.wait()"
    )
    with kept(*python(source), keep=write_end) as process:
        os.close(write_end)
        assert process.wait(PATIENCE) == 0
        assert is_closed(read_end)
    os.close(read_end)


def test_a_bot_does_not_outlive_a_killed_keeper() -> None:
    with kept(*python("import os, time; print(os.getpid(), flush=True); time.sleep(3600)")) as process:
        assert process.stdout is not None
        bot = int(process.stdout.readline())
        process.kill()
        assert is_soon_gone(bot)


def test_limits_are_set() -> None:
    names = ("RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE", "RLIMIT_NPROC")
    source = f"import json, resource; print(json.dumps([resource.getrlimit(getattr(resource, name)) for name in {names}]))"
    with kept(*python(source)) as process:
        assert process.stdout is not None
        found = [tuple(pair) for pair in json.loads(process.stdout.read())]
    assert found[:4] == [(256 * MEBIBYTE,) * 2, (MEBIBYTE,) * 2, (64, 64), (0, 0)]
    # The kernel counts the processes of a user, so this limit would be used up by others: it is left as it is.
    assert found[4] == resource.getrlimit(resource.RLIMIT_NPROC)


def test_a_bot_has_no_standard_input(open_root: Path) -> None:
    """It could not tell from it when the referee is gone, and has nothing to read there."""
    isolation = offered(Tier.LIMITS)
    assert run_python(
        isolation, "import os; print(os.readlink('/proc/self/fd/0'), sorted(os.listdir('/proc/self/fd')))", open_root
    ) == ("/dev/null ['0', '1', '2', '3']\n")
    assert run_inside(isolation, ("cat",), open_root).status == 0
