"""The gRPC side of one chair: a private server with one call, from one bot that is known by its token.

Messages are read as bytes and parsed here, so that what is not a message of ours is told from a call that ended.
"""

import asyncio
import contextlib
import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from arena.v1 import bot_pb2 as pb
from arena.wire.encode import PROTOCOL_VERSIONS, encode_welcome

MAX_MESSAGE_BYTES = 64 * 1024
MAX_UNASKED = 64
"""Messages in a row that answer no open turn, before the call is ended."""
METHOD = "arena.v1.Referee"
TOKEN_KEY = "arena-token"

_INVALID = grpc.StatusCode.INVALID_ARGUMENT
_EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
_END_OF_STREAM: Any = grpc.aio.EOF  # type: ignore[attr-defined]  # the stubs lack it
_Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"
_OPTIONS = [
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.so_reuseport", 0),
    ("grpc.max_concurrent_streams", 4),
]


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a call is over. code: what the bot is told when it sent what the protocol does not allow, else None."""

    detail: str
    code: grpc.StatusCode | None = None


@dataclass(frozen=True, slots=True)
class Arrived:
    """An answer to the open turn; at: the event loop's time of its arrival, in seconds."""

    move: pb.Move
    at: float


class Connection:
    """Serves one bot process: greeting, turns, answers. A restarted bot gets a new token and `expect`s a new call."""

    def __init__(self) -> None:
        self._server = grpc.aio.server(options=_OPTIONS)
        self._server.add_generic_rpc_handlers((_handler(self._play),))
        self._token = ""
        self._context: _Context | None = None
        self._greeted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ended: asyncio.Future[Ended] = asyncio.get_running_loop().create_future()
        self._close = asyncio.Event()
        self._open_turn = 0
        self._answer: asyncio.Future[Arrived | Ended] | None = None
        self._refused = ""

    async def listen(self, address: str) -> str:
        """Open the server at a gRPC address (`unix:///…` or `127.0.0.1:0`); what the bot has to dial."""
        port = self._server.add_insecure_port(address)
        await self._server.start()
        return address if address.startswith("unix:") else f"127.0.0.1:{port}"

    def expect(self, token: str) -> None:
        """Wait for a new bot process that has this token; the call of an earlier one is over for good."""
        self._close.set()
        self._token = token
        self._context = None
        self._greeted = asyncio.get_running_loop().create_future()
        self._ended = asyncio.get_running_loop().create_future()
        self._close = asyncio.Event()
        self._answer = None
        self._refused = ""

    @property
    def is_open(self) -> bool:
        """Whether a bot has greeted and its call goes on."""
        return self._greeted.done() and not self._ended.done()

    async def greeted_or_ended(self) -> None:
        """Return when the bot has greeted or its call is over."""
        either: list[asyncio.Future[Any]] = [self._greeted, self._ended]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)

    @property
    def refusal(self) -> str:
        """Why a greeting was not accepted; empty when none was refused."""
        if self._ended.done() and not self._greeted.done():
            return self._ended.result().detail
        return self._refused

    async def send(self, message: bytes) -> None:
        """Write one message; nothing happens when the call is over. Waits while the bot does not read."""
        if self._context is not None and not self._ended.done():
            # A call that breaks while we write shows as ended to whoever waits for its answer.
            with contextlib.suppress(grpc.RpcError, asyncio.InvalidStateError, grpc.aio.UsageError):
                await self._context.write(message)

    def open_turn(self, number: int) -> asyncio.Future[Arrived | Ended]:
        """From now on the answer to turn `number` is awaited; the future gets it, or the end of the call."""
        self._open_turn = number
        self._answer = asyncio.get_running_loop().create_future()
        if self._ended.done():
            self._answer.set_result(self._ended.result())
        return self._answer

    def close_turn(self) -> None:
        """Answers to the last turn are late from now on."""
        self._open_turn = 0

    def hang_up(self) -> None:
        """End the call with OK: no more matches."""
        self._close.set()

    async def close(self) -> None:
        """End the call and the server."""
        self._close.set()
        await self._server.stop(grace=0.2)

    async def _play(self, _: object, context: _Context) -> None:
        metadata = dict(context.invocation_metadata() or ())
        sent = metadata.get(TOKEN_KEY, "")
        # The bytes are compared: a token may hold anything that a header can.
        if not self._token or not hmac.compare_digest(_as_bytes(sent), self._token.encode()):
            await self._refuse(context, grpc.StatusCode.UNAUTHENTICATED, "the token is not this seat's")
        if self._context is not None:
            await self._refuse(context, grpc.StatusCode.ALREADY_EXISTS, "this seat has a call already")
        self._context = context
        ended, close, greeted = self._ended, self._close, self._greeted
        reading = asyncio.create_task(self._read(context, greeted, ended))
        closing = asyncio.create_task(close.wait())
        try:
            await asyncio.wait([reading, closing], return_when=asyncio.FIRST_COMPLETED)
            outcome = reading.result() if reading.done() else Ended("the referee hung up")
        except asyncio.CancelledError:
            self._end(ended, Ended("the bot cancelled its call"))
            raise
        finally:
            reading.cancel()
            closing.cancel()
        self._end(ended, outcome)
        if outcome.code is not None:
            await context.abort(outcome.code, outcome.detail)

    async def _read(self, context: _Context, greeted: "asyncio.Future[None]", ended: "asyncio.Future[Ended]") -> Ended:
        """Read the bot's messages until the call ends; how it did."""
        loop = asyncio.get_running_loop()
        unasked = 0
        while True:
            try:
                data: Any = await context.read()
            except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError) as error:
                return Ended(f"the call broke: {error or type(error).__name__}")
            at = loop.time()
            if data is _END_OF_STREAM:
                return Ended("the bot ended its call")
            try:
                message = pb.BotMessage.FromString(data)
            except DecodeError:
                return Ended("it sent bytes that are no BotMessage", _INVALID)
            body = message.WhichOneof("body")
            if not greeted.done():
                if body != "hello":
                    return Ended("its first message was not a Hello", _INVALID)
                common = set(message.hello.versions) & set(PROTOCOL_VERSIONS)
                if not common:
                    theirs = ", ".join(map(str, message.hello.versions[:8])) or "none"
                    ours = ", ".join(map(str, PROTOCOL_VERSIONS))
                    detail = f"no common protocol version: the bot speaks {theirs}, the referee {ours}"
                    return Ended(detail, grpc.StatusCode.FAILED_PRECONDITION)
                await context.write(encode_welcome(max(common)).SerializeToString())
                greeted.set_result(None)
            elif body == "hello":
                return Ended("it greeted twice", _INVALID)
            elif body == "answer" and message.answer.turn == self._open_turn and self._answer and not self._answer.done():
                unasked = 0
                self._answer.set_result(Arrived(message.answer.move, at))
            else:
                unasked += 1
                if unasked > MAX_UNASKED:
                    return Ended(f"it sent more than {MAX_UNASKED} messages in a row that answer no open turn", _EXHAUSTED)

    async def _refuse(self, context: _Context, code: grpc.StatusCode, detail: str) -> None:
        self._refused = detail
        await context.abort(code, detail)

    def _end(self, ended: "asyncio.Future[Ended]", outcome: Ended) -> None:
        if not ended.done():
            ended.set_result(outcome)
        if ended is self._ended and self._answer is not None and not self._answer.done():
            self._answer.set_result(outcome)


def _handler(play: Callable[[object, _Context], Awaitable[None]]) -> Any:
    method = grpc.stream_stream_rpc_method_handler(play)
    return grpc.method_handlers_generic_handler(METHOD, {"Play": method})


def _as_bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()
