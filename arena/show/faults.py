"""Where the faults of a match belong among its moves."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.records.model import Fault, FaultKind, MatchRecord
from arena.rules.cards import SEATS


@dataclass(frozen=True, slots=True)
class PlacedFaults:
    """The faults of a match. before, at: by game and decision. after: by game, None for before the first one."""

    before: Mapping[tuple[int, int], list[Fault]]
    at: Mapping[tuple[int, int], Fault]
    after: Mapping[int | None, list[Fault]]


def place_faults(record: MatchRecord) -> PlacedFaults:
    """Each fault that cost a move with the move that was played instead, any other before the decision that it held up.

    A late or illegal answer is replaced by a substitute, in the same order, but for the one with which a match ends. A fault
    whose place is not known stands at the end of its game.
    """
    before: dict[tuple[int, int], list[Fault]] = {}
    at: dict[tuple[int, int], Fault] = {}
    after: dict[int | None, list[Fault]] = {}
    left = {
        (index, seat): [place for place, it in enumerate(game.decisions) if it.is_substitute and it.seat == seat]
        for index, game in enumerate(record.games)
        for seat in SEATS
    }
    for fault in record.faults:
        index = fault.game
        if index is None or index >= len(record.games):
            after.setdefault(None, []).append(fault)
        elif fault.kind in (FaultKind.TIMEOUT, FaultKind.ILLEGAL) and left[index, fault.seat]:
            at[index, left[index, fault.seat].pop(0)] = fault
        elif fault.decision is not None and fault.decision < len(record.games[index].decisions):
            before.setdefault((index, fault.decision), []).append(fault)
        else:
            after.setdefault(index, []).append(fault)
    return PlacedFaults(before, at, after)
