"""What attacking bots share: where their targets are, and how they tell the test how it went. It is copied beside each bot."""

import contextlib
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from arena.bot import Bot, serve

TARGETS = json.loads(Path("targets.json").read_text())
"""What a bot would have to find out first; the test tells it, so that it cannot fail for want of knowledge."""
MANY = 8
"""Attempts that are shown one by one."""


def succeeded(what):
    print(f"ATTACK SUCCEEDED: {what}", file=sys.stderr, flush=True)


def failed(why):
    print(f"ATTACK FAILED: {why}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def attempt(what):
    """What is tried in here has succeeded when it raises nothing."""
    try:
        yield
    except (OSError, MemoryError) as error:
        failed(f"{what}: {error or type(error).__name__}")
    else:
        succeeded(what)


def call(libc, name, *arguments):
    """Call a function of C. Raises OSError when it tells of an error."""
    if getattr(libc, name)(*arguments) == -1:
        import ctypes

        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)


class Null(Bot):
    """Plays its first legal move: whoever attacks should not fail over something else."""

    def choose(self, turn):
        return turn.legal[0]


def play():
    serve(Null())


class Ponderer(Null):
    """Tells in each turn how much it has computed since its last answer."""

    answered_at = None

    def __init__(self, before_answer):
        self.before_answer = before_answer

    def choose(self, turn):
        if self.answered_at is not None:
            cpu = time.process_time() - self.answered_cpu
            wall = time.monotonic() - self.answered_at
            if wall > 0.5:  # as long as it takes an opponent who is slow
                (succeeded if cpu > 0.4 * wall else failed)(f"computed for {cpu:.2f} of {wall:.2f} s")
        self.before_answer()
        self.answered_at, self.answered_cpu = time.monotonic(), time.process_time()
        return turn.legal[0]


def ponder(now_and_then=lambda: None, before_answer=lambda: None):
    """Compute in a thread when nothing is asked, and play."""
    bot = Ponderer(before_answer)

    def compute():
        while True:
            now_and_then()
            started = time.monotonic()
            # What it computes before its answer has arrived is its own time, and on a busy machine that is a while.
            if bot.answered_at is None or started - bot.answered_at < 0.2:
                time.sleep(0.01)
            while time.monotonic() - started < 0.01:
                pass

    threading.Thread(target=compute, daemon=True).start()
    serve(bot)


def others():
    """The numbers of other processes that run in the same folder."""
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdecimal() and int(entry.name) != os.getpid() and (entry / "cwd").samefile("."):
                yield int(entry.name)


def wake_others():
    for pid in others():
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGCONT)
