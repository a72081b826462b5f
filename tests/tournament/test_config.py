"""What a tournament file becomes, and what of it is stored."""

import hashlib
import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from arena.records.model import MatchKey
from arena.rules.options import Eggs, Pull, Rules, TimeControl
from arena.tournament.config import (
    TournamentConfig,
    available_cores,
    canonical_json,
    differences,
    format_of,
    job_count,
    load_config,
    run_secret,
)
from arena.tournament.history import History
from arena.tournament.schedule import Restart
from tests.tournament.files import MINIMAL, PROJECT, load, put


def planned(config: TournamentConfig) -> int:
    """Matches of the first block."""
    block = format_of(config).next_block(History())
    assert block is not None
    return block.match_count


def test_the_example_of_a_teacher() -> None:
    config = load_config(PROJECT / "tournaments" / "class.yaml")
    assert config.name == "Spring class contest"
    assert config.rules == Rules(match_target=12)
    assert config.time == TimeControl(move_ms=1000, bank_ms=20_000, max_faults=3)
    assert (config.startup_ms, config.restarts, config.scheduling.sets, config.seed) == (10_000, 1, 5, None)
    assert [bot.manifest.folder.name for bot in config.bots] == ["random", "greedy"]
    assert [(team.name, team.bots) for team in config.teams] == [
        ("Wild Goats", ("random", "random")),
        ("Old Goats", ("greedy", "greedy")),
        ("Mixed Herd", ("greedy", "random")),
    ]
    assert planned(config) == 3 * 5 * 2


@pytest.mark.parametrize("path", sorted((PROJECT / "tournaments").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_file_in_tournaments_is_valid(path: Path) -> None:
    assert planned(load_config(path)) > 0


def test_every_key_arrives(home: Path) -> None:
    text = """
        name: Every key
        rules: {match_target: 48, max_lead: 1, pull: off, pull_suits: trump, discards: open, eggs: double_next, max_games: 7}
        time: {startup_seconds: 2.5, move_seconds: 0.0015, bank_seconds: 0}
        faults: {max_faults: 9, restarts: 0}
        matches: 10000
        restart: match
        seed: spring
        jobs: 3
        logs: {max_kib: 64}
        bots: {a: bots/good, b: ./bots/good/../good}
        teams: [{name: One, bots: [a, b]}, {name: Two, bots: [b, b]}]
    """
    config = load(home, text)
    assert config.rules.pull is Pull.OFF
    assert config.rules.eggs is Eggs.DOUBLE_NEXT
    assert (config.rules.match_target, config.rules.max_lead, config.rules.max_games) == (48, 1, 7)
    assert (config.rules.pull_suits, config.rules.discards) == ("trump", "open")
    assert config.time == TimeControl(move_ms=2, bank_ms=0, max_faults=9)
    assert (config.startup_ms, config.restarts, config.scheduling.sets, config.scheduling.restart) == (
        2500,
        0,
        10_000,
        Restart.MATCH,
    )
    assert (job_count(config), config.log_bytes) == (3, 65_536)
    assert {bot.manifest.folder for bot in config.bots} == {(home / "bots" / "good").resolve()}
    first, second = ("One", "Two")
    assert config.bots_by_seat(MatchKey((first, second), 0, swapped=True)) == ("b", "a", "b", "b")
    assert config.bots_by_seat(MatchKey((first, second), 0, swapped=True, exchanged=1)) == ("b", "b", "b", "a")
    assert config.bots_by_seat(MatchKey((first, second), 0, swapped=False, exchanged=2)) == ("a", "b", "b", "b")
    assert config.bot("b").path == "./bots/good/../good"


def test_times_are_whole_milliseconds(home: Path) -> None:
    config = load(home, MINIMAL | {"time": {"move_seconds": 0.29, "bank_seconds": 1.1, "startup_seconds": 3}})
    assert (config.time.move_ms, config.time.bank_ms, config.startup_ms) == (290, 1100, 3000)
    assert type(config.startup_ms) is int


def test_it_survives_the_way_to_another_process(home: Path) -> None:
    config = load(home, MINIMAL | {"seed": 5})
    assert pickle.loads(pickle.dumps(config)) == config


def test_auto_jobs_are_the_cores_of_this_machine(home: Path) -> None:
    assert job_count(load(home, MINIMAL)) == job_count(load(home, MINIMAL | {"jobs": "auto"})) == available_cores() >= 1


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Дикие козлы", "Дикие козлы"),
        ("  עיזים ", "עיזים"),
        ("🐐👨\u200d👩\u200d👧", "🐐👨\u200d👩\u200d👧"),
        ("Cafe\u0301", "Café"),
        ("<script>", "<script>"),
        ("x" * 64, "x" * 64),
    ],
)
def test_names_may_be_in_any_script(home: Path, written: str, kept: str) -> None:
    assert load(home, put("teams[].name", written)).teams[0].name == kept


