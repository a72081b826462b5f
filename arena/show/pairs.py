"""The meetings of every two teams, a line each: who received how much more, and how sure that is."""

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from arena.show.console import Printer
from arena.show.leaderboard import Leaderboard, rule_box
from arena.tournament.statistics import CONFIDENCE, Estimate, PairStatistics

_MIN_NAME = 6
_MAX_NAME = 40
_NAME_LINES = 3


def print_pairs(board: Leaderboard, console: Console) -> None:
    """The title, a line for every two teams that have met, in the order of the table, and what explains it."""
    console.print(render_pairs(board, width=console.width, encoding=console.encoding))


def render_pairs(board: Leaderboard, *, width: int, encoding: str) -> RenderableType:
    """The same for a console of so many columns and this encoding."""
    printer = Printer(encoding)
    title = Text(printer.whole(board.title), style="bold")
    return Group(title, "", _table(board, printer, width), "", *map(Text, _notes(board)))


def _table(board: Leaderboard, printer: Printer, width: int) -> Table:
    lines = [(team, opponent, _figures(board, found)) for team, opponent, found in _met(board)]
    headings = (("Sets of", "deals"), ("Difference", "a match"), (f"{CONFIDENCE:.0%}", "from"), ("", "to"), ("", ""))
    widths = [max(map(len, (*heading, *(line[2][at] for line in lines)))) for at, heading in enumerate(headings)]
    longest = max((cell_len(printer.whole(name)) for line in lines for name in line[:2]), default=0)
    name_width = max(_MIN_NAME, min((width - sum(widths) - len(widths) - 1) // 2, longest, _MAX_NAME))
    table = Table(
        Column("\nTeam", no_wrap=True, min_width=name_width),
        Column("\nOpponent", no_wrap=True, min_width=name_width),
        *(Column("\n".join(heading), justify="right", no_wrap=True) for heading in headings),
        box=rule_box(printer.glyphs.rule),
        show_edge=False,
        pad_edge=False,
        padding=(0, 0),
        collapse_padding=True,
        header_style="",
        safe_box=False,
    )
    for team, opponent, figures in lines:
        table.add_row(*(printer.lines(name, name_width, lines=_NAME_LINES) for name in (team, opponent)), *figures)
    return table


def _met(board: Leaderboard) -> list[tuple[str, str, PairStatistics]]:
    """Every two teams that have met, the higher one in the table first."""
    if board.statistics is None:
        return []
    pairs = board.statistics.pairs
    names = [row.team for row in board.standings.rows]
    return [
        (team, opponent, pairs[team, opponent])
        for place, team in enumerate(names)
        for opponent in names[place + 1 :]
        if (team, opponent) in pairs
    ]


def _figures(board: Leaderboard, found: PairStatistics) -> tuple[str, str, str, str, str]:
    low, high = _ends(found.difference)
    return (str(found.sets), _signed(found.difference.value), low, high, "*" if found.is_separated else "")


def _ends(difference: Estimate) -> tuple[str, str]:
    found = difference.interval
    return ("-", "-") if found is None else (_signed(found.low), _signed(found.high))


def _signed(value: float | None) -> str:
    if value is None:
        return "-"
    text = f"{value:+.2f}"
    return text[1:] if float(text) == 0 else text


def _notes(board: Leaderboard) -> list[str]:
    found = [pair for _, _, pair in _met(board)]
    if not found:
        return ["No match was played."]
    notes = ["Difference: defeat points a match that the team received more than its opponent, in their own meetings."]
    if any(pair.is_separated for pair in found):
        notes.append("* more than chance explains, for this pair by itself (1 of 20 level pairs looks so).")
    reasons = dict.fromkeys(pair.difference.missing for pair in found if pair.difference.missing)
    return [*notes, *(f"{'No interval' if len(reasons) == 1 else 'Or'}: {reason}." for reason in reasons)]
