"""Crashes as programs in C do."""

import os
import signal

from raw import greeted

greeted().turn()
os.kill(os.getpid(), signal.SIGSEGV)
