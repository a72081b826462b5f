"""Thinks forever."""

import time

from arena.bot import Bot, serve


class Hangs(Bot):
    turns = 0

    def choose(self, turn):
        self.turns += 1
        if self.turns == 3:
            time.sleep(3600)
        return turn.legal[0]


serve(Hangs())
