"""What `expect.yaml` says of a bad bot: what it attacks, which verdict it gets, and in which tiers it is stopped."""

from dataclasses import dataclass, field
from pathlib import Path

import yaml

from arena.seat.isolation.tier import Tier

BAD_BOTS = Path(__file__).parents[1] / "bad_bots"
STOPPED = "stopped"
POSSIBLE = "possible"


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """attacks: in words, for the table of docs/security.md, where `group` is a heading.

    faults: of the match, in order; a list in place of a kind means any of them. forfeits: whether the bot's team does.
    exit_status: of the faults. limits_faults: in place of `faults` in that tier, with a forfeit. tiers: `stopped`, `possible`,
    or `possible if …`, when it is not certain that the attack succeeds. startup_ms, move_ms, memory_mib: other than usual.
    partner: the bot has both seats of its team. opponent: `slow` for one that takes its time. starts: matches that the same
    bot plays. survivors: a tier in which it leaves a process behind.
    """

    name: str
    attacks: str
    group: str
    tiers: dict[Tier, str]
    faults: list[str | list[str]] = field(default_factory=list)
    forfeits: bool = False
    exit_status: int | None = None
    limits_faults: list[str | list[str]] | None = None
    startup_ms: int = 20_000
    move_ms: int = 2000
    memory_mib: int = 512
    partner: bool = False
    opponent: str = ""
    starts: int = 1
    survivors: Tier | None = None

    def kinds(self, tier: Tier) -> list[list[str]]:
        """The kinds that each fault may have, in order."""
        faults = self.limits_faults if tier is Tier.LIMITS and self.limits_faults is not None else self.faults
        return [kind if isinstance(kind, list) else [kind] for kind in faults]

    def is_forfeit(self, tier: Tier) -> bool:
        """Whether the bot's team loses the match for its faults."""
        return self.forfeits or (tier is Tier.LIMITS and self.limits_faults is not None)


def load_expectation(name: str) -> Expectation:
    """Of the bad bot in this folder."""
    keys = yaml.safe_load((BAD_BOTS / name / "expect.yaml").read_text())
    keys["tiers"] = {Tier(tier): text for tier, text in keys["tiers"].items()}
    if "survivors" in keys:
        keys["survivors"] = Tier(keys["survivors"])
    return Expectation(name=name, **keys)


def bad_bots() -> list[str]:
    """The names of all, sorted."""
    return sorted(path.parent.name for path in BAD_BOTS.glob("*/expect.yaml"))
