"""What a bot is given for a turn: plain values, read when they are asked for."""

import pytest

from arena.bot import Bot, MatchStart, Turn
from arena.rules.cards import SEATS
from arena.rules.match import MatchScore
from arena.rules.options import Rules, TimeControl
from arena.v1 import bot_pb2 as pb
from arena.wire.encode import TurnEncoder
from tests.seat_tools import new_game

START = MatchStart(SEATS[0], ("a", "b"), Rules(max_lead=2), TimeControl(move_ms=1000, bank_ms=50, max_faults=3))
SCORE = MatchScore(game=3, defeat_points=(4, 2), games_won=(1, 2), eggs=0, stake=1)


def test_a_turn_has_everything_that_was_sent() -> None:
    game = new_game()
    message = TurnEncoder().encode(
        17, legal=game.legal_codes(), view=game.view(SEATS[0]), score=SCORE, move_ms=1000, bank_ms=40
    )
    turn = Turn(message.turn, START)
    assert (turn.number, turn.move_ms, turn.bank_ms) == (17, 1000, 40)
    assert turn.legal == game.legal_moves()
    assert turn.view == game.view(SEATS[0])
    assert turn.score == SCORE
    assert (turn.seat, turn.teams, turn.rules) == (SEATS[0], ("a", "b"), START.rules)
    # Read once: a bot may ask as often as it likes.
    assert turn.view is turn.view
    assert turn.legal is turn.legal


def test_a_bot_that_looks_at_the_legal_moves_only_is_not_bothered_with_the_rest() -> None:
    message = pb.Turn(number=1, legal=[pb.Move(kind=pb.MOVE_KIND_PASS)], view=pb.View(hand_counts=[1]))
    turn = Turn(message, START)
    assert [str(move) for move in turn.legal] == ["pass"]
    with pytest.raises(ValueError, match="not enough values"):
        _ = turn.view


def test_a_bot_has_to_choose_and_nothing_else() -> None:
    class Chooses(Bot):
        def choose(self, turn: Turn) -> object:  # type: ignore[override]
            return turn.legal[0]

    with pytest.raises(TypeError):
        Bot()  # type: ignore[abstract]
    bot = Chooses()
    assert bot.match_start(START) is None  # type: ignore[func-returns-value]
