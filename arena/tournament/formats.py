"""Formats: what is played next, given what has been played.

A format plans a tournament block by block. A block is planned when all matches of those before it are finished, stored, and
never changed; so a run that goes on, and somebody who checks it, need not plan again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Protocol

from arena.tournament.history import History
from arena.tournament.pairings import Listed, Pairing, Pairings
from arena.tournament.schedule import Block, Restart, Seatings

MAX_REPLAYS = 5
"""Sets that a level pairing of a knockout plays on top before the better seed goes on."""
_NEAR = 24
"""Ranks within which opponents of a Swiss round are looked for first."""


class Format(Protocol):
    """Who plays whom."""

    @property
    def looks_back(self) -> bool:
        """Whether it needs the results of matches, and not only the blocks."""
        ...

    def next_block(self, history: History) -> Block | None:
        """What is to be played after all that has been; None when the tournament is over."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """How pairings are played. sets: duplicate sets of each, at least 1."""

    sets: int
    seatings: Seatings = Seatings.SWAP
    restart: Restart = Restart.PAIRING

    def block(self, pairings: Pairings, *, first: int = 0, sets: int | None = None) -> Block:
        """A block of these pairings, from set number `first` on."""
        stop = first + (self.sets if sets is None else sets)
        return Block(pairings=pairings, sets=range(first, stop), seatings=self.seatings, restart=self.restart)


@dataclass(frozen=True, slots=True)
class Once:
    """All is known beforehand: one block, of the whole round robin, or of one team against all others."""

    pairings: Pairings
    play: Play
    looks_back: ClassVar[bool] = False

    def next_block(self, history: History) -> Block | None:
        """Everything, then nothing."""
        return None if history.blocks else self.play.block(self.pairings)


@dataclass(frozen=True, slots=True)
class Swiss:
    """Rounds in which teams of similar standing meet that have not met before; with an odd number of them one has a bye.

    teams: the order in which they begin. rounds: at most half the teams, rounded up: so many can always be drawn (by Dirac's
    theorem a graph in which everybody has at least half of the others left has a perfect matching).
    """

    teams: tuple[str, ...]
    rounds: int
    play: Play
    looks_back: ClassVar[bool] = True

    def next_block(self, history: History) -> Block | None:
        """The next round, drawn from the standing."""
        if len(history.blocks) >= self.rounds:
            return None
        if not history.blocks:
            half = len(self.teams) // 2
            return self.play.block(Listed(tuple(zip(self.teams[:half], self.teams[half : 2 * half], strict=True))))
        return self.play.block(Listed(self._draw(history)))

    def can_draw(self, pairs: Sequence[Pairing], history: History) -> bool:
        """Whether this is a round after the others: everybody plays once, but for a bye, and nobody meets or sits out twice."""
        playing = [team for pair in pairs for team in pair]
        byes = set(self.teams).difference(playing)
        return (
            set(playing) <= set(self.teams)
            and len(playing) == len(set(playing)) == len(self.teams) // 2 * 2
            and all(pair == self._in_order(*pair) for pair in pairs)
            and self._barred(history).isdisjoint({*pairs, *((team, None) for team in byes)})
        )

    def _draw(self, history: History) -> tuple[Pairing, ...]:
        """Neighbours of the standing, as near to each other as the pairings that were allow."""
        import networkx  # it takes longer to import than all of ours, and few tournaments need it

        places: list[str | None] = [*history.standing(self.teams)]
        if len(places) % 2:
            places.append(None)  # who meets nobody has the bye
        graph: networkx.Graph[int] = networkx.Graph()
        pairs: set[tuple[int, int]] = set()
        barred = self._barred(history)
        for reach in (_NEAR, len(places)):
            for at, other in combinations(range(len(places)), 2):
                if other - at > reach and places[other] is not None:
                    continue
                if (places[at], places[other]) not in barred:
                    # First of all the bye goes down as far as can be.
                    graph.add_edge(at, other, weight=(other - at) ** 2 * (len(places) ** 3 if places[other] is None else 1))
            pairs = networkx.min_weight_matching(graph)
            if 2 * len(pairs) == len(places):
                break
        drawn = [(places[min(pair)], places[max(pair)]) for pair in sorted(map(sorted, pairs))]
        return tuple(self._in_order(one, other) for one, other in drawn if one is not None and other is not None)

    def _barred(self, history: History) -> set[tuple[str | None, str | None]]:
        """Pairs that met, either way round, and teams that had a bye, with None."""
        barred: set[tuple[str | None, str | None]] = set()
        for block in history.blocks:
            pairs = _pairs(block)
            barred |= {*pairs, *(pair[::-1] for pair in pairs)}
            barred |= {(team, None) for team in set(self.teams).difference(*pairs)}
        return barred

    def _in_order(self, one: str, other: str) -> Pairing:
        first, second = sorted((one, other), key=self.teams.index)
        return first, second


@dataclass(frozen=True, slots=True)
class Knockout:
    """Who loses is out; the best seeds meet as late as can be, and have the byes. A level pairing plays more sets.

    seeds: the teams, best first. order: the teams as in the tournament file.
    """

    seeds: tuple[str, ...]
    order: tuple[str, ...]
    play: Play
    looks_back: ClassVar[bool] = True

    def next_block(self, history: History) -> Block | None:
        """The next round, or one more set of the pairings that are level."""
        slots = self._bracket()
        while len(slots) > 1:
            pairs = [self._pairing(*pair) for pair in zip(slots[::2], slots[1::2], strict=True) if None not in pair]
            if not all(history.sets(pair) for pair in pairs):
                return self.play.block(Listed(tuple(pairs)))
            level = tuple(pair for pair in pairs if self._is_level(pair, history))
            if level:
                return self.play.block(Listed(level), first=len(history.sets(level[0])), sets=1)
            slots = [self._winner(*pair, history) for pair in zip(slots[::2], slots[1::2], strict=True)]
        return None

    def rounds_survived(self, history: History, *, is_over: bool) -> dict[str, int]:
        """How many rounds every team has survived, byes included; the winner has survived all.

        is_over: whether the last block is finished; as long as it is not, nobody has survived its round.
        """
        survived = dict.fromkeys(self.seeds, 0)
        playing = set() if is_over or not history.blocks else set(_pairs(history.blocks[-1]))
        slots = self._bracket()
        while len(slots) > 1:
            pairs = list(zip(slots[::2], slots[1::2], strict=True))
            met = [self._pairing(*pair) for pair in pairs if None not in pair]
            if not playing.isdisjoint(met) or not all(map(history.sets, met)):
                break
            slots = [self._winner(*pair, history) for pair in pairs]
            for team in slots:
                if team is not None:
                    survived[team] += 1
        return survived

    def _bracket(self) -> list[str | None]:
        """Teams by their place in the first round, None for a bye: seed 1 and seed 2 in different halves, and so on."""
        places = [0]
        while len(places) < len(self.seeds):
            size = 2 * len(places)
            places = [place for seed in places for place in (seed, size - 1 - seed)]
        return [self.seeds[place] if place < len(self.seeds) else None for place in places]

    def _pairing(self, one: str | None, other: str | None) -> Pairing:
        first, second = sorted((str(one), str(other)), key=self.order.index)
        return first, second

    def _is_level(self, pair: Pairing, history: History) -> bool:
        sets = history.sets(pair)
        return sum(first - second for first, second in sets) == 0 and len(sets) < self.play.sets + MAX_REPLAYS

    def _winner(self, one: str | None, other: str | None, history: History) -> str | None:
        if one is None or other is None:
            return one or other
        pairing = self._pairing(one, other)
        lead = sum(second - first for first, second in history.sets(pairing))
        if lead == 0:
            return min(pairing, key=self.seeds.index)
        return pairing[0] if lead > 0 else pairing[1]


def _pairs(block: Block) -> list[Pairing]:
    return [block.pairings.at(0, table) for table in range(block.pairings.tables)]
