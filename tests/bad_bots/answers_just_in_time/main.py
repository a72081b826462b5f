"""Uses its time, but no more."""

import time

from arena.bot import Bot, serve


class Slow(Bot):
    turns = 0

    def choose(self, turn):
        self.turns += 1
        if self.turns <= 2:
            time.sleep((turn.move_ms - 1000) / 1000)
        return turn.legal[0]


serve(Slow())
