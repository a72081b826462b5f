"""`arena export RUN`: the run as files for a grade book and for programs."""

import sys
from pathlib import Path

import click

from arena.records.store import Store
from arena.show.book import GRADES, MATCHES, RUN, read_book, write_anonymous, write_files
from arena.show.console import Printer, open_console


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to write; made when it is not there.")
@click.option(
    "--staff", metavar="TEAM", multiple=True, help="A team to compare with, not to grade. May be given several times."
)
@click.option(
    "--anonymous",
    "key_file",
    metavar="KEYFILE",
    type=click.Path(path_type=Path),
    help="Write grades.csv alone, with an id for each name. KEYFILE is made when it is not there: keep it to yourself.",
)
def export(run: Path, *, out: Path, staff: tuple[str, ...], key_file: Path | None) -> None:
    """Write what is stored in RUN, the folder of a run, as far as it has been played.

    grades.csv has a line for each team, run.json everything but the matches, matches.jsonl a line for each match.
    """
    with Store.open(run) as store:
        book = read_book(store, staff=staff)
        if key_file is None:
            write_files(store, book, out)
            _tell(f"Written to {out}: {GRADES}, {RUN}, {MATCHES}")
        else:
            mapping = write_anonymous(book, out, key_file=key_file)
            _tell(f"Written to {out}: {GRADES}. Which id is whose: {mapping}")
        if not store.is_finished:
            _tell(f"The run is not finished: {book.board.standings.matches} matches so far.")


def _tell(line: str) -> None:
    console = open_console(sys.stderr)
    console.print(Printer(console.encoding).whole(line), soft_wrap=True)
