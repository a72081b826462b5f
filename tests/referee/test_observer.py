"""What an observer is told is the match that is recorded."""

import asyncio
from pathlib import Path

from arena.records.model import Decision, Fault, FaultKind
from arena.referee.observer import Observer
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms, play_match
from arena.rules.cards import Cards
from arena.rules.game import Game
from arena.rules.match import GameResult, MatchScore
from arena.rules.options import TimeControl
from tests.referee.table import key, new_table
from tests.seat_tools import SECRET

TERMS_TIME = TimeControl(move_ms=20_000, bank_ms=0, max_faults=3)


class Notes(Observer):
    """Writes everything down, with the hands at that moment."""

    def __init__(self) -> None:
        self.began: list[MatchScore] = []
        self.moves: list[tuple[int, Decision, tuple[Cards, ...]]] = []
        self.ended: list[tuple[GameResult, MatchScore]] = []
        self.faults: list[Fault] = []

    def game_began(self, game: Game, *, score: MatchScore) -> None:
        self.began.append(score)

    def moved(self, game: Game, decision: Decision) -> None:
        self.moves.append((len(self.began) - 1, decision, tuple(game.hands)))

    def game_ended(self, result: GameResult, *, score: MatchScore) -> None:
        self.ended.append((result, score))

    def failed(self, fault: Fault) -> None:
        self.faults.append(fault)


def test_an_observer_is_told_every_move_that_counts_and_every_fault(root: Path) -> None:
    illegal = """
    class Wrong(Counting):
        def number(self, n, turn):
            return Move(MoveKind.PULL, 0b1111) if n == 2 else None

    serve(Wrong())
    """

    async def test() -> None:
        notes = Notes()
        async with new_table(root, {1: illegal}) as table:
            terms = MatchTerms(
                rules=table.rules, time=TERMS_TIME, policy=FaultPolicy(max_faults=3, restarts=1), isolation="none"
            )
            record = await play_match(
                table.chairs, key=key(0), bots=("a", "b", "c", "d"), terms=terms, secret=SECRET, observer=notes
            )
        heard = [(number, it) for number, game in enumerate(record.games) for it in game.decisions if it.is_heard]
        assert [(number, decision) for number, decision, _ in notes.moves] == heard
        assert [result for result, _ in notes.ended] == [game.result for game in record.games]
        assert tuple(notes.faults) == record.faults
        assert [fault.kind for fault in notes.faults] == [FaultKind.ILLEGAL]
        # The scores are those before and after each game.
        assert [score.game for score in notes.began] == list(range(len(record.games)))
        assert notes.ended[-1][1].defeat_points == record.defeat_points
        # A game is told as it stands behind the move: what was laid is in no hand any more.
        laid = [(decision, hands) for _, decision, hands in notes.moves if decision.move.cards]
        assert laid
        assert all(not any(hand & decision.move.cards for hand in hands) for decision, hands in laid)

    asyncio.run(test())
