"""One bot's call with the referee: dial, greet, react to messages until the referee hangs up.

It uses gRPC's blocking API on purpose: one thread reads, chooses and answers, so whoever reacts may take as long as it likes.
"""

import os
import queue
import sys
from collections.abc import Callable
from typing import NoReturn, TypeAlias

import grpc

from arena.v1 import bot_pb2 as pb
from arena.v1.bot_pb2_grpc import RefereeStub

EXIT_NOT_STARTED = 2
"""The exit code when the referee's address is not in the environment."""
EXIT_REFUSED = 3
"""The exit code when the referee refused the call or the connection was lost."""

Reaction: TypeAlias = Callable[[pb.RefereeMessage], pb.BotMessage | None]
"""Called with every message of the referee's; what it returns is sent."""


def play(hello: pb.Hello, react: Reaction) -> int:
    """Greet, and react until the referee ends the call; the exit code, with a line on stderr when it is not 0.

    The referee's address and the seat's token come from the environment: ARENA_ADDRESS, ARENA_TOKEN. What `react` raises
    goes through; the call is over then.
    """
    address = os.environ.get("ARENA_ADDRESS")
    if not address:
        log("ARENA_ADDRESS is not set: this program is a bot and is started by the arena, e.g. with a tournament file")
        return EXIT_NOT_STARTED
    outgoing: queue.SimpleQueue[pb.BotMessage | None] = queue.SimpleQueue()
    outgoing.put(pb.BotMessage(hello=hello))
    # The referee is on this machine or in this sandbox: a proxy in the environment is not for it.
    with grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        # Not wait_for_ready: the referee listens before it starts a bot, so when nobody does there is none, and none will come.
        call = RefereeStub(channel).Play(  # type: ignore[no-untyped-call]
            iter(outgoing.get, None), metadata=[("arena-token", os.environ.get("ARENA_TOKEN", ""))]
        )
        try:
            for message in call:
                if message.HasField("fault"):
                    fault = message.fault
                    log(f"fault {fault.faults} of {fault.max_faults}, turn {fault.turn}: {fault.reason}")
                reply = react(message)
                if reply is not None:
                    outgoing.put(reply)
        except grpc.RpcError as error:
            log(f"the referee ended the call: {error.code().name}: {error.details()}")
            return EXIT_REFUSED
        finally:
            outgoing.put(None)
    return 0


def log(line: str) -> None:
    """Write a line to stderr, which goes to the bot's log."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def leave(code: int) -> NoReturn:
    """End this process now."""
    sys.stdout.flush()
    # gRPC's threads may hold the interpreter's exit back; there is nothing left to clean up in a process that is done.
    os._exit(code)
