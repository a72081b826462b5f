"""`arena check DIR`: the examination that a bot takes before it may play."""

import asyncio
import contextlib
import sys
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from arena.check.examination import CheckTerms, Examination, Opponent
from arena.check.kits import find_kits
from arena.check.report import Report, Step, report_json
from arena.cli.scope import enter_scope
from arena.errors import EXIT_MISTAKE, OverloadError
from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.probe import find_isolation
from arena.seat.isolation.tier import Limits
from arena.seat.manifest import load_manifest
from arena.show.check import print_step, print_verdict
from arena.show.console import open_console
from arena.tournament.scratch import scratch_folder
from arena.tournament.session import PAUSES_SECONDS

_COMPANION = "random"
_OPPONENTS = ("random", "greedy", "counter")


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object and nothing else.")
@click.option(
    "--time",
    "move_seconds",
    type=click.FloatRange(0.01, 3600),
    help="Time for a move, in seconds; five times as much is in the bank.  [default: 1]",
)
@click.pass_context
def check(context: click.Context, folder: Path, *, as_json: bool, move_seconds: float | None) -> None:
    """Examine the bot in the folder DIR: build it, start it, have it play, and say what is wrong.

    It exits with 0 only when the bot may play, else with 2.
    """
    enter_scope()
    terms = CheckTerms()
    if move_seconds is not None:
        move_ms = round(move_seconds * 1000)
        terms = replace(terms, move_ms=move_ms, bank_ms=5 * move_ms)
    report = asyncio.run(examine(folder, terms, console=None if as_json else open_console(sys.stdout)))
    if as_json:
        click.echo(report_json(report), nl=False)
    if not report.may_play:
        context.exit(EXIT_MISTAKE)


async def find_check_isolation() -> Isolation:
    """How an examined bot is kept: as in a tournament whose file does not say otherwise."""
    return await find_isolation(least=None, limits=Limits(), freezes=True)


async def examine(folder: Path, terms: CheckTerms, *, console: Console | None, isolation: Isolation | None = None) -> Report:
    """The report; it is printed as it comes when there is a console for it. isolation: found here when it is None.

    When the machine is overloaded it is begun anew after a pause, as a tournament's match is. Raises HostError.
    """
    isolation = isolation or await find_check_isolation()
    if console is not None:
        click.echo(f"Isolation of the bots: {isolation.tier}.", err=True)
    for pause in PAUSES_SECONDS:
        try:
            return await _examine(folder, terms, console=console, isolation=isolation)
        except OverloadError as error:
            click.echo(f"This is not the bot's fault: {error}. The examination begins anew in {pause:g} s.", err=True)
            await asyncio.sleep(pause)
    return await _examine(folder, terms, console=console, isolation=isolation)


async def _examine(folder: Path, terms: CheckTerms, *, console: Console | None, isolation: Isolation) -> Report:
    bots = find_kits()
    opponents = [Opponent(name, load_manifest(bots / name)) for name in _OPPONENTS if (bots / name / "bot.yaml").exists()]
    companion = Opponent(_COMPANION, load_manifest(bots / _COMPANION))
    with contextlib.ExitStack() as stack:
        scratch = stack.enter_context(scratch_folder())
        status = None
        if console is not None:
            errors = open_console(sys.stderr)
            status = stack.enter_context(errors.status("")) if errors.is_terminal else None

        def begin(title: str) -> None:
            if status is not None:
                status.update(f"{title} ...")

        def show(step: Step) -> None:
            if console is not None:
                print_step(step, console)

        report = await Examination(
            folder,
            terms=terms,
            isolation=isolation,
            scratch=scratch,
            companion=companion,
            opponents=opponents,
            on_begin=begin,
            on_step=show,
        ).run()
    if console is not None:
        print_verdict(report, console)
    return report
