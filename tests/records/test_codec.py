"""Match records as JSON: exact both ways, and nothing wrong gets through."""

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from arena.errors import StoreError
from arena.records.codec import decode_match, encode_match
from arena.records.model import Decision, Fault, FaultKind, GameRecord, MatchKey, MatchRecord
from arena.rules.cards import SEATS, TEAMS, parse_card, parse_cards
from arena.rules.deal import deal_from
from arena.rules.match import Goats
from arena.rules.moves import Move, MoveKind
from arena.rules.options import Discards, Eggs, Pull, PullSuits, Rules, TimeControl
from tests.builders import find_match, has_eggs, has_pull, has_unheard, key, play_match

RULE_SETS = (
    Rules(),
    Rules(match_target=2, max_lead=1, pull=Pull.OFF),
    Rules(pull=Pull.BEFORE_LEAD, pull_suits=PullSuits.TRUMP, discards=Discards.OPEN, eggs=Eggs.DOUBLE_NEXT, max_games=2),
)

WRITTEN = """
{"schema": 1,
 "key": {"teams": ["Козлы", "B"], "number": 4, "swapped": true, "exchanged": 0},
 "bots": ["a", "b", "c", "d"],
 "rules": {"match_target": 8, "max_lead": 2, "pull": "before_lead", "pull_suits": "trump", "discards": "open",
           "eggs": "double_next", "max_games": 7},
 "time": {"move_ms": 5, "bank_ms": 0, "max_faults": 1},
 "games": [
  {"deck": "6C 7C 8C 9C JC QC KC 10C AC 6D 7D 8D 9D JD QD KD 10D AD 6H 7H 8H 9H JH QH KH 10H AH 6S 7S 8S 9S JS QS KS 10S AS",
            "indicator": "9S", "dealer": 3, "leader": 0,
            "decisions": [[1, "pass", 0], [3, "pull 9C 10C 8D KD", 12, "substitute", "unheard"], [0, "lead 6C", 99, "unheard"]],
            "result": null}],
 "faults": [{"kind": "crash", "seat": 2, "detail": "it ended", "game": 0, "turn": 3, "decision": 2, "sent": "pass",
             "answered": "x", "exit_status": -9, "is_oom": true, "stderr_tail": "half \\ud800 \\u0000"}],
 "defeat_points": [8, 2], "loser": 0, "goats": "goats with eggs", "forfeited": [0],
 "isolation": "none", "started_at": "2026-01-31T12:00:00+00:00", "seconds": 0.1}
"""

READ = MatchRecord(
    key=MatchKey(("Козлы", "B"), 4, True),
    bots=("a", "b", "c", "d"),
    rules=Rules(
        match_target=8,
        max_lead=2,
        pull=Pull.BEFORE_LEAD,
        pull_suits=PullSuits.TRUMP,
        discards=Discards.OPEN,
        eggs=Eggs.DOUBLE_NEXT,
        max_games=7,
    ),
    time=TimeControl(move_ms=5, bank_ms=0, max_faults=1),
    games=(
        GameRecord(
            deal=deal_from(tuple(range(36)), parse_card("9S")),
            dealer=SEATS[3],
            leader=SEATS[0],
            decisions=(
                Decision(seat=SEATS[1], move=Move(MoveKind.PASS), think_us=0),
                Decision(
                    seat=SEATS[3],
                    move=Move(MoveKind.PULL, parse_cards("9C 10C 8D KD")),
                    think_us=12,
                    is_substitute=True,
                    is_heard=False,
                ),
                Decision(seat=SEATS[0], move=Move(MoveKind.LEAD, parse_cards("6C")), think_us=99, is_heard=False),
            ),
            result=None,
        ),
    ),
    faults=(
        Fault(
            kind=FaultKind.CRASH,
            seat=SEATS[2],
            detail="it ended",
            game=0,
            turn=3,
            decision=2,
            sent="pass",
            answered="x",
            exit_status=-9,
            is_oom=True,
            stderr_tail="half \ud800 \0",
        ),
    ),
    defeat_points=(8, 2),
    loser=TEAMS[0],
    goats=Goats.GOATS_WITH_EGGS,
    forfeited=(TEAMS[0],),
    isolation="none",
    started_at="2026-01-31T12:00:00+00:00",
    seconds=0.1,
)


def test_reads_what_the_schema_says() -> None:
    assert decode_match(WRITTEN) == READ


def test_writes_what_the_schema_says() -> None:
    text = encode_match(READ)
    assert json.loads(text) == json.loads(WRITTEN)
    text.encode("utf-8")  # half a surrogate pair would not pass