def test_without_one_every_run_has_a_fresh_secret(home: Path) -> None:
    config = load(home, MINIMAL)
    first, second = run_secret(config), run_secret(config)
    assert len(first) == len(second) == 32
    assert first != second


@pytest.mark.parametrize(
    ("text", "hashed"), [("7", "7"), ('"7"', "7"), ("-3", "-3"), ("весна", "весна"), ("off", "off"), ("f" * 63, "f" * 63)]
)
def test_a_number_or_text_is_hashed(home: Path, text: str, hashed: str) -> None:
    config = load(home, yaml.safe_dump(MINIMAL) + f"seed: {text}\n")
    assert run_secret(config) == hashlib.sha256(hashed.encode()).digest()


def test_64_hexadecimal_digits_are_the_secret_itself(home: Path) -> None:
    config = load(home, MINIMAL | {"seed": "0123456789abcdefABCDEF" + "0" * 42})
    assert run_secret(config) == bytes.fromhex("0123456789abcdefabcdef") + bytes(21)


def test_it_is_in_neither_the_stored_configuration_nor_a_log(home: Path) -> None:
    config = load(home, MINIMAL | {"seed": "5eed" * 16})
    for text in (canonical_json(config), repr(config)):
        assert "seed" not in text.replace("seed=", "").replace("seeds=", "")
        assert "5eed" not in text
        assert repr(config.seed) not in text


def test_it_is_itself_a_tournament_file_with_the_same_meaning(home: Path) -> None:
    config = load(home, MINIMAL | {"seed": 3, "time": {"move_seconds": 0.123}, "jobs": 2, "name": "Кубок"})
    stored = json.loads(canonical_json(config))
    assert (stored.pop("hashes").keys(), stored.pop("submissions")) == ({"good"}, [])
    assert stored.pop("rules_version") == 1
    assert load(home, json.dumps(stored)) == replace(config, seed=None)


def test_it_is_the_same_text_however_the_file_was_written(home: Path) -> None:
    written = {"time": {"bank_seconds": 20, "move_seconds": 1.0}, **MINIMAL, "rules": {"pull": "any_time"}, "seed": 1}
    other = dict(reversed(list(MINIMAL.items())))
    assert canonical_json(load(home, written)) == canonical_json(load(home, other))


def test_differences_in_words(home: Path) -> None:
    old = MINIMAL | {"bots": {"good": "bots/good", "gone": "bots/good"}, "rules": {"pull": "off"}}
    new = MINIMAL | {
        "matches": 7,
        "bots": {"good": "bots/good", "fresh": "./bots/good"},
        "time": {"move_seconds": 2},
        "teams": [{"name": "One", "bots": ["good", "fresh"]}, {"name": "Three", "bots": ["good", "good"]}],
    }
    old_json, new_json = canonical_json(load(home, old)), canonical_json(load(home, new))
    assert sorted(differences(old_json, new_json)) == [
        "bots.fresh is new: ./bots/good",
        "bots.gone is gone, it was bots/good",
        "matches was 2 and is 7 now",
        "rules.pull was off and is any_time now",
        "team One was good and good and is good and fresh now",
        "team Three is new: good and good",
        "team Two is gone, it was good and good",
        "time.move_seconds was 1.0 and is 2.0 now",
    ]


def test_what_may_change_in_the_middle_of_a_run_is_no_difference(home: Path) -> None:
    old = canonical_json(load(home, MINIMAL))
    assert differences(old, old) == []
    assert differences(old, canonical_json(load(home, MINIMAL | {"jobs": 7, "logs": {"max_kib": 1}, "seed": 5}))) == []


def test_the_order_of_the_teams_is_a_difference(home: Path) -> None:
    # It decides which team comes first in a pairing, and by that which deals the pairing has.
    other = MINIMAL | {"teams": MINIMAL["teams"][::-1]}
    assert differences(canonical_json(load(home, MINIMAL)), canonical_json(load(home, other))) == [
        "the teams stand in another order"
    ]
