"""What a seat went through, from records of random matches with faults and forfeits."""

from dataclasses import replace
from itertools import pairwise

import pytest

from arena.check.sitting import Ending, Notice, Question, Restart, iter_sitting
from arena.records.model import Fault, FaultKind, MatchRecord
from arena.rules.cards import SEATS, Seat
from arena.rules.match import GameResult
from tests.builders import find_match, has_unheard, play_match


def own_answers(record: MatchRecord, seat: Seat) -> list[object]:
    return [it.move for game in record.games for it in game.decisions if it.seat == seat and not it.is_substitute]


@pytest.mark.parametrize("seed", range(12))
def test_all_that_a_seat_was_sent_comes_in_order(seed: int) -> None:
    faulty = SEATS[seed % 4]
    record = play_match(seed=seed, faulty=faulty, fault_share=0.1, max_faults=6 if seed % 2 else 1000)
    for seat in SEATS:
        events = list(iter_sitting(record, seat))
        questions = [event for event in events if isinstance(event, Question)]
        notices = [event for event in events if isinstance(event, Notice)]
        assert [event.answer for event in questions if event.answer is not None] == own_answers(record, seat)
        assert all(event.answer is None or event.answer.code in event.legal for event in questions)
        assert all(event.view.seat == seat for event in questions)
        assert [event.faults for event in notices] == (list(range(1, len(record.faults) + 1)) if seat == faulty else [])
        assert [event.fault for event in questions if event.fault] == (list(record.faults) if seat == faulty else [])
        for before, event in pairwise(events):
            if isinstance(event, Notice):
                assert isinstance(before, Question)
                assert event.played.code in before.legal
        if seat != faulty:
            results = [game.result for game in record.games if game.result is not None]
            assert [event for event in events if isinstance(event, GameResult)] == results
            assert events[-1] == Ending(defeat_points=record.defeat_points, loser=record.loser, forfeited=record.forfeited)


def test_answers_that_were_not_heard_are_answers() -> None:
    record = find_match(has_unheard)
    unheard = [(it.seat, it.move) for game in record.games for it in game.decisions if not it.is_heard]
    for seat, move in unheard:
        questions = [event for event in iter_sitting(record, seat) if isinstance(event, Question) and len(event.legal) == 2]
        assert move in [event.answer for event in questions]


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_the_score_is_that_of_the_games_before(share: float) -> None:
    record = play_match(seed=4, faulty=SEATS[1], fault_share=share)
    for event in iter_sitting(record, SEATS[2]):
        if isinstance(event, Question):
            before = [game.result for game in record.games[: event.game] if game.result is not None]
            assert event.score.game == event.game == len(before)
            assert event.score.defeat_points == tuple(sum(result.defeat_points[team] for result in before) for team in (0, 1))


@pytest.mark.parametrize("restarts", [0, 1, 2])
def test_a_bot_that_broke_off_for_good_is_told_nothing_more(restarts: int) -> None:
    """Its last turn was sent as often as it had a process for it."""
    record = find_match(lambda it: it.forfeited and it.games[-1].decisions, faulty=SEATS[2], fault_share=0.1, max_faults=1)
    last = record.games[-1]
    crash = Fault(
        kind=FaultKind.CRASH,
        seat=SEATS[2],
        detail="it exited",
        game=len(record.games) - 1,
        turn=9,
        decision=len(last.decisions),
    )
    broken = replace(record, faults=(crash,) * (restarts + 1))
    events = list(iter_sitting(broken, SEATS[2]))
    assert isinstance(events[-1], Question)
    tail = events[-(2 * restarts + 1) :]
    assert [type(event) for event in tail] == [Question, *[Restart, Question] * restarts]
    assert events[-1].fault == crash
    assert sum(isinstance(event, Question) for event in events) == len(own_answers(record, SEATS[2])) + restarts + 1


def test_a_match_without_a_game_was_nothing_to_its_seats() -> None:
    record = play_match(seed=1)
    assert list(iter_sitting(replace(record, games=()), SEATS[0])) == []
