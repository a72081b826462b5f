"""The standings page: a function of a board, for the report and for a page that follows a run.

`render_board` is all of it that changes while a run goes on; a live page sends that again and puts it into `#board`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arena.show.leaderboard import Leaderboard
from arena.show.web.plots import Scale
from arena.show.web.rendering import MINUS, render
from arena.tournament.standings import PairTotal, Standings

_SHADES = ("minus-3", "minus-2", "minus-1", "even", "plus-1", "plus-2", "plus-3")
_MIDDLE = len(_SHADES) // 2
_LEAST_STEP = 1
_STEPS = 7
"""Shades are this share of the greatest difference apart: half of the shades, and the half of the even one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in the crosstable; value: None when the two have not met. shade: a class of the style sheet."""

    value: float | None
    shade: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Crosstable:
    """rows: by rank, None on the diagonal. legend: every shade with its meaning, in words."""

    rows: tuple[tuple[Cell | None, ...], ...]
    legend: tuple[tuple[str, str], ...]


def render_standings(
    board: Leaderboard,
    *,
    links: Mapping[str, str] | None = None,
    assets: str | None = None,
    home: str | None = None,
) -> str:
    """The whole page.

    links: by team, where its page is, for those that have one. assets: as `render` has it. home: the way to the report's
    other pages, None when there are none.
    """
    return render("standings.html", run=board.title, assets=assets, home=home, **_values(board, links))


def render_board(board: Leaderboard, *, links: Mapping[str, str] | None = None) -> str:
    """What stands inside `#board` of that page."""
    return render("board.html", **_values(board, links))


def difference(total: PairTotal) -> float | None:
    """Defeat points per match that a team gave to another, less those that it received; None when they have not met."""
    return (total.opponent_defeat_points - total.defeat_points) / total.matches if total.matches else None


def cross(standings: Standings) -> Crosstable:
    """The crosstable, its shades chosen so that the greatest difference has the strongest one."""
    teams = [row.team for row in standings.rows]
    values = {pair: difference(total) for pair, total in standings.pairs.items()}
    greatest = max((abs(value) for value in values.values() if value is not None), default=0.0)
    step = max(_LEAST_STEP, round(greatest * 2 / _STEPS))

    def cell(team: str, opponent: str) -> Cell | None:
        if team == opponent:
            return None
        value = values.get((team, opponent))
        return Cell(value, "" if value is None else _shade(value, step))

    return Crosstable(
        rows=tuple(tuple(cell(team, opponent) for opponent in teams) for team in teams), legend=tuple(_legend(step))
    )


def _shade(value: float, step: int) -> str:
    places = min(_MIDDLE, int(abs(value) / step + 0.5))
    return _SHADES[_MIDDLE + places if value > 0 else _MIDDLE - places]


def _legend(step: int) -> Iterator[tuple[str, str]]:
    bounds = [f"{(place - 0.5) * step:g}" for place in range(1, _MIDDLE + 1)]
    for place, shade in enumerate(_SHADES):
        away = abs(place - _MIDDLE)
        sign = "+" if place > _MIDDLE else MINUS
        if not away:
            yield shade, f"{MINUS}{bounds[0]} to +{bounds[0]}"
        elif away == _MIDDLE:
            yield shade, f"{'above' if place else 'below'} {sign}{bounds[-1]}"
        else:
            yield shade, f"{sign}{bounds[away - 1]} to {sign}{bounds[away]}"


def _values(board: Leaderboard, links: Mapping[str, str] | None) -> dict[str, object]:
    found = [] if board.statistics is None else [team for team in board.statistics.teams.values() if team.sets]
    intervals = [team.points.interval for team in found if team.points.interval is not None]
    means = [row.defeat_points_per_match for row in board.standings.rows]
    ends = [mean for mean in means if mean is not None] + [end for it in intervals for end in (it.low, it.high)]
    return {
        "board": board,
        "statistics": board.statistics,
        "has_bands": any(team.band for team in found),
        "has_intervals": bool(intervals),
        # Without an interval, why; in the order of the table, each reason once.
        "missing": list(dict.fromkeys(team.points.missing for team in found if team.points.missing)),
        "links": links or {},
        "scale": Scale.around(ends or [0.0]),
        "cross": cross(board.standings),
    }
