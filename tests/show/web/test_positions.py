"""What a page is given of a match: all of it for a spectator, and for a seat what that seat saw."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise

import pytest

from arena.errors import StoreError
from arena.records.model import Fault, FaultKind, GameRecord, MatchRecord
from arena.records.replay import iter_positions
from arena.rules.cards import SEATS, Seat
from arena.rules.game import Game
from arena.rules.moves import MoveKind
from arena.rules.options import Discards, Rules
from arena.show.web.positions import VIEWPOINTS, match_data
from arena.show.web.replay import render_match
from tests.builders import find_match, has_eggs, has_pull, has_unheard, key, play_match
from tests.show.test_sight import exchanged, iter_unseen_exchanges
from tests.show.web.known import known_cards

RECORDS = [play_match(key(number=seed), seed=seed, pull_share=0.3) for seed in range(4)]


def digits(value: object) -> Iterator[int]:
    """Every card anywhere in a game's data: in hands, in actions, and the indicator."""
    game = json.loads(json.dumps(value))
    hands = [game["hands"], *(step[2]["hands"] for step in game["steps"] if len(step) > 2 and "hands" in step[2])]
    texts = [hand for four in hands for hand in four if isinstance(hand, str)]
    texts += [step[0][2:] for step in game["steps"] if ":" not in step[0]]
    return (int(digit, 36) for digit in "".join([*texts, game["indicator"]]))


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("record", [*RECORDS, play_match(seed=8, rules=Rules(discards=Discards.OPEN))])
def test_a_seat_is_given_no_card_that_it_did_not_see(record: MatchRecord, seat: Seat) -> None:
    data = match_data(record, number=1, viewpoints=(seat,))[seat]
    for game, given in zip(record.games, data["games"], strict=True):
        assert set(digits(given)) == known_cards(game, record.rules, seat)


def test_a_spectator_is_given_every_card() -> None:
    for record in RECORDS:
        for given in match_data(record, number=1)[None]["games"]:
            assert set(digits(given)) == set(range(36))


@pytest.mark.parametrize("seat", SEATS)
def test_what_a_seat_did_not_see_does_not_change_a_letter_of_its_page(seat: Seat) -> None:
    changes = 0
    for record in RECORDS[:2]:
        page, open_page = render_match(record, number=1, viewer=seat), render_match(record, number=1)
        for index, game in enumerate(record.games):
            for changed in islice(iter_unseen_exchanges(game, seat, record), 3):
                other = replace(record, games=(*record.games[:index], changed, *record.games[index + 1 :]))
                assert render_match(other, number=1, viewer=seat) == page
                changes += render_match(other, number=1) != open_page
    assert changes > 5


@pytest.mark.parametrize("seat", SEATS)
def test_times_faults_and_bots_of_others_are_not_in_the_page_of_a_seat(seat: Seat) -> None:
    record = find_match(has_unheard)
    faults = tuple(
        Fault(kind=FaultKind.TIMEOUT, seat=it, detail="late", game=0, turn=1, decision=3) for it in SEATS if it != seat
    )
    games = tuple(
        replace(
            game,
            decisions=tuple(
                it if it.seat == seat else replace(it, think_us=it.think_us + 5000, is_substitute=True) for it in game.decisions
            ),
        )
        for game in record.games
    )
    changed = replace(record, games=games, faults=faults, bots=("secret",) * 4, seconds=99.0, isolation="other")
    assert render_match(changed, number=1, viewer=seat) == render_match(record, number=1, viewer=seat)
    assert render_match(changed, number=1) != render_match(record, number=1)


def test_an_exchange_of_seen_cards_does_change_the_page() -> None:
    record = RECORDS[0]
    seen = sorted(known_cards(record.games[0], record.rules, SEATS[1]) - {record.games[0].deal.indicator})
    for one, other in pairwise(seen):
        changed = replace(record, games=(exchanged(record.games[0], one, other), *record.games[1:]))
        try:
            page = render_match(changed, number=1, viewer=SEATS[1])
        except StoreError:
            continue
        assert page != render_match(record, number=1, viewer=SEATS[1])
        return
    raise AssertionError("no two cards could be exchanged")


