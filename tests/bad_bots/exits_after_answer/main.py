"""Answers and is gone."""

import os
import time

from raw import greeted

raw = greeted()
turn = raw.turn()
raw.answer(turn.number, turn.legal[0])
time.sleep(0.05)
os._exit(0)
