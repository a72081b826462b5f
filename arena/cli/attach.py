"""`arena attach ADDRESS`: a match with a program that its author starts himself.

A command of its own: `check` and `tournament` are about bots that they start, `replay` is about a match that was played.
"""

import asyncio
import contextlib
import sys
from pathlib import Path

import click

from arena.check import matches
from arena.check.examination import CheckTerms
from arena.check.kits import find_kits
from arena.cli.live import ADDRESS_HELP, isolation_for, new_chair, open_seat
from arena.errors import EXIT_MISTAKE, HostError
from arena.rules.cards import SEATS, TEAM_OF_SEAT, Seat
from arena.rules.options import Rules, TimeControl
from arena.seat.attached import parse_address
from arena.seat.manifest import load_manifest
from arena.show.check import print_problem
from arena.show.console import Printer, open_console
from arena.tournament.scratch import scratch_folder


@click.command(epilog=f"{ADDRESS_HELP}. The token is a new one each time, or what ARENA_TOKEN says here.")
@click.argument("address")
@click.option("--seat", type=click.IntRange(0, 3), default=0, show_default=True, help="Where the program sits.")
@click.option(
    "--with", "other", type=click.Path(path_type=Path), help="The bot on the other seats.  [default: the sample greedy]"
)
@click.option("--match", type=click.IntRange(min=1), default=1, show_default=True, help="Each number has its own deals.")
@click.pass_context
def attach(context: click.Context, address: str, *, seat: int, other: Path | None, match: int) -> None:
    """Play a match with a program that you start yourself, in a debugger for example.

    It prints the two variables with which the program has to be started, and waits for its call at ADDRESS. The program has
    all the time it wants. The first thing that it does wrong ends the match, and is explained; the exit code is 2 then.
    """
    parse_address(address)
    played = asyncio.run(_play(address, SEATS[seat], other=other or find_kits() / "greedy", number=match))
    console = open_console(sys.stdout)
    if played.problem is not None:
        games = len(played.record.games)
        console.print(f"Its first fault ended the match{f', in game {games}' if games else ''}:")
        print_problem(played.problem, console)
        context.exit(EXIT_MISTAKE)
    points, team = played.record.defeat_points, TEAM_OF_SEAT[SEATS[seat]]
    word = "drew" if played.record.loser is None else ("lost" if played.record.loser == team else "won")
    console.print(f"It {word} after {len(played.record.games)} games, defeat points {points[team]} : {points[1 - team]}.")


async def _play(address: str, seat: Seat, *, other: Path, number: int) -> matches.Played:
    terms = CheckTerms()
    time = TimeControl(move_ms=terms.move_ms, bank_ms=terms.bank_ms, max_faults=1)
    manifest = load_manifest(other)
    isolation = await isolation_for(manifest)
    async with contextlib.AsyncExitStack() as stack:
        scratch = stack.enter_context(scratch_folder())
        chairs = {}
        for place in SEATS:
            if place != seat:
                chair = new_chair(manifest, place, isolation=isolation, scratch=scratch)
                chairs[place] = await stack.enter_async_context(chair)
        chairs_of_all = chairs | {seat: await stack.enter_async_context(open_seat(address, seat))}
        played = await matches.play(
            [chairs_of_all[place] for place in SEATS],
            examined=(seat,),
            name=f"attached {number}",
            rules=Rules(),
            time=time,
            isolation=isolation.tier,
        )
        await asyncio.gather(*(chair.end() for chair in chairs.values()))
    if played.others:
        raise HostError(f"the bot {Printer('utf-8').whole(manifest.name)} on the other seats failed: {played.others}")
    return played
