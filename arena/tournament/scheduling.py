"""The schedule that a tournament file asks for: what is checked between its keys, and the format that comes of it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

from arena.errors import ArenaError, UserError
from arena.records.store import Store
from arena.rules.cards import SEATS
from arena.seat.yaml_file import Document, Problem, printable, quoted
from arena.seat.yaml_model import suggestion
from arena.tournament.file import TournamentFile
from arena.tournament.formats import Format, Knockout, Once, Play, Swiss
from arena.tournament.growing import Growing
from arena.tournament.kinds import MatchFormat, Pairs, ScheduleKind, StopWhen
from arena.tournament.pairings import Circle, Listed
from arena.tournament.schedule import Restart, Seatings
from arena.tournament.table import read_table

BOARD_TARGET = 6
"""Defeat points that a team can be given in one game: so many cost a forfeited board."""
LEAST_BOTS = 4
"""Of `pairs: all`: two teams have different bots."""
MOST_BOTS = 40
"""Of `pairs: all`: its pairings, three of every four bots, are held in memory."""
_BELONGS_TO = {"team": ScheduleKind.GAUNTLET, "rounds": ScheduleKind.SWISS, "seeding": ScheduleKind.KNOCKOUT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """What the file says about the schedule. seeds: of a knockout, all teams, best first. confidence: None for playing on.

    team, rounds: of a gauntlet and of a swiss.
    """

    format: MatchFormat
    kind: ScheduleKind
    pairs: Pairs
    seatings: Seatings
    restart: Restart
    sets: int
    team: str | None = None
    rounds: int | None = None
    seeds: tuple[str, ...] = ()
    confidence: float | None = None
    budget_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Team:
    """A team as far as the schedule looks at it. members: what its bots are called."""

    name: str
    members: tuple[str, str]


def all_pairs(players: Sequence[str]) -> list[tuple[Team, tuple[int, int]]]:
    """Every pair of players as a team, with the players' indexes."""
    return [
        (Team(f"{players[one]} + {players[other]}", (players[one], players[other])), (one, other))
        for one, other in combinations(range(len(players)), 2)
    ]


def load_scheduling(document: Document, file: TournamentFile, teams: Sequence[str]) -> tuple[Scheduling, list[Problem]]:
    """The schedule, and what is wrong between its keys; teams: the names of all."""
    problems = list(_iter_problems(document, file, teams))
    seeds: tuple[str, ...] = ()
    if file.schedule.kind is ScheduleKind.KNOCKOUT and not problems:
        try:
            seeds = _seeds(document.path.parent, file.schedule.seeding, teams)
        except ArenaError as error:
            problems.append(document.problem(("schedule", "seeding"), printable(str(error))))
    scheduling = Scheduling(
        format=file.format,
        kind=file.schedule.kind,
        pairs=file.pairs,
        seatings=file.seatings,
        restart=file.restart,
        sets=file.matches,
        team=file.schedule.team,
        rounds=file.schedule.rounds,
        seeds=seeds,
        confidence=file.confidence if file.stop_when is StopWhen.DECIDED else None,
        budget_seconds=None if file.budget_minutes is None else file.budget_minutes * 60,
    )
    return scheduling, problems


def make_format(scheduling: Scheduling, teams: Sequence[Team]) -> Format:
    """The format of a tournament of these teams, in the order of the file."""
    names = tuple(team.name for team in teams)
    # The members of a team of two copies can change seats without anything changing.
    has_partners = any(team.members[0] != team.members[1] for team in teams)
    seatings = scheduling.seatings if has_partners else Seatings.SWAP
    play = Play(sets=scheduling.sets, seatings=seatings, restart=scheduling.restart)
    if scheduling.kind is ScheduleKind.SWISS:
        return Swiss(names, scheduling.rounds or 1, play)
    if scheduling.kind is ScheduleKind.KNOCKOUT:
        return Knockout(scheduling.seeds, names, play)
    if scheduling.kind is ScheduleKind.GAUNTLET:
        pairs = (pair for pair in combinations(names, 2) if scheduling.team in pair)
        return Once(Listed(tuple(pairs)), play)
    pairings: Circle | Listed = Circle(names)
    if scheduling.pairs is Pairs.ALL:
        members = {team.name: set(team.members) for team in teams}
        pairings = Listed(tuple(pair for pair in combinations(names, 2) if not members[pair[0]] & members[pair[1]]))
    if scheduling.confidence is None and scheduling.budget_seconds is None:
        return Once(pairings, play)
    return Growing(
        teams=names,
        pairings=pairings,
        play=play,
        unit=len(SEATS) if scheduling.format is MatchFormat.BOARDS else 1,
        confidence=scheduling.confidence,
        budget_seconds=scheduling.budget_seconds,
    )