@pytest.mark.parametrize("viewer", VIEWPOINTS)
def test_every_play_is_a_step_in_its_order(viewer: Seat | None) -> None:
    for record in (*RECORDS, find_match(has_unheard)):
        data = match_data(record, number=1, viewpoints=(viewer,))[viewer]
        for game, given in zip(record.games, data["games"], strict=True):
            plays = [it for it in game.decisions if it.is_heard and it.move.kind is not MoveKind.PASS]
            steps = [step for step in given["steps"] if step[0][1:2] in tuple("LBDP")]
            assert [step[0][:2] for step in steps] == [f"{it.seat}{it.move.kind.name[0]}" for it in plays]
            own = [it.think_us for it in plays if viewer in (None, it.seat)]
            assert [step[1] for step in steps if len(step) > 1 and step[1]] == own
            answers = [step for step in given["steps"] if step[0][1:2] in tuple("NY")]
            others = [it for it in game.decisions if not it.is_heard or it.move.kind is MoveKind.PASS]
            assert len(answers) == sum(viewer in (None, it.seat) for it in others)


def test_a_pull_gives_the_hands_back() -> None:
    record = find_match(_pulled_late, pull_share=0.3)
    checked = 0
    for game, given in zip(record.games, match_data(record, number=1)[None]["games"], strict=True):
        after = [hands for _, hands in _hands_after(game, record.rules)]
        pulls = [step[2]["hands"] for step in given["steps"] if step[0][1:2] == "P"]
        assert all([_mask(hand) for hand in hands] in after for hands in pulls)
        checked += len(pulls)
    assert checked


def test_points_score_and_results_are_those_of_the_record() -> None:
    for record in (*RECORDS, find_match(has_eggs)):
        for viewer, data in match_data(record, number=1).items():
            score = [0, 0]
            for game, given in zip(record.games, data["games"], strict=True):
                assert given["score"] == score
                assert game.result is not None
                assert given["result"]["points"] == list(game.result.card_points)
                score = [had + got for had, got in zip(score, game.result.defeat_points, strict=True)]
                taken = [step for step in given["steps"] if step[0][1:2] == "T"]
                assert [sum(int(step[0][0]) % 2 == team for step in taken) for team in (0, 1)] == list(game.result.tricks)
                piles = [step[2]["points"] for step in taken if "points" in step[2]]
                assert piles[-1:] == ([list(game.result.card_points)] if viewer is None else [])
            assert score == list(record.defeat_points)


def test_every_fault_is_given_once_and_to_its_seat_only() -> None:
    record = find_match(lambda it: len(it.faults) > 3 and has_pull(it), faulty=SEATS[1], fault_share=0.1)
    for viewer, data in match_data(record, number=1).items():
        found = [
            fault for game in data["games"] for step in game["steps"] if len(step) > 2 for fault in step[2].get("faults", [])
        ]
        assert len(found) == (len(record.faults) if viewer in (None, 1) else 0)
        assert all("\x1b" not in line for fault in found for line in fault.get("stderr", []))


def test_a_match_without_a_game() -> None:
    record = replace(RECORDS[0], games=(), forfeited=(), loser=None)
    assert match_data(record, number=1)[None]["games"] == []
    assert "No game of this match was begun." in render_match(record, number=1)


def test_a_damaged_record_names_its_place() -> None:
    game = RECORDS[0].games[1]
    broken = replace(game, decisions=game.decisions[:-1])
    with pytest.raises(StoreError, match="match 7, game 2: "):
        match_data(replace(RECORDS[0], games=(RECORDS[0].games[0], broken)), number=7)


def _pulled_late(record: MatchRecord) -> bool:
    return any(
        decision.move.kind is MoveKind.PULL and game.decisions[place - 1].move.kind in (MoveKind.BEAT, MoveKind.DISCARD)
        for game in record.games
        for place, decision in enumerate(game.decisions)
        if place
    )


def _hands_after(record: GameRecord, rules: Rules) -> Iterator[tuple[int, list[int]]]:
    game: Game | None = None
    for place, (game, _) in enumerate(iter_positions(record, rules)):
        yield place, list(game.hands)
    assert game is not None


def _mask(hand: str) -> int:
    return sum(1 << int(digit, 36) for digit in hand)
