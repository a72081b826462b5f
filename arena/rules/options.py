"""What holds for a whole match: the house rules, with the defaults of docs/rules.md, and the clock."""

from dataclasses import dataclass
from enum import StrEnum

from arena.errors import RulesError

RULES_VERSION = 1
"""Counts up whenever the same moves may lead to another result: a run does not go on under other rules unasked."""


class Pull(StrEnum):
    """When a seat with four cards of one suit may enter out of turn."""

    ANY_TIME = "any_time"
    BEFORE_LEAD = "before_lead"
    OFF = "off"


class PullSuits(StrEnum):
    """Which suits may be pulled."""

    ANY = "any"
    TRUMP = "trump"


class Discards(StrEnum):
    """Whether discards are laid face down or face up."""

    HIDDEN = "hidden"
    OPEN = "open"


class Eggs(StrEnum):
    """What 60 to 60 means for the next game."""

    NOTHING = "nothing"
    DOUBLE_NEXT = "double_next"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The options of one match.

    match_target: defeat points that lose the match, even, 2..48.
    max_lead: most cards that may be led, 1..4 (a pull always leads four).
    max_games: games after which a match ends undecided, at least 1.
    Raises RulesError for a value out of bounds, also for the text of an option in place of its enum.
    """

    match_target: int = 12
    max_lead: int = 4
    pull: Pull = Pull.ANY_TIME
    pull_suits: PullSuits = PullSuits.ANY
    discards: Discards = Discards.HIDDEN
    eggs: Eggs = Eggs.NOTHING
    max_games: int = 100

    def __post_init__(self) -> None:
        if not 2 <= self.match_target <= 48 or self.match_target % 2:
            raise RulesError(f"match_target is {self.match_target}: it must be an even number from 2 to 48")
        if not 1 <= self.max_lead <= 4:
            raise RulesError(f"max_lead is {self.max_lead}: it must be from 1 to 4")
        if self.max_games < 1:
            raise RulesError(f"max_games is {self.max_games}: it must be at least 1")
        # The engine asks for identity, so a plain "off", as text from a file would be, must not pass for Pull.OFF.
        for name, kind in (("pull", Pull), ("pull_suits", PullSuits), ("discards", Discards), ("eggs", Eggs)):
            if not isinstance(getattr(self, name), kind):
                raise RulesError(f"{name} is {getattr(self, name)!r}: it must be a member of {kind.__name__}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """The clock and the patience of a match, as the bots are told.

    move_ms: time for every turn, at least 1. bank_ms: time for the whole match beyond that, at least 0. max_faults: faults
    with which a team forfeits, at least 1. Raises RulesError for a value out of bounds.
    """

    move_ms: int
    bank_ms: int
    max_faults: int

    def __post_init__(self) -> None:
        for name, least in (("move_ms", 1), ("bank_ms", 0), ("max_faults", 1)):
            if getattr(self, name) < least:
                raise RulesError(f"{name} is {getattr(self, name)}: it must be at least {least}")
