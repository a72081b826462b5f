"""Prints 64 MiB to each of its streams, or as much as is taken."""

import os

from attack import play

for stream in (1, 2):
    try:
        for _ in range(1024):
            os.write(stream, b"x" * 65536)
    except OSError:
        pass
play()
