"""`arena play`: a person sits down with bots."""

import asyncio

import click

from arena.cli.scope import enter_scope
from arena.cli.table import (
    BOT_HELP,
    SAMPLE,
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
from arena.errors import UserError
from arena.play.feed import Feed
from arena.play.person import Person
from arena.play.play_app import PlayApp
from arena.play.players import Players
from arena.records.model import MatchKey, MatchRecord
from arena.referee.observer import Observer
from arena.referee.referee import play_match
from arena.rules.cards import SEATS, Seat
from arena.seat.manifest import Manifest

_SEAT, _LEFT, _PARTNER, _RIGHT = SEATS
_TEAMS = ("You and your partner", "Your opponents")
_YOU = "you"
_MAX_AGAINST = 2


@click.command(epilog=f"{BOT_HELP}.")
@click.option("--with", "partner", metavar="BOT", default=SAMPLE, show_default=True, help="Your partner.")
@click.option(
    "--against",
    "opponents",
    metavar="BOT",
    multiple=True,
    help=f"Your opponents: one bot for both seats, or twice for the left and the right one.  [default: {SAMPLE}]",
)
@match_target_option
@seed_option
@think_option
@click.option(
    "--speed",
    type=click.FloatRange(0.05, 20),
    default=1.25,
    show_default=True,
    help="How many plays of the bots are shown in a second.",
)
@click.option("--fast", is_flag=True, help="Wait for nothing: neither between plays, nor for a key after a trick.")
def play(
    *,
    partner: str,
    opponents: tuple[str, ...],
    match_target: int,
    seed: str | None,
    think_seconds: float,
    speed: float,
    fast: bool,
) -> None:
    """Play a match with and against bots, in the terminal.

    Bots run as in a tournament and see what their seats may see; so do you. No clock runs for you, and nothing is stored.
    `?` shows the keys and the rules in short.
    """
    if len(opponents) > _MAX_AGAINST:
        raise click.UsageError("--against can be given twice: there are two opponents")
    left, *more = opponents or (SAMPLE,)
    bots = {_LEFT: find_bot(left), _PARTNER: find_bot(partner), _RIGHT: find_bot(more[0] if more else left)}
    if not has_terminal():
        raise UserError("play needs a terminal for its input and its output: it is no command for a pipe")
    enter_scope()
    asyncio.run(_play(bots, match_target=match_target, seed=seed, think_seconds=think_seconds, speed=speed, is_fast=fast))


async def _play(
    bots: dict[Seat, Manifest], *, match_target: int, seed: str | None, think_seconds: float, speed: float, is_fast: bool
) -> None:
    isolation = await find_table_isolation(bots)
    terms = match_terms(match_target=match_target, think_seconds=think_seconds, isolation=isolation)
    names = (_YOU, bots[_LEFT].name, bots[_PARTNER].name, bots[_RIGHT].name)
    players = Players(names, _SEAT)
    secret = deals_secret(seed)
    feed: Feed = asyncio.Queue()
    async with open_chairs(bots, isolation=isolation) as chairs:
        seats = [Person(_SEAT, feed=feed), *(chairs[seat] for seat in (_LEFT, _PARTNER, _RIGHT))]

        async def play_one(number: int, observer: Observer) -> MatchRecord:
            key = MatchKey(teams=_TEAMS, number=number, swapped=False)
            return await play_match(seats, key=key, bots=names, terms=terms, secret=secret, observer=observer)

        app = PlayApp(play=play_one, feed=feed, players=players, rules=terms.rules, seconds=1 / speed, is_fast=is_fast)
        await show(app)
    print_results(app.records, players)
