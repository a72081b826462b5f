"""Dials its seat again and again, which the referee has to refuse each time, and answers a moment late."""

import contextlib
import os
import time

from raw import Raw, greeted

raw = greeted()
while True:
    turn = raw.turn()
    end = time.monotonic() + (turn.move_ms + 30) / 1000
    while time.monotonic() < end:
        stranger = Raw(token="somebody else's")
        with contextlib.redirect_stderr(open(os.devnull, "w")):
            stranger.read()
        stranger.out.put(None)
        stranger.channel.close()
    raw.answer(turn.number, turn.legal[0])
