"""Benching: who is benched when, and what the record of a match that was not played says."""

from arena.records.codec import decode_match, encode_match
from arena.records.model import FaultKind, MatchKey
from arena.records.summary import summarize
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms
from arena.rules.cards import TEAMS
from arena.rules.options import Rules, TimeControl
from arena.tournament.bench import Bench, unplayed_match

TERMS = MatchTerms(
    rules=Rules(match_target=8),
    time=TimeControl(move_ms=100, bank_ms=0, max_faults=1),
    policy=FaultPolicy(max_faults=1, restarts=0),
    isolation="limits",
)


def key(number: int, *, swapped: bool = False) -> MatchKey:
    return MatchKey(("Dead Goats", "Live Goats"), number, swapped)


def test_a_team_is_benched_after_so_many_forfeits_in_a_row() -> None:
    bench = Bench(3)
    for number, forfeited in enumerate([True, True, False, True, True]):
        bench.add(key(number), (TEAMS[0],) if forfeited else ())
        assert not bench.is_benched("Dead Goats")
    bench.add(key(5, swapped=True), (TEAMS[1],))  # it sits on the other side, and it is the same team
    assert bench.is_benched("Dead Goats")
    assert not bench.is_benched("Live Goats")


def test_benched_is_for_good() -> None:
    bench = Bench(1)
    bench.add(key(0), (TEAMS[0],))
    bench.add(key(1), ())
    assert bench.is_benched("Dead Goats")


def test_the_record_of_a_match_that_was_not_played() -> None:
    record = unplayed_match(key(4, swapped=True), benched=(TEAMS[1],), bots=("a", "b", "a", "b"), terms=TERMS, after=3)
    assert record.defeat_points == (0, 8)
    assert (record.loser, record.forfeited) == (TEAMS[1], (TEAMS[1],))
    assert [(fault.kind, fault.seat) for fault in record.faults] == [(FaultKind.BENCHED, 1), (FaultKind.BENCHED, 3)]
    assert decode_match(encode_match(record)) == record
    assert summarize(record).faults == (0, 0)


def test_two_benched_teams_both_lose() -> None:
    record = unplayed_match(key(0), benched=TEAMS, bots=("a", "b", "a", "b"), terms=TERMS, after=3)
    assert (record.defeat_points, record.loser, record.forfeited) == ((8, 8), None, TEAMS)
