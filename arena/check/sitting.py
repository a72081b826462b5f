"""What one seat went through in a recorded match, in order: everything that it was sent, rebuilt from the record.

Three things are not in the record: the numbers of turns, which count over all matches of a process; what was answered in a
round that a forfeit cut short; and whether a bot that crashed between two of its turns was still told what came there.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from arena.records.model import Decision, Fault, FaultKind, GameRecord, MatchRecord
from arena.records.replay import iter_positions, replay_game
from arena.referee.policy import COUNTED, fallback_move
from arena.rules.cards import TEAM_OF_SEAT, Seat, Team
from arena.rules.game import Game
from arena.rules.match import GameResult, Match, MatchScore
from arena.rules.moves import Move, MoveCode, MoveKind
from arena.rules.view import View

_BROKE_OFF = frozenset({FaultKind.CRASH, FaultKind.PROTOCOL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A turn. game: from 0. legal, view, score: what was sent.

    answer: the seat's own; None when it gave none that was kept. think_us: what its clock was charged, in microseconds.
    fault: what it did wrong in this turn.
    """

    game: int
    legal: tuple[MoveCode, ...]
    view: View
    score: MatchScore
    answer: Move | None = None
    think_us: int = 0
    fault: Fault | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """The notice of a fault in the turn before. played: the referee's move. faults: of the team so far."""

    reason: str
    played: Move
    faults: int


@dataclass(frozen=True, slots=True)
class Restart:
    """Its process was started again: it was told the match again, and asked the open turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The end of the match."""

    defeat_points: tuple[int, int]
    loser: Team | None
    forfeited: tuple[Team, ...]


Event: TypeAlias = Question | Notice | Restart | GameResult | Ending


def iter_sitting(record: MatchRecord, seat: Seat) -> Iterator[Event]:
    """What came after the start of the match; nothing when no game was begun. Raises StoreError for a damaged record."""
    if record.games:
        yield from _Sitting(record, seat).iter_events()


class _Sitting:
    def __init__(self, record: MatchRecord, seat: Seat) -> None:
        self._record = record
        self._seat = seat
        self._faults = [fault for fault in record.faults if fault.seat == seat]
        # A bot that is gone, or still owes an answer, is told nothing until it is asked again.
        self._is_told = True

    def iter_events(self) -> Iterator[Event]:
        record = self._record
        for index, game in enumerate(record.games):
            yield from self._iter_game(index, game)
            if game.result is not None and self._is_told:
                yield game.result
        if self._is_told:
            yield Ending(defeat_points=record.defeat_points, loser=record.loser, forfeited=record.forfeited)

    def _iter_game(self, index: int, game: GameRecord) -> Iterator[Event]:
        score = self._score(index)
        for place, (position, decision) in enumerate(iter_positions(game, self._record.rules)):
            if decision.seat == self._seat:
                question = self._question(position, index, score)
                yield from self._iter_broken_off(question, place=place)
                yield from self._iter_turn(question, decision)
        if game.result is not None:
            return
        # A forfeit ended the match while everybody who is asked here was asked, and what they answered was thrown away.
        position = replay_game(game, self._record.rules)
        if self._seat in position.asked and self._seat not in _kept(game):
            yield from self._iter_last(self._question(position, index, score), position)

    def _iter_broken_off(self, question: Question, *, place: int) -> Iterator[Event]:
        """The turn as often as it was sent to a process that broke off, each time with the new start after it."""
        for fault in self._take(_BROKE_OFF, game=question.game, until=place):
            yield replace(question, fault=fault)
            yield Restart()

    def _iter_turn(self, question: Question, decision: Decision) -> Iterator[Event]:
        self._is_told = True
        if not decision.is_substitute:
            yield replace(question, answer=decision.move, think_us=decision.think_us)
            return
        fault = next(self._take(COUNTED, game=question.game), None)
        yield replace(question, think_us=decision.think_us, fault=fault)
        if fault is not None:
            yield self._notice(fault, decision.move)

    def _iter_last(self, question: Question, position: Game) -> Iterator[Event]:
        """The turn with which the match ended."""
        broken = list(self._take(_BROKE_OFF, game=question.game))
        fault = next(self._take(COUNTED, game=question.game), None)
        self._is_told = True
        for number, last in enumerate(broken, start=1):
            yield replace(question, fault=last)
            if number == len(broken) and fault is None and TEAM_OF_SEAT[self._seat] in self._record.forfeited:
                self._is_told = False
                return
            yield Restart()
        yield replace(question, fault=fault)
        if fault is not None:
            yield self._notice(fault, fallback_move(position, self._seat))

    def _notice(self, fault: Fault, played: Move) -> Notice:
        self._is_told = fault.kind is not FaultKind.TIMEOUT
        reason = f"not a legal move: {fault.answered}" if fault.kind is FaultKind.ILLEGAL else fault.detail
        team = TEAM_OF_SEAT[self._seat]
        known = self._record.faults
        until = next(place for place, it in enumerate(known) if it is fault) + 1
        faults = Counter(TEAM_OF_SEAT[it.seat] for it in known[:until] if it.kind in COUNTED)[team]
        return Notice(reason=reason, played=played, faults=faults)

    def _take(self, kinds: frozenset[FaultKind], *, game: int, until: int | None = None) -> Iterator[Fault]:
        """The faults of these kinds in this game, each once. until: only those that are known to be of before this decision."""
        for fault in list(self._faults):
            if fault.kind not in kinds or fault.game != game:
                continue
            if until is None or (fault.decision is not None and fault.decision <= until):
                self._faults.remove(fault)
                yield fault

    def _question(self, position: Game, index: int, score: MatchScore) -> Question:
        seat = self._seat
        return Question(game=index, legal=tuple(position.legal_codes(seat)), view=position.view(seat), score=score)

    def _score(self, games: int) -> MatchScore:
        """How the match stood after so many games."""
        match = Match(self._record.rules, dealer=self._record.games[0].dealer)
        match.games = [game.result for game in self._record.games[:games] if game.result is not None]
        for result in match.games:
            match.defeat_points = [sum(pair) for pair in zip(match.defeat_points, result.defeat_points, strict=True)]
        return match.score


def _kept(game: GameRecord) -> set[Seat]:
    """Whose answers a record has of the round that was cut short: at its end, not heard, and with no pull before them."""
    seats: set[Seat] = set()
    for decision in reversed(game.decisions):
        if decision.is_heard:
            return set() if decision.move.kind is MoveKind.PULL else seats
        seats.add(decision.seat)
    return seats
