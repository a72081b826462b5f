"""Looks for the referee and for other bots."""

import os

from attack import TARGETS, attempt, failed, play, succeeded

for name in ("environ", "cmdline", "maps"):
    with attempt(f"{name} of the referee"), open(f"/proc/{TARGETS['referee']}/{name}", "rb") as file:
        file.read()
# Inside the sandbox there are its first process, perhaps one that starts us, and we.
seen = [name for name in os.listdir("/proc") if name.isdecimal() and int(name) not in (1, os.getppid(), os.getpid())]
(succeeded if seen else failed)(f"{len(seen)} other processes")
play()
