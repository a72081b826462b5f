"""Sessions and blocks: what is played in one piece, in what order, and what number every match has.

A block is never held in memory: a million planned matches are a few names and numbers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from arena.records.model import MatchKey
from arena.tournament.pairings import Pairing, Pairings


class Restart(StrEnum):
    """How long a bot's process lives."""

    PAIRING = "pairing"
    """All matches of a pairing from one seating. Another seating has the same deals, and so never the same processes."""
    MATCH = "match"
    """One match."""


class Seatings(StrEnum):
    """From which seats every deal is played."""

    SWAP = "swap"
    """From both sides: 2 matches."""
    FULL = "full"
    """From both sides, and with each team's members both ways round: 8 matches."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where: as in MatchKey."""

    swapped: bool
    exchanged: int = 0


SEATINGS = {
    Seatings.SWAP: (Seating(swapped=False), Seating(swapped=True)),
    Seatings.FULL: tuple(Seating(swapped, exchanged) for exchanged in range(4) for swapped in (False, True)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Matches that the same four processes play, one after the other: the unit of work.

    teams: the pairing. numbers: of the duplicate sets, ascending.
    """

    teams: Pairing
    seating: Seating
    numbers: range | tuple[int, ...]

    def iter_keys(self) -> Iterator[MatchKey]:
        """The matches, in the order in which they are played."""
        return (
            MatchKey(self.teams, number, swapped=self.seating.swapped, exchanged=self.seating.exchanged)
            for number in self.numbers
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part of a tournament that is planned in one piece: every pairing plays the same duplicate sets.

    A set is the same deals once from every seating. sets: the numbers of the sets, ascending.
    """

    pairings: Pairings
    sets: range
    seatings: Seatings = Seatings.SWAP
    restart: Restart = Restart.PAIRING

    @property
    def match_count(self) -> int:
        """Matches in all."""
        return self._sessions * len(self.sets)

    @property
    def matches_of_pairing(self) -> int:
        """Matches of each pairing."""
        return len(SEATINGS[self.seatings]) * len(self.sets)

    def iter_sessions(self) -> Iterator[Session]:
        """All sessions, in the order in which they should be started."""
        if self.restart is Restart.PAIRING:
            yield from self._iter_pass(self.sets)
        else:
            for number in self.sets:
                yield from self._iter_pass(range(number, number + 1))

    def iter_remaining(self, is_finished: Callable[[MatchKey], bool]) -> Iterator[Session]:
        """What is still to be played, in the same order."""
        for session in self.iter_sessions():
            left = tuple(key.number for key in session.iter_keys() if not is_finished(key))
            if len(left) == len(session.numbers):
                yield session
            elif left:
                yield replace(session, numbers=left)

    def match_number(self, key: MatchKey) -> int:
        """The number of a match in this block, from 1 in the order of `iter_sessions`.

        It never depends on what was played when. Raises ValueError for a match that is not in the block.
        """
        seatings = SEATINGS[self.seatings]
        seating = Seating(key.swapped, key.exchanged)
        if key.number not in self.sets or seating not in seatings:
            raise ValueError(f"{key} is not a match of this block")
        round_, table = self.pairings.place(key.teams)
        session = (len(seatings) * round_ + seatings.index(seating)) * self.pairings.tables + table
        number = self.sets.index(key.number)
        if self.restart is Restart.PAIRING:
            return session * len(self.sets) + number + 1
        return number * self._sessions + session + 1

    @property
    def _sessions(self) -> int:
        """Sessions in a pass over all pairings and seatings."""
        return len(SEATINGS[self.seatings]) * self.pairings.rounds * self.pairings.tables

    def _iter_pass(self, numbers: range) -> Iterator[Session]:
        for round_ in range(self.pairings.rounds):
            for seating in SEATINGS[self.seatings]:
                for table in range(self.pairings.tables):
                    yield Session(teams=self.pairings.at(round_, table), seating=seating, numbers=numbers)
