"""Tournaments that end when they have said enough or when the time is over, not after a number of sets known beforehand."""

from dataclasses import dataclass
from typing import ClassVar

from arena.tournament.formats import Play
from arena.tournament.history import History
from arena.tournament.pairings import Circle, Listed, Pairings
from arena.tournament.schedule import SEATINGS, Block
from arena.tournament.stopping import undecided_neighbours

_GROWTH = 4
"""A block has a quarter of the sets that were played before: few looks at the table, and few sets too many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growing:
    """All pairings, in blocks of whole sets, until one of three things ends it; so it always ends balanced.

    play.sets: the most sets of a pairing. unit: blocks have a multiple of so many sets (four boards have every dealer once).
    confidence: it ends when all neighbours of the table are told apart this surely; None for never. budget_seconds: it plans as
    many sets of all pairings as fit, then, where everybody meets everybody, spends what is left on pairs of neighbours that are
    not told apart; None for no end.
    """

    teams: tuple[str, ...]
    pairings: Pairings
    play: Play
    unit: int = 1
    confidence: float | None = None
    budget_seconds: float | None = None
    looks_back: ClassVar[bool] = True

    def next_block(self, history: History) -> Block | None:
        """More sets of all pairings; when the time has no room for those, of neighbours; None when it is over."""
        played = max((block.sets.stop for block in history.blocks if not _is_extra(block, self.pairings)), default=0)
        if not played:
            return self.play.block(self.pairings, sets=self._rounded(1))
        undecided = self._undecided(history)
        if self.confidence is not None and not undecided:
            return None
        sets = min(self._rounded(max(1, played // _GROWTH)), self.play.sets - played)
        has_extras = any(_is_extra(block, self.pairings) for block in history.blocks)
        fitting = self._fitting(history, played)
        if fitting is not None:
            if self.confidence is None:  # nothing is looked at in between, so larger steps will do
                sets = min(max(sets, fitting // 2 // self.unit * self.unit), self.play.sets - played)
            sets = min(sets, fitting // self.unit * self.unit)
        if sets > 0 and not has_extras:
            return self.play.block(self.pairings, first=played, sets=sets)
        # Where not everybody meets everybody, neighbours need not be opponents, and more sets of some would be no fair share.
        return self._extra(history, undecided) if fitting is not None and isinstance(self.pairings, Circle) else None

    def _fitting(self, history: History, played: int) -> int | None:
        """How many more sets of all pairings fit into the time; None when it does not end."""
        if self.budget_seconds is None:
            return None
        used = history.spent_seconds
        return max(0, int((self.budget_seconds - used) * played / max(used, 1e-9)))

    def _extra(self, history: History, undecided: list[tuple[str, str]]) -> Block | None:
        """Sets of the neighbours that are not told apart, from the top, as many of them as the time has room for."""
        matches = sum(block.match_count for block in history.blocks)
        a_match = history.spent_seconds / matches
        left = (self.budget_seconds or 0.0) - history.spent_seconds
        room = max(0, int(left / (a_match * self.unit * len(SEATINGS[self.play.seatings]))))
        index = {team: at for at, team in enumerate(self.teams)}
        chosen = [(one, other) if index[one] < index[other] else (other, one) for one, other in undecided[:room]]
        if not chosen:
            return None
        # After the sets of all pairs: those of this block do not all have as many, and none may be played twice.
        return self.play.block(Listed(tuple(chosen)), first=history.blocks[-1].sets.stop, sets=self.unit)

    def _undecided(self, history: History) -> list[tuple[str, str]]:
        order = history.standing(self.teams)
        if self.confidence is None:
            return undecided_neighbours(history.tally(), order)
        return undecided_neighbours(history.tally(), order, confidence=self.confidence)

    def _rounded(self, sets: int) -> int:
        """Up to a multiple of the unit."""
        return -(-sets // self.unit) * self.unit


def _is_extra(block: Block, pairings: Pairings) -> bool:
    return block.pairings != pairings
