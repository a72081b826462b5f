"""An endless loop."""

from arena.bot import Bot, serve


class Busy(Bot):
    def choose(self, turn):
        while True:
            pass


serve(Busy())
