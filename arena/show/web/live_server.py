"""Serves the live page of a run out of the runner's process, which it can neither stop nor slow down.

Two threads: one reads the store through a connection of its own and makes the moments, one has the event loop of the server.
The runner only sets flags. What goes wrong in here is told to the runner in words, never raised.
"""

import asyncio
import contextlib
import errno
import ipaddress
import logging
import re
import socket
import threading
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from arena.errors import ArenaError, UserError
from arena.records.store import Store
from arena.show.leaderboard import read_leaderboard
from arena.show.web.live_page import HEADERS, LivePage, Moment, make_moment
from arena.show.web.live_run import LiveRun, Stage

LOOPBACK = "127.0.0.1"
ANY_PORT = 0
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_LEAST_SECONDS = 0.5
"""From one moment to the next, at least."""
_WORK_SHARE = 0.1
"""The most of one core's time that is spent on moments: the bots need the cores."""
_MAX_CONNECTIONS = 200
"""Files that a process may have open are few, and the runner needs its own."""
_FAREWELL_SECONDS = 2.0
"""For browsers to read the last event."""
_CLOSE_SECONDS = 10.0
"""After which nobody waits for the threads any more: they end with the process."""
_REFUSALS = {
    errno.EADDRINUSE: "another program listens there. Name another port, or none for any that is free",
    errno.EACCES: "this user may not listen there. Ports from 1024 up are for everybody",
    errno.EADDRNOTAVAIL: "this machine does not have that address. 0.0.0.0 stands for all that it has",
}


@dataclass(frozen=True, slots=True)
class LiveAddress:
    """Where a live page is served. host: a name or an address, from the user. port: ANY_PORT for any that is free."""

    host: str
    port: int


def parse_live_address(text: str) -> LiveAddress:
    """`PORT` or `ADDRESS:PORT`, as in `8080`, `0.0.0.0:8080` or `[::]:8080`, from the user. Raises UserError."""
    found = re.fullmatch(r"(?:(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+)):)?([0-9]{1,5})", text, re.ASCII)
    if found is None or int(found[3]) > 65535:
        raise UserError(
            f"--live takes a port, as in --live 8080, or an address and a port, as in --live 0.0.0.0:8080, not {text!r}"
        )
    return LiveAddress(found[1] or found[2] or LOOPBACK, int(found[3]))


def listen(address: LiveAddress) -> socket.socket:
    """A socket that listens; browsers wait in its queue until they are served. Raises UserError where that may not be."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with contextlib.ExitStack() as stack:
            listener = stack.enter_context(socket.socket(family, kind, protocol))
            # A port may be taken again while old connections to it die away; it is still refused while somebody listens.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(place)
            listener.listen()
            stack.pop_all()
            return listener
    except OSError as error:
        reason = _REFUSALS.get(error.errno or 0, error.strerror or str(error))
        raise UserError(f"no live page at port {address.port} of {address.host}: {reason}") from error


class LiveServer:
    """The server of a run's live page; used in a with statement, around all of the run, from one thread.

    listener: from `listen`; closed in the end. store: of that thread, read once. Leaving the statement tells the browsers
    that the run is finished, or that it was stopped where an error left it, and ends the server in a few seconds at most.
    """

    def __init__(self, listener: socket.socket, store: Store, run: LiveRun) -> None:
        self._listener = listener
        self._folder = store.path.parent
        self._run = run
        self._trouble: str | None = None
        host, port = listener.getsockname()[:2]
        is_loopback = ipaddress.ip_address(host.partition("%")[0]).is_loopback
        self.url = f"http://{_url_host(host)}:{port}/"
        self._page = LivePage(self._read(store), hosts=_LOOPBACK_NAMES if is_loopback else None)
        # What the server logs is for nobody: the terminal is the runner's. It is told what matters.
        logging.getLogger("uvicorn").addHandler(logging.NullHandler())
        config = uvicorn.Config(
            self._page.app,
            http=_BoundedProtocol,
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            headers=HEADERS,
            timeout_graceful_shutdown=1,
        )
        # Outside of the main thread it leaves signals alone.
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="live page", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._run.end(Stage.FINISHED if kind is None else Stage.STOPPED)
        self._thread.join(_CLOSE_SECONDS)

    def take_trouble(self) -> str | None:
        """What went wrong since somebody asked, in words."""
        trouble, self._trouble = self._trouble, None
        return trouble

    def _serve(self) -> None:
        """The thread of the server."""
        try:
            asyncio.run(self._serve_and_follow())
        except (Exception, SystemExit) as error:
            self._trouble = f"The live page has ended, the tournament goes on without it: {error!r}"
        finally:
            self._listener.close()

    async def _serve_and_follow(self) -> None:
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._follow, args=(loop,), name="live page's reader", daemon=True).start()
        await self._server.serve(sockets=[self._listener])

    def _follow(self, loop: asyncio.AbstractEventLoop) -> None:
        """The thread that makes moments, until the last one is shown or nobody is there to show them."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            try:
                self._show_moments(loop)
            except Exception as error:
                self._trouble = f"The live page has ended, the tournament goes on without it: {error}"
            loop.call_soon_threadsafe(lambda: asyncio.ensure_future(self._leave()))

    def _show_moments(self, loop: asyncio.AbstractEventLoop) -> None:
        with Store.open(self._folder) as store:
            is_last = False
            while not is_last:
                self._run.changed.wait()
                began = time.monotonic()
                try:
                    moment = self._read(store)
                except ArenaError as error:
                    is_last = self._run.ended.is_set()
                    self._trouble = f"The live page could not be brought up to date: {error}"
                else:
                    is_last = moment.is_last
                    loop.call_soon_threadsafe(self._page.show, moment)
                self._run.ended.wait(max(_LEAST_SECONDS, (time.monotonic() - began) * (1 / _WORK_SHARE - 1)))

    def _read(self, store: Store) -> Moment:
        """The moment now. What changes while it is read makes another one."""
        run = self._run
        run.changed.clear()
        stage, playing = run.stage, run.playing
        return make_moment(read_leaderboard(store), stage=stage, playing=playing)

    async def _leave(self) -> None:
        """End the server when the browsers have read what was said last, or do not."""
        if tasks := set(self._server.server_state.tasks):
            await asyncio.wait(tasks, timeout=_FAREWELL_SECONDS)
        self._server.should_exit = True


class _BoundedProtocol(H11Protocol):
    """HTTP for so many connections at the same time and no more."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > _MAX_CONNECTIONS:
            transport.abort()


def _url_host(host: str) -> str:
    """An address for people to open: where all addresses of the machine are served, its name."""
    if ipaddress.ip_address(host.partition("%")[0]).is_unspecified:
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
