"""A seat of a recorded match once more, with a bot that lives: is its every answer the recorded one?"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from arena.check.report import Problem
from arena.check.sitting import Ending, Event, Notice, Question, Restart, iter_sitting
from arena.check.words import describe_turn, trouble_problem
from arena.records.model import MatchRecord
from arena.rules.match import GameResult
from arena.seat.clock import StoppedClock
from arena.seat.dialogue import Dialogue
from arena.seat.trouble import Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """An answer that was not the recorded one, or none at all. game, trick, turn (of this seat in the match): from 1."""

    game: int
    trick: int
    turn: int
    problem: Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """What came of it.

    turns: that were sent. compared: of them, those with an answer and a recorded one. differing: of those. first: the first
    that differs. failure: why the bot did not come to the end.
    """

    turns: int
    compared: int
    differing: int
    first: Finding | None
    failure: Finding | None

    @property
    def is_same(self) -> bool:
        """Whether it answered everything as recorded."""
        return not self.differing and self.failure is None


async def rerun(chair: Dialogue, record: MatchRecord, *, first_turn_ms: int, on_difference: Callable[[Finding], None]) -> Rerun:
    """Send the bot in an open and started chair what its seat was sent; whatever it answers, the match goes on as recorded.

    The clock shows what it showed and does not run. first_turn_ms: what the first turn of a process had on top.
    on_difference: called with the first one at once. A new start in the match is none here: the bot is told the match again.
    Raises StoreError for a damaged record.
    """
    return await _Rerun(chair, record, first_turn_ms, on_difference).run()


class _Rerun:
    def __init__(
        self, chair: Dialogue, record: MatchRecord, first_turn_ms: int, on_difference: Callable[[Finding], None]
    ) -> None:
        self._chair = chair
        self._record = record
        self._first_turn_ms = first_turn_ms
        self._on_difference = on_difference
        self._clock = StoppedClock(record.time)
        self._turns = 0
        self._compared = 0
        self._differing = 0
        self._first: Finding | None = None
        self._failure: Finding | None = None

    async def run(self) -> Rerun:
        record = self._record
        self._clock.grant(self._first_turn_ms)
        await self._chair.begin_match(teams=record.key.seated, rules=record.rules, time=record.time, clock=self._clock)
        for event in iter_sitting(record, self._chair.seat):
            await self._send(event)
            if self._failure is not None:
                break
        return Rerun(
            turns=self._turns,
            compared=self._compared,
            differing=self._differing,
            first=self._first,
            failure=self._failure,
        )

    async def _send(self, event: Event) -> None:
        chair, record = self._chair, self._record
        match event:
            case Question():
                await self._ask(event)
            case Notice():
                await chair.tell_fault(
                    event.reason, played=event.played, faults=event.faults, max_faults=record.time.max_faults
                )
            case Restart():
                self._clock.grant(self._first_turn_ms)
                await chair.remind(teams=record.key.seated, rules=record.rules, time=record.time)
            case GameResult():
                await chair.tell_game(event)
            case Ending():
                await chair.tell_match(event.defeat_points, loser=event.loser, forfeited=event.forfeited)

    async def _ask(self, question: Question) -> None:
        self._turns += 1
        outcome = await self._chair.ask(question.legal, view=question.view, score=question.score)
        self._clock.book(question.think_us)
        sent = describe_turn(question.view, question.legal, rules=self._record.rules)
        if isinstance(outcome, Trouble):
            problem = trouble_problem(outcome, seat=self._chair.seat, sent=sent)
            if question.fault is not None:
                problem = replace(problem, reason=f"{problem.reason} (recorded for this turn: {question.fault.detail})")
            self._failure = self._finding(question, problem)
            return
        if question.answer is None:
            return
        self._compared += 1
        if outcome.move == question.answer:
            return
        self._differing += 1
        if self._first is None:
            is_legal = outcome.move is not None and outcome.move.code in question.legal
            reason = f"its answer is not the recorded one, which is: {question.answer}"
            if not is_legal:
                reason += "; nor is it legal"
            self._first = self._finding(question, Problem(reason=reason, advice="", sent=sent, answered=outcome.text))
            self._on_difference(self._first)

    def _finding(self, question: Question, problem: Problem) -> Finding:
        return Finding(game=question.game + 1, trick=len(question.view.tricks), turn=self._turns, problem=problem)
