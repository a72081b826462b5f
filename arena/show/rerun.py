"""A recorded seat played again with a live bot, as its author reads it."""

from rich.console import Console
from rich.text import Text

from arena.check.rerun import Finding, Rerun
from arena.show.check import print_problem


def print_difference(finding: Finding, console: Console) -> None:
    """The first answer that differs, as soon as it is there."""
    console.print(Text(f"The first answer that differs: {_place(finding)}", style="yellow"))
    print_problem(finding.problem, console)


def print_rerun(result: Rerun, console: Console) -> None:
    """What ended it early, if something did, and the sum of all in one line."""
    if result.failure is not None:
        console.print(Text(f"It did not come to the end: {_place(result.failure)}", style="bold red"))
        print_problem(result.failure.problem, console)
    if result.first is not None:
        text = f"{result.differing} of {result.compared} answers differ, the first in {_place(result.first)}."
    elif result.compared:
        text = f"All {result.compared} answers are the recorded ones."
    else:
        text = "There was no answer to compare."
    others = result.turns - result.compared - (result.failure is not None)
    if others:
        text += f" To {others} other turns the record has no answer of its own."
    console.print(Text(text, style="green" if result.is_same else "bold"), soft_wrap=True)


def _place(finding: Finding) -> str:
    return f"game {finding.game}, trick {finding.trick}, turn {finding.turn} of the seat"