@pytest.mark.parametrize("rules", RULE_SETS)
def test_round_trip_of_random_matches(rules: Rules) -> None:
    for seed in range(20):
        record = play_match(key(number=seed), seed=seed, rules=rules, faulty=SEATS[seed % 4], fault_share=0.1, max_faults=4)
        assert decode_match(encode_match(record)) == record


@pytest.mark.parametrize("wanted", [has_pull, has_unheard, has_eggs])
def test_round_trip_of_rare_matches(wanted: Callable[[MatchRecord], bool]) -> None:
    record = find_match(wanted)
    assert decode_match(encode_match(record)) == record


def test_round_trip_of_a_forfeit() -> None:
    record = find_match(lambda it: it.forfeited, faulty=SEATS[1], fault_share=0.1, max_faults=2)
    assert record.games[-1].result is None
    assert decode_match(encode_match(record)) == record


def test_one_line_for_each_game() -> None:
    record = play_match()
    lines = encode_match(record).splitlines()
    assert sum(line.startswith('{"deck":') for line in lines) == len(record.games)


def test_every_change_is_noticed() -> None:
    """Whatever value stands in whatever place: it is refused, or the record is another one."""
    values = json.loads(WRITTEN)
    places = list(_iter_places(values))
    assert len(places) > 60
    for place in places:
        for wrong in (None, True, -1, 1, 4, 1.5, "", "x", [], {}, [1], {"x": 1}):
            changed = copy.deepcopy(values)
            holder = changed
            for step in place[:-1]:
                holder = holder[step]
            if type(holder[place[-1]]) is type(wrong) and holder[place[-1]] == wrong:
                continue
            holder[place[-1]] = wrong
            try:
                record = decode_match(json.dumps(changed))
            except StoreError:
                continue
            assert record != READ, f"{place} with {wrong!r} went through unnoticed"
            assert json.loads(encode_match(record)) == changed


def test_every_key_is_needed_and_no_other_is_known() -> None:
    values = json.loads(WRITTEN)
    objects = [place for place in [(), *_iter_places(values)] if isinstance(_at(values, place), dict)]
    assert len(objects) == 6
    for place in objects:
        for name in list(_at(values, place)):
            changed = copy.deepcopy(values)
            del _at(changed, place)[name]
            with pytest.raises(StoreError, match=name):
                decode_match(json.dumps(changed))
        changed = copy.deepcopy(values)
        _at(changed, place)["surplus"] = 1
        with pytest.raises(StoreError, match="surplus"):
            decode_match(json.dumps(changed))


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"schema": 1', '"schema": 2', "schema is 2"),
        ('"lead 6C"', '"lead 11C"', r"games\[0\]\.decisions\[2\]\[1\].*11C"),
        ('"lead 6C"', '"toss 6C"', "toss 6C"),
        ("[0, ", "[4, ", r"decisions\[2\]\[0\]: 4 is not a seat"),
        ('99, "unheard"', '99, "unheard", "substitute"', r"decisions\[2\].*marks"),
        ('"6C 7C', '"6C 6C', r"games\[0\]\.deck"),
        ('"9S"', '"6C"', r"games\[0\]\.deck.*indicator"),
        ('"crash"', '"tired"', r"faults\[0\]\.kind.*no_start"),
        ('"match_target": 8', '"match_target": 9', r"rules.*even"),
        ('"move_ms": 5', '"move_ms": 0', r"time.*move_ms"),
        ("0.1}", "1e999}", "seconds.*finite"),
        ("0.1}", "NaN}", "NaN"),
        ("0.1}", '0.1, "seconds": 0.2}', "twice"),
        ("0.1}", "0.1", "not JSON"),
    ],
)
def test_names_what_is_wrong_and_where(old: str, new: str, named: str) -> None:
    assert WRITTEN.count(old) == 1
    with pytest.raises(StoreError, match=named):
        decode_match(WRITTEN.replace(old, new))


@pytest.mark.parametrize("text", ["", "null", "[]", "1", "[" * 100_000, "9" * 10_000])
def test_refuses_what_is_no_record_at_all(text: str) -> None:
    with pytest.raises(StoreError):
        decode_match(text)


@pytest.mark.parametrize("seconds", [float("inf"), float("nan")])
def test_refuses_to_write_what_json_cannot_hold(seconds: float) -> None:
    with pytest.raises(StoreError, match="JSON"):
        encode_match(replace(READ, seconds=seconds))


def _iter_places(value: Any) -> Iterator[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield (step,)
        yield from ((step, *rest) for rest in _iter_places(inner))


def _at(values: Any, place: tuple[Any, ...]) -> Any:
    for step in place:
        values = values[step]
    return values
