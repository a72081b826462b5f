"""A tournament as it was asked for: the file, checked as a whole, as values that the rest of the program uses."""

import json
import os
import secrets
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from arena.records.model import MatchKey
from arena.rules.deal import SECRET_BYTES
from arena.rules.options import RULES_VERSION, Rules, TimeControl
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.yaml_file import Document, Problem, printable, problems_error, read_document
from arena.seat.yaml_model import check_document
from arena.tournament.entrants import BotEntry as BotEntry
from arena.tournament.entrants import Entrants, load_entrants
from arena.tournament.entrants import TeamEntry as TeamEntry
from arena.tournament.file import OnFault, Pondering, TournamentFile
from arena.tournament.formats import Format
from arena.tournament.kinds import Engine, MatchFormat, Pairs, StopWhen
from arena.tournament.scheduling import BOARD_TARGET, Scheduling, Team, all_pairs, load_scheduling, make_format
from arena.tournament.statistics import CONFIDENCE

MAY_CHANGE = ("jobs", "execution.engine", "execution.address", "logs.max_kib")
"""Keys that may be changed in the middle of a run: they say how it is played, not what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """A tournament file in which everything is right. It can be pickled.

    source: the text that was checked, from the user; with the seed in it, when there is one. startup_ms: from the start of a
    process to its greeting. first_turn_ms: what its first turn has on top. on_fault: FORFEIT has made max_faults of the clock
    1. restarts: of a bot in a match. bench_after: forfeits in a row after which a team plays no more. least_isolation: the
    weakest tier that will do, None for the strongest that the machine offers. scheduling: who plays whom, and how often. seed:
    32 bytes, None when the file leaves them to chance. jobs: matches at the same time, None for as many as the machine has
    cores for, or the cluster workers. address: of the cluster's scheduler, None when this machine plays. log_bytes: kept of
    each output stream of a seat. bots, teams: those of the contest first, then in the order of the file.
    """

    file: Path
    source: str = field(repr=False, compare=False)
    name: str
    rules: Rules
    time: TimeControl
    startup_ms: int
    first_turn_ms: int
    on_fault: OnFault
    restarts: int
    bench_after: int
    least_isolation: Tier | None
    limits: Limits
    pondering: Pondering
    scheduling: Scheduling
    seed: bytes | None = field(repr=False)
    jobs: int | None
    address: str | None
    log_bytes: int
    bots: tuple[BotEntry, ...]
    teams: tuple[TeamEntry, ...]

    @property
    def team_names(self) -> tuple[str, ...]:
        """The teams' names, in the order of the file."""
        return tuple(team.name for team in self.teams)

    def bot(self, bot_id: str) -> BotEntry:
        """The bot with an id. Raises KeyError when there is none."""
        for entry in self.bots:
            if entry.bot_id == bot_id:
                return entry
        raise KeyError(bot_id)

    def bots_by_seat(self, key: MatchKey) -> tuple[str, str, str, str]:
        """The ids of the bots on seats 0 to 3 in a match."""
        by_name = {team.name: team.bots for team in self.teams}
        first, second = (
            by_name[name][::-1] if key.exchanged & bit else by_name[name] for name, bit in zip(key.teams, (1, 2), strict=True)
        )
        one, other = (second, first) if key.swapped else (first, second)
        return one[0], other[0], one[1], other[1]


