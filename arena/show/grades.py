"""The grade book: one line for everybody who is ranked, with how he did against the staff."""

import csv
import hashlib
import hmac
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from arena.show.export import spreadsheet_text
from arena.show.leaderboard import Leaderboard
from arena.tournament.statistics import CONFIDENCE, SetTally

_ID_DIGITS = 12
_DECIMALS = 4
"""Of numbers in CSV; JSON has all."""
_Sets = Mapping[tuple[str, str], Mapping[int, Sequence[int]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beaten:
    """How often a team beat one of the staff. A set is all matches of the two with the same deals, and counts when it is whole.

    won: sets in which the team received fewer defeat points than the other. level: sets in which both received as many.
    """

    staff: str
    sets: int
    won: int
    level: int

    @property
    def chance(self) -> float | None:
        """The share of sets that were won; None without one."""
        return self.won / self.sets if self.sets else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the chance lies at CONFIDENCE, by Wilson's method, which holds for few sets too; None without a set."""
        if not self.sets:
            return None
        from scipy.stats import binomtest  # takes longer to import than all of ours

        found = binomtest(self.won, self.sets).proportion_ci(CONFIDENCE, method="wilson")
        return float(found.low), float(found.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A line of the grade book.

    name: of the team, or what stands for it. band: first and last rank that the team may deserve; None while nothing is known
    about chance. version: the hash of its bot's source, of both bots with a + between them; empty when there is none.
    """

    name: str
    rank: int | None
    band: tuple[int, int] | None
    matches: int
    defeat_points: int
    defeat_points_per_match: float | None
    interval: tuple[float, float] | None
    faults: int
    forfeits: int
    version: str
    beaten: tuple[Beaten, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrants:
    """What is ranked: teams, or bots over all their partners.

    names: who is ranked by a team's results, by team: itself, or its two bots. versions: the hash of the source, by name.
    """

    names: Mapping[str, tuple[str, ...]]
    versions: Mapping[str, str]

    @classmethod
    def parse(cls, config: Mapping[str, Any]) -> Self:
        """From the stored configuration. Raises ValueError, TypeError, KeyError or AttributeError when it is damaged."""
        hashes, players = config.get("hashes", {}), config.get("players", {})
        names: dict[str, tuple[str, ...]] = {}
        versions: dict[str, str] = {}
        for team in config["teams"]:
            found = [hashes.get(bot, "") for bot in team["bots"]]
            if team["name"] in players:
                names[team["name"]] = tuple(players[team["name"]])
                versions |= zip(players[team["name"]], found, strict=True)
            else:
                names[team["name"]] = (team["name"],)
                versions[team["name"]] = "+".join(dict.fromkeys(filter(None, found)))
        return cls(names=names, versions=versions)


def iter_grades(board: Leaderboard, sets: SetTally, *, staff: Sequence[str], entrants: Entrants) -> Iterator[Grade]:
    """Who is ranked but the staff, in the order of the table. sets: of the same matches."""
    whole = max((points[2] for found in sets.pairings.values() for points in found.values()), default=0)
    for row in board.standings.rows:
        if row.team in staff:
            continue
        chance = board.statistics.teams[row.team] if board.statistics else None
        interval = chance.points.interval if chance else None
        yield Grade(
            name=row.team,
            rank=row.rank,
            band=chance.band if chance else None,
            matches=row.total.matches,
            defeat_points=row.total.defeat_points,
            defeat_points_per_match=row.defeat_points_per_match,
            interval=(interval.low, interval.high) if interval else None,
            faults=row.faults,
            forfeits=row.forfeits,
            version=entrants.versions.get(row.team, ""),
            beaten=tuple(_beaten(row.team, other, sets.pairings, names=entrants.names, whole=whole) for other in staff),
        )


def grades_csv(grades: Iterable[Grade], *, staff: Sequence[str]) -> str:
    """One line of heading, one line a team; what is not known is empty.

    A name that a spreadsheet would take for a formula has an apostrophe before it.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*_COLUMNS, *(spreadsheet_text(f"{column} {name}") for name in staff for column in _AGAINST)))
    for grade in grades:
        against = (value for beaten in grade.beaten for value in _against(beaten))
        writer.writerow((spreadsheet_text(grade.name), *map(_cell, (*_values(grade), *against))))
    return text.getvalue()


def grade_json(grade: Grade) -> dict[str, Any]:
    """The same values for JSON; what is not known is null."""
    return {
        **dict(zip(_COLUMNS, (grade.name, *_values(grade)), strict=True)),
        "against": [dict(zip(("staff", *_KEYS), (it.staff, *_against(it)), strict=True)) for it in grade.beaten],
    }


def anonymous_id(name: str, key: bytes) -> str:
    """What stands for a team: the same for the same key, and without the key nobody can try names."""
    return "t-" + hmac.digest(key, name.encode(), hashlib.sha256).hex()[:_ID_DIGITS]


def _beaten(name: str, other: str, pairings: _Sets, *, names: Mapping[str, tuple[str, ...]], whole: int) -> Beaten:
    """names: as in Entrants. whole: matches of a whole set."""
    won = level = count = 0
    for pairing, found in pairings.items():
        first, second = (names[team] for team in pairing)
        if not (name in first and other in second) and not (name in second and other in first):
            continue
        side = 0 if name in first else 1
        for points in found.values():
            if points[2] == whole:
                count += 1
                won += points[side] < points[1 - side]
                level += points[0] == points[1]
    return Beaten(staff=other, sets=count, won=won, level=level)


_COLUMNS = (
    *("team", "rank", "band_first", "band_last", "matches", "defeat_points", "defeat_points_per_match"),
    *("defeat_points_low", "defeat_points_high", "faults", "forfeits", "version"),
)
_KEYS = ("sets", "won", "level", "chance", "chance_low", "chance_high")
_AGAINST = ("sets against", "won against", "level against", "chance to beat", "chance low", "chance high")


def _values(grade: Grade) -> tuple[object, ...]:
    """Of _COLUMNS, without the name."""
    return (
        grade.rank,
        *(grade.band or (None, None)),
        grade.matches,
        grade.defeat_points,
        grade.defeat_points_per_match,
        *(grade.interval or (None, None)),
        grade.faults,
        grade.forfeits,
        grade.version,
    )


def _cell(value: object) -> object:
    return round(value, _DECIMALS) if isinstance(value, float) else value


def _against(beaten: Beaten) -> tuple[object, ...]:
    return (beaten.sets, beaten.won, beaten.level, beaten.chance, *(beaten.interval or (None, None)))
