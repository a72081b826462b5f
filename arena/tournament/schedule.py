"""Who plays whom and in what order: a round robin that is never held in memory.

It is played in rounds, by the circle method. In a round every team meets one other, but for the one that sits out when their
number is odd. So whenever a run is cut short, all teams have played about equally often.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from arena.records.model import MatchKey


class Restart(StrEnum):
    """How long a bot's process lives."""

    PAIRING = "pairing"
    """All matches of a pairing from one seating. The other seating has the same deals, and so never the same processes."""
    MATCH = "match"
    """One match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Matches that the same four processes play, one after the other: the unit of work.

    teams: the pairing. swapped: the seating, as in `MatchKey`. numbers: of the duplicate pairs, ascending.
    """

    teams: tuple[str, str]
    swapped: bool
    numbers: range | tuple[int, ...]

    def iter_keys(self) -> Iterator[MatchKey]:
        """The matches, in the order in which they are played."""
        return (MatchKey(self.teams, number, swapped=self.swapped) for number in self.numbers)


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Every pair of teams meets in `matches` duplicate pairs: twice as many matches, half of them with the seats swapped.

    teams: at least two different names; of a pairing the team that is named here first comes first. matches: at least 1.
    """

    teams: tuple[str, ...]
    matches: int
    restart: Restart = Restart.PAIRING

    @property
    def match_count(self) -> int:
        """Matches in all."""
        return len(self.teams) * (len(self.teams) - 1) * self.matches

    def iter_sessions(self) -> Iterator[Session]:
        """All sessions, in the order in which they should be started."""
        if self.restart is Restart.PAIRING:
            yield from self._iter_pass(range(self.matches))
        else:
            for number in range(self.matches):
                yield from self._iter_pass(range(number, number + 1))

    def iter_remaining(self, finished: Collection[MatchKey]) -> Iterator[Session]:
        """What is still to be played, in the same order, when the matches in `finished` (a set, best) need not be."""
        for session in self.iter_sessions():
            left = tuple(key.number for key in session.iter_keys() if key not in finished)
            if len(left) == len(session.numbers):
                yield session
            elif left:
                yield replace(session, numbers=left)

    def match_number(self, key: MatchKey) -> int:
        """The public number of a match, from 1 in the order of `iter_sessions`.

        It depends on the schedule alone, never on what was played when. Raises ValueError for a match that is not in it.
        """
        indexes = [self.teams.index(team) for team in key.teams if team in self.teams]
        if len(indexes) != 2 or indexes[0] >= indexes[1] or not 0 <= key.number < self.matches:
            raise ValueError(f"{key} is not a match of this schedule")
        round_, table = self._place(*indexes)
        session = (2 * round_ + key.swapped) * self._tables + table
        if self.restart is Restart.PAIRING:
            return session * self.matches + key.number + 1
        return key.number * 2 * self._rounds * self._tables + session + 1

    def match_key(self, match_number: int) -> MatchKey:
        """The match with a public number. Raises ValueError for a number that no match has."""
        if not 1 <= match_number <= self.match_count:
            raise ValueError(f"there is no match {match_number}: they are numbered 1 to {self.match_count}")
        index = match_number - 1
        if self.restart is Restart.PAIRING:
            session, number = divmod(index, self.matches)
        else:
            number, session = divmod(index, 2 * self._rounds * self._tables)
        half, table = divmod(session, self._tables)
        return MatchKey(self._pairing(half // 2, table), number, swapped=bool(half % 2))

    def _iter_pass(self, numbers: range) -> Iterator[Session]:
        for round_ in range(self._rounds):
            for swapped in (False, True):
                for table in range(self._tables):
                    yield Session(teams=self._pairing(round_, table), swapped=swapped, numbers=numbers)

    # The circle: an odd number of places, as many rounds. In round r the places r + k and r - k meet at table k, for every k
    # from 1 to half the circle; place r is alone. With an even number of teams the last one stands beside the circle and
    # plays the lonely place, at table 0; otherwise nobody does, and the tables are counted from 1.

    @property
    def _rounds(self) -> int:
        """Also the places on the circle."""
        return len(self.teams) - 1 + len(self.teams) % 2

    @property
    def _tables(self) -> int:
        return len(self.teams) // 2

    def _pairing(self, round_: int, table: int) -> tuple[str, str]:
        step = table + len(self.teams) % 2
        one = (round_ + step) % self._rounds
        other = (round_ - step) % self._rounds if step else self._rounds
        first, second = sorted((one, other))
        return self.teams[first], self.teams[second]

    def _place(self, first: int, second: int) -> tuple[int, int]:
        """Round and table of the pairing of two teams, given by their indexes, first < second."""
        if second == self._rounds:  # the team beside the circle
            return first, 0
        half = (self._rounds + 1) // 2  # on the circle, halving is multiplying with this
        round_ = (first + second) * half % self._rounds
        step = (first - second) * half % self._rounds
        return round_, min(step, self._rounds - step) - len(self.teams) % 2
