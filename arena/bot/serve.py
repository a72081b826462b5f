"""The loop of a Python bot: dial the referee, answer turns until it hangs up.

It uses gRPC's blocking API on purpose: one thread reads, chooses and answers, so a bot may do anything it likes in `choose`.
"""

import os
import platform
import queue
import sys
from collections.abc import Iterator
from typing import NoReturn

import grpc

from arena.bot.bot import Bot
from arena.bot.turn import MatchEnd, MatchStart, Turn
from arena.v1 import bot_pb2 as pb
from arena.v1.bot_pb2_grpc import RefereeStub
from arena.wire.decode import decode_game_result
from arena.wire.encode import PROTOCOL_VERSIONS, encode_answer

EXIT_REFUSED = 3
"""The exit code when the referee refused the call or the connection was lost."""


def serve(bot: Bot) -> NoReturn:
    """Play until the referee ends the call, then exit: 0 when it is done with us, 3 with a line on stderr when it refused.

    The referee's address and the seat's token come from the environment: ARENA_ADDRESS, ARENA_TOKEN. Never returns.
    """
    address = os.environ.get("ARENA_ADDRESS")
    if not address:
        _exit(2, "ARENA_ADDRESS is not set: this program is a bot and is started by the arena, e.g. with a tournament file")
    outgoing: queue.SimpleQueue[pb.BotMessage | None] = queue.SimpleQueue()
    outgoing.put(pb.BotMessage(hello=_hello(bot)))
    # The referee is on this machine or in this sandbox: a proxy in the environment is not for it.
    with grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        # Not wait_for_ready: the referee listens before it starts a bot, so when nobody does there is none, and none will come.
        call = RefereeStub(channel).Play(  # type: ignore[no-untyped-call]
            iter(outgoing.get, None), metadata=[("arena-token", os.environ.get("ARENA_TOKEN", ""))]
        )
        try:
            _answer_turns(bot, call, outgoing)
        except grpc.RpcError as error:
            _exit(EXIT_REFUSED, f"the referee ended the call: {error.code().name}: {error.details()}")
        finally:
            outgoing.put(None)
    _exit(0)


def _hello(bot: Bot) -> pb.Hello:
    return pb.Hello(versions=PROTOCOL_VERSIONS, name=type(bot).__name__, language=f"python {platform.python_version()}")


def _answer_turns(bot: Bot, messages: Iterator[pb.RefereeMessage], outgoing: "queue.SimpleQueue[pb.BotMessage | None]") -> None:
    start: MatchStart | None = None
    for message in messages:
        body = message.WhichOneof("body")
        if body == "turn":
            if start is None:
                raise RuntimeError("the referee sent a turn before a match start")
            move = bot.choose(Turn(message.turn, start))
            outgoing.put(encode_answer(message.turn.number, move))
        elif body == "match_start":
            start = MatchStart.from_message(message.match_start)
            bot.match_start(start)
        elif body == "game_result":
            bot.game_end(decode_game_result(message.game_result))
        elif body == "match_result":
            bot.match_end(MatchEnd.from_message(message.match_result))
        elif body == "fault":
            fault = message.fault
            _log(f"fault {fault.faults} of {fault.max_faults}, turn {fault.turn}: {fault.reason}")


def _log(message: str) -> None:
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


def _exit(code: int, message: str = "") -> NoReturn:
    if message:
        _log(message)
    sys.stdout.flush()
    # gRPC's threads may hold the interpreter's exit back; there is nothing left to clean up in a process that is done.
    os._exit(code)
