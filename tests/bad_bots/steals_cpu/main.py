"""Four processes that compute for a second."""

import os
import time

from attack import failed, play, succeeded

started = time.monotonic()
children = []
for _ in range(4):
    pid = os.fork()
    if pid == 0:
        while time.monotonic() - started < 1:
            pass
        os._exit(0)
    children.append(pid)
for pid in children:
    os.waitpid(pid, 0)
wall = time.monotonic() - started
usage = os.times()
cores = (usage.children_user + usage.children_system) / wall
(succeeded if cores > 1.3 else failed)(f"used {cores:.2f} cores")
play()
