"""The table of a run, as its configuration has it ranked."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arena.errors import StoreError
from arena.records.store import Store
from arena.records.summary import MatchSummary
from arena.tournament.formats import Knockout, Play
from arena.tournament.history import History
from arena.tournament.kinds import ScheduleKind
from arena.tournament.plan import Plan, parse_block
from arena.tournament.standings import Standings, compute_standings
from arena.tournament.statistics import SetTally, Statistics, compute_statistics


class Ranking(StrEnum):
    """What the order of a table goes by, in words."""

    TOTAL = "Ranked by defeat points received, fewest first"
    MEAN = "Ranked by defeat points received per match, fewest first, every opponent counting alike"
    KNOCKOUT = "Ranked by rounds survived, then by defeat points received per match, fewest first"
    PLAYERS = "Bots, over all their partners, ranked by defeat points received per match, fewest first"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTable:
    """Standings and what chance leaves open of them. title: the run's name, from the user.

    planned: matches of all blocks so far, None before the first. statistics: None when not asked for. members: who is ranked
    for each team of the matches, the team itself or its bots.
    """

    title: str
    standings: Standings
    statistics: Statistics | None
    planned: int | None
    ranking: Ranking
    members: Mapping[str, tuple[str, ...]]


def read_table(store: Store, *, matches: Sequence[MatchSummary] | None = None, with_statistics: bool = True) -> RunTable:
    """The table of a run as far as it has been played.

    matches: those that count, in place of all that the store has. Raises StoreError when the store is damaged.
    """

    def counted() -> Iterable[MatchSummary]:
        return store.iter_summaries() if matches is None else matches

    try:
        config: dict[str, Any] = json.loads(store.config)
        title = str(config["name"])
        teams = tuple(str(team["name"]) for team in config["teams"])
        given = config.get("players")
        players = {str(team): tuple(map(str, members)) for team, members in given.items()} if given else None
        knockout = _knockout(config, teams)
        ranking = _ranking(config)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreError(f"{store.path}: the run's configuration is damaged: {error!r}") from error
    blocks = [parse_block(text, teams) for text in store.blocks()]
    survived = None
    if knockout is not None:
        history = History()
        history.blocks += blocks
        for match in counted():
            history.add(match)
        survived = knockout.rounds_survived(history, is_over=store.is_finished)
    sets = SetTally()
    standings = compute_standings(
        teams, sets.passing(counted()), by_total=ranking is Ranking.TOTAL, players=players, survived=survived
    )
    return RunTable(
        title=title,
        standings=standings,
        statistics=compute_statistics(standings, sets, players=players) if with_statistics else None,
        planned=Plan(blocks).match_count or None,
        ranking=ranking,
        members=players or {team: (team,) for team in teams},
    )


def _ranking(config: dict[str, Any]) -> Ranking:
    if config.get("players"):
        return Ranking.PLAYERS
    kind = config.get("schedule", {}).get("kind", ScheduleKind.ROUND_ROBIN)
    if kind == ScheduleKind.KNOCKOUT:
        return Ranking.KNOCKOUT
    return Ranking.TOTAL if kind == ScheduleKind.ROUND_ROBIN and "budget_minutes" not in config else Ranking.MEAN


def _knockout(config: dict[str, Any], teams: tuple[str, ...]) -> Knockout | None:
    if config.get("schedule", {}).get("kind") != ScheduleKind.KNOCKOUT:
        return None
    return Knockout(tuple(map(str, config["bracket"])), teams, Play(sets=int(config["matches"])))
