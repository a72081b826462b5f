"""The gRPC side of one chair: a private server with one call, from one bot that is known by its token.

Messages are read as bytes and parsed here, so that what is not a message of ours is told from a call that ended.
"""

import asyncio
import hmac
import logging
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
_BROKEN = (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError)
"""What gRPC raises when a call is over while we read or write."""
_OPTIONS = [
    # Above our own limit, so that a message between the two can be told from a call that broke; gRPC only cuts the call.
    ("grpc.max_receive_message_length", 16 * MAX_MESSAGE_BYTES),
    ("grpc.so_reuseport", 0),
    ("grpc.max_concurrent_streams", 4),
    # A bot that is stopped while others think cannot answer pings, and gRPC would break its call after a minute.
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.ping_timeout_ms", 2**31 - 1),
]
# gRPC logs a traceback when a bot breaks off while a message is on its way to it. That is told by `Ended`; without a handler
# Python would print it, too.
logging.getLogger("grpc").addHandler(logging.NullHandler())

_CUT_SECONDS = 0.05
"""How long after the last message gRPC may take to say that the call did not end but broke."""
_LINGER_SECONDS = 0.2
"""How long a call may outlive its process, for what is still on its way."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a call is over.

    code: what the bot is told when it sent what the protocol does not allow, else None. is_cut: the call did not end but
    broke: the bot's process is gone, or it cancelled the call, or gRPC refused what it sent. error: a bug of ours.
    """

    detail: str
    code: grpc.StatusCode | None = None
    is_cut: bool = False
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Arrived:
    """An answer to the open turn; at: the event loop's time of its arrival, in seconds."""

    move: pb.Move
    at: float


class _Call:
    """The one call that is expected from one process of a bot. Nothing of it is shared with the call of the next process."""

    __slots__ = ("_answer", "_turn", "closing", "context", "ended", "greeted", "refusal", "token")

    def __init__(self, token: str) -> None:
        loop = asyncio.get_running_loop()
        self.token = token.encode()
        self.context: _Context | None = None
        self.greeted: asyncio.Future[None] = loop.create_future()
        self.ended: asyncio.Future[Ended] = loop.create_future()
        self.closing = asyncio.Event()
        self.refusal = ""
        self._turn = 0
        self._answer: asyncio.Future[Arrived | Ended] | None = None

    def open_turn(self, number: int) -> "asyncio.Future[Arrived | Ended]":
        self._turn = number
        self._answer = asyncio.get_running_loop().create_future()
        if self.ended.done():
            self._answer.set_result(self.ended.result())
        return self._answer

    def close_turn(self) -> None:
        self._answer = None

    def is_answered(self, answer: pb.Answer, at: float) -> bool:
        """Whether this is the first answer to the open turn, which it is given to."""
        if self._answer is None or self._answer.done() or answer.turn != self._turn:
            return False
        self._answer.set_result(Arrived(answer.move, at))
        return True

    def end(self, outcome: Ended) -> None:
        """The call is over, for everybody who waits for something of it; only the first reason counts."""
        self.closing.set()
        if not self.ended.done():
            self.ended.set_result(outcome)
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(outcome)


