"""A lock for reading is allowed to everybody, and seen by whoever asks for the lock that would be in the way."""

import fcntl
import os
import struct

from attack import failed, play, succeeded

file = os.open("bot.yaml", os.O_RDONLY)
try:
    answer = fcntl.fcntl(file, fcntl.F_GETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
    if struct.unpack("hhqqi4x", answer)[0] == fcntl.F_UNLCK:
        failed("nobody has locked it")
    else:
        succeeded("the partner has locked it")
except OSError as error:
    failed(error)
fcntl.fcntl(file, fcntl.F_SETLK, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0))
play()
