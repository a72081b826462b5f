"""The loop of a Python bot: dial the referee, answer turns until it hangs up."""

import platform
from typing import NoReturn

from arena.bot.bot import Bot
from arena.bot.call import leave, play
from arena.bot.turn import MatchEnd, MatchStart, Turn
from arena.rules.moves import Move
from arena.v1 import bot_pb2 as pb
from arena.wire.decode import decode_game_result
from arena.wire.encode import PROTOCOL_VERSIONS, encode_answer


def serve(bot: Bot) -> NoReturn:
    """Play until the referee ends the call, then exit: 0 when it is done with us, 3 with a line on stderr when it refused.

    The referee's address and the seat's token come from the environment: ARENA_ADDRESS, ARENA_TOKEN. Never returns.
    """
    hello = pb.Hello(versions=PROTOCOL_VERSIONS, name=type(bot).__name__, language=f"python {platform.python_version()}")
    leave(play(hello, _Player(bot).react))


class _Player:
    """Hands the referee's messages to a bot as values."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._start: MatchStart | None = None

    def react(self, message: pb.RefereeMessage) -> pb.BotMessage | None:
        body = message.WhichOneof("body")
        if body == "turn":
            if self._start is None:
                raise RuntimeError("the referee sent a turn before a match start")
            move = self._bot.choose(Turn(message.turn, self._start))
            # Where the types are not checked, a path without `return` is the commonest mistake.
            if not isinstance(move, Move):
                name = type(self._bot).__name__
                raise TypeError(f"{name}.choose returned {move!r}, which is no move: return one of turn.legal")
            return encode_answer(message.turn.number, move)
        if body == "match_start":
            self._start = MatchStart.from_message(message.match_start)
            self._bot.match_start(self._start)
        elif body == "game_result":
            self._bot.game_end(decode_game_result(message.game_result))
        elif body == "match_result":
            self._bot.match_end(MatchEnd.from_message(message.match_result))
        return None
