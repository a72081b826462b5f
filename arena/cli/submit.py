"""`arena submit DIR_OR_ZIP --to CONTEST`: takes a bot in, examines it and keeps it in the contest's folder."""

import asyncio
import getpass
import os
import sys
from pathlib import Path

import click

from arena.check.examination import CheckTerms
from arena.check.report import Report, report_json
from arena.cli.check import examine, find_check_isolation
from arena.cli.scope import enter_scope
from arena.contest.store import Pending, new_submission
from arena.contest.submission import REPORT_NAME, Submission
from arena.errors import EXIT_MISTAKE
from arena.seat.isolation.probe import check_folders
from arena.show.console import Printer, open_console


@click.command()
@click.argument("source", metavar="DIR_OR_ZIP", type=click.Path(path_type=Path))
@click.option(
    "--to", "contest", metavar="CONTEST", required=True, type=click.Path(path_type=Path), help="The contest's folder."
)
@click.option("--team", metavar="NAME", help="The team's name.  [default: the name in bot.yaml]")
@click.pass_context
def submit(context: click.Context, source: Path, *, contest: Path, team: str | None) -> None:
    """Submit the bot in a folder or a zip file to CONTEST.

    It is copied, built and examined. When it may play, it counts for its team from now on; an earlier one is kept, and
    counts no more. It exits with 0 only then, else with 2.
    """
    enter_scope()
    with new_submission(source, contest=contest, team=team, submitter=user_name()) as pending:
        report = asyncio.run(_examine(pending))
        done = pending.finish(is_valid=report.may_play, report=report_json(report), why=_first_reason(report))
    _say(done, contest, superseded=pending.superseded)
    if not done.is_valid:
        context.exit(EXIT_MISTAKE)


async def _examine(pending: Pending) -> Report:
    isolation = await find_check_isolation()
    # Where the contest lies is not the bot's fault.
    await check_folders(isolation, [pending.built])
    return await examine(pending.built, CheckTerms(), console=open_console(sys.stdout), isolation=isolation)


def user_name() -> str:
    """The operating system's name of who runs us, which no variable of the environment decides where there are users."""
    if sys.platform != "win32":
        import pwd

        try:
            return pwd.getpwuid(os.getuid()).pw_name
        except KeyError:
            return f"user {os.getuid()}"
    return getpass.getuser()


def _first_reason(report: Report) -> str:
    for step in report.steps:
        if step.is_failed:
            reason = step.verdict.problem.reason.splitlines() if step.verdict.problem else []
            return f"step {step.number}, {step.title}: {(reason or ['failed'])[0]}"
    return ""


def _say(done: Submission, contest: Path, *, superseded: Submission | None) -> None:
    console = open_console(sys.stdout)
    printer = Printer(console.encoding)
    team, where = printer.whole(done.team), printer.whole(str(contest / done.submission_id))
    if done.is_valid:
        lines = [f"Accepted for the team {team}: {where}"]
        if superseded is not None:
            by = "" if superseded.submitter == done.submitter else f" by {printer.whole(superseded.submitter)}"
            lines.append(f"It takes the place of {superseded.submission_id}{by}, of {superseded.received_at}, which is kept.")
    else:
        lines = [f"Not accepted for the team {team}. Kept with its report: {where}{os.sep}{REPORT_NAME}"]
        if superseded is not None:
            lines.append(f"{superseded.submission_id}, of {superseded.received_at}, still plays for the team.")
    for line in lines:
        click.echo(line)
