"""`arena replay RUN MATCH`: a match move by move."""

import sys
from pathlib import Path

import click

from arena.records.store import Store
from arena.rules.cards import SEATS
from arena.show.console import Printer, open_console
from arena.show.replay import iter_replay


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("match", type=click.IntRange(min=1))
@click.option("--seat", type=click.IntRange(0, 3), help="Show only what this seat saw, 0 to 3.")
@click.option("--game", type=click.IntRange(min=1), help="Show only this game of the match, from 1.")
def replay(run: Path, match: int, *, seat: int | None, game: int | None) -> None:
    """Print match number MATCH of RUN, the folder of a run, move by move.

    Matches are numbered from 1 in the order of the schedule. Cards in brackets were laid face down. A pull sends the cards
    that were laid before it back to their owners.
    """
    with Store.open(run) as store:
        record = store.match(match)
    console = open_console(sys.stdout)
    viewer = None if seat is None else SEATS[seat]
    for line in iter_replay(record, number=match, printer=Printer(console.encoding), viewer=viewer, game=game):
        # Only names and messages can be longer than a line, and those are better found whole than folded.
        console.print(line, soft_wrap=True)
