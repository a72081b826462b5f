"""`arena report RUN`: the run as a folder of web pages."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from arena.records.store import Store
from arena.show.web.positions import VIEWPOINTS
from arena.show.web.report import write_report


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to write, new or of an earlier report.")
@click.option("--no-seats", is_flag=True, help="Leave out the matches as each seat saw them: a quarter of the size.")
def report(run: Path, *, out: Path, no_seats: bool) -> None:
    """Write the report of RUN, the folder of a run, as far as it has been played: pages that need no server and no network.

    Open index.html in a browser: standings, everyone against everyone, a page for every team, and a replay of every match.
    """
    with Store.open(run) as store, _progress(store.match_count()) as observe:
        written = write_report(store, out, viewpoints=VIEWPOINTS[:1] if no_seats else VIEWPOINTS, observe=observe)
    click.echo(f"{written.pages} pages, {written.size / 1e6:.1f} MB: {written.index}")


@contextmanager
def _progress(matches: int) -> Iterator[Callable[[int], object]]:
    """A bar on stderr while matches are written; nothing where that is no terminal."""
    with click.progressbar(range(matches), label="Matches", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def observe(done: int) -> None:
            bar.update(1)

        yield observe
