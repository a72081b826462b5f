"""Sends the signal that only asks whether it could send one."""

import os

from attack import TARGETS, attempt, play

with attempt("signal"):
    os.kill(TARGETS["referee"], 0)
play()
