"""Waits for a processor that its own children have, whose processor time nobody inherits, and answers a moment late."""

import os
import signal
import time


def compute_until(end):
    while time.monotonic() < end:
        pass


def breed(read_end):
    """Children, one after another, that nobody waits for: the kernel forgets what they have used."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while os.read(read_end, 1):
        if not os.fork():
            compute_until(time.monotonic() + 0.01)
            os._exit(0)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            pass
    os._exit(0)


read_end, write_end = os.pipe()
for _ in range(6):  # before gRPC begins, which does not live through a fork
    if not os.fork():
        breed(read_end)
os.close(read_end)

from raw import greeted  # noqa: E402

raw = greeted()
while True:
    turn = raw.turn()
    end = time.monotonic() + (turn.move_ms + 30) / 1000
    os.write(write_end, b"." * turn.move_ms)  # more than they can do by then
    compute_until(end)
    raw.answer(turn.number, turn.legal[0])
