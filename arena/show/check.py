"""An examination as people read it: a line a step, and under a cross all that is needed to mend it."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from arena.check.report import Outcome, Problem, Report, Step
from arena.show.console import FULL_GLYPHS, Printer

_SIGNS = {Outcome.PASSED: "✓", Outcome.WARNED: "!", Outcome.FAILED: "✗", Outcome.SKIPPED: "-"}
_ASCII_SIGNS = {Outcome.PASSED: "ok", Outcome.WARNED: "!", Outcome.FAILED: "NO", Outcome.SKIPPED: "-"}
_STYLES = {Outcome.PASSED: "green", Outcome.WARNED: "yellow", Outcome.FAILED: "bold red", Outcome.SKIPPED: "dim"}
_INDENT = 5
_LABEL = 10
_MOST_COLUMNS = 100
_LEAST_CELLS = 20
_OUTPUT_LINES = 12
_LAST_LINES = 4
_TEXT_LINES = 30


def print_step(step: Step, console: Console) -> None:
    """One step, as soon as it is done."""
    printer = Printer(console.encoding)
    verdict = step.verdict
    cells = _cells(console)
    sign = (_SIGNS if _has_signs(console) else _ASCII_SIGNS)[verdict.outcome]
    line = Text(f"{step.number:2} ")
    line.append(sign, style=_STYLES[verdict.outcome])
    line.append(f" {step.title}")
    summary = printer.lines(verdict.summary, cells + _LABEL, lines=_TEXT_LINES)
    if summary and line.cell_len + summary.cell_len + 2 <= _INDENT + _LABEL + cells:
        line.append_text(Text(": ") + summary)
        console.print(line)
    else:
        console.print(line)
        for piece in summary.plain.splitlines():
            console.print(Text(" " * _INDENT + piece))
    for note in verdict.notes:
        console.print(Text(" " * _INDENT + printer.short(note, _LABEL + cells), style="dim"))
    if verdict.problem is not None:
        print_problem(verdict.problem, console)


def print_problem(problem: Problem, console: Console) -> None:
    """All that is needed to mend it, a block for each kind of thing."""
    for text in _iter_problem(problem, Printer(console.encoding), _cells(console)):
        console.print(text)


def print_verdict(report: Report, console: Console) -> None:
    """The last line."""
    failed = sum(step.is_failed for step in report.steps)
    if report.may_play:
        warned = sum(step.verdict.outcome is Outcome.WARNED for step in report.steps)
        text = Text("It may play.", style="green") + Text(f" See the {warned} marked !" if warned else "", style="")
    else:
        text = Text(f"It may not play yet: {failed} of {len(report.steps)} steps failed.", style="bold red")
    console.print(Text())
    console.print(text)


def _cells(console: Console) -> int:
    return max(_LEAST_CELLS, min(console.width, _MOST_COLUMNS) - _INDENT - _LABEL - 1)


def _has_signs(console: Console) -> bool:
    return Printer(console.encoding).glyphs is FULL_GLYPHS and _encodes("✓✗", console.encoding)


def _encodes(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _iter_problem(problem: Problem, printer: Printer, cells: int) -> Iterator[Text]:
    for label, lines in (
        ("why", problem.reason.splitlines()),
        ("was sent", problem.sent),
        ("answered", problem.answered.splitlines()),
    ):
        yield from _iter_block(label, [piece for line in lines for piece in _folded(line, printer, cells)])
    printed = problem.output.strip("\n").splitlines()[-_OUTPUT_LINES:]
    yield from _iter_block("printed", _cut(printed, printer, cells))
    if problem.advice:
        yield from _iter_block("to do", _folded(problem.advice, printer, cells))


def _cut(printed: Sequence[str], printer: Printer, cells: int) -> list[str]:
    """Lines that are cut and not folded, since their indentation says something; but a last one often says what was wrong."""
    lines = [printer.short(line, cells) for line in printed]
    if printed and cell_len(printed[-1]) > cells:
        lines[-1:] = printer.lines(printed[-1], cells, lines=_LAST_LINES).plain.split("\n")
    return lines


def _folded(line: str, printer: Printer, cells: int) -> list[str]:
    return printer.lines(line, cells, lines=_TEXT_LINES).plain.split("\n")


def _iter_block(label: str, lines: Sequence[str]) -> Iterator[Text]:
    """A label, and lines behind it."""
    for line in lines:
        yield Text(" " * _INDENT + f"{label:{_LABEL}}", style="dim") + Text(line)
        label = ""
