"""The table that people look at, from 80 columns up, in a terminal or not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from arena.records.store import Store
from arena.records.summary import MatchSummary
from arena.show.console import Printer
from arena.tournament.standings import Row, Standings
from arena.tournament.statistics import CONFIDENCE, Interval, Statistics, TeamStatistics
from arena.tournament.table import Ranking, read_table

_WIDE = 112
"""Columns from which the table says more."""
_MIN_NAME = 6
_EASY_NAME = 10
"""Cells that a name should have before all figures are printed."""
_MAX_NAME = 40
_NAME_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """What is printed of a run.

    title: its name, from the user. planned: matches of the whole schedule, when it is known. ranking: what the order
    goes by. statistics: of the same matches; None when nobody asked for them. members: who is ranked for each team, as in
    RunTable. commitment: the hash of the secret of the deals. secret: once the run is finished.
    """

    title: str
    standings: Standings
    planned: int | None = None
    ranking: Ranking = Ranking.TOTAL
    statistics: Statistics | None = None
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    commitment: str | None = None
    secret: bytes | None = field(default=None, repr=False)

    @property
    def is_by_total(self) -> bool:
        """Whether the order goes by totals, which say nothing while teams have not played equally often."""
        return self.ranking is Ranking.TOTAL


@dataclass(frozen=True, slots=True)
class _Line:
    """A row of the table, with what is known of chance."""

    row: Row
    statistics: TeamStatistics | None


@dataclass(frozen=True, slots=True)
class _Figure:
    """A column of figures: two lines of heading and what stands below.

    wide: only where there is much room. spare: may be left out, the highest first, when names have too little room.
    """

    heading: tuple[str, str]
    cell: Callable[[_Line], str]
    wide: bool = False
    spare: int = 0


def read_leaderboard(store: Store, *, matches: Sequence[MatchSummary] | None = None) -> Leaderboard:
    """The table of a run as far as it has been played.

    matches: those that count, in place of all that the store has. Raises StoreError when the store is damaged.
    """
    table = read_table(store, matches=matches)
    return Leaderboard(
        title=table.title,
        standings=table.standings,
        statistics=table.statistics,
        planned=table.planned,
        ranking=table.ranking,
        members=table.members,
        commitment=store.info.commitment,
        secret=store.secret if store.is_finished else None,
    )


def print_leaderboard(board: Leaderboard, console: Console) -> None:
    """The title, the table and what explains it."""
    console.print(render_leaderboard(board, width=console.width, encoding=console.encoding))


def render_leaderboard(board: Leaderboard, *, width: int, encoding: str) -> RenderableType:
    """The same for a console of so many columns and this encoding."""
    printer = Printer(encoding)
    title = Text(printer.whole(board.title), style="bold")
    return Group(title, "", _table(board, printer, width), "", *map(Text, _iter_notes(board, printer)))


def _table(board: Leaderboard, printer: Printer, width: int) -> Table:
    lines = _lines(board)
    longest = max((cell_len(printer.whole(line.row.team)) for line in lines), default=0)
    ranks = [_rank(line) for line in lines]
    room = width - max(map(len, ranks), default=1) - 1
    figures = _figures(board, width)
    while (spare := max(figures, key=lambda figure: figure.spare)).spare:
        if room - _width(figures, lines) >= min(longest, _EASY_NAME):
            break
        figures.remove(spare)
    # Nothing but the name may be folded, so it has what the figures leave.
    name_width = max(_MIN_NAME, min(room - _width(figures, lines), longest, _MAX_NAME))
    table = Table(
        Column("\n#", justify="right", no_wrap=True),
        Column("\nTeam", no_wrap=True, min_width=name_width),
        *(Column("\n".join(figure.heading), justify="right", overflow="fold") for figure in figures),
        box=rule_box(printer.glyphs.rule),
        show_edge=False,
        pad_edge=False,
        padding=(0, 0),
        collapse_padding=True,
        header_style="",
        safe_box=False,
    )
    for rank, line in zip(ranks, lines, strict=True):
        name = printer.lines(line.row.team, name_width, lines=_NAME_LINES)
        table.add_row(rank, name, *(figure.cell(line) for figure in figures), style="bold" if line.row.rank == 1 else "")
    return table


def _lines(board: Leaderboard) -> list[_Line]:
    found = board.statistics
    return [_Line(row, None if found is None else found.teams[row.team]) for row in board.standings.rows]


def _figures(board: Leaderboard, width: int) -> list[_Figure]:
    has_intervals = any(line.statistics and line.statistics.points.interval for line in _lines(board))
    return [
        figure
        for figure in _FIGURES
        if (width >= _WIDE or not figure.wide) and (has_intervals or figure.heading != _INTERVAL_HEADING)
    ]


def _width(figures: Sequence[_Figure], lines: Sequence[_Line]) -> int:
    """Cells of these columns, with a blank before each."""
    return sum(1 + max(map(len, (*figure.heading, *map(figure.cell, lines)))) for figure in figures)


def rule_box(rule: str) -> Box:
    """A line under the heading and a blank between columns, nothing else."""
    return Box(f"    \n    \n {rule}{rule} \n    \n    \n    \n    \n    \n", ascii=rule.isascii())


def _iter_notes(board: Leaderboard, printer: Printer) -> Iterator[str]:
    standings = board.standings
    of_planned = "" if board.planned in (None, standings.matches) else f" of {board.planned}"
    yield f"{board.ranking}. Matches played: {standings.matches}{of_planned}."
    if not standings.is_even and board.is_by_total:
        yield "The teams have not played equally often yet: the order may still change."
    if any(row.total.matches_drawn for row in standings.rows):
        yield "Matches: won-lost-drawn."
    forfeits = [f"{printer.whole(row.team)} {row.forfeits}" for row in standings.rows if row.forfeits]
    if forfeits:
        yield f"* lost by forfeit, which counts as lost at the match target: {', '.join(forfeits)}."
    if any(row.faults for row in standings.rows):
        yield "Faults: answers that were late, illegal or missing; the referee moved instead."
    yield from _iter_chance_notes(board)
    tiers = ", ".join(map(printer.whole, standings.isolations))
    yield f"Isolation of the bots: {tiers or 'no match played'}."


def _iter_chance_notes(board: Leaderboard) -> Iterator[str]:
    found = [line.statistics for line in _lines(board) if line.statistics and line.row.total.matches]
    if any(team.points.interval for team in found):
        yield f"{CONFIDENCE:.0%} from-to: where the points per match of very many matches would lie."
    if any(team.is_tied for team in found):
        yield f"A rank such as 1-2 is a tie that chance may decide ({CONFIDENCE:.0%} for all ranks at once)."
    for reason in dict.fromkeys(team.points.missing for team in found if team.points.missing):
        which = "No interval" if all(team.points.missing is reason for team in found) else "No interval for some"
        yield f"{which}: {reason}."


def _rank(line: _Line) -> str:
    if line.row.rank is None:
        return "-"
    band = line.statistics.band if line.statistics else None
    return str(line.row.rank) if band is None or band[0] == band[1] else f"{band[0]}-{band[1]}"


def interval_text(interval: Interval | None) -> str:
    """From-to, with two places where one would not tell the ends apart well; "-" for none."""
    if interval is None:
        return "-"
    places = 1 if interval.high - interval.low >= 1 else 2
    return f"{interval.low:.{places}f}-{interval.high:.{places}f}"


def _matches(line: _Line) -> str:
    total = line.row.total
    drawn = f"-{total.matches_drawn}" if total.matches_drawn else ""
    return f"{total.matches_won}-{total.matches_lost}{drawn}{'*' if line.row.forfeits else ''}"


def _games(line: _Line) -> str:
    total = line.row.total
    return f"{total.games_won}-{total.games_lost}-{total.eggs}"


def _decimal(value: float | None, places: int) -> str:
    return "-" if value is None else f"{value:.{places}f}"


def _think(line: _Line) -> str:
    """Three digits of milliseconds, as far as they go."""
    value = line.row.think_ms
    if value is None:
        return "-"
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


_INTERVAL_HEADING = (f"{CONFIDENCE:.0%}", "from-to")
_FIGURES = (
    _Figure(("Matches", "W-L"), _matches),
    _Figure(("Games", "W-L-eggs"), _games),
    _Figure(("Defeat", "points"), lambda line: str(line.row.total.defeat_points)),
    _Figure(("per", "match"), lambda line: _decimal(line.row.defeat_points_per_match, 2)),
    _Figure(_INTERVAL_HEADING, lambda line: interval_text(line.statistics.points.interval if line.statistics else None)),
    _Figure(("Goats", "+ eggs"), lambda line: f"{line.row.goats}+{line.row.goats_with_eggs}", spare=1),
    _Figure(("Cards", "/game"), lambda line: _decimal(line.row.card_points_per_game, 1), spare=2),
    _Figure(("", "Faults"), lambda line: str(line.row.faults)),
    _Figure(("", "Forfeits"), lambda line: str(line.row.forfeits), wide=True),
    _Figure(("Defeat points", "of opponents"), lambda line: str(line.row.total.opponent_defeat_points), wide=True, spare=4),
    _Figure(("Think", "ms"), _think, spare=3),
)
