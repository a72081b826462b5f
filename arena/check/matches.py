"""Whole matches of the examined bot, by the real referee, which ends them at the first fault."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arena.check.report import Problem
from arena.check.words import describe_turn, fault_problem
from arena.records.model import Fault, MatchKey, MatchRecord
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms, play_match
from arena.rules.cards import Seat
from arena.rules.game import Game
from arena.rules.options import Rules, TimeControl
from arena.seat.dialogue import Dialogue

_SECRET = b"the deals of arena check are not secret"
_TEAMS = ("Even seats", "Odd seats")


@dataclass(frozen=True, slots=True)
class Played:
    """A match. problem: what the examined bot did wrong; None when nothing. others: what somebody else did, in words."""

    record: MatchRecord
    problem: Problem | None
    others: str


async def play(
    chairs: Sequence[Dialogue], *, examined: Collection[Seat], name: str, rules: Rules, time: TimeControl, isolation: str
) -> Played:
    """One match. examined: the seats of the bot that is looked at. name: its deals come from it. Raises HostError."""
    terms = MatchTerms(rules=rules, time=time, policy=FaultPolicy(max_faults=1, restarts=0), isolation=isolation)
    key = MatchKey(teams=(f"{_TEAMS[0]} {name}", _TEAMS[1]), number=0, swapped=False)
    first, second, third, fourth = ("examined" if seat in examined else "other" for seat in range(4))
    record = await play_match(chairs, key=key, bots=(first, second, third, fourth), terms=terms, secret=_SECRET)
    own = [fault for fault in record.faults if fault.seat in examined]
    others = [fault.detail for fault in record.faults if fault.seat not in examined]
    return Played(record, fault_problem(own[0], sent=_position(record, own[0])) if own else None, others[0] if others else "")


def answer_times_us(record: MatchRecord, seats: Collection[Seat]) -> list[int]:
    """How long these seats took for their own answers."""
    return [
        decision.think_us
        for game in record.games
        for decision in game.decisions
        if decision.seat in seats and not decision.is_substitute
    ]


def _position(record: MatchRecord, fault: Fault) -> tuple[str, ...]:
    """The turn of the fault: a match ends with its first one, so it is where the record stops."""
    if fault.turn is None or not record.games:
        return ()
    last = record.games[-1]
    game = Game.from_deal(record.rules, last.deal, dealer=last.dealer, leader=last.leader)
    for decision in last.decisions:
        if decision.is_heard:
            game.advance(decision.move.code)
    if fault.seat not in game.asked:
        return ()
    return describe_turn(game.view(fault.seat), game.legal_codes(fault.seat), rules=record.rules)
