"""What a tournament file says about the schedule, and what is wrong between its keys."""

from pathlib import Path
from typing import Any

import pytest

from arena.records.store import Store
from arena.rules.options import Rules
from arena.tournament.config import TournamentConfig, canonical_json, differences, format_of
from arena.tournament.history import History
from arena.tournament.pairings import Pairing, iter_pairings
from arena.tournament.schedule import Block
from tests.builders import SECRET, key, play_match
from tests.tournament.files import MINIMAL, load, refusal


def teams(*names: str, bots: tuple[str, str] = ("good", "good")) -> dict[str, Any]:
    return {"teams": [{"name": name, "bots": list(bots)} for name in names]}


def first_block(config: TournamentConfig) -> Block:
    block = format_of(config).next_block(History())
    assert block is not None
    return block


def pairs(config: TournamentConfig) -> list[Pairing]:
    return list(iter_pairings(first_block(config).pairings))


def test_a_gauntlet_is_one_against_all(home: Path) -> None:
    content = MINIMAL | teams("A", "B", "C", "D") | {"schedule": {"kind": "gauntlet", "team": "C"}}
    assert pairs(load(home, content)) == [("A", "C"), ("B", "C"), ("C", "D")]


def test_the_seeds_of_a_knockout_are_the_table_of_an_earlier_run(home: Path) -> None:
    content = MINIMAL | teams("A", "B", "C", "D") | {"schedule": {"kind": "knockout"}}
    assert pairs(load(home, content)) == [("A", "D"), ("B", "C")]
    earlier = canonical_json(load(home, content))
    with Store.create(home / "earlier", config=earlier, source="", secret=SECRET) as store:
        record = play_match(key("D", "A"))
        loser = record.key.seated[record.loser or 0]
        store.add_match(record, number=1)
    content_of_final = content | {"schedule": {"kind": "knockout", "seeding": "earlier"}}
    assert "schedule.seeding: the run at earlier is not finished" in refusal(home, content_of_final)
    with Store.open(home / "earlier") as store:
        store.finish()
    first, second = ("D", "A") if loser == "A" else ("A", "D")
    seeded = load(home, content_of_final)
    assert seeded.scheduling.seeds == (first, second, "B", "C")
    assert pairs(seeded) == [tuple(sorted((first, "C"))), tuple(sorted((second, "B")))]
    assert differences(canonical_json(load(home, content)), canonical_json(seeded)), "a run must not go on with other seeds"
    missing = content | {"schedule": {"kind": "knockout", "seeding": "nowhere"}}
    assert "schedule.seeding: no run at nowhere: no such folder" in refusal(home, missing)


def test_the_seeds_are_the_earlier_table_and_not_its_sums(home: Path) -> None:
    """In a Swiss of three teams A had more matches than C, so more points, but fewer a match; B has not played."""
    earlier = MINIMAL | teams("B", "A", "C", "D") | {"schedule": {"kind": "swiss", "rounds": 2}}
    with Store.create(home / "swiss", config=canonical_json(load(home, earlier)), source="", secret=SECRET) as store:
        points: dict[str, list[int]] = {"A": [], "C": [], "D": []}
        for number in range(1, 6):
            opponent = "C" if number == 1 else "D"
            record = play_match(key("A", opponent, number=number), seed=number)
            store.add_match(record, number=number)
            for team, received in zip(record.key.seated, record.defeat_points, strict=True):
                points[team].append(received)
        store.finish()
    by_mean = sorted(points, key=lambda team: _mean_of_opponents(team, points))
    assert by_mean != sorted(points, key=lambda team: sum(points[team])), "this test needs a case where they differ"
    content = MINIMAL | teams("A", "B", "C", "D") | {"schedule": {"kind": "knockout", "seeding": "swiss"}}
    assert load(home, content).scheduling.seeds == (*by_mean, "B")


def _mean_of_opponents(team: str, points: dict[str, list[int]]) -> float:
    """The first match of A was against C, and all others against D."""
    means = [points[team][:1], points[team][1:]] if team == "A" else [points[team]]
    return sum(sum(found) / len(found) for found in means) / len(means)


