"""Runs away from its first question."""

import os

from raw import greeted

raw = greeted()  # kept: a call that nobody refers to is cancelled
raw.turn()
os._exit(4)
