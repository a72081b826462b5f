"""Has nothing to print."""

import os

from arena.bot import Bot, serve

os.close(1)
os.close(2)


class Null(Bot):
    def choose(self, turn):
        return turn.legal[0]


serve(Null())
