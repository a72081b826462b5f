"""The faults of a stored match held against the policy: do they explain who forfeited and what the referee played?

As far as a record tells: whether a bot was late cannot be worked out again, but what follows from it can.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from arena.records.model import Decision, Fault, FaultKind, GameRecord, MatchRecord
from arena.records.replay import iter_positions
from arena.records.verify import Difference
from arena.referee.policy import COUNTED, FaultBook, FaultPolicy, fallback_move
from arena.rules.cards import SEATS, TEAM_OF_SEAT, Seat
from arena.rules.game import Game


def iter_fault_differences(record: MatchRecord, policy: FaultPolicy) -> Iterator[Difference]:
    """Where the faults do not fit the rest of the record, which must follow the rules. Raises StoreError where it does not."""
    benched = {TEAM_OF_SEAT[fault.seat] for fault in record.faults if fault.kind is FaultKind.BENCHED}
    if benched:
        yield from _iter_benched(record, tuple(sorted(benched)))
        return
    forfeited = _forfeited(record, policy)
    if record.forfeited != forfeited:
        yield Difference(what="teams that forfeited, by their faults", stored=_teams(record.forfeited), right=_teams(forfeited))
    for fault in record.faults:
        if fault.game is not None and fault.game >= len(record.games):
            yield Difference(what="game of a fault", stored=str(fault.game + 1), right=f"at most {len(record.games)}")
            return
    for index, game in enumerate(record.games):
        faults = [fault for fault in record.faults if fault.game == index]
        if faults or any(decision.is_substitute for decision in game.decisions):
            for difference in _iter_game(game, faults, record):
                yield replace(difference, game=index + 1)


def _forfeited(record: MatchRecord, policy: FaultPolicy) -> tuple[int, ...]:
    """Each fault that is not answered by a fallback move takes a restart, and the team forfeits when there is none left."""
    book = FaultBook(policy)
    for fault in record.faults:
        book.add(fault)
        if fault.kind not in COUNTED:
            book.may_restart(fault.seat)
    return book.forfeited


def _iter_benched(record: MatchRecord, benched: tuple[int, ...]) -> Iterator[Difference]:
    if record.forfeited != benched:
        yield Difference(what="teams that forfeited unplayed", stored=_teams(record.forfeited), right=_teams(benched))
    if record.games:
        yield Difference(what="games", stored=str(len(record.games)), right="none: a team was benched")


def _iter_game(game: GameRecord, faults: list[Fault], record: MatchRecord) -> Iterator[Difference]:
    count = len(game.decisions)
    counted = Counter(fault.seat for fault in faults if fault.kind in COUNTED and _is_answered(fault, count))
    for seat in SEATS:
        substitutes = sum(decision.is_substitute and decision.seat == seat for decision in game.decisions)
        if substitutes != counted[seat]:
            what = f"moves of the referee for seat {seat}"
            yield Difference(what=what, stored=str(substitutes), right=f"{counted[seat]}, as it has faults")
    end = Game.from_deal(record.rules, game.deal, dealer=game.dealer, leader=game.leader)
    for place, (position, decision) in enumerate(iter_positions(game, record.rules)):
        end = position
        yield from _iter_decision(position, decision, place)
        # Within a round of questions the position has moved on, and faults have the place of the round's beginning.
        yield from _iter_asked(position, [fault for fault in faults if fault.decision == place], place)
    yield from _iter_asked(end, [fault for fault in faults if fault.decision == count], count)
    late = next((fault for fault in faults if fault.decision is not None and fault.decision > count), None)
    if late is not None:
        yield Difference(what="decision of a fault", stored=str(late.decision), right=f"at most {count}")


def _is_answered(fault: Fault, count: int) -> bool:
    """Whether the round of questions in which it came is in the record: a forfeit cuts off the last one."""
    return fault.decision is None or fault.decision < count


def _iter_decision(position: Game, decision: Decision, place: int) -> Iterator[Difference]:
    if not decision.is_substitute:
        return
    right = fallback_move(position, decision.seat)
    if decision.is_heard and decision.move != right:
        what = f"move of the referee for seat {decision.seat}"
        yield Difference(what=what, stored=str(decision.move), right=str(right), decision=place + 1)


def _iter_asked(position: Game, faults: list[Fault], place: int) -> Iterator[Difference]:
    for fault in faults:
        if fault.seat not in position.asked:
            asked = ", ".join(map(str, position.asked)) or "no seat: the game was over"
            yield _of_fault("seat", str(fault.seat), f"one that was asked: {asked}", place)
        elif fault.sent and fault.sent != _sent(position, fault.seat):
            yield _of_fault("legal moves", fault.sent, _sent(position, fault.seat), place)


def _sent(position: Game, seat: Seat) -> str:
    return "; ".join(map(str, position.legal_moves(seat)))


def _of_fault(what: str, stored: str, right: str, place: int) -> Difference:
    return Difference(what=f"{what} of a fault", stored=stored, right=right, decision=place + 1)


def _teams(teams: tuple[int, ...]) -> str:
    return " and ".join(map(str, teams)) or "none"
