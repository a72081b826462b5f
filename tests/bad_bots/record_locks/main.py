"""A lock for reading is allowed to everybody, and seen by whoever asks for the lock that would be in the way."""

import fcntl
import os
import struct
import time

from attack import failed, play, succeeded

READ = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
WRITE = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
LOOKS = 20

file = os.open("bot.yaml", os.O_RDONLY)
try:
    fcntl.fcntl(file, fcntl.F_SETLK, READ)
    for _ in range(LOOKS):
        if struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, WRITE))[0] != fcntl.F_UNLCK:
            succeeded("the partner has locked it")
            break
        time.sleep(0.025)
    else:
        failed("nobody has locked it")
except OSError as error:
    failed(error)
play()
