"""The keys of a tournament file, with their defaults and bounds; docs/tournament-file.md explains them.

What stands here is checked for itself; what one key says about another one is checked in `config`.
"""

import hashlib
import re
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from arena.rules.options import Discards, Eggs, Pull, PullSuits
from arena.seat.isolation.tier import Tier
from arena.seat.yaml_model import EXPECTED, Section, clean_text, shown, suggestion
from arena.tournament.kinds import Engine, MatchFormat, Pairs, ScheduleKind, StopWhen
from arena.tournament.schedule import Restart, Seatings


class OnFault(StrEnum):
    """What a late or illegal answer leads to."""

    SUBSTITUTE = "substitute"
    """The fallback move, until the team has `max_faults`."""
    FORFEIT = "forfeit"
    """The loss of the match, at once."""


class Pondering(StrEnum):
    """Whether bots may think while they are not asked."""

    FORBIDDEN = "forbidden"
    """They are stopped meanwhile."""
    ALLOWED = "allowed"


FROM = "from"
"""The key of `bots` that names a contest's folder and not a bot."""
LEAST_TEAMS = 2
MOST_TEAMS = 1000
TEAMS_IN_WORDS = f"a list of {LEAST_TEAMS} to {MOST_TEAMS} entries"


MAX_JOBS = 1024
MAX_SEED_LENGTH = 200
HEX_SECRET = re.compile("[0-9a-fA-F]{64}")
ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:.%]+\]|[^\s/:\[\]]+):([0-9]{1,5})")
BOT_ID = re.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")


def _bot_id(text: str) -> str:
    if not BOT_ID.fullmatch(text):
        raise ValueError("must be 1 to 64 of the letters A to Z and a to z, digits, and _ - . (not in front)")
    return text


def _parse_jobs(value: object) -> int | None:
    """None for `auto`."""
    if value == "auto":
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_JOBS:
        return value
    meant = suggestion(value, ["auto"]) if isinstance(value, str) else ""
    raise ValueError(f"must be auto or a whole number from 1 to {MAX_JOBS}, not {shown(value)}{meant}")


def _parse_seed(value: object) -> bytes:
    """The 32 bytes from which all deals come: 64 hexadecimal digits are these bytes, other text and numbers are hashed."""
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not 1 <= len(text) <= MAX_SEED_LENGTH:
        raise ValueError(f"must be a whole number or text of 1 to {MAX_SEED_LENGTH} characters, not {shown(value)}")
    return bytes.fromhex(text) if HEX_SECRET.fullmatch(text) else hashlib.sha256(text.encode()).digest()


def _given(value: object) -> object:
    """What is there; no value is not the same as no key."""
    if value is None:
        raise ValueError("must have a value; without one, leave the key out")
    return value


def _parse_address(value: object) -> str:
    """Where a scheduler listens, as it prints it itself."""
    text = value.strip() if isinstance(value, str) else ""
    match = ADDRESS.fullmatch(text)
    if match is None or not 1 <= int(match[3]) <= 65535:
        raise ValueError(f"must be the address that the scheduler prints, such as tcp://10.0.0.1:8786, not {shown(value)}")
    return text


def _parse_tier(value: object) -> Tier:
    """A tier by its name; no value is not the same as no key."""
    if isinstance(value, str) and value in list(Tier):
        return Tier(value)
    meant = suggestion(value, list(Tier)) if isinstance(value, str) else ""
    raise ValueError(f"must be {', '.join(list(Tier)[:-1])} or {list(Tier)[-1]}, not {shown(value)}{meant}")


class RulesSection(Section):
    """`rules`: the house rules, the same options as `arena.rules.options.Rules`."""

    match_target: Annotated[int, Field(ge=2, le=48, multiple_of=2)] = 12
    max_lead: Annotated[int, Field(ge=1, le=4)] = 4
    pull: Annotated[Pull, Field(strict=False)] = Pull.ANY_TIME
    pull_suits: Annotated[PullSuits, Field(strict=False)] = PullSuits.ANY
    discards: Annotated[Discards, Field(strict=False)] = Discards.HIDDEN
    eggs: Annotated[Eggs, Field(strict=False)] = Eggs.NOTHING
    max_games: Annotated[int, Field(ge=1, le=1000)] = 100


class TimeSection(Section):
    """`time`: in seconds, rounded to milliseconds."""

    startup_seconds: Annotated[float, Field(ge=0.001, le=600)] = 10.0
    move_seconds: Annotated[float, Field(ge=0.001, le=3600)] = 1.0
    bank_seconds: Annotated[float, Field(ge=0, le=86400)] = 20.0
    first_turn_seconds: Annotated[float, Field(ge=0, le=600)] = 2.0