def parse_format(config: dict[str, Any]) -> Format:
    """The format of a run, from its stored configuration. Raises ValueError, TypeError, KeyError or AttributeError."""
    schedule = config["schedule"]
    players = config.get("players", {})
    scheduling = Scheduling(
        format=MatchFormat(config["format"]),
        kind=ScheduleKind(schedule["kind"]),
        pairs=Pairs(config["pairs"]),
        seatings=Seatings(config["seatings"]),
        restart=Restart(config["restart"]),
        sets=int(config["matches"]),
        team=schedule.get("team"),
        rounds=schedule.get("rounds"),
        seeds=tuple(map(str, config.get("bracket", ()))),
        confidence=float(config["confidence"]) if StopWhen(config["stop_when"]) is StopWhen.DECIDED else None,
        budget_seconds=float(config["budget_minutes"]) * 60 if "budget_minutes" in config else None,
    )
    teams = []
    for team in config["teams"]:
        first, second = players.get(team["name"], team["bots"])
        teams.append(Team(str(team["name"]), (str(first), str(second))))
    return make_format(scheduling, teams)


def _iter_problems(document: Document, file: TournamentFile, teams: Sequence[str]) -> Iterator[Problem]:
    kind, schedule = file.schedule.kind, file.schedule
    for key, owner in _BELONGS_TO.items():
        if getattr(schedule, key) is not None and kind is not owner:
            yield document.problem(("schedule", key), f"belongs to `kind: {owner}`, and this is a {kind}; leave it out")
    if kind is ScheduleKind.GAUNTLET:
        if schedule.team is None:
            yield document.problem(("schedule",), "a gauntlet needs `team`: the one that meets all others")
        elif schedule.team not in teams:
            known = suggestion(schedule.team, teams)
            yield document.problem(("schedule", "team"), f"there is no team {quoted(schedule.team)}{known}")
    if kind is ScheduleKind.SWISS:
        most = (len(teams) + 1) // 2
        if schedule.rounds is None:
            yield document.problem(("schedule",), f"a swiss needs `rounds`: 1 to {most} with {len(teams)} teams")
        elif schedule.rounds > most:
            text = f"must be at most {most} with {len(teams)} teams, so that nobody meets twice, not {schedule.rounds}"
            yield document.problem(("schedule", "rounds"), text)
    if kind is not ScheduleKind.ROUND_ROBIN:
        for key in ("budget_minutes", "stop_when", "pairs"):
            if key in file.model_fields_set and document.at((key,)) not in (StopWhen.NEVER, Pairs.LISTED):
                yield document.problem((key,), f"goes with `kind: {ScheduleKind.ROUND_ROBIN}` only, and this is a {kind}")
    if file.pairs is Pairs.ALL:
        if file.teams:
            yield document.problem(("teams",), "goes with `pairs: listed` only: every pair of bots is a team; leave it out")
        elif len(teams) < len(all_pairs("x" * LEAST_BOTS)):
            text = f"must be at least {LEAST_BOTS} with `pairs: all`, since teams with a bot in common do not meet"
            yield document.problem(("bots",), text)
        elif len(teams) > MOST_BOTS * (MOST_BOTS - 1) // 2:
            text = f"must be at most {MOST_BOTS} with `pairs: all`; those make {comb(MOST_BOTS, 4) * 3} pairings"
            yield document.problem(("bots",), text)
        elif len(set(teams)) < len(teams):
            twice, _ = Counter(teams).most_common(1)[0]
            yield document.problem(
                ("pairs",), f"two pairs of bots would be called {quoted(twice)}: submit a team with + in its name under another"
            )
        if file.stop_when is StopWhen.DECIDED:
            text = "does not go with `pairs: all`: teams do not have the same opponents there, so none are ever told apart"
            yield document.problem(("stop_when",), text)
    if file.format is MatchFormat.BOARDS:
        for name in ("match_target", "max_games"):
            if name in file.rules.model_fields_set:
                yield document.problem(("rules", name), "is of no use with `format: boards`: a board is one game; leave it out")
        if file.matches % len(SEATS):
            text = f"must be a multiple of {len(SEATS)} with `format: boards`, so that every seat deals equally often"
            yield document.problem(("matches",), f"{text}, not {file.matches}")


def _seeds(folder: Path, seeding: str | None, teams: Sequence[str]) -> tuple[str, ...]:
    """All teams in the order of an earlier run's table, then those that have not played there, in the order of the file."""
    if seeding is None:
        return tuple(teams)
    with Store.open(folder / seeding) as store:
        if not store.is_finished:
            raise UserError(f"the run at {seeding} is not finished: its table may change; go on with it first")
        rows = read_table(store, with_statistics=False).standings.rows
    ranked = [row.team for row in rows if row.rank is not None and row.team in teams]
    return (*ranked, *(team for team in teams if team not in ranked))
