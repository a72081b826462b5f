"""Rules values to messages and back, over random games; the names in the proto are the independent witness of the numbers."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf import json_format

from arena.bot.turn import MatchEnd, MatchStart
from arena.rules.cards import CARD_NAMES, DECK_SIZE, SEATS, TEAMS
from arena.rules.game import Game
from arena.rules.match import GameResult, MatchScore
from arena.rules.moves import Move, MoveKind, parse_move
from arena.rules.options import Discards, Eggs, Pull, PullSuits, Rules, TimeControl
from arena.v1 import bot_pb2 as pb
from arena.wire.decode import (
    decode_answered,
    decode_cards,
    decode_game_result,
    decode_move,
    decode_rules,
    decode_score,
    decode_view,
)
from arena.wire.encode import (
    TurnEncoder,
    encode_answer,
    encode_cards,
    encode_fault,
    encode_game_result,
    encode_match_result,
    encode_match_start,
    encode_move,
    encode_welcome,
)
from tests.rules.play import iter_rule_sets, random_game, random_move

GAMES = 96


def sent(message: pb.RefereeMessage) -> pb.RefereeMessage:
    """The message as it comes out at the other end."""
    return pb.RefereeMessage.FromString(message.SerializeToString())


def iter_games(rng: random.Random, games: int) -> Iterator[Game]:
    """Every position of random games, under all rule options in turn."""
    rule_sets = list(iter_rule_sets())
    for number in range(games):
        start = random_game(rng, rule_sets[number % len(rule_sets)])
        game = Game.from_deal(start.rules, start.deal, dealer=start.dealer, leader=start.leader)
        while not game.is_over:
            yield game
            game.advance(random_move(rng, game).code)


def random_score(rng: random.Random) -> MatchScore:
    def pair() -> tuple[int, int]:
        return (rng.randint(0, 99), rng.randint(0, 99))

    return MatchScore(
        game=rng.randint(0, 99), defeat_points=pair(), games_won=pair(), eggs=rng.randint(0, 9), stake=rng.randint(1, 2)
    )


def test_a_turn_comes_out_as_it_went_in() -> None:
    rng = random.Random(1)
    positions = 0
    for game in iter_games(rng, GAMES):
        for seat in game.asked:
            positions += 1
            view, score, legal = game.view(seat), random_score(rng), game.legal_codes(seat)
            number, move_ms, bank_ms = rng.randint(1, 2**32 - 1), rng.randint(1, 2**32 - 1), rng.randint(0, 2**32 - 1)
            message = TurnEncoder().encode(number, legal=legal, view=view, score=score, move_ms=move_ms, bank_ms=bank_ms)
            turn = sent(message).turn
            assert (turn.number, turn.move_ms, turn.bank_ms) == (number, move_ms, bank_ms)
            assert decode_view(turn.view) == view
            assert decode_score(turn.score) == score
            assert tuple(map(decode_move, turn.legal)) == game.legal_moves(seat)
    assert positions > 2000


def test_the_view_of_every_seat_at_every_moment_comes_out_as_it_went_in() -> None:
    encoders = [TurnEncoder() for _ in SEATS]
    for game in iter_games(random.Random(2), GAMES):
        for seat in SEATS:
            view = game.view(seat)
            message = encoders[seat].encode(
                1, legal=[], view=view, score=MatchScore(0, (0, 0), (0, 0), 0, 1), move_ms=1, bank_ms=0
            )
            assert decode_view(sent(message).turn.view) == view


def test_cards_have_the_numbers_of_their_names() -> None:
    assert {card: pb.Card.Name(encode_cards(1 << card)[0]) for card in range(DECK_SIZE)} == {
        card: f"CARD_{name}" for card, name in enumerate(CARD_NAMES)
    }
    assert len(pb.Card.values()) == DECK_SIZE + 1
    assert decode_cards([pb.CARD_10H, pb.CARD_AS]) == parse_move("lead 10H AS").cards


def test_kinds_have_the_numbers_of_their_names() -> None:
    moves = ["lead 6C", "beat 10H", "discard 6S AS", "pull 6C 9C QC 10C", "pass"]
    for text in moves:
        message = encode_move(parse_move(text).code)
        assert pb.MoveKind.Name(message.kind) == f"MOVE_KIND_{text.split()[0].upper()}"
        assert [pb.Card.Name(card) for card in message.cards] == [f"CARD_{card}" for card in text.split()[1:]]
    assert len(pb.MoveKind.values()) == len(moves) + 1


@pytest.mark.parametrize(
    ("options", "wire"),
    [(Pull, pb.PullRule), (PullSuits, pb.PullSuits), (Discards, pb.DiscardRule), (Eggs, pb.EggsRule)],
)
def test_options_have_the_numbers_of_their_names(options: type, wire: object) -> None:
    fields = {Pull: "pull", PullSuits: "pull_suits", Discards: "discards", Eggs: "eggs"}
    prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", wire.DESCRIPTOR.name).upper()  # type: ignore[attr-defined]
    for option in options:
        rules = Rules(**{fields[options]: option})
        message = encode_match_start(SEATS[0], teams=("a", "b"), rules=rules, time=TIME).match_start.rules
        number = getattr(message, fields[options])
        assert wire.Name(number) == f"{prefix}_{option.name}"  # type: ignore[attr-defined]
        assert decode_rules(message) == rules
    assert len(wire.values()) == len(list(options)) + 1  # type: ignore[attr-defined]


TIME = TimeControl(move_ms=1000, bank_ms=20_000, max_faults=3)


def test_a_match_start_comes_out_as_it_went_in() -> None:
    rng = random.Random(3)
    for base in iter_rule_sets():
        for eggs in Eggs:
            rules = Rules(
                match_target=2 * rng.randint(1, 24),
                max_lead=base.max_lead,
                pull=base.pull,
                pull_suits=base.pull_suits,
                discards=base.discards,
                eggs=eggs,
                max_games=rng.randint(1, 1000),
            )
            time = TimeControl(move_ms=rng.randint(1, 10**6), bank_ms=rng.randint(0, 10**6), max_faults=rng.randint(1, 99))
            teams = ("Козлы \N{GOAT}", "<b>\u202e\x1b[31m")
            seat = rng.choice(SEATS)
            message = sent(encode_match_start(seat, teams=teams, rules=rules, time=time))
            assert MatchStart.from_message(message.match_start) == MatchStart(seat, teams, rules, time)


def test_results_come_out_as_they_went_in() -> None:
    rng = random.Random(4)
    for _ in range(500):
        points, tricks = rng.randint(0, 120), rng.randint(3, 9)
        result = GameResult(
            number=rng.randint(0, 99),
            dealer=rng.choice(SEATS),
            leader=rng.choice(SEATS),
            card_points=(points, 120 - points),
            tricks=(0, tricks) if rng.random() < 0.2 else (tricks, rng.randint(0, 9)),
            defeat_points=rng.choice([(0, 0), (0, 2), (12, 0)]),
            taker=rng.choice(SEATS),
        )
        assert decode_game_result(sent(encode_game_result(result)).game_result) == result
    for loser in (*TEAMS, None):
        for forfeited in ((), (TEAMS[0],), (TEAMS[1],), TEAMS):
            message = sent(encode_match_result((12, 48), loser=loser, forfeited=forfeited))
            assert MatchEnd.from_message(message.match_result) == MatchEnd((12, 48), loser, forfeited)


def test_a_fault_notice_and_a_welcome_say_what_was_given() -> None:
    played = parse_move("discard 6C 7D")
    message = sent(encode_fault(7, reason="no answer within 1.000 s", played=played, faults=2, max_faults=3))
    assert json_format.MessageToDict(message) == {
        "fault": {
            "turn": 7,
            "reason": "no answer within 1.000 s",
            "played": {"kind": "MOVE_KIND_DISCARD", "cards": ["CARD_6C", "CARD_7D"]},
            "faults": 2,
            "maxFaults": 3,
        }
    }
    assert json_format.MessageToDict(sent(encode_welcome(1))) == {"welcome": {"version": 1}}


def test_every_move_that_can_be_is_read_back_from_a_bots_answer() -> None:
    rng = random.Random(6)
    seen = 0
    for game in iter_games(rng, 24):
        for seat in game.asked:
            for move in game.legal_moves(seat):
                message = pb.BotMessage.FromString(encode_answer(seen, move).SerializeToString())
                assert message.answer.turn == seen
                cards = list(message.answer.move.cards)
                rng.shuffle(cards)  # their order does not matter
                assert decode_answered(pb.Move(kind=message.answer.move.kind, cards=cards)) == move
                seen += 1
    assert seen > 2000


@pytest.mark.parametrize(
    ("kind", "cards"),
    [
        (0, [1]),
        (6, [1]),
        (-1, [1]),
        (2**31 - 1, [1]),
        (-(2**31), [1]),
        (1, []),
        (1, [0]),
        (1, [37]),
        (1, [-1]),
        (1, [2**31 - 1]),
        (1, [-(2**31)]),
        (1, [5, 5]),
        (1, [1, 2, 3, 0]),
        (1, [1, 2, 3, 4, 5]),
        (1, [1, 2, 3, 4, 4]),
        (3, list(range(1, 37))),
        (2, [7] * 60_000),
        (4, [1, 2, 3]),
        (4, []),
        (5, [1]),
        (5, [0]),
    ],
)
def test_what_is_no_move_is_none_and_nothing_worse(kind: int, cards: list[int]) -> None:
    message = pb.BotMessage(answer=pb.Answer(turn=1, move=pb.Move(kind=kind, cards=cards)))  # type: ignore[arg-type]
    assert decode_answered(pb.BotMessage.FromString(message.SerializeToString()).answer.move) is None


def test_random_answers_are_a_move_or_none() -> None:
    rng = random.Random(7)
    moves = 0
    for _ in range(20_000):
        kind = rng.choice([rng.randint(-1, 7), rng.randint(-(2**31), 2**31 - 1)])
        cards = [rng.choice([rng.randint(1, 36), rng.randint(-1, 38)]) for _ in range(rng.choice([0, 1, 2, 3, 4, 5, 9]))]
        move = decode_answered(pb.Move(kind=kind, cards=cards))  # type: ignore[arg-type]
        if move is not None:
            moves += 1
            assert isinstance(move, Move)
            assert sorted(f"CARD_{name}" for name in str(move).split()[1:]) == sorted(pb.Card.Name(card) for card in cards)
            assert move.kind is MoveKind(kind - 1)
    assert moves > 500


def test_the_protocols_numbers_never_change() -> None:
    """Bots are compiled against them: a line of the proto that changed its number would break all of them silently."""
    proto = (Path(__file__).parents[2] / "proto" / "arena" / "v1" / "bot.proto").read_text()
    assert "CARD_10H = 26;" in proto
    assert pb.CARD_10H == 26
    assert (pb.MOVE_KIND_LEAD, pb.MOVE_KIND_BEAT, pb.MOVE_KIND_DISCARD, pb.MOVE_KIND_PULL, pb.MOVE_KIND_PASS) == (1, 2, 3, 4, 5)
    turn = pb.Turn(number=1, move_ms=2, bank_ms=3, view=pb.View(seat=1, hand=[pb.CARD_6C]), score=pb.Score(game=4))
    assert turn.SerializeToString() == bytes.fromhex("08011802200 32a05080122010132020804".replace(" ", ""))
