"""Makes a file in shared memory; whoever comes second finds it."""

import os
import time

from attack import TARGETS, failed, play, succeeded

path = "/dev/shm/" + TARGETS["word"]
try:
    os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    time.sleep(0.1)
    failed("nobody was there")
except FileExistsError:
    os.unlink(path)
    succeeded("found what the partner has left")
play()
