"""Always a moment late."""

import time

from arena.bot import Bot, serve


class Late(Bot):
    def choose(self, turn):
        time.sleep((turn.move_ms + 100) / 1000)
        return turn.legal[0]


serve(Late())
