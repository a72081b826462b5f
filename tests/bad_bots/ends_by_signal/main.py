"""Crashes as programs in C do."""

import os
import signal

from raw import greeted

raw = greeted()  # kept: a call that nobody refers to is cancelled
raw.turn()
os.kill(os.getpid(), signal.SIGSEGV)
