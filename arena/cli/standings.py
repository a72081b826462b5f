"""`arena standings RUN`: the table of a run, from its store."""

import sys
from pathlib import Path

import click

from arena.records.store import Store
from arena.show.console import open_console
from arena.show.export import standings_csv, standings_json
from arena.show.leaderboard import print_leaderboard, read_leaderboard


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print it as CSV, in UTF-8.")
def standings(run: Path, *, as_json: bool, as_csv: bool) -> None:
    """Print the table of RUN, the folder of a run, as far as it has been played."""
    if as_json and as_csv:
        raise click.UsageError("--json and --csv cannot both be printed")
    with Store.open(run) as store:
        print_table(store, as_json=as_json, as_csv=as_csv)


def print_table(store: Store, *, as_json: bool = False, as_csv: bool = False) -> None:
    """The table of a run on stdout: for people, or as one of the two exports and nothing else."""
    board = read_leaderboard(store)
    if as_json:
        click.echo(standings_json(board), nl=False)
    elif as_csv:
        # As bytes: the names must survive whatever encoding stdout has.
        click.echo(standings_csv(board).encode(), nl=False)
    else:
        print_leaderboard(board, open_console(sys.stdout))