def load_config(path: Path) -> TournamentConfig:
    """Read and check a tournament file, the contest it names and the manifests of its bots; it comes from a user, the rest from
    bots' authors. The folders of all bots are read for their hashes.

    Raises ConfigError with a line for every problem, ten at most.
    """
    document = read_document(path)
    file, problems = check_document(document, TournamentFile)
    entrants = load_entrants(document)
    problems += entrants.problems
    if file is not None:
        problems += _iter_execution_problems(document, file)
    if file is None or problems:
        raise problems_error(path, problems)
    teams = _teams(file, entrants)
    scheduling, problems = load_scheduling(document, file, [team.name for team in teams])
    if problems:
        raise problems_error(path, problems)
    return TournamentConfig(
        file=path,
        source=document.text,
        name=file.name,
        rules=_rules(file),
        time=TimeControl(
            move_ms=_ms(file.time.move_seconds),
            bank_ms=_ms(file.time.bank_seconds),
            max_faults=1 if file.faults.policy is OnFault.FORFEIT else file.faults.max_faults,
        ),
        startup_ms=_ms(file.time.startup_seconds),
        first_turn_ms=_ms(file.time.first_turn_seconds),
        on_fault=file.faults.policy,
        restarts=file.faults.restarts,
        bench_after=file.faults.bench_after,
        least_isolation=file.isolation,
        limits=Limits(**dict(file.limits)),
        pondering=file.pondering,
        scheduling=scheduling,
        seed=file.seed,
        jobs=file.jobs,
        address=file.execution.address,
        log_bytes=file.logs.max_kib * 1024,
        bots=entrants.bots,
        teams=teams,
    )


def format_of(config: TournamentConfig) -> Format:
    """How the tournament is scheduled."""
    teams = [Team(team.name, team.players or team.bots) for team in config.teams]
    return make_format(config.scheduling, teams)


def run_secret(config: TournamentConfig) -> bytes:
    """The secret of a new run: the seed of the file, or 32 fresh bytes, which must be stored with the run."""
    return config.seed if config.seed is not None else secrets.token_bytes(SECRET_BYTES)


