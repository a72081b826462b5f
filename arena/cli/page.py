"""`--live`: the live page of a tournament, or none."""

import contextlib
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import click

from arena.records.store import Store
from arena.tournament.config import TournamentConfig, job_count
from arena.tournament.run import Observer

Follow: TypeAlias = Callable[[Observer], Observer]
"""Makes an observer that tells the page, too."""


def open_listener(address: str | None) -> contextlib.AbstractContextManager[socket.socket | None]:
    """A socket at this address, from the user; None without one. Raises UserError where nobody may listen."""
    if address is None:
        return contextlib.nullcontext()
    # A web server is imported by those only who want one.
    from arena.show.web.live_server import listen, parse_live_address

    return listen(parse_live_address(address))


@contextmanager
def live_page(listener: socket.socket | None, config: TournamentConfig, store: Store) -> Iterator[Follow]:
    """The page of a run, from before its bots are prepared to its end."""
    if listener is None:
        yield lambda observer: observer
        return
    from arena.show.web.live_run import LiveObserver, LiveRun
    from arena.show.web.live_server import LiveServer

    scheduling = config.scheduling
    tables = job_count(config) if config.address is None else config.jobs
    run = LiveRun(seatings=scheduling.seatings, restart=scheduling.restart, tables=tables)
    server = LiveServer(listener, store, run)
    try:
        with server:
            click.echo(f"Live: {server.url}", err=True)
            yield lambda observer: LiveObserver(observer, run, notes=server.take_trouble)
    finally:
        if trouble := server.take_trouble():
            click.echo(trouble, err=True)
