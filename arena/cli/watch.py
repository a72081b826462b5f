"""`arena watch BOT BOT [BOT BOT]`: one match between bots, live in the terminal."""

import asyncio
import sys

import click

from arena.cli.scope import enter_scope
from arena.cli.table import (
    BOT_HELP,
    deals_secret,
    find_bot,
    find_table_isolation,
    has_terminal,
    match_target_option,
    match_terms,
    open_chairs,
    print_results,
    seed_option,
    show,
    think_option,
)
from arena.play.feed import Feed
from arena.play.players import Players
from arena.play.watch_app import WatchApp
from arena.records.model import MatchKey, MatchRecord
from arena.referee.observer import Observer
from arena.referee.referee import play_match
from arena.rules.cards import SEATS, Seat
from arena.seat.manifest import Manifest
from arena.show.console import Printer, open_console
from arena.show.replay import iter_replay

_TEAMS = ("Even seats", "Odd seats")


@click.command(epilog=f"{BOT_HELP}.")
@click.argument("names", metavar="BOT BOT [BOT BOT]", nargs=-1, required=True)
@match_target_option
@seed_option
@think_option
@click.option(
    "--speed",
    type=click.FloatRange(0.05, 20),
    default=1.0,
    show_default=True,
    help="How many plays are shown in a second.",
)
def watch(names: tuple[str, ...], *, match_target: int, seed: str | None, think_seconds: float, speed: float) -> None:
    """Watch one match between bots, with all hands open. Nothing is stored.

    Two bots make two teams of two copies each; four take the seats 0 to 3, and the first and the third are partners.
    Space pauses, the right arrow shows the next play, `?` all keys.

    In a pipe nothing waits: the match is played, and then printed move by move as `arena replay` does.
    """
    if len(names) not in (2, 4):
        raise click.UsageError("name two bots for two teams, or four for the four seats")
    bots = {seat: find_bot(names[seat % len(names)]) for seat in SEATS}
    enter_scope()
    asyncio.run(_watch(bots, match_target=match_target, seed=seed, think_seconds=think_seconds, speed=speed))


async def _watch(
    bots: dict[Seat, Manifest], *, match_target: int, seed: str | None, think_seconds: float, speed: float
) -> None:
    isolation = await find_table_isolation(bots)
    terms = match_terms(match_target=match_target, think_seconds=think_seconds, isolation=isolation)
    first, second, third, fourth = (bots[seat].name for seat in SEATS)
    names = (first, second, third, fourth)
    secret = deals_secret(seed)
    async with open_chairs(bots, isolation=isolation) as chairs:

        async def play_one(number: int, observer: Observer | None) -> MatchRecord:
            key = MatchKey(teams=_TEAMS, number=number, swapped=False)
            seats = [chairs[seat] for seat in SEATS]
            return await play_match(seats, key=key, bots=names, terms=terms, secret=secret, observer=observer)

        if not has_terminal():
            _print(await play_one(0, None))
            return
        feed: Feed = asyncio.Queue()
        players = Players(names, None)
        app = WatchApp(play=play_one, feed=feed, players=players, rules=terms.rules, seconds=1 / speed)
        await show(app)
    print_results(app.records, players)


def _print(record: MatchRecord) -> None:
    console = open_console(sys.stdout)
    for line in iter_replay(record, number=1, printer=Printer(console.encoding)):
        # Only names and messages can be longer than a line, and those are better found whole than folded.
        console.print(line, soft_wrap=True)
