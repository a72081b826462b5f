"""Ten processes of 60 MiB each."""

import os
import signal
import time

from attack import failed, play, succeeded

children = []
for _ in range(10):
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        memory = bytearray(60 << 20)
        for at in range(0, len(memory), 4096):
            memory[at] = 1
        os.write(write_end, b"x")
        time.sleep(3600)
    os.close(write_end)
    children.append((pid, read_end))
# A child that was killed leaves the end of the file.
full = sum(os.read(read_end, 1) == b"x" for _, read_end in children)
dead = sum(os.waitpid(pid, os.WNOHANG)[0] != 0 for pid, _ in children)
if full == len(children) and not dead:
    succeeded("600 MiB")
else:
    failed(f"{full - dead} of {len(children)} processes were left")
for pid, read_end in children:
    os.close(read_end)
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
play()