def test_all_pairs_of_bots_are_teams_and_meet_those_with_other_bots(home: Path) -> None:
    bots = dict.fromkeys("abcd", "bots/good")
    content = {"name": "All", "matches": 1, "pairs": "all", "bots": bots}
    config = load(home, content)
    assert config.team_names == ("a + b", "a + c", "a + d", "b + c", "b + d", "c + d")
    assert config.teams[1].bots == ("a", "c")
    assert pairs(config) == [("a + b", "c + d"), ("a + c", "b + d"), ("a + d", "b + c")]
    more = load(home, content | {"bots": dict.fromkeys("abcdefg", "bots/good")})
    assert len(pairs(more)) == 7 * 6 * 5 * 4 // 8
    assert "contest.yaml:4: bots: must be at least 4 with `pairs: all`" in refusal(
        home, content | {"bots": dict.fromkeys("abc", "bots/good")}
    )
    assert "contest.yaml:4: bots: must be at most 40 with `pairs: all`; those make 274170 pairings" in refusal(
        home, content | {"bots": {f"bot{index}": "bots/good" for index in range(41)}}
    )
    assert "stop_when: does not go with `pairs: all`" in refusal(home, content | {"stop_when": "decided"})
    assert "teams: goes with `pairs: listed` only" in refusal(home, content | teams("A", "B", bots=("a", "b")))


def test_boards_are_single_games_and_every_seat_deals_equally_often(home: Path) -> None:
    config = load(home, MINIMAL | {"format": "boards", "matches": 8, "rules": {"eggs": "double_next"}})
    assert (config.rules.max_games, config.rules.match_target, config.rules.eggs) == (1, 6, "double_next")
    assert Rules().max_games > 1
    said = refusal(home, MINIMAL | {"format": "boards", "matches": 6})
    assert said.startswith("contest.yaml:2: matches: must be a multiple of 4 with `format: boards`, ")
    wrong = MINIMAL | {"format": "boards", "matches": 4, "rules": {"match_target": 12}}
    assert "rules.match_target: is of no use with `format: boards`" in refusal(home, wrong)


@pytest.mark.parametrize(("members", "matches"), [(("good", "good"), 2), (("good", "other"), 8)])
def test_a_full_seating_is_one_only_where_partners_differ(home: Path, members: tuple[str, str], matches: int) -> None:
    content = MINIMAL | {"matches": 1, "seatings": "full", "bots": {"good": "bots/good", "other": "bots/good"}}
    config = load(home, content | teams("A", "B", bots=members))
    assert first_block(config).matches_of_pairing == matches


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"schedule": {"kind": "gauntlet"}}, "schedule: a gauntlet needs `team`: the one that meets all others"),
        ({"schedule": {"kind": "gauntlet", "team": "Ona"}}, 'schedule.team: there is no team "Ona"; did you mean One?'),
        ({"schedule": {"kind": "swiss"}}, "schedule: a swiss needs `rounds`: 1 to 1 with 2 teams"),
        (
            {"schedule": {"kind": "swiss", "rounds": 2}},
            "schedule.rounds: must be at most 1 with 2 teams, so that nobody meets twice, not 2",
        ),
        (
            {"schedule": {"kind": "knockout", "rounds": 2}},
            "schedule.rounds: belongs to `kind: swiss`, and this is a knockout; leave it out",
        ),
        (
            {"schedule": {"kind": "knockout"}, "stop_when": "decided"},
            "stop_when: goes with `kind: round_robin` only, and this is a knockout",
        ),
        (
            {"schedule": {"kind": "swiss", "rounds": 1}, "budget_minutes": 3},
            "budget_minutes: goes with `kind: round_robin` only, and this is a swiss",
        ),
        ({"schedule": {"kind": "swis"}}, "did you mean swiss?"),
        (
            {"schedule": {"kind": "swiss", "rounds": "4"}},
            'must be a whole number from 1 to 500, not the text "4"; write 4 without',
        ),
        ({"schedule": {"kind": "knockout", "seeding": 7}}, "must be text of 1 to 1000 characters, not the number 7; put it in"),
        ({"budget_minutes": 0}, "budget_minutes: must be a number from 0.01 to 100000, not the number 0"),
        ({"shedule": {"kind": "swiss"}}, "did you mean schedule?"),
    ],
)
def test_what_does_not_go_together(home: Path, wrong: dict[str, Any], said: str) -> None:
    assert said in refusal(home, MINIMAL | wrong)
