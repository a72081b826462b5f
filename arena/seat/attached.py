"""A seat for a program that somebody starts himself, in a debugger above all: nothing of ours starts, limits or ends it."""

import contextlib
import errno
import os
import re
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from urllib.parse import quote, unquote

from arena.errors import UserError
from arena.rules.cards import Seat
from arena.rules.options import TimeControl
from arena.seat.clock import Clock, StoppedClock
from arena.seat.connection import Connection, Ended
from arena.seat.dialogue import MAX_SOCKET_PATH, Dialogue, raise_ours
from arena.seat.trouble import Trouble, TroubleKind

_UNIX = "unix:"
_TCP = re.compile(r"(?:127\.0\.0\.1|localhost):(\d{1,5})", re.ASCII)
_ANY_TCP = re.compile(r"[\w.\-\[\]:]*:\d+", re.ASCII)

Waiting = Callable[[str, str], None]
"""Called with the address and the token when a call is waited for."""


def is_address(text: str) -> bool:
    """Whether a text is meant as an address, and not as a folder."""
    return text.startswith(_UNIX) or _ANY_TCP.fullmatch(text) is not None


def parse_address(text: str) -> str:
    """The gRPC address to listen at, from the user's `unix:PATH` or `127.0.0.1:PORT`. Raises UserError.

    Only this machine can reach it: what goes over a call is not encrypted.
    """
    if text.startswith(_UNIX):
        name = text.removeprefix(_UNIX)
        path = os.fsencode(Path(name[2:] if name.startswith("//") else name).absolute())
        if len(path) > MAX_SOCKET_PATH:
            raise UserError(f"{text}: the path of a socket has at most {MAX_SOCKET_PATH} bytes, this one has {len(path)}")
        return f"unix://{quote(path)}"
    found = _TCP.fullmatch(text)
    if found is None or int(found[1]) > 65535:
        raise UserError(f"{text}: is no address to wait at: write unix:/tmp/bot.sock or 127.0.0.1:5000")
    return f"127.0.0.1:{int(found[1])}"


class AttachedChair(Dialogue):
    """One seat for a program that dials in when its author starts it; an async context manager that leaves no socket behind.

    address: as from `parse_address`; entering raises UserError when it cannot be had. token: what the program has to send;
    a new one for each call when it is empty. Clocks are off: it is told its time, and may take any.
    """

    def __init__(self, seat: Seat, *, address: str, token: str = "", on_wait: Waiting) -> None:
        super().__init__(seat, first_turn_ms=0)
        self._wanted = address
        self._token = token
        self._on_wait = on_wait
        self._address = ""

    async def __aenter__(self) -> "AttachedChair":
        async with contextlib.AsyncExitStack() as opened:
            self._connection = Connection()
            opened.push_async_callback(self._connection.close)
            try:
                _check_free(self._wanted)
                self._address = await self._connection.listen(self._wanted)
            except (OSError, RuntimeError) as error:
                raise UserError(f"{self._wanted}: cannot be listened at: {getattr(error, 'strerror', error)}") from None
            self._opened = opened.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, where: TracebackType | None
    ) -> None:
        await self._opened.aclose()

    async def start(self) -> Trouble | None:
        """Wait until a program has greeted, as long as it takes; who comes without the token is refused, and it goes on."""
        await self.end()
        token = self._token or secrets.token_urlsafe(12)
        self._connection.expect(token)
        self._on_wait(self._address, token)
        await self._connection.greeted_or_ended()
        ended = self._connection.ended
        if ended is None:
            return None
        raise_ours(ended)
        return self._trouble(TroubleKind.NO_START, f"{ended.detail} before it was ready")

    async def end(self) -> None:
        """End the call."""
        self._hang_up()

    def _new_clock(self, time: TimeControl) -> Clock:
        return StoppedClock(time)

    async def _ended(self, ended: Ended) -> Trouble:
        raise_ours(ended)
        kind = TroubleKind.ENDED if ended.code is None else TroubleKind.PROTOCOL
        return self._trouble(kind, ended.detail, turn=self._number)

    def _trouble(self, kind: TroubleKind, detail: str, *, turn: int | None = None, think_us: int = 0) -> Trouble:
        """What it printed is in its author's hands."""
        return Trouble(kind=kind, detail=detail, turn=turn, think_us=think_us)


def _check_free(address: str) -> None:
    """Raise OSError when the address cannot be had: gRPC logs that in its own words, and takes a socket that others listen at.

    A socket that was left behind is removed.
    """
    if not address.startswith(_UNIX):
        host, _, port = address.partition(":")
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, int(port)))
        return
    path = Path(unquote(address.removeprefix("unix://")))
    if path.exists():
        if not path.is_socket():
            raise OSError(errno.EEXIST, os.strerror(errno.EEXIST))
        with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(ConnectionRefusedError):
            probe.connect(str(path))
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        path.unlink()
    with socket.socket(socket.AF_UNIX) as probe:
        probe.bind(str(path))
    path.unlink()
