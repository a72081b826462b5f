"""A seat for the bot of somebody who wants to watch it closely: one in a folder, or one that he starts himself."""

import os
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import click

from arena.check.examination import CheckTerms
from arena.errors import UserError
from arena.rules.cards import Seat
from arena.seat.attached import AttachedChair, is_address, parse_address
from arena.seat.chair import Chair, ChairOptions
from arena.seat.dialogue import Dialogue
from arena.seat.isolation.cage import Isolation, make_reachable
from arena.seat.isolation.probe import check_folders, find_isolation
from arena.seat.isolation.tier import Limits
from arena.seat.manifest import Manifest, load_manifest
from arena.show.text import harmless
from arena.tournament.scratch import scratch_folder

ADDRESS_HELP = "ADDRESS is unix:PATH or 127.0.0.1:PORT"
_PATIENCE_MS = 24 * 60 * 60 * 1000
"""For the start of a bot in a debugger: a day."""


@asynccontextmanager
async def open_seat(target: str, seat: Seat) -> AsyncIterator[Dialogue]:
    """A chair in which the bot of this folder sits, or the one that calls at this address, started. Clocks are off.

    Raises UserError when there is no such bot or it does not start.
    """
    if is_address(target):
        address, token = parse_address(target), os.environ.get("ARENA_TOKEN", "")
        async with AttachedChair(seat, address=address, token=token, on_wait=_invite) as attached:
            await _start(attached, target)
            yield attached
        return
    manifest = load_manifest(Path(target))
    isolation = await isolation_for(manifest)
    with scratch_folder() as scratch:
        chair = new_chair(manifest, seat, isolation=isolation, scratch=scratch)
        try:
            async with chair:
                await _start(chair, target)
                yield chair
        finally:
            _print_words(scratch / f"logs{seat}" / "stderr.log")


async def isolation_for(manifest: Manifest) -> Isolation:
    """The strongest that works here, without stopping bots: somebody may be looking at them."""
    isolation = await find_isolation(least=None, limits=Limits(), freezes=False)
    await check_folders(isolation, [manifest.folder])
    return isolation


def new_chair(manifest: Manifest, seat: Seat, *, isolation: Isolation, scratch: Path) -> Chair:
    """A chair with folders of its own in `scratch`; its bot may take a day to start."""
    folder, logs = scratch / str(seat), scratch / f"logs{seat}"
    folder.mkdir()
    make_reachable(folder)
    logs.mkdir()
    options = ChairOptions(startup_ms=_PATIENCE_MS, first_turn_ms=0, log_bytes=CheckTerms().log_bytes, isolation=isolation)
    return Chair(seat, manifest=manifest, folder=folder, logs=logs, options=options)


async def _start(chair: Dialogue, target: str) -> None:
    if trouble := await chair.start():
        raise UserError(f"{target}: the bot did not start: {trouble.detail}")


def _invite(address: str, token: str) -> None:
    click.echo(
        f"Start your program with these two variables:\n"
        f"  ARENA_ADDRESS={shlex.quote(address)}\n  ARENA_TOKEN={shlex.quote(token)}\n"
        "Waiting for its call; Ctrl-C ends that.",
        err=True,
    )


def _print_words(log: Path) -> None:
    """What the bot wrote to stderr, which nobody would find otherwise."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    if lines:
        click.echo("The bot wrote to stderr:", err=True)
    for line in lines:
        click.echo(f"  {harmless(line)}", err=True)
