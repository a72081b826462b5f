"""The shortest bot there can be: any legal move will do."""

import random

from arena.bot import Bot, Turn, serve
from arena.rules.moves import Move


class Random(Bot):
    """Plays every legal move equally often."""

    def choose(self, turn: Turn) -> Move:
        return random.choice(turn.legal)


if __name__ == "__main__":
    serve(Random())
