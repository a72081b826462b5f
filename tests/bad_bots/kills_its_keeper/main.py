"""Without the keeper nobody looks for what it leaves behind."""

import os
import signal
import time

from attack import play

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(0)
os.wait()
try:
    os.kill(os.getppid(), signal.SIGKILL)
except OSError:
    pass
play()
