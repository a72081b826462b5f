"""Write a bot in Python: subclass `Bot`, give it `choose`, call `serve`.

from arena.bot import Bot, Move, Turn, serve

class First(Bot):
    def choose(self, turn: Turn) -> Move:
        return turn.legal[0]

serve(First())
"""

from arena.bot.bot import Bot
from arena.bot.serve import serve
from arena.bot.turn import MatchEnd, MatchStart, Turn
from arena.rules.match import GameResult
from arena.rules.moves import Move, MoveKind

__all__ = ["Bot", "GameResult", "MatchEnd", "MatchStart", "Move", "MoveKind", "Turn", "serve"]
