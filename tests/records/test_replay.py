"""A stored game comes back through the rules, and a damaged one does not."""

from dataclasses import replace

import pytest

from arena.errors import StoreError
from arena.records.model import Decision, GameRecord, MatchRecord
from arena.records.replay import iter_positions, replay_game
from arena.rules.cards import CARD_POINTS, SEATS, iter_cards
from arena.rules.moves import Move, MoveKind
from arena.rules.options import Pull, Rules
from tests.builders import find_match, has_pull, has_unheard, key, play_match


@pytest.mark.parametrize("seed", range(10))
def test_every_decision_comes_with_its_position(seed: int) -> None:
    record = play_match(key(number=seed), seed=seed)
    for game in record.games:
        count = 0
        for position, decision in iter_positions(game, record.rules):
            assert decision is game.decisions[count]
            assert decision.seat in position.asked
            assert decision.move in position.legal_moves(decision.seat)
            count += 1
        assert count == len(game.decisions)


def test_replay_ends_with_the_points_that_were_scored() -> None:
    for seed in range(10):
        record = play_match(key(number=seed), seed=seed)
        for game in record.games:
            end = replay_game(game, record.rules)
            assert end.is_over
            assert game.result is not None
            # Counted from the plays, not taken from the engine's own sum.
            points = [0, 0]
            for trick in end.tricks:
                assert trick.taker is not None
                for _, move in list(trick.moves())[trick.pulled_at :]:
                    points[trick.taker % 2] += sum(CARD_POINTS[card] for card in iter_cards(move.cards))
            assert tuple(points) == game.result.card_points


def test_unheard_answers_come_with_the_offer() -> None:
    record = find_match(has_unheard)
    game = next(game for game in record.games if any(not decision.is_heard for decision in game.decisions))
    found = 0
    for position, decision in iter_positions(game, record.rules):
        if not decision.is_heard:
            assert position.is_offer
            assert decision.seat != position.to_move
            found += 1
    assert found


def test_game_cut_short_replays_to_where_it_stopped() -> None:
    record = find_match(lambda it: it.forfeited and it.games[-1].decisions, faulty=SEATS[2], fault_share=0.1, max_faults=2)
    game = record.games[-1]
    assert game.result is None
    assert not replay_game(game, record.rules).is_over


def test_answer_that_was_not_heard_because_the_match_ended() -> None:
    record, game, place = _offer_to_two()
    cut = replace(game, decisions=(*game.decisions[:place], replace(game.decisions[place + 1], is_heard=False)), result=None)
    *_, (position, last) = iter_positions(cut, record.rules)
    assert position.is_offer
    assert last.seat in position.asked


def _offer_to_two() -> tuple[MatchRecord, GameRecord, int]:
    record = find_match(has_unheard)
    for game in record.games:
        for place, decision in enumerate(game.decisions[1:]):
            if not decision.is_heard:
                return record, game, place
    raise LookupError


def test_no_decision_may_be_missing_doubled_or_swapped() -> None:
    record = play_match(seed=3)
    game = record.games[0]
    for place in range(len(game.decisions)):
        without = (*game.decisions[:place], *game.decisions[place + 1 :])
        doubled = (*game.decisions[: place + 1], *game.decisions[place:])
        for decisions in (without, doubled):
            with pytest.raises(StoreError, match="does not replay"):
                replay_game(replace(game, decisions=decisions), record.rules)


def test_names_the_decision_that_is_not_legal() -> None:
    record = play_match(seed=3)
    game = record.games[0]
    wrong = Decision(seat=game.decisions[4].seat, move=Move(MoveKind.PASS), think_us=1)
    damaged = replace(game, decisions=(*game.decisions[:4], wrong, *game.decisions[5:]))
    with pytest.raises(StoreError, match=rf"decision 5, seat {wrong.seat} pass: .*not legal"):
        replay_game(damaged, record.rules)


@pytest.mark.parametrize("field", ["card_points", "tricks", "taker", "dealer", "leader"])
def test_result_must_be_that_of_the_game(field: str) -> None:
    record = play_match(seed=3)
    game = record.games[0]
    assert game.result is not None
    value = getattr(game.result, field)
    other = SEATS[(value + 1) % 4] if isinstance(value, int) else (value[0] + 1, value[1] - 1)
    with pytest.raises(StoreError, match=field.replace("_", " ")):
        replay_game(replace(game, result=replace(game.result, **{field: other})), record.rules)


def test_result_and_end_go_together() -> None:
    record = play_match(seed=3)
    game = record.games[0]
    with pytest.raises(StoreError, match="has no result"):
        replay_game(replace(game, result=None), record.rules)
    with pytest.raises(StoreError, match="not played to its end"):
        replay_game(replace(game, decisions=game.decisions[:-1]), record.rules)


def test_unheard_answer_needs_a_pull_or_the_end_of_the_match() -> None:
    record, game, place = _offer_to_two()
    unheard_leader = replace(game, decisions=(replace(game.decisions[0], is_heard=False), *game.decisions[1:]))
    with pytest.raises(StoreError, match="nobody pulled"):
        replay_game(unheard_leader, record.rules)
    stranger = replace(game.decisions[place + 1], seat=game.decisions[place].seat, move=game.decisions[place].move)
    moved = replace(game, decisions=(*game.decisions[: place + 1], stranger, *game.decisions[place + 2 :]))
    with pytest.raises(StoreError, match="does not replay"):
        replay_game(moved, record.rules)


def test_other_rules_do_not_replay() -> None:
    record = find_match(has_pull)
    game = next(it for it in record.games if any(decision.move.kind is MoveKind.PULL for decision in it.decisions))
    replay_game(game, Rules())
    with pytest.raises(StoreError, match="cannot move"):
        replay_game(game, Rules(pull=Pull.OFF))
