"""Which teams meet: all of them, in the rounds of a circle, or pairs that somebody chose."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

Pairing: TypeAlias = tuple[str, str]
"""Two teams, in the order of the tournament file."""


class Pairings(Protocol):
    """Pairs of teams, each once, in rounds in which no team plays twice."""

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        ...

    @property
    def tables(self) -> int:
        """Pairs in every round."""
        ...

    def at(self, round_: int, table: int) -> Pairing:
        """The pair at a table, both counted from 0."""
        ...

    def place(self, pairing: Pairing) -> tuple[int, int]:
        """Round and table of a pair. Raises ValueError when it does not meet."""
        ...


def iter_pairings(pairings: Pairings) -> Iterator[Pairing]:
    """All pairs, round after round."""
    return (pairings.at(round_, table) for round_ in range(pairings.rounds) for table in range(pairings.tables))


@dataclass(frozen=True)
class Circle:
    """Everybody meets everybody, by the circle method; whenever it is cut short, all teams have played about equally often.

    teams: at least two different names. There is an odd number of places on the circle, and as many rounds. In round r the
    places r + k and r - k meet at table k, for every k from 1 to half the circle; place r is alone. With an even number of
    teams the last one stands beside the circle and plays the lonely place, at table 0; otherwise nobody does, and the tables
    are counted from 1.
    """

    teams: tuple[str, ...]

    @property
    def rounds(self) -> int:
        """Also the places on the circle."""
        return len(self.teams) - 1 + len(self.teams) % 2

    @property
    def tables(self) -> int:
        """In a round with an odd number of teams one sits out."""
        return len(self.teams) // 2

    def at(self, round_: int, table: int) -> Pairing:
        """The pair at a table, the one first that comes first in `teams`."""
        step = table + len(self.teams) % 2
        one = (round_ + step) % self.rounds
        other = (round_ - step) % self.rounds if step else self.rounds
        first, second = sorted((one, other))
        return self.teams[first], self.teams[second]

    def place(self, pairing: Pairing) -> tuple[int, int]:
        """Round and table of a pair. Raises ValueError when one is no team or they stand the other way round."""
        first, second = (self._index.get(team, -1) for team in pairing)
        if not 0 <= first < second:
            raise ValueError(f"{pairing} does not meet in this order")
        if second == self.rounds:  # the team beside the circle
            return first, 0
        half = (self.rounds + 1) // 2  # on the circle, halving is multiplying with this
        round_ = (first + second) * half % self.rounds
        step = (first - second) * half % self.rounds
        return round_, min(step, self.rounds - step) - len(self.teams) % 2

    @cached_property
    def _index(self) -> dict[str, int]:
        return {team: index for index, team in enumerate(self.teams)}


@dataclass(frozen=True)
class Listed:
    """Pairs that were chosen, in one round: a team may be in several of them."""

    pairs: tuple[Pairing, ...]

    @property
    def rounds(self) -> int:
        """One."""
        return 1

    @property
    def tables(self) -> int:
        """All pairs."""
        return len(self.pairs)

    def at(self, round_: int, table: int) -> Pairing:
        """The pair at a table."""
        return self.pairs[table]

    def place(self, pairing: Pairing) -> tuple[int, int]:
        """Round and table of a pair. Raises ValueError when it is not one of them."""
        if pairing not in self._index:
            raise ValueError(f"{pairing} is not one of the chosen pairs")
        return 0, self._index[pairing]

    @cached_property
    def _index(self) -> dict[Pairing, int]:
        return {pair: index for index, pair in enumerate(self.pairs)}
