"""`arena standings RUN`: the table of a run, from its store."""

import sys
from pathlib import Path

import click

from arena.records.store import Store
from arena.show.console import open_console
from arena.show.export import standings_csv, standings_json
from arena.show.leaderboard import print_leaderboard, read_leaderboard
from arena.show.pairs import print_pairs


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print it as CSV, in UTF-8.")
@click.option("--pairs", "as_pairs", is_flag=True, help="Print what every two teams did to each other.")
def standings(run: Path, *, as_json: bool, as_csv: bool, as_pairs: bool) -> None:
    """Print the table of RUN, the folder of a run, as far as it has been played."""
    if as_json + as_csv + as_pairs > 1:
        raise click.UsageError("only one of --json, --csv and --pairs can be printed")
    with Store.open(run) as store:
        if as_pairs:
            print_pairs(read_leaderboard(store), open_console(sys.stdout))
        else:
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
