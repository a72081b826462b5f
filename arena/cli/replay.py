"""`arena replay RUN MATCH`: a match move by move, for people or for a live bot."""

import asyncio
import json
import sys
from pathlib import Path

import click

from arena.check.rerun import Finding, Rerun, rerun
from arena.cli.live import ADDRESS_HELP, open_seat
from arena.errors import EXIT_MISTAKE, StoreError, UserError
from arena.records.model import MatchRecord
from arena.records.store import Store
from arena.rules.cards import SEATS, TEAM_OF_SEAT, Seat
from arena.show.console import Printer, open_console
from arena.show.replay import iter_replay
from arena.show.rerun import print_difference, print_rerun
from arena.show.web.replay import write_match


@click.command(epilog=f"{ADDRESS_HELP}. The token is a new one each time, or what ARENA_TOKEN says here.")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("match", type=click.IntRange(min=1))
@click.option("--seat", type=click.IntRange(0, 3), help="Show only what this seat saw, 0 to 3.")
@click.option("--game", type=click.IntRange(min=1), help="Show only this game of the match, from 1.")
@click.option(
    "--into",
    "target",
    metavar="DIR|ADDRESS",
    help="Send what the seat saw to the bot in this folder, or to a program that you start and that calls here.",
)
@click.option(
    "--html", "page", type=click.Path(path_type=Path), help="Write the match to this file, as a page to step through."
)
@click.pass_context
def replay(
    context: click.Context,
    run: Path,
    match: int,
    *,
    seat: int | None,
    game: int | None,
    target: str | None,
    page: Path | None,
) -> None:
    """Print match number MATCH of RUN, the folder of a run, move by move.

    Matches are numbered from 1 in the order of the schedule. Cards in brackets were laid face down. A pull sends the cards
    that were laid before it back to their owners.

    With --into nothing is printed of the match: a live bot is sent exactly what the seat saw, from the start of the match to
    its end and with the clock off, and its first answer that differs from the recorded one is shown. The exit code is 0
    when all answers are the recorded ones, 2 when one differs or the bot fails.

    With --html one file is written that opens in any browser without a network; with --seat it holds what that seat saw and
    nothing else.
    """
    if page is not None and (target is not None or game is not None):
        raise click.UsageError("--html takes the whole match: no --game, and no --into")
    if target is not None and (seat is None or game is not None):
        raise click.UsageError("--into needs --seat, and takes the whole match: no --game")
    with Store.open(run) as store:
        record = store.match(match)
        first_turn_ms = _first_turn_ms(store) if target is not None else 0
    viewer = None if seat is None else SEATS[seat]
    if page is not None:
        write_match(page, record, number=match, viewer=viewer)
        return
    if target is not None and viewer is not None:
        if not record.games:
            raise UserError(f"match {match} of {run} has no game: seat {seat} was not asked anything")
        result = asyncio.run(_rerun(record, viewer, number=match, target=target, first_turn_ms=first_turn_ms))
        if not result.is_same:
            context.exit(EXIT_MISTAKE)
        return
    console = open_console(sys.stdout)
    for line in iter_replay(record, number=match, printer=Printer(console.encoding), viewer=viewer, game=game):
        # Only names and messages can be longer than a line, and those are better found whole than folded.
        console.print(line, soft_wrap=True)


async def _rerun(record: MatchRecord, seat: Seat, *, number: int, target: str, first_turn_ms: int) -> Rerun:
    console = open_console(sys.stdout)
    team = Printer(console.encoding).whole(record.key.seated[TEAM_OF_SEAT[seat]])

    def show(finding: Finding) -> None:
        print_difference(finding, console)

    async with open_seat(target, seat) as chair:
        console.print(f"Match {number}, seat {seat} of {team}, games: {len(record.games)}. The clock is off.", soft_wrap=True)
        result = await rerun(chair, record, first_turn_ms=first_turn_ms, on_difference=show)
        await chair.end()
    print_rerun(result, console)
    return result


def _first_turn_ms(store: Store) -> int:
    """What the first turn of a process had on top in this run."""
    try:
        return round(float(json.loads(store.config)["time"]["first_turn_seconds"]) * 1000)
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{store.path}: the run's configuration is damaged: {error!r}") from error
