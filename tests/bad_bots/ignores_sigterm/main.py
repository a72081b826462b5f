"""Plays well and then does not end: not when the call is over, and not at SIGTERM."""

import signal
import time

from raw import Raw

signal.signal(signal.SIGTERM, signal.SIG_IGN)
raw = Raw()
raw.hello()
while message := raw.read():
    if message.HasField("turn"):
        raw.answer(message.turn.number, message.turn.legal[0])
while True:
    time.sleep(1)
