"""`arena tournament FILE`: plays a tournament, or what is left of it, and prints its table."""

import asyncio
import shlex
import sys
from collections import Counter
from pathlib import Path

import click

from arena.cli.scope import enter_scope
from arena.cli.standings import print_table
from arena.errors import EXIT_INTERRUPTED, HostError
from arena.records.store import Store
from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.probe import check_folders, find_isolation
from arena.seat.isolation.tier import NOT_STOPPED
from arena.show.console import open_console
from arena.show.progress import Count, Pairing, show_progress
from arena.tournament.config import TournamentConfig, job_count, load_config
from arena.tournament.file import Pondering
from arena.tournament.run import play_run
from arena.tournament.run_folder import open_run
from arena.tournament.workers import local_workers


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--run", "folder", type=click.Path(path_type=Path), help="The run's folder.  [default: runs/<stem of FILE>]")
@click.option("--again", is_flag=True, help="Start a new run; one that is there is kept under another name.")
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON and nothing else.")
@click.pass_context
def tournament(context: click.Context, file: Path, *, folder: Path | None, again: bool, as_json: bool) -> None:
    """Play the tournament that FILE describes and print its table.

    A run that was interrupted goes on; a finished one prints its table again. Progress goes to stderr.
    """
    enter_scope()
    config = load_config(file)
    run = folder or Path("runs", file.stem)
    with open_run(config, run, again=again) as store:
        if not store.is_finished:
            words = ["arena", "tournament", str(file), *(["--run", str(folder)] if folder else [])]
            kept = f"Every finished match is kept. To go on: {shlex.join([*words, *(['--json'] if as_json else [])])}"
            try:
                _play(config, store, run)
            except KeyboardInterrupt:
                click.echo(f"arena: interrupted\n{kept}", err=True)
                context.exit(EXIT_INTERRUPTED)
            except HostError as error:
                raise HostError(f"{error}\n{kept}") from error
        print_table(store, as_json=as_json)


def _play(config: TournamentConfig, store: Store, run: Path) -> None:
    isolation = asyncio.run(_isolate(config))
    click.echo(f"Isolation of the bots: {isolation.tier}. Not stopped: {NOT_STOPPED[isolation.tier]}.", err=True)
    workers = local_workers(job_count(config))
    with show_progress(open_console(sys.stderr), _counts(config, store)) as progress:
        play_run(config, store, isolation=isolation, logs=run / "logs", workers=workers, observer=progress)


async def _isolate(config: TournamentConfig) -> Isolation:
    """The isolation of this run's bots, after making sure that they can run in it."""
    freezes = config.pondering is Pondering.FORBIDDEN
    isolation = await find_isolation(least=config.least_isolation, limits=config.limits, freezes=freezes)
    await check_folders(isolation, dict.fromkeys(bot.manifest.folder for bot in config.bots))
    return isolation


def _counts(config: TournamentConfig, store: Store) -> dict[Pairing, Count]:
    """Matches of every pairing: played before, and in all."""
    done = Counter(key.teams for key in store.match_keys())
    pairings = dict.fromkeys(session.teams for session in config.schedule.iter_sessions())
    return {teams: Count(done[teams], 2 * config.matches) for teams in pairings}
