"""Benching: who is benched when, and what the record of a match that was not played says."""

from dataclasses import replace
from random import Random

import pytest

from arena.records.codec import decode_match, encode_match
from arena.records.model import FaultKind, MatchKey
from arena.records.summary import MatchSummary, summarize
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms
from arena.rules.cards import TEAMS, Team
from arena.rules.options import Rules, TimeControl
from arena.tournament.bench import Bench, unplayed_match
from tests.builders import result

TERMS = MatchTerms(
    rules=Rules(match_target=8),
    time=TimeControl(move_ms=100, bank_ms=0, max_faults=1),
    policy=FaultPolicy(max_faults=1, restarts=0),
    isolation="limits",
)


def key(number: int, *, swapped: bool = False) -> MatchKey:
    return MatchKey(("Dead Goats", "Live Goats"), number, swapped)


def played(key: MatchKey, *forfeited: Team) -> MatchSummary:
    """A match that was played, with a fault for each team that forfeited it."""
    faults = (int(TEAMS[0] in forfeited), int(TEAMS[1] in forfeited))
    return replace(result(*key.teams, (12, 4)), key=key, forfeited=forfeited, faults=faults)


def unplayed(key: MatchKey, *benched: Team) -> MatchSummary:
    return summarize(unplayed_match(key, benched=benched, bots=("a", "b", "a", "b"), terms=TERMS, after=3))


def test_a_team_is_benched_after_so_many_forfeits_in_a_row() -> None:
    bench = Bench(3)
    for number, forfeited in enumerate([True, True, False, True, True]):
        assert list(bench.add(number + 1, played(key(number), *([TEAMS[0]] if forfeited else [])))) == []
        assert not bench.is_benched("Dead Goats")
    list(bench.add(6, played(key(5, swapped=True), TEAMS[1])))  # it sits on the other side, and it is the same team
    assert bench.names == ("Dead Goats",)
    assert bench.benched(key(6)) == (TEAMS[0],)
    assert bench.benched(key(6, swapped=True)) == (TEAMS[1],)


def test_benched_is_for_good() -> None:
    bench = Bench(1)
    list(bench.add(1, played(key(0), TEAMS[0])))
    assert list(bench.add(2, unplayed(key(1), TEAMS[0]))) == []
    assert bench.names == ("Dead Goats",)


def test_a_match_that_a_benched_team_had_played_meanwhile_is_replaced() -> None:
    bench = Bench(2)
    assert list(bench.add(1, played(key(0), TEAMS[0]))) == []
    assert list(bench.add(3, played(key(2)))) == []  # whether it counts is not known before number 2
    assert list(bench.add(4, played(key(3), TEAMS[1]))) == []
    replaced = list(bench.add(2, played(key(1), TEAMS[0])))
    assert replaced == [(3, key(2), (TEAMS[0],)), (4, key(3), (TEAMS[0],))]
    assert bench.names == ("Dead Goats",)  # what the other side forfeited in the match that does not count, does not count


@pytest.mark.parametrize("seed", range(40))
def test_who_is_benched_when_does_not_depend_on_the_order_in_which_matches_end(seed: int) -> None:
    """Matches end in an order of chance, up to eight early; each is played unless a benched team was known when it began."""
    luck = Random(seed)
    teams = ("Alpha", "Beta", "Gamma")
    matches = []
    for number in range(60):
        match_key = MatchKey((*sorted(luck.sample(teams, 2)),), number, luck.random() < 0.5)
        matches.append(played(match_key, *(team for team in TEAMS if luck.random() < 0.45)))

    def final(jobs: int) -> dict[int, MatchSummary]:
        bench, table, started, at = Bench(3), {}, [], 0
        while at < len(matches) or started:
            while at < len(matches) and len(started) < jobs:
                benched = bench.benched(matches[at].key)
                started.append((at + 1, unplayed(matches[at].key, *benched) if benched else matches[at]))
                at += 1
            number, match = started.pop(luck.randrange(len(started)))
            table[number] = match
            for other, other_key, benched in bench.add(number, match):
                table[other] = unplayed(other_key, *benched)
        return {number: replace(match, isolation="") for number, match in table.items()}

    alone = final(1)
    assert any(match.is_unplayed for match in alone.values()), "nobody was benched, so this shows nothing"
    assert final(8) == final(3) == alone


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