class Connection:
    """Serves one bot process: greeting, turns, answers. A restarted bot gets a new token and `expect`s a new call."""

    def __init__(self) -> None:
        self._server = grpc.aio.server(options=_OPTIONS)
        self._server.add_generic_rpc_handlers((_handler(self._play),))
        self._call = _Call("")

    async def listen(self, address: str) -> str:
        """Open the server at a gRPC address (`unix:///…` or `127.0.0.1:0`); what the bot has to dial.

        Raises RuntimeError when it cannot be opened.
        """
        port = self._server.add_insecure_port(address)
        await self._server.start()
        return address if address.startswith("unix:") else f"127.0.0.1:{port}"

    def expect(self, token: str) -> Callable[[], None]:
        """Wait for a new bot process that has this token; the call of an earlier one is over for good.

        Returns what has to be called when that process has exited: its call ends with it, even when another process that
        it left behind keeps it open.
        """
        self.hang_up()
        call = _Call(token)
        self._call = call
        loop = asyncio.get_running_loop()
        return lambda: _end_soon(loop, call)

    @property
    def is_open(self) -> bool:
        """Whether a bot has greeted and its call goes on."""
        return self._call.greeted.done() and not self._call.ended.done()

    @property
    def ended(self) -> Ended | None:
        """Why the call is over; None while it goes on or has not begun."""
        return self._call.ended.result() if self._call.ended.done() else None

    async def greeted_or_ended(self) -> None:
        """Return when the bot has greeted or its call is over."""
        either: list[asyncio.Future[Any]] = [self._call.greeted, self._call.ended]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)

    @property
    def refusal(self) -> str:
        """Why the last call was refused that did not have the token; empty when none was."""
        return self._call.refusal

    async def send(self, message: bytes) -> None:
        """Write one message; nothing happens when the call is over. Waits while the bot does not read.

        When it is cancelled over that, the call is over: half a message cannot be taken back.
        """
        call = self._call
        if call.context is None or call.ended.done():
            return
        try:
            await call.context.write(message)
        except _BROKEN:
            pass  # whoever waits for an answer is told by the reader that the call is over
        except asyncio.CancelledError:
            call.end(Ended("it does not read what it is sent"))
            raise

    def open_turn(self, number: int) -> "asyncio.Future[Arrived | Ended]":
        """From now on the answer to turn `number` is awaited; the future gets it, or the end of the call."""
        return self._call.open_turn(number)

    def close_turn(self) -> None:
        """Answers to the last turn are late from now on."""
        self._call.close_turn()

    def hang_up(self) -> None:
        """End the call with OK: no more matches. A call that has not begun will be ended at once."""
        self._call.end(Ended("the referee hung up"))

    async def close(self) -> None:
        """End the call and the server."""
        self.hang_up()
        await self._server.stop(grace=0.2)

    async def _play(self, _: object, context: _Context) -> None:
        call = self._call
        sent = dict(context.invocation_metadata() or ()).get(TOKEN_KEY, "")
        # The bytes are compared: a token may hold anything that a header can.
        if not call.token or not hmac.compare_digest(sent if isinstance(sent, bytes) else sent.encode(), call.token):
            call.refusal = "the token is not this seat's"
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, call.refusal)
        if call.context is not None:
            await context.abort(grpc.StatusCode.ALREADY_EXISTS, "this seat has a call already")
        call.context = context
        reading = asyncio.create_task(_read(call, context))
        closing = asyncio.create_task(call.closing.wait())
        try:
            await asyncio.wait([reading, closing], return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                return
            outcome = reading.result()
            if outcome.code is None:
                await asyncio.sleep(_CUT_SECONDS)
            call.end(outcome)
        except asyncio.CancelledError:
            call.end(Ended("its call broke", is_cut=True))
            raise
        except Exception as error:
            call.end(Ended("a bug of ours", error=error))
            raise
        finally:
            reading.cancel()
            closing.cancel()
        if outcome.code is not None:
            await context.abort(outcome.code, outcome.detail)


async def _read(call: _Call, context: _Context) -> Ended:
    """Read the bot's messages until the call ends; how it did."""
    try:
        return await _greet(call, context) or await _take_answers(call, context)
    except _BROKEN as error:
        return Ended(f"its call broke: {error or type(error).__name__}", is_cut=True)


async def _greet(call: _Call, context: _Context) -> Ended | None:
    """Take the greeting and answer it; None when that was done."""
    message = _parse(await context.read())
    if isinstance(message, Ended):
        return message
    if message.WhichOneof("body") != "hello":
        return Ended("its first message was not a Hello", _INVALID)
    common = set(message.hello.versions) & set(PROTOCOL_VERSIONS)
    if not common:
        theirs = ", ".join(map(str, message.hello.versions[:8])) or "none"
        ours = ", ".join(map(str, PROTOCOL_VERSIONS))
        detail = f"no common protocol version: the bot speaks {theirs}, the referee {ours}"
        return Ended(detail, grpc.StatusCode.FAILED_PRECONDITION)
    await context.write(encode_welcome(max(common)).SerializeToString())
    call.greeted.set_result(None)
    return None


async def _take_answers(call: _Call, context: _Context) -> Ended:
    now = asyncio.get_running_loop().time
    unasked = 0
    while True:
        data = await context.read()
        at = now()
        message = _parse(data)
        if isinstance(message, Ended):
            return message
        body = message.WhichOneof("body")
        if body == "hello":
            return Ended("it greeted twice", _INVALID)
        if body == "answer" and call.is_answered(message.answer, at):
            unasked = 0
            continue
        unasked += 1
        if unasked > MAX_UNASKED:
            return Ended(f"it sent more than {MAX_UNASKED} messages in a row that answer no open turn", _EXHAUSTED)


def _parse(data: Any) -> pb.BotMessage | Ended:
    """What gRPC read, as a message; when it is none, how the call ends."""
    if data is _END_OF_STREAM:
        return Ended("it ended its call")
    if len(data) > MAX_MESSAGE_BYTES:
        return Ended(f"it sent a message of {len(data):,} bytes; at most {MAX_MESSAGE_BYTES:,} are allowed", _EXHAUSTED)
    try:
        return pb.BotMessage.FromString(data)
    except DecodeError:
        return Ended("it sent bytes that are no BotMessage", _INVALID)


def _end_soon(loop: asyncio.AbstractEventLoop, call: _Call) -> None:
    loop.call_later(_LINGER_SECONDS, call.end, Ended("its process exited, and another one kept its call open"))


def _handler(play: Callable[[object, _Context], Awaitable[None]]) -> Any:
    method = grpc.stream_stream_rpc_method_handler(play)
    return grpc.method_handlers_generic_handler(METHOD, {"Play": method})