def job_count(config: TournamentConfig) -> int:
    """How many matches to play at the same time on this machine."""
    return config.jobs or max(1, available_cores() // cores_of_a_table(config))


def cores_of_a_table(config: TournamentConfig) -> int:
    """How many cores a match can use: those of the one bot that is asked."""
    return -(-config.limits.cpu_percent // 100)


def available_cores() -> int:
    """Cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def canonical_json(config: TournamentConfig) -> str:
    """The configuration for the store, as JSON: a tournament file with every default filled in and without the seed.

    What comes from a contest stands in it as if the file had named it. Some keys are no file's: `hashes` of the bots' sources
    by bot, `submissions`, the bots that are some, `bracket`, the seeds of a knockout, `players`, the bots of teams that are all
    pairs. Equal configurations give equal text, wherever the file lies.
    """
    time, scheduling = config.time, config.scheduling
    content = {
        "name": config.name,
        "rules": asdict(config.rules),
        "time": {
            "startup_seconds": config.startup_ms / 1000,
            "move_seconds": time.move_ms / 1000,
            "bank_seconds": time.bank_ms / 1000,
            "first_turn_seconds": config.first_turn_ms / 1000,
        },
        "faults": {
            "policy": config.on_fault,
            "max_faults": time.max_faults,
            "restarts": config.restarts,
            "bench_after": config.bench_after,
        },
        "limits": asdict(config.limits),
        "pondering": config.pondering,
        "format": scheduling.format,
        "matches": scheduling.sets,
        "seatings": scheduling.seatings,
        "schedule": _given(kind=scheduling.kind, team=scheduling.team, rounds=scheduling.rounds),
        "pairs": scheduling.pairs,
        "stop_when": StopWhen.NEVER if scheduling.confidence is None else StopWhen.DECIDED,
        "confidence": scheduling.confidence or CONFIDENCE,
        "restart": scheduling.restart,
        **_given(budget_minutes=scheduling.budget_seconds and scheduling.budget_seconds / 60),
        "jobs": config.jobs or "auto",
        "execution": _given(engine=Engine.DASK if config.address else Engine.LOCAL, address=config.address),
        "logs": {"max_kib": config.log_bytes // 1024},
        "bots": {bot.bot_id: bot.path for bot in config.bots},
        "teams": [{"name": team.name, "bots": team.bots} for team in config.teams],
        "hashes": {bot.bot_id: bot.content for bot in config.bots},
        "rules_version": RULES_VERSION,
        "submissions": [bot.bot_id for bot in config.bots if bot.submission is not None],
        **_given(bracket=scheduling.seeds or None),
        **_given(players={team.name: team.players for team in config.teams if team.players} or None),
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def differences(old_json: str, new_json: str) -> list[str]:
    """What differs between two configurations from `canonical_json`, in words; empty when a run may go on with the new one.

    The keys in MAY_CHANGE and the order of the bots are no difference, and `changed_programs` is asked about hashes.
    """
    old, new = _facts(json.loads(old_json)), _facts(json.loads(new_json))
    lines = []
    for key in {**old, **new}:
        if key not in new:
            lines.append(f"{key} is gone, it was {old[key]}")
        elif key not in old:
            lines.append(f"{key} is new: {new[key]}")
        elif old[key] != new[key]:
            lines.append(f"{key} was {old[key]} and is {new[key]} now")
    old_teams, new_teams = ([key for key in facts if key.startswith("team ")] for facts in (old, new))
    if not lines and old_teams != new_teams:
        lines.append("the teams stand in another order")
    return lines


def changed_programs(old_json: str, new_json: str) -> list[str]:
    """Which bots, and whether the rules of this program, are not those that a run began with, in words."""
    old, new = json.loads(old_json), json.loads(new_json)
    lines = [
        f"the bot {bot} has changed: what is in {printable(str(new['bots'][bot]))} is not what the run began with"
        for bot, content in new.get("hashes", {}).items()
        if old.get("hashes", {}).get(bot, content) != content
    ]
    versions = [content.get("rules_version", RULES_VERSION) for content in (new, old)]
    if versions[0] != versions[1]:
        lines.append("the rules of this arena are version {}, those of the run are {}".format(*versions))
    return lines


def _facts(content: dict[str, Any]) -> dict[str, str]:
    """A configuration as single facts, by how people call them; the order is the file's."""
    facts: dict[str, str] = {}
    submissions = content.get("submissions", ())
    for key, value in content.items():
        if key in ("hashes", "submissions", "players", "rules_version"):
            continue
        if key == "teams":
            facts |= {f"team {printable(team['name'])}": _members(team["bots"], submissions) for team in value}
        elif key == "bots":
            # Those of a contest show in their teams.
            facts |= {f"bots.{name}": printable(str(path)) for name, path in value.items() if name not in submissions}
        elif isinstance(value, dict):
            facts |= {f"{key}.{name}": printable(str(inner)) for name, inner in value.items()}
        else:
            facts[key] = printable(str(value))
    return {key: value for key, value in facts.items() if key not in MAY_CHANGE}


def _members(bots: list[str], submissions: Collection[str]) -> str:
    first, second = bots
    return (
        f"the submission {printable(first)}" if first == second and first in submissions else printable(f"{first} and {second}")
    )


def _given(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


def _rules(file: TournamentFile) -> Rules:
    if file.format is MatchFormat.BOARDS:
        return Rules(**{**dict(file.rules), "match_target": BOARD_TARGET, "max_games": 1})
    return Rules(**dict(file.rules))


def _iter_execution_problems(document: Document, file: TournamentFile) -> Iterator[Problem]:
    engine, address = file.execution.engine, file.execution.address
    if engine is Engine.DASK and address is None:
        yield document.problem(("execution",), "dask needs `address`: where the scheduler listens, such as tcp://10.0.0.1:8786")
    if engine is not Engine.DASK and address is not None:
        text = f"belongs to `engine: {Engine.DASK}`, and this is {engine}; leave it out"
        yield document.problem(("execution", "address"), text)


def _teams(file: TournamentFile, entrants: Entrants) -> tuple[TeamEntry, ...]:
    """Those of the contest and of the file, or every pair of bots."""
    if file.pairs is Pairs.LISTED:
        return (*entrants.teams, *(TeamEntry(name=team.name, bots=(team.bots[0], team.bots[1])) for team in file.teams))
    players = [bot.submission.team if bot.submission else bot.bot_id for bot in entrants.bots]
    return tuple(
        TeamEntry(name=team.name, bots=(entrants.bots[one].bot_id, entrants.bots[other].bot_id), players=team.members)
        for team, (one, other) in all_pairs(players)
    )


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
