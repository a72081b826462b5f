"""Waits for a processor that its own children have, and answers a moment late."""

import os
import time


def compute_until(end):
    while time.monotonic() < end:
        pass


read_end, write_end = os.pipe()
for _ in range(8):  # before gRPC begins, which does not live through a fork
    if not os.fork():
        while word := os.read(read_end, 1):
            compute_until(time.monotonic() + 0.1)
        os._exit(0)
os.close(read_end)

from raw import greeted  # noqa: E402

raw = greeted()
while True:
    turn = raw.turn()
    end = time.monotonic() + (turn.move_ms + 30) / 1000
    os.write(write_end, b"." * (turn.move_ms // 10))  # more than they can do by then
    compute_until(end)
    raw.answer(turn.number, turn.legal[0])
