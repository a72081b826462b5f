"""A chain so deep that whoever walks down it by recursion falls."""

import os
import time

from attack import play

# In a sandbox a deep chain would only keep us ourselves from starting threads.
FIRST = os.getpid()
for _ in range(20 if os.getcwd() == "/bot" else 1100):
    try:
        if os.fork():
            break
    except OSError:
        break
else:
    time.sleep(3600)
if os.getpid() != FIRST:
    time.sleep(3600)
play()
