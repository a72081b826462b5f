"""Plays the first legal move: what is left is the framework's own cost."""

from arena.bot import Bot, Move, Turn, serve


class Null(Bot):
    def choose(self, turn: Turn) -> Move:
        return turn.legal[0]


serve(Null())
