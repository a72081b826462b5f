"""Turns and troubles in words that an author understands without knowing the referee."""

from collections.abc import Sequence
from dataclasses import fields, replace

from arena.check.report import Problem
from arena.records.model import Fault, FaultKind
from arena.referee.referee import FAULT_OF_TROUBLE
from arena.rules.cards import CARD_NAMES, Seat, format_cards
from arena.rules.moves import Move, MoveCode
from arena.rules.options import Rules
from arena.rules.view import PlayView, View
from arena.seat.trouble import Reply, Trouble

_SHOWN_MOVES = 12
_REASONS = {
    FaultKind.NO_START: "it did not start",
    FaultKind.CRASH: "it ended in the middle of a match",
    FaultKind.PROTOCOL: "it broke the protocol",
    FaultKind.TIMEOUT: "it did not answer in time",
    FaultKind.ILLEGAL: "its answer is not one of the legal moves",
    FaultKind.BENCHED: "it was not asked",
}
_ADVICE = {
    FaultKind.NO_START: "Run the command of bot.yaml by hand in the bot's folder and read what it says. A bot greets (Hello) "
    "as soon as its call is open, and prepares what takes long after that.",
    FaultKind.CRASH: "A bot lives until the referee ends its call. Its last lines should say what ended it: look for an error "
    "that nothing caught, on a turn like the one above.",
    FaultKind.PROTOCOL: "If its last lines show an error of its own, mend that first. Else: one Hello, then one Answer for "
    "each Turn, under its number, and nothing else, in a call that stays open. See docs/protocol.md.",
    FaultKind.TIMEOUT: "Answer every Turn, under its own number, within turn.move_ms. If it thinks too long, think less; if it "
    "waits for something, it waits in vain: nothing comes before the answer.",
    FaultKind.ILLEGAL: "Send one of turn.legal back as it is, its kind included: a set of cards that could beat may also be "
    "discarded, and that is another move.",
    FaultKind.BENCHED: "",
}
_OUT_OF_MEMORY = "It was ended for using more memory than it may. Keep less, or tell its runtime its limit (Java: -Xmx)."


def fault_problem(fault: Fault, *, sent: Sequence[str] = ()) -> Problem:
    """What a bot did wrong, with what to do about it. sent: the turn that was open."""
    reason = _REASONS[fault.kind]
    return Problem(
        reason=reason if fault.kind is FaultKind.ILLEGAL else f"{reason}: {fault.detail}",
        advice=_OUT_OF_MEMORY if fault.is_oom else _ADVICE[fault.kind],
        sent=tuple(sent),
        answered=fault.answered or ("nothing" if sent else ""),
        output=fault.stderr_tail,
        exit_status=fault.exit_status,
    )


def after(when: str, problem: Problem) -> Problem:
    """The same with the circumstances before its reason."""
    return replace(problem, reason=f"{when}: {problem.reason}")


def trouble_problem(trouble: Trouble, *, seat: Seat, sent: Sequence[str] = ()) -> Problem:
    """The same for what a chair gave back instead of a move."""
    fault = Fault(
        kind=FAULT_OF_TROUBLE[trouble.kind],
        seat=seat,
        detail=trouble.detail,
        exit_status=trouble.exit_status,
        is_oom=trouble.is_oom,
        stderr_tail=trouble.stderr_tail,
    )
    return fault_problem(fault, sent=sent)


def illegal_problem(reply: Reply, *, seat: Seat, sent: Sequence[str]) -> Problem:
    """The same for an answer that is not legal."""
    return fault_problem(Fault(kind=FaultKind.ILLEGAL, seat=seat, detail="", answered=reply.text), sent=sent)


def describe_turn(view: View, legal: Sequence[MoveCode], *, rules: Rules) -> tuple[str, ...]:
    """A turn as the seat was sent it, in the notation of the arena, on a few lines."""
    moves = [str(Move.from_code(code)) for code in legal]
    shown = moves[:_SHOWN_MOVES] + ([f"and {len(moves) - _SHOWN_MOVES} more"] if len(moves) > _SHOWN_MOVES else [])
    plays = [_describe_play(play, viewer=view.seat) for play in view.trick.plays]
    lines = [
        f"seat {view.seat} (partner {(view.seat + 2) % 4}), trick {len(view.tricks)}, trump {view.trump.name.lower()} "
        f"(shown: {CARD_NAMES[view.indicator]}), {view.stock_count} cards in the stock",
        f"hand: {format_cards(view.hand)}",
        f"trick so far: {'; '.join(plays) or f'nothing yet, seat {view.trick.leader} has the lead'}",
        f"legal: {' | '.join(shown)}",
    ]
    usual = Rules()
    changed = [name for name in (field.name for field in fields(Rules)) if getattr(rules, name) != getattr(usual, name)]
    if changed:
        lines.append(f"rules: {' '.join(f'{name}={getattr(rules, name)}' for name in changed)}")
    return tuple(lines)


def _describe_play(play: PlayView, *, viewer: Seat) -> str:
    who = "you" if play.seat == viewer else f"seat {play.seat}"
    cards = format_cards(play.cards) if play.cards else f"{play.count} face down"
    return f"{who} {play.kind.name.lower()} {cards}{' (returned by a pull)' if play.returned else ''}"
