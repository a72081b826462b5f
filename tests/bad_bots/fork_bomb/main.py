"""A bomb that stops at 200: where nothing else would stop it, it should not take the machine down."""

import os
import signal

from attack import failed, play, succeeded

children = []
try:
    while len(children) < 200:
        pid = os.fork()
        if pid == 0:
            signal.pause()
        children.append(pid)
    succeeded("200 processes")
except OSError as error:
    failed(f"{len(children)} processes: {error}")
for pid in children:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
play()
