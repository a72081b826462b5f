"""`arena submissions CONTEST`: what was submitted to a contest, and what of it plays."""

import json
import sys
from pathlib import Path

import click
from rich.cells import cell_len

from arena.contest.store import Listing, current_submissions, list_submissions
from arena.contest.submission import Submission
from arena.show.console import Printer, open_console

JSON_FORMAT = 1
_TEAM_CELLS = 24
_BY_CELLS = 12
_WHY_CELLS, _WHY_LINES = 74, 6


@click.command()
@click.argument("contest", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print it as one JSON object and nothing else.")
def submissions(contest: Path, *, as_json: bool) -> None:
    """List what was submitted to CONTEST, the folder of a contest, in the order of arrival.

    A * marks what plays: the newest valid submission of each team.
    """
    listing = list_submissions(contest)
    current = {submission.number for submission in current_submissions(listing.submissions)}
    if as_json:
        click.echo(_json(contest, listing, current), nl=False)
        return
    console = open_console(sys.stdout)
    _print(listing, current, Printer(console.encoding))


def _json(contest: Path, listing: Listing, current: set[int]) -> str:
    """ASCII, so hostile text does no harm."""
    entries = [
        {
            "number": submission.number,
            "id": submission.submission_id,
            "team": submission.team,
            "submitter": submission.submitter,
            "received_at": submission.received_at,
            "content": submission.content,
            "bot": submission.bot,
            "language": submission.language,
            "valid": submission.is_valid,
            "why": submission.why,
            "current": submission.number in current,
        }
        for submission in listing.submissions
    ]
    value = {"format": JSON_FORMAT, "contest": str(contest), "submissions": entries, "damaged": listing.damaged}
    return json.dumps(value, indent=2) + "\n"


def _print(listing: Listing, current: set[int], printer: Printer) -> None:
    rows = [_cells(submission, printer) for submission in listing.submissions]
    heading = ("Submission", "Received (UTC)", "Team", "By")
    widths = [max(map(cell_len, column)) for column in zip(heading, *rows, strict=True)]
    if rows:
        click.echo(f"  {_line(heading, widths)}  Valid")
    for submission, row in zip(listing.submissions, rows, strict=True):
        mark = "*" if submission.number in current else " "
        click.echo(f"{mark} {_line(row, widths)}  {'yes' if submission.is_valid else 'no'}")
        if not submission.is_valid:
            for line in printer.lines(submission.why, _WHY_CELLS, lines=_WHY_LINES).plain.splitlines():
                click.echo(f"      {line}")
    valid = sum(submission.is_valid for submission in listing.submissions)
    click.echo(f"Submissions: {len(rows)}, valid: {valid}, teams that play: {len(current)}.")
    for line in listing.damaged:
        click.echo(f"Passed over: {printer.whole(line)}")


def _cells(submission: Submission, printer: Printer) -> tuple[str, ...]:
    time = submission.received_at.replace("T", " ").removesuffix("Z")[: len("2026-01-01 00:00")]
    team, by = printer.short(submission.team, _TEAM_CELLS), printer.short(submission.submitter, _BY_CELLS)
    return submission.submission_id, time, team, by


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True))
