"""A tournament as it was asked for: the file, checked as a whole, as values that the rest of the program uses."""

import json
import os
import secrets
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.rules.deal import SECRET_BYTES
from arena.rules.options import Rules, TimeControl
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.manifest import Manifest, load_manifest
from arena.seat.yaml_file import MAX_PROBLEMS, Document, Problem, printable, problems_error, quoted, read_document
from arena.seat.yaml_model import check_document, suggestion
from arena.tournament.file import OnFault, Pondering, TournamentFile
from arena.tournament.schedule import Restart, RoundRobin

MAY_CHANGE = ("jobs", "logs.max_kib")
"""Keys that may be changed in the middle of a run: they say how it is played, not what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotEntry:
    """A bot of the tournament. bot_id: as teams call it. path: as the file has it, relative to the file."""

    bot_id: str
    path: str
    manifest: Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamEntry:
    """A team. name: normalised, unique. bots: two bot ids, the one on the lower seat first."""

    name: str
    bots: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """A tournament file in which everything is right. It can be pickled.

    source: the text that was checked, from the user; with the seed in it, when there is one. startup_ms: from the start of a
    process to its greeting. first_turn_ms: what its first turn has on top. on_fault:
    FORFEIT has made max_faults of the clock 1. restarts: of a bot
    in a match. bench_after: forfeits in a row after which a team plays no more. least_isolation: the weakest tier that will do,
    None for the strongest that the machine offers. matches: duplicate pairs in a
    pairing. seed: 32 bytes, None when the file leaves them to chance. jobs: matches at the same time, None for as many as
    the machine has cores. log_bytes: kept of each output stream of a seat. bots, teams: in the order of the file.
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
    matches: int
    restart: Restart
    seed: bytes | None = field(repr=False)
    jobs: int | None
    log_bytes: int
    bots: tuple[BotEntry, ...]
    teams: tuple[TeamEntry, ...]

    @property
    def schedule(self) -> RoundRobin:
        """Who plays whom."""
        return RoundRobin(tuple(team.name for team in self.teams), self.matches, self.restart)

    def bot(self, bot_id: str) -> BotEntry:
        """The bot with an id. Raises KeyError when there is none."""
        for entry in self.bots:
            if entry.bot_id == bot_id:
                return entry
        raise KeyError(bot_id)

    def bots_by_seat(self, seated: tuple[str, str]) -> tuple[str, str, str, str]:
        """The ids of the bots on seats 0 to 3, when the first team sits on 0 and 2 (see `MatchKey.seated`)."""
        by_name = {team.name: team.bots for team in self.teams}
        one, other = (by_name[name] for name in seated)
        return one[0], other[0], one[1], other[1]


def load_config(path: Path) -> TournamentConfig:
    """Read and check a tournament file and the manifests of its bots; it comes from a user, the manifests from bots' authors.

    Raises ConfigError with a line for every problem, ten at most.
    """
    document = read_document(path)
    file, problems = check_document(document, TournamentFile)
    bots, bot_problems = _load_bots(document)
    problems += [*bot_problems, *_iter_team_problems(document)]
    if file is None or problems:
        raise problems_error(path, problems)
    return TournamentConfig(
        file=path,
        source=document.text,
        name=file.name,
        rules=Rules(**dict(file.rules)),
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
        matches=file.matches,
        restart=file.restart,
        seed=file.seed,
        jobs=file.jobs,
        log_bytes=file.logs.max_kib * 1024,
        bots=tuple(bots),
        teams=tuple(TeamEntry(name=team.name, bots=(team.bots[0], team.bots[1])) for team in file.teams),
    )


def run_secret(config: TournamentConfig) -> bytes:
    """The secret of a new run: the seed of the file, or 32 fresh bytes, which must be stored with the run."""
    return config.seed if config.seed is not None else secrets.token_bytes(SECRET_BYTES)


def job_count(config: TournamentConfig) -> int:
    """How many matches to play at the same time on this machine."""
    return config.jobs or available_cores()


def available_cores() -> int:
    """Cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def canonical_json(config: TournamentConfig) -> str:
    """The configuration for the store: a tournament file with every default filled in and without the seed, as JSON.

    Equal configurations give equal text, wherever the file lies.
    """
    time = config.time
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
        "matches": config.matches,
        "restart": config.restart,
        "jobs": config.jobs or "auto",
        "logs": {"max_kib": config.log_bytes // 1024},
        "bots": {bot.bot_id: bot.path for bot in config.bots},
        "teams": [{"name": team.name, "bots": team.bots} for team in config.teams],
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def differences(old_json: str, new_json: str) -> list[str]:
    """What differs between two configurations from `canonical_json`, in words; empty when a run may go on with the new one.

    The keys in MAY_CHANGE and the order of the bots are no difference.
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


def _facts(content: dict[str, Any]) -> dict[str, str]:
    """A configuration as single facts, by how people call them; the order is the file's."""
    facts: dict[str, str] = {}
    for key, value in content.items():
        if key == "teams":
            facts |= {f"team {printable(team['name'])}": printable(" and ".join(team["bots"])) for team in value}
        elif isinstance(value, dict):
            facts |= {f"{key}.{name}": printable(str(inner)) for name, inner in value.items()}
        else:
            facts[key] = printable(str(value))
    return {key: value for key, value in facts.items() if key not in MAY_CHANGE}


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _load_bots(document: Document) -> tuple[list[BotEntry], list[Problem]]:
    """The bots whose folders are right, and what is wrong with the others."""
    bots: list[BotEntry] = []
    problems: list[Problem] = []
    entries = document.at(("bots",))
    for bot_id, path in entries.items() if isinstance(entries, dict) else ():
        if isinstance(path, str) and path:
            try:
                bots.append(BotEntry(bot_id=bot_id, path=path, manifest=load_manifest(document.path.parent / path)))
            except ConfigError as error:
                problems += [document.problem(("bots", bot_id), line) for line in str(error).splitlines()]
    return bots, problems


def _iter_team_problems(document: Document) -> Iterator[Problem]:
    """What is wrong between teams, or between teams and bots; it may not be what `TournamentFile` wants otherwise."""
    entries, bots = document.at(("teams",)), document.at(("bots",))
    first_with: dict[str, int] = {}
    unknown = 0
    for index, team in enumerate(entries if isinstance(entries, list) else ()):
        if not isinstance(team, dict):
            continue
        name, members = team.get("name"), team.get("bots")
        if isinstance(name, str):
            first = first_with.setdefault(_folded(name), index)
            if first != index:
                taken = f"the name {quoted(name)} is taken by the team on line {document.place(('teams', first, 'name')).line}"
                yield document.problem(("teams", index, "name"), f"{taken}; names must differ in more than case and spaces")
        for place, bot in enumerate(members if isinstance(members, list) else ()):
            if isinstance(bot, str) and isinstance(bots, dict) and bot not in bots:
                unknown += 1
                # The nearest of many bots is slow to find, and what comes after so many problems is not shown.
                known = _known_bots(bot, bots) if unknown <= MAX_PROBLEMS else ""
                yield document.problem(("teams", index, "bots", place), f"there is no bot {quoted(bot)} under bots{known}")


def _known_bots(wrong: str, bots: Iterable[str]) -> str:
    known = printable(", ".join(bots))[:200]
    return suggestion(wrong, bots) or (f"; known: {known}" if known else "")


def _folded(name: str) -> str:
    """What two names have in common that people cannot tell apart: case, composition, space, invisible characters."""
    seen = "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFC", " ".join(seen.split()).casefold())
