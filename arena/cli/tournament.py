"""`arena tournament FILE`: plays a tournament, or what is left of it, and prints its table."""

import asyncio
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import click

from arena.cli.page import Follow, live_page, open_listener
from arena.cli.scope import enter_scope
from arena.cli.standings import print_table
from arena.contest.built import ensure_built
from arena.errors import EXIT_INTERRUPTED, HostError, UserError
from arena.records.store import Store
from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.probe import check_folders, find_isolation
from arena.seat.isolation.tier import NOT_STOPPED
from arena.show.console import open_console
from arena.show.progress import show_progress
from arena.tournament.config import TournamentConfig, cores_of_a_table, job_count, load_config
from arena.tournament.file import Pondering
from arena.tournament.run import play_run
from arena.tournament.run_folder import open_run
from arena.tournament.workers import Workers, local_workers


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--run", "folder", type=click.Path(path_type=Path), help="The run's folder.  [default: runs/<stem of FILE>]")
@click.option("--again", is_flag=True, help="Start a new run; one that is there is kept under another name.")
@click.option("--anyway", is_flag=True, help="Go on with a run though bots or the rules of this program have changed since.")
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON and nothing else.")
@click.option(
    "--live",
    is_flag=False,
    flag_value="0",
    metavar="[[ADDRESS:]PORT]",
    help="Serve the table to browsers until the run ends. Without PORT any free one; without ADDRESS for this machine only.",
)
@click.pass_context
def tournament(
    context: click.Context, file: Path, *, folder: Path | None, again: bool, anyway: bool, as_json: bool, live: str | None
) -> None:
    """Play the tournament that FILE describes and print its table.

    A run that was interrupted goes on; a finished one prints its table again. Progress goes to stderr.
    """
    enter_scope()
    config = load_config(file)
    run = folder or Path("runs", file.stem)
    with open_listener(live) as listener, open_run(config, run, again=again, anyway=anyway) as store:
        if not store.is_finished:
            words = ["arena", "tournament", str(file), *(["--run", str(folder)] if folder else [])]
            words += ["--json"] if as_json else []
            words += [] if live is None else ["--live", live]
            kept = f"Every finished match is kept. To go on: {shlex.join(words)}"
            try:
                _play(config, store, run, listener=listener)
            except KeyboardInterrupt:
                click.echo(f"arena: interrupted\n{kept}", err=True)
                context.exit(EXIT_INTERRUPTED)
            except HostError as error:
                raise HostError(f"{error}\n{kept}") from error
        elif listener is not None:
            pages = shlex.join(["arena", "report", str(run), "--out", "DIR"])
            click.echo(f"The run is finished, so there is no live page. For pages of it: {pages}", err=True)
        print_table(store, as_json=as_json)


def _play(config: TournamentConfig, store: Store, run: Path, *, listener: socket.socket | None) -> None:
    with live_page(listener, config, store) as follow, _place(config) as (isolation, workers):
        _play_in(config, store, run, isolation=isolation, workers=workers, follow=follow)
    click.echo(
        f"Secret of the deals: {store.secret.hex()}. To check the run: {shlex.join(['arena', 'verify', str(run)])}", err=True
    )


def _play_in(
    config: TournamentConfig,
    store: Store,
    run: Path,
    *,
    isolation: Isolation,
    workers: AbstractContextManager[Workers],
    follow: Follow,
) -> None:
    click.echo(f"Isolation of the bots: {isolation.tier}. Not stopped: {NOT_STOPPED[isolation.tier]}.", err=True)
    click.echo(f"Deals: committed to {store.info.commitment}", err=True)
    if config.seed is not None:
        click.echo("The seed is in the tournament file: who reads or guesses it knows every deal.", err=True)
    with show_progress(open_console(sys.stderr)) as progress:
        play_run(config, store, isolation=isolation, logs=run / "logs", workers=workers, observer=follow(progress))


@contextmanager
def _place(config: TournamentConfig) -> Iterator[tuple[Isolation, AbstractContextManager[Workers]]]:
    """Where the matches are played: this machine, or a cluster."""
    if config.address is None:
        yield asyncio.run(_isolate(config)), local_workers(job_count(config), cores=cores_of_a_table(config))
        return
    try:
        from arena.tournament.cluster import open_cluster
    except ModuleNotFoundError as error:
        raise UserError(
            f"`engine: dask` needs the package {(error.name or 'distributed').partition('.')[0]}, which is not installed here; "
            "in the folder of the arena: pip install '.[dask]'"
        ) from error
    with open_cluster(config, config.address, tell=partial(click.echo, err=True)) as cluster:
        count = f"{cluster.size} worker{'' if cluster.size == 1 else 's'}"
        click.echo(f"Played by the Dask cluster at {config.address}, which has {count} now.", err=True)
        yield cluster.isolation, cluster.workers()


async def _isolate(config: TournamentConfig) -> Isolation:
    """The isolation of this run's bots, after making sure that they are built and can run in it."""
    for bot in config.bots:
        if bot.submission is not None:
            await ensure_built(bot.submission)
    freezes = config.pondering is Pondering.FORBIDDEN
    isolation = await find_isolation(least=config.least_isolation, limits=config.limits, freezes=freezes)
    await check_folders(isolation, dict.fromkeys(bot.manifest.folder for bot in config.bots))
    return isolation
