"""The table that people look at, from 80 columns up, in a terminal or not."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from arena.errors import StoreError
from arena.records.store import Store
from arena.show.console import Printer
from arena.tournament.schedule import RoundRobin
from arena.tournament.standings import Row, Standings, compute_standings

_WIDE = 112
"""Columns from which the table says more."""
_MIN_NAME = 6
_MAX_NAME = 40
_NAME_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """What is printed of a run. title: its name, from the user. planned: matches of the whole schedule, when it is known."""

    title: str
    standings: Standings
    planned: int | None = None


@dataclass(frozen=True, slots=True)
class _Figure:
    """A column of figures: two lines of heading and what stands below; wide: only where there is much room."""

    heading: tuple[str, str]
    cell: Callable[[Row], str]
    wide: bool = False


def read_leaderboard(store: Store) -> Leaderboard:
    """The table of a run as far as it has been played. Raises StoreError when the store is damaged."""
    try:
        config = json.loads(store.config)
        title, matches = str(config["name"]), int(config["matches"])
        teams = tuple(str(team["name"]) for team in config["teams"])
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{store.path}: the run's configuration is damaged: {error!r}") from error
    return Leaderboard(
        title=title,
        standings=compute_standings(teams, store.iter_summaries()),
        planned=RoundRobin(teams, matches).match_count,
    )


def print_leaderboard(board: Leaderboard, console: Console) -> None:
    """The title, the table and what explains it."""
    console.print(render_leaderboard(board, width=console.width, encoding=console.encoding))


def render_leaderboard(board: Leaderboard, *, width: int, encoding: str) -> RenderableType:
    """The same for a console of so many columns and this encoding."""
    printer = Printer(encoding)
    title = Text(printer.whole(board.title), style="bold")
    return Group(title, "", _table(board.standings, printer, width), "", *map(Text, _iter_notes(board, printer)))


def _table(standings: Standings, printer: Printer, width: int) -> Table:
    figures = [figure for figure in _FIGURES if width >= _WIDE or not figure.wide]
    cells = [[figure.cell(row) for row in standings.rows] for figure in figures]
    # Nothing but the name may be folded, so it has what the figures leave.
    widths = [max(map(len, (*figure.heading, *column))) for figure, column in zip(figures, cells, strict=True)]
    ranks = [_rank(row) for row in standings.rows]
    left = width - max(map(len, ranks), default=1) - sum(widths) - len(figures) - 1
    longest = max((cell_len(printer.whole(row.team)) for row in standings.rows), default=0)
    name_width = max(_MIN_NAME, min(left, longest, _MAX_NAME))
    table = Table(
        Column("\n#", justify="right", no_wrap=True),
        Column("\nTeam", no_wrap=True, min_width=name_width),
        *(Column("\n".join(figure.heading), justify="right", overflow="fold") for figure in figures),
        box=_rule_box(printer.glyphs.rule),
        show_edge=False,
        pad_edge=False,
        padding=(0, 0),
        collapse_padding=True,
        header_style="",
        safe_box=False,
    )
    for index, row in enumerate(standings.rows):
        name = printer.lines(row.team, name_width, lines=_NAME_LINES)
        table.add_row(ranks[index], name, *(column[index] for column in cells), style="bold" if row.rank == 1 else "")
    return table


def _rule_box(rule: str) -> Box:
    """A line under the heading and a blank between columns, nothing else."""
    return Box(f"    \n    \n {rule}{rule} \n    \n    \n    \n    \n    \n", ascii=rule.isascii())


def _iter_notes(board: Leaderboard, printer: Printer) -> Iterator[str]:
    standings = board.standings
    of_planned = "" if board.planned in (None, standings.matches) else f" of {board.planned}"
    yield f"Ranked by defeat points received, fewest first. Matches played: {standings.matches}{of_planned}."
    if not standings.is_even:
        yield "The teams have not played equally often yet: the order may still change."
    if any(row.total.matches_drawn for row in standings.rows):
        yield "Matches: won-lost-drawn."
    forfeits = [f"{printer.whole(row.team)} {row.forfeits}" for row in standings.rows if row.forfeits]
    if forfeits:
        yield f"* lost by forfeit, which counts as lost at the match target: {', '.join(forfeits)}."
    if any(row.faults for row in standings.rows):
        yield "Faults: answers that were late, illegal or missing; the referee moved instead."
    tiers = ", ".join(map(printer.whole, standings.isolations))
    yield f"Isolation of the bots: {tiers or 'no match played'}."


def _rank(row: Row) -> str:
    return "-" if row.rank is None else str(row.rank)


def _matches(row: Row) -> str:
    total = row.total
    drawn = f"-{total.matches_drawn}" if total.matches_drawn else ""
    return f"{total.matches_won}-{total.matches_lost}{drawn}{'*' if row.forfeits else ''}"


def _games(row: Row) -> str:
    return f"{row.total.games_won}-{row.total.games_lost}-{row.total.eggs}"


def _decimal(value: float | None, places: int) -> str:
    return "-" if value is None else f"{value:.{places}f}"


def _think(row: Row) -> str:
    """Three digits of milliseconds, as far as they go."""
    value = row.think_ms
    if value is None:
        return "-"
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


_FIGURES = (
    _Figure(("Matches", "W-L"), _matches),
    _Figure(("Games", "W-L-eggs"), _games),
    _Figure(("Defeat", "points"), lambda row: str(row.total.defeat_points)),
    _Figure(("per", "match"), lambda row: _decimal(row.defeat_points_per_match, 2)),
    _Figure(("", "Goats"), lambda row: str(row.goats)),
    _Figure(("with", "eggs"), lambda row: str(row.goats_with_eggs)),
    _Figure(("Points", "a game"), lambda row: _decimal(row.card_points_per_game, 1)),
    _Figure(("", "Faults"), lambda row: str(row.faults)),
    _Figure(("", "Forfeits"), lambda row: str(row.forfeits), wide=True),
    _Figure(("Defeat points", "of opponents"), lambda row: str(row.total.opponent_defeat_points), wide=True),
    _Figure(("Think", "ms"), _think),
)