class FaultsSection(Section):
    """`faults`: how much a team may get wrong in a match."""

    policy: Annotated[OnFault, Field(strict=False)] = OnFault.SUBSTITUTE
    max_faults: Annotated[int, Field(ge=1, le=1000)] = 3
    restarts: Annotated[int, Field(ge=0, le=100)] = 1
    bench_after: Annotated[int, Field(ge=1, le=100000)] = 5


class LimitsSection(Section):
    """`limits`: what one bot may use of the machine, the same as `arena.seat.isolation.tier.Limits`."""

    memory_mib: Annotated[int, Field(ge=64, le=1048576)] = 1024
    processes: Annotated[int, Field(ge=16, le=4096)] = 64
    cpu_percent: Annotated[int, Field(ge=10, le=10000)] = 100
    disk_mib: Annotated[int, Field(ge=1, le=1048576)] = 64


class ScheduleSection(Section):
    """`schedule`: who meets whom. team: only of a gauntlet, rounds: only of a swiss, seeding: only of a knockout."""

    kind: Annotated[ScheduleKind, Field(strict=False)] = ScheduleKind.ROUND_ROBIN
    team: Annotated[Annotated[str, Field(min_length=1, max_length=64)] | None, BeforeValidator(_given)] = None
    rounds: Annotated[Annotated[int, Field(ge=1, le=500)] | None, BeforeValidator(_given)] = None
    seeding: Annotated[Annotated[str, Field(min_length=1, max_length=1000)] | None, BeforeValidator(_given)] = None


class LogsSection(Section):
    """`logs`: what is kept of what bots print, of each stream of each seat."""

    max_kib: Annotated[int, Field(ge=1, le=65536)] = 256


class ExecutionSection(Section):
    """`execution`: where matches are played. address: only of a cluster."""

    engine: Annotated[Engine, Field(strict=False)] = Engine.LOCAL
    address: Annotated[
        str | None, BeforeValidator(_parse_address), WithJsonSchema({EXPECTED: "an address such as tcp://10.0.0.1:8786"})
    ] = None


class TeamSection(Section):
    """An entry of `teams`."""

    name: Annotated[str, Field(min_length=1, max_length=64), AfterValidator(clean_text)]
    bots: Annotated[list[str], Field(min_length=2, max_length=2)]


class TournamentFile(Section):
    """A whole tournament file."""

    name: Annotated[str, Field(min_length=1, max_length=100), AfterValidator(clean_text)]
    rules: RulesSection = RulesSection()
    time: TimeSection = TimeSection()
    faults: FaultsSection = FaultsSection()
    format: Annotated[MatchFormat, Field(strict=False)] = MatchFormat.SERIES
    matches: Annotated[int, Field(ge=1, le=10000)]
    seatings: Annotated[Seatings, Field(strict=False)] = Seatings.SWAP
    schedule: ScheduleSection = ScheduleSection()
    pairs: Annotated[Pairs, Field(strict=False)] = Pairs.LISTED
    budget_minutes: Annotated[Annotated[float, Field(ge=0.01, le=100000)] | None, BeforeValidator(_given)] = None
    stop_when: Annotated[StopWhen, Field(strict=False)] = StopWhen.NEVER
    confidence: Annotated[float, Field(ge=0.5, le=0.9999)] = 0.95
    restart: Annotated[Restart, Field(strict=False)] = Restart.PAIRING
    seed: Annotated[
        bytes | None,
        BeforeValidator(_parse_seed),
        WithJsonSchema({EXPECTED: f"a whole number or text of 1 to {MAX_SEED_LENGTH} characters"}),
    ] = None
    jobs: Annotated[
        int | None,
        BeforeValidator(_parse_jobs),
        WithJsonSchema({EXPECTED: f"auto or a whole number from 1 to {MAX_JOBS}"}),
    ] = None
    execution: ExecutionSection = ExecutionSection()
    isolation: Annotated[
        Tier | None, BeforeValidator(_parse_tier), WithJsonSchema({"enum": [tier.value for tier in Tier], "type": "string"})
    ] = None
    limits: LimitsSection = LimitsSection()
    pondering: Annotated[Pondering, Field(strict=False)] = Pondering.FORBIDDEN
    logs: LogsSection = LogsSection()
    bots: Annotated[
        dict[Annotated[str, AfterValidator(_bot_id)], Annotated[str, Field(min_length=1, max_length=1000)]],
        Field(min_length=1, max_length=1000),
    ]
    # Two at least, counted together with those that come from a contest; without one, they must be here.
    teams: Annotated[
        list[TeamSection],
        Field(default_factory=list, max_length=MOST_TEAMS, json_schema_extra={EXPECTED: TEAMS_IN_WORDS}),
    ]
