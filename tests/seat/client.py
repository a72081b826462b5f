"""A bot's side of one call, in this process, and a table that such clients can dial."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import grpc.aio

from arena.seat.connection import Connection, Ended
from arena.v1 import bot_pb2 as pb
from tests.seat_tools import PATIENCE, until

HELLO = pb.BotMessage(hello=pb.Hello(versions=[1])).SerializeToString()


class Client:
    """One call of a bot."""

    def __init__(self, address: str, token: str | None) -> None:
        # A pool of its own: else all clients of this process would share one connection.
        self._channel = grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        metadata = () if token is None else (("arena-token", token),)
        self.call = self._channel.stream_stream("/arena.v1.Referee/Play")(metadata=metadata)

    async def send(self, *messages: bytes) -> None:
        """Write until the call is over."""
        with contextlib.suppress(grpc.RpcError, asyncio.InvalidStateError):
            for message in messages:
                await self.call.write(message)

    async def read(self) -> pb.RefereeMessage:
        data = await asyncio.wait_for(self.call.read(), PATIENCE)
        assert isinstance(data, bytes), f"the call is over: {data}"
        return pb.RefereeMessage.FromString(data)

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """How the referee ended the call. gRPC tells it when all messages were read."""
        with contextlib.suppress(grpc.RpcError):
            while await asyncio.wait_for(self.call.read(), PATIENCE) is not grpc.aio.EOF:
                pass
        return await asyncio.wait_for(self.call.code(), PATIENCE), await self.call.details()

    async def close(self) -> None:
        self.call.cancel()
        await self._channel.close()


class Table:
    """A connection and its clients."""

    def __init__(self, address: str, connection: Connection, stack: contextlib.AsyncExitStack) -> None:
        self.connection = connection
        self._address = address
        self._stack = stack

    def dial(self, token: str | None) -> Client:
        client = Client(self._address, token)
        self._stack.push_async_callback(client.close)
        return client

    async def greeted(self, token: str = "token") -> Client:
        self.connection.expect(token)
        client = self.dial(token)
        await client.send(HELLO)
        assert (await client.read()).welcome.version == 1
        # The welcome may arrive before the referee's side has gone on.
        await self.connection.greeted_or_ended()
        assert self.connection.is_open
        return client

    async def over(self) -> Ended:
        """How the call ended."""
        await until(lambda: self.connection.ended)
        assert self.connection.ended is not None
        return self.connection.ended


@contextlib.asynccontextmanager
async def new_table(root: Path) -> AsyncIterator[Table]:
    connection = Connection()
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(connection.close)
        yield Table(await connection.listen(f"unix://{root}/seat.sock"), connection, stack)
