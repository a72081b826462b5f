"""Whoever comes second finds the file locked."""

import fcntl

from attack import failed, play, succeeded

file = open("bot.yaml", "rb")
try:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    failed("locked it as the first")
except BlockingIOError:
    succeeded("the partner has locked it")
except OSError as error:
    failed(error)
play()
