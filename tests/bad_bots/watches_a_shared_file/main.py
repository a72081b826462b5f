"""Watches a file of the folder that both have, and reads it."""

import ctypes
import os
import select

from attack import Null, call, failed, serve, succeeded

libc = ctypes.CDLL(None, use_errno=True)
watch = libc.inotify_init1(os.O_NONBLOCK)
if watch < 0:
    failed(os.strerror(ctypes.get_errno()))
else:
    call(libc, "inotify_add_watch", watch, b"bot.yaml", 1)  # IN_ACCESS


class Watches(Null):
    turns = 0

    def choose(self, turn):
        self.turns += 1
        if self.turns == 2:
            with open("bot.yaml") as file:
                file.read()
            if watch >= 0:
                os.read(watch, 4096)  # what we did ourselves
        elif self.turns == 3 and watch >= 0:
            (succeeded if select.select([watch], [], [], 0)[0] else failed)("saw the partner read")
        return turn.legal[0]


serve(Watches())
