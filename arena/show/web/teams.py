"""A team's page: its results against everyone, its faults with their reasons, how long it thinks, its matches."""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from arena.records.model import Fault, MatchRecord
from arena.records.summary import MatchSummary
from arena.rules.cards import TEAM_OF_SEAT
from arena.show.leaderboard import Leaderboard
from arena.show.web.plots import Scale, histogram
from arena.show.web.positions import fault_data
from arena.show.web.rendering import render
from arena.show.web.standings import difference
from arena.tournament.statistics import Interval

FAULTS_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match in a list. The pairs are by the table's team; loser: its index, None for none. faults: of both."""

    number: int
    seated: tuple[str, str]
    defeat_points: tuple[int, int]
    loser: int | None
    forfeited: tuple[int, ...]
    games: int
    faults: int

    @classmethod
    def of(cls, summary: MatchSummary, *, number: int, games: int) -> Self:
        """The line of a match. games: also one that was cut short."""
        return cls(
            number=number,
            seated=summary.key.seated,
            defeat_points=summary.defeat_points,
            loser=summary.loser,
            forfeited=summary.forfeited,
            games=games,
            faults=sum(summary.faults),
        )


@dataclass(slots=True)
class TeamDiary:
    """What is noted of a team while its matches go by. thinks_us: every answer. faults: the first ones; kinds: of all."""

    thinks_us: "array[int]" = field(default_factory=lambda: array("Q"))
    kinds: Counter[str] = field(default_factory=Counter)
    faults: list[dict[str, Any]] = field(default_factory=list)
    limit_ms: int = 0

    def add(self, record: MatchRecord, *, team: str, number: int) -> None:
        """Note a match that the team played."""
        side = record.key.seated.index(team)
        self.limit_ms = record.time.move_ms
        self.thinks_us.extend(
            decision.think_us
            for game in record.games
            for decision in game.decisions
            if decision.think_us and TEAM_OF_SEAT[decision.seat] == side
        )
        for fault in record.faults:
            if TEAM_OF_SEAT[fault.seat] == side:
                self.kinds[str(fault.kind)] += 1
                if len(self.faults) < FAULTS_SHOWN:
                    self.faults.append(_fault(fault, record, number))


def render_team(
    team: str,
    board: Leaderboard,
    *,
    diary: TeamDiary,
    matches: Sequence[MatchLine],
    links: Mapping[str, str],
) -> str:
    """The page of a team, or of a bot where bots are ranked, for the folder of the teams.

    matches: of everybody. links: from the report's top.
    """
    played_as = {name for name, members in board.members.items() if team in members}
    row = next(row for row in board.standings.rows if row.team == team)
    opponents = [_opponent(team, other.team, board) for other in board.standings.rows if other.team != team]
    met = [it for it in opponents if it is not None]
    ends = [end for it in met if it["range"] for end in (it["range"].low, it["range"].high)]
    farthest = max((abs(end) for end in (*ends, *(it["difference"] for it in met))), default=1.0)
    return render(
        "team.html",
        run=board.title,
        assets="../",
        home="../",
        row=row,
        team_count=len(board.standings.rows),
        found=board.statistics and board.statistics.teams.get(team),
        opponents=met,
        scale=Scale.around([-farthest, farthest]),
        plot=histogram(diary.thinks_us, limit_ms=diary.limit_ms),
        faults={"count": diary.kinds.total(), "kinds": diary.kinds.most_common(), "shown": diary.faults},
        matches=[_match(it, side) for it in matches for side, name in enumerate(it.seated) if name in played_as],
        links=links,
    )


def _opponent(team: str, opponent: str, board: Leaderboard) -> dict[str, Any] | None:
    """None when they have not met."""
    total = board.standings.pairs.get((team, opponent))
    if total is None:
        return None
    found = board.statistics and board.statistics.pairs.get((opponent, team))
    # The opponent's points less the team's own: what is good for the team is to the right.
    interval: Interval | None = found.difference.interval if found else None
    return {"opponent": opponent, "total": total, "difference": difference(total), "range": interval}


def _match(line: MatchLine, side: int) -> dict[str, Any]:
    if side in line.forfeited:
        outcome = "forfeited"
    elif line.loser is None and not line.forfeited:
        outcome = "drawn"
    else:
        outcome = "lost" if line.loser == side else "won"
    return {
        "number": line.number,
        "opponent": line.seated[1 - side],
        "outcome": outcome,
        "received": line.defeat_points[side],
        "given": line.defeat_points[1 - side],
        "seats": "0, 2" if side == 0 else "1, 3",
        "games": line.games,
    }


def _fault(fault: Fault, record: MatchRecord, number: int) -> dict[str, Any]:
    """A fault with the way to it."""
    game = fault.game
    has_place = game is not None and game < len(record.games)
    return {
        **fault_data(fault),
        "match": number,
        "bot": record.bots[fault.seat],
        "game": None if game is None else game + 1,
        "anchor": f"#g{game + 1}" if game is not None and has_place else "",
        "stderr": fault_data(fault).get("stderr", []),
    }
