"""Records the golden transcripts: what one seat was sent in a match, and what `greedy` answered.

    python -m tests.kits.record

writes tests/golden/transcripts/*.jsonl. Every line is a RefereeMessage in protobuf's JSON form; the line after a turn is the
BotMessage with the answer. The matches are searched for what each transcript has to show, so a change of the policy or of the
protocol finds others.
"""

import importlib.util
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from arena.rules.cards import SEATS, SUIT_MASKS, Seat
from arena.rules.deal import draw_first_dealer, make_deal
from arena.rules.match import Match
from arena.rules.moves import Move, MoveKind
from arena.rules.options import Discards, Pull, Rules, TimeControl
from arena.rules.view import View
from arena.wire.encode import (
    TurnEncoder,
    encode_answer,
    encode_game_result,
    encode_match_result,
    encode_match_start,
)

PROJECT = Path(__file__).parents[2]
FOLDER = PROJECT / "tests" / "golden" / "transcripts"
SECRET = bytes(range(32))
TIME = TimeControl(move_ms=1000, bank_ms=20_000, max_faults=3)
TEAMS = ("Wild Goats", "Старые козлы")


Choose: TypeAlias = Callable[[View, Sequence[Move]], Move]


@dataclass(frozen=True, slots=True)
class Answered:
    """A turn and what was answered."""

    view: View
    legal: tuple[Move, ...]
    move: Move


@dataclass(frozen=True, slots=True)
class Sitting:
    """One seat's match: all messages in order, and the decisions among them."""

    messages: tuple[Message, ...]
    decisions: tuple[Answered, ...]
    games: int


def load_greedy() -> ModuleType:
    """The strategy of the sample bot."""
    spec = importlib.util.spec_from_file_location("greedy_strategy", PROJECT / "sample_bots" / "greedy" / "strategy.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def play(name: str, rules: Rules, choose: Choose, *, seat: Seat) -> Sitting:
    """The match of that name as `seat` saw it, with `choose` there and chance on the other seats, which do odder things."""
    chance = random.Random(name)
    match = Match(rules, dealer=draw_first_dealer(SECRET, name))
    messages: list[Message] = [encode_match_start(seat, teams=TEAMS, rules=rules, time=TIME)]
    decisions: list[Answered] = []
    encoder = TurnEncoder()

    def ask(asked: Seat) -> Move:
        legal = game.legal_moves(asked)
        if asked != seat:
            return chance.choice(legal)
        view = game.view(seat)
        move = choose(view, legal)
        decisions.append(Answered(view, legal, move))
        number = len(decisions)
        turn = encoder.encode(
            number, legal=game.legal_codes(seat), view=view, score=match.score, move_ms=TIME.move_ms, bank_ms=TIME.bank_ms
        )
        messages.extend((turn, encode_answer(number, move)))
        return move

    while not match.is_over:
        game = match.start_game(make_deal(SECRET, name, len(match.games)))
        while not game.is_over:
            for move in [ask(asked) for asked in game.asked]:
                game.advance(move.code)
                if move.kind is MoveKind.PULL:
                    break
        messages.append(encode_game_result(match.finish_game()))
    points = (match.defeat_points[0], match.defeat_points[1])
    messages.append(encode_match_result(points, loser=match.loser, forfeited=()))
    return Sitting(tuple(messages), tuple(decisions), len(match.games))


def pulls(sitting: Sitting) -> bool:
    """It pulls."""
    return any(decision.move.kind is MoveKind.PULL for decision in sitting.decisions)


def is_pulled(sitting: Sitting) -> bool:
    """It has cards returned to it by a pull."""
    return any(
        play.returned and play.seat == decision.view.seat
        for decision in sitting.decisions
        for trick in decision.view.tricks
        for play in trick.plays
    )


def beats_with_mixed_suits(sitting: Sitting) -> bool:
    """It beats at least two cards with a plain card and a trump."""
    return any(
        decision.move.kind is MoveKind.BEAT
        and decision.move.count > 1
        and 0 < (decision.move.cards & SUIT_MASKS[decision.view.trump]).bit_count() < decision.move.count
        for decision in sitting.decisions
    )


def is_forced(sitting: Sitting) -> bool:
    """It has a turn with one legal move, and later one with its last card."""
    return any(len(decision.legal) == 1 for decision in sitting.decisions)


def has_many_games(sitting: Sitting) -> bool:
    """Games end and others begin, until the match ends."""
    return 3 <= sitting.games <= 5


def gives_to_partner(sitting: Sitting) -> bool:
    """It discards ten points or more to a trick that its partner is winning, though it could beat."""
    for decision in sitting.decisions:
        winning = decision.view.trick.winning_play
        if (
            decision.move.kind is MoveKind.DISCARD
            and winning is not None
            and winning.seat % 2 == decision.view.seat % 2
            and any(move.kind is MoveKind.BEAT for move in decision.legal)
        ):
            return True
    return False


def leads_three(sitting: Sitting) -> bool:
    """It leads three cards, and answers a lead of three."""
    kinds = {decision.move.kind for decision in sitting.decisions if decision.move.count == 3}
    return MoveKind.LEAD in kinds and bool(kinds & {MoveKind.BEAT, MoveKind.DISCARD})


WANTED: dict[str, tuple[Rules, Callable[[Sitting], bool]]] = {
    "pulls": (Rules(match_target=2), pulls),
    "pulled": (Rules(match_target=2), is_pulled),
    "mixed-suits": (Rules(match_target=2), beats_with_mixed_suits),
    "last-cards": (Rules(match_target=2), is_forced),
    "whole-match": (Rules(), has_many_games),
    "partner": (Rules(match_target=2), gives_to_partner),
    "threes": (Rules(match_target=2), leads_three),
    "open-discards": (Rules(match_target=2, discards=Discards.OPEN, max_lead=2), beats_with_mixed_suits),
    "no-pull": (Rules(match_target=4, pull=Pull.OFF), gives_to_partner),
}


def main() -> None:
    """Write all transcripts."""
    choose = load_greedy().choose_move
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (rules, shows) in WANTED.items():
        played = (play(f"{name} {number}", rules, choose, seat=SEATS[number % 4]) for number in range(2000))
        found = next(sitting for sitting in played if shows(sitting))
        lines = [MessageToJson(message, indent=None, ensure_ascii=False) for message in found.messages]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
