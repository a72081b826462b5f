"""Bots at a table in the terminal: found by folder or by name, and run as in a tournament. Nothing of it is stored."""

import asyncio
import contextlib
import hashlib
import os
import secrets
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import click

from arena.check.examination import CheckTerms
from arena.check.kits import MANIFEST, find_kits
from arena.errors import UserError
from arena.play.app import TableApp
from arena.play.players import Players
from arena.play.result import result_line
from arena.records.model import MatchRecord
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms
from arena.rules.cards import Seat
from arena.rules.options import Rules, TimeControl
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import Isolation, make_reachable
from arena.seat.isolation.probe import check_folders, find_isolation
from arena.seat.isolation.tier import Limits
from arena.seat.manifest import Manifest, load_manifest
from arena.show.text import harmless
from arena.tournament.scratch import scratch_folder

SAMPLE = "greedy"
"""Who sits where nobody else was named."""
BOT_HELP = "A BOT is the folder of one, or the name of a sample bot"
_BANK_TURNS = 20
"""What bots have for a match beyond the time for each turn, in turns."""
_RULES = Rules()
_MAX_FAULTS, _RESTARTS = 3, 1
_STDERR_LINES = 3


def find_bot(text: str) -> Manifest:
    """The bot in the folder of this name, or the sample bot that is called so. Raises UserError."""
    folder = Path(text)
    if (folder / MANIFEST).is_file():
        return load_manifest(folder)
    kits = find_kits()
    samples = sorted(path.parent.name for path in kits.glob(f"*/{MANIFEST}"))
    if text in samples:
        return load_manifest(kits / text)
    if folder.exists() or os.sep in text:
        return load_manifest(folder)  # which says what is wrong with it
    raise UserError(f"{harmless(text)} is neither a folder nor a sample bot: those are {', '.join(samples)}")


def deals_secret(seed: str | None) -> bytes:
    """Where the deals come from: always the same for a seed, else never the same."""
    return secrets.token_bytes(32) if seed is None else hashlib.sha256(seed.encode()).digest()


def match_terms(*, match_target: int, think_seconds: float, isolation: Isolation) -> MatchTerms:
    """The terms of a tournament whose file says nothing else, but for the bots' time."""
    move_ms = round(think_seconds * 1000)
    return MatchTerms(
        rules=Rules(match_target=match_target),
        time=TimeControl(move_ms=move_ms, bank_ms=_BANK_TURNS * move_ms, max_faults=_MAX_FAULTS),
        policy=FaultPolicy(max_faults=_MAX_FAULTS, restarts=_RESTARTS),
        isolation=isolation.tier,
    )


async def find_table_isolation(bots: Mapping[Seat, Manifest]) -> Isolation:
    """The strongest that works here, as in a tournament whose file does not say otherwise; it is named on stderr."""
    isolation = await find_isolation(least=None, limits=Limits(), freezes=True)
    await check_folders(isolation, sorted({bot.folder for bot in bots.values()}))
    click.echo(f"Isolation of the bots: {isolation.tier}.", err=True)
    return isolation


@asynccontextmanager
async def open_chairs(bots: Mapping[Seat, Manifest], *, isolation: Isolation) -> AsyncIterator[dict[Seat, Chair]]:
    """A chair for each bot, which the referee starts; afterwards no process and no file of them is left."""
    terms = CheckTerms()
    options = ChairOptions(
        startup_ms=terms.startup_ms, first_turn_ms=terms.first_turn_ms, log_bytes=terms.log_bytes, isolation=isolation
    )
    async with contextlib.AsyncExitStack() as stack:
        scratch = stack.enter_context(scratch_folder())
        chairs: dict[Seat, Chair] = {}
        for seat, manifest in bots.items():
            folder, logs = scratch / str(seat), scratch / f"logs{seat}"
            folder.mkdir()
            make_reachable(folder)
            logs.mkdir()
            chair = Chair(seat, manifest=manifest, folder=folder, logs=logs, options=options)
            chairs[seat] = await stack.enter_async_context(chair)
        yield chairs
        # Each may take its time to go.
        await asyncio.gather(*(chair.end() for chair in chairs.values()))


def has_terminal() -> bool:
    """Whether there is a screen to show a table on, and keys to hear."""
    streams = (sys.__stdin__, sys.__stdout__, sys.__stderr__)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


async def show(app: TableApp) -> None:
    """Run a screen to its end, also when its terminal goes away before.

    Textual writes to the stream that Python began with, from a thread that ends at the first error and for which it then waits
    for ever. It gets ours, to which nobody has to listen.
    """
    before = sys.__stderr__
    sys.__stderr__ = sys.stderr  # type: ignore[misc, assignment]
    try:
        await app.run_to_end()
    finally:
        sys.__stderr__ = before  # type: ignore[misc]


def print_results(records: list[MatchRecord], players: Players) -> None:
    """What stays in the terminal: how each match ended, and why bots failed, with the last that they wrote."""
    for record in records:
        click.echo(result_line(record, players=players))
        for fault in record.faults:
            name = harmless(record.bots[fault.seat])
            click.echo(f"  {players.label(fault.seat)} {name}: {fault.kind}: {harmless(fault.detail)}", err=True)
            for line in fault.stderr_tail.splitlines()[-_STDERR_LINES:]:
                click.echo(f"    stderr: {harmless(line)}", err=True)


def _even(context: click.Context, option: click.Parameter, value: int) -> int:
    if value % 2:
        raise click.BadParameter(f"{value} is odd: defeat points come in twos")
    return value


match_target_option = click.option(
    "--match-target",
    type=click.IntRange(2, 48),
    callback=_even,
    default=_RULES.match_target,
    show_default=True,
    help="Defeat points that lose the match, an even number.",
)
seed_option = click.option("--seed", help="The same words have the same cards dealt.  [default: new cards each time]")
think_option = click.option(
    "--think",
    "think_seconds",
    type=click.FloatRange(0.01, 3600),
    default=1.0,
    show_default=True,
    help=f"Seconds that bots have for a move; {_BANK_TURNS} times as much is in the bank.",
)
