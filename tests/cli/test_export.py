"""`arena export`: the grade book and the files for programs, of a real run and of one that has everything in it."""

import csv
import io
import json
import re
import stat
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
from click.testing import CliRunner, Result

from arena.cli.export import export
from arena.errors import UserError
from arena.records.store import Store
from arena.rules.cards import TEAMS
from arena.show.matches import match_line
from tests.builders import SECRET, find_match, has_unheard
from tests.cli.running import Contest
from tests.cli.running import Result as Outcome
from tests.tournament.played import write_run

PROJECT = Path(__file__).parents[2]
NAMES = ("=cmd|' /C calc'!A0", "Козлы", "B", 'Staff, "old"')
STAFF = NAMES[3]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Names of every kind, faults, forfeits, benched matches; not to be changed."""
    return write_run(tmp_path_factory.mktemp("export"), teams=NAMES, faulty="B", fault_share=0.05, matches=6)


@pytest.fixture(scope="module")
def out(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("out") / "new" / "folder"
    call(run, "--out", folder, "--staff", STAFF)
    return folder


def call(*arguments: object) -> Result:
    result = CliRunner().invoke(export, list(map(str, arguments)), standalone_mode=False)
    if result.exception:
        raise result.exception
    return result


def read_csv(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8"))))


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def points_by_set(run: Path, team: str, other: str) -> list[tuple[int, int]]:
    """Defeat points of both in every set, counted from the records."""
    sets: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    with Store.open(run) as store:
        for _, record in store.iter_matches():
            if set(record.key.teams) == {team, other}:
                for side in TEAMS:
                    sets[record.key.number][record.key.seated[side] == other] += record.defeat_points[side]
    return [(own, others) for own, others in sets.values()]


def test_grade_book_has_a_line_for_every_team_but_the_staff(run: Path, out: Path) -> None:
    rows = read_csv(out / "grades.csv")
    assert [row["team"] for row in sorted(rows, key=lambda row: row["team"])] == sorted(["'=cmd|' /C calc'!A0", "Козлы", "B"])
    assert all(row["matches"] == "36" for row in rows)
    assert [int(row["rank"]) for row in rows] == sorted(int(row["rank"]) for row in rows)
    for row in rows:
        assert int(row["band_first"]) <= int(row["rank"]) <= int(row["band_last"])
        assert float(row["defeat_points_low"]) <= float(row["defeat_points_per_match"]) <= float(row["defeat_points_high"])
    late = next(row for row in rows if row["team"] == "B")
    assert int(late["faults"]) > 0
    assert int(late["forfeits"]) > 0


def test_chance_to_beat_the_staff_is_counted_in_sets(run: Path, out: Path) -> None:
    for row in read_csv(out / "grades.csv"):
        name = next(name for name in NAMES if name[:2] in row["team"] or name == row["team"])
        points = points_by_set(run, name, STAFF)
        won = sum(own < other for own, other in points)
        assert len(points) == 6
        assert row[f"sets against {STAFF}"] == "6"
        assert row[f"won against {STAFF}"] == str(won)
        assert row[f"level against {STAFF}"] == str(sum(own == other for own, other in points))
        assert float(row[f"chance to beat {STAFF}"]) == pytest.approx(won / 6, abs=1e-4)
        assert 0 <= float(row[f"chance low {STAFF}"]) <= round(won / 6, 4) <= float(row[f"chance high {STAFF}"]) <= 1


def test_interval_is_wilsons(tmp_path: Path) -> None:
    """Two bots of the same strength: a table value for 6 trials, from the formula with z = 1.959964."""
    run = write_run(tmp_path, teams=("A", "B"), matches=6)
    call(run, "--out", tmp_path / "out", "--staff", "B")
    (row,) = read_csv(tmp_path / "out" / "grades.csv")
    won, z = int(row["won against B"]), 1.959964
    middle = (won + z * z / 2) / (6 + z * z)
    half = z / (6 + z * z) * (won * (6 - won) / 6 + z * z / 4) ** 0.5
    assert float(row["chance low B"]) == pytest.approx(max(middle - half, 0), abs=1e-4)
    assert float(row["chance high B"]) == pytest.approx(min(middle + half, 1), abs=1e-4)


def test_version_is_the_hash_of_the_bots(run: Path, out: Path) -> None:
    with Store.open(run) as store:
        hashes = json.loads(store.config)["hashes"]
    # Both bots of these tests have the same source but for their names.
    assert {row["version"] for row in read_csv(out / "grades.csv")} == {f"{hashes['one']}+{hashes['two']}"}
    assert re.fullmatch("[0-9a-f]{64}", hashes["one"])


def test_bots_that_are_ranked_over_all_partners(tmp_path: Path) -> None:
    run = write_run(tmp_path, teams=(), bots=("p", "q", "r", "s"), pairs="all", matches=2, rules={"match_target": 2})
    call(run, "--out", tmp_path / "out", "--staff", "s")
    rows = {row["team"]: row for row in read_csv(tmp_path / "out" / "grades.csv")}
    assert set(rows) == {"p", "q", "r"}
    with Store.open(run) as store:
        hashes = json.loads(store.config)["hashes"]
    for name, row in rows.items():
        assert row["version"] == hashes[name]
        # p meets s in p + q against r + s, and in p + r against q + s: two sets each.
        assert row["sets against s"] == "4"
    match = read_lines(tmp_path / "out" / "matches.jsonl")
    won = 0
    for teams in ({"p + q", "r + s"}, {"p + r", "q + s"}):
        for number in (1, 2):
            points: dict[bool, int] = defaultdict(int)
            for it in match:
                if set(it["teams"]) == teams and it["set"] == number:
                    for team, given in zip(it["teams"], it["verdict"]["defeat_points"], strict=True):
                        points["p" in team] += given
            won += points[True] < points[False]
    assert rows["p"]["won against s"] == str(won)


def test_spreadsheets_find_no_formula(run: Path, tmp_path: Path) -> None:
    call(run, "--out", tmp_path / "out", "--staff", NAMES[0])
    for row in csv.reader((tmp_path / "out" / "grades.csv").read_text(encoding="utf-8").splitlines()):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in row)


def test_every_match_follows_the_schema(run: Path, out: Path) -> None:
    schema = json.loads((PROJECT / "docs" / "match.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    matches = read_lines(out / "matches.jsonl")
    for match in matches:
        validator.validate(match)
    assert [match["match"] for match in matches] == list(range(1, 73))
    assert any(fault["kind"] == "benched" for match in matches for fault in match["faults"])
    assert any(it["substitute"] for match in matches for game in match["games"] for it in game["decisions"])


def test_answers_that_were_not_heard() -> None:
    schema = json.loads((PROJECT / "docs" / "match.schema.json").read_text(encoding="utf-8"))
    match = json.loads(match_line(find_match(has_unheard), number=1))
    jsonschema.validate(match, schema, jsonschema.Draft202012Validator)
    decisions = [it for game in match["games"] for it in game["decisions"]]
    at = next(at for at, it in enumerate(decisions) if not it["heard"])
    assert decisions[at]["question"] == "pull"
    assert decisions[at]["legal"][1] == "pass"
    assert decisions[at - 1]["move"].startswith("pull ")


def test_schema_refuses_what_is_not_so(out: Path) -> None:
    schema = json.loads((PROJECT / "docs" / "match.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    match = next(match for match in read_lines(out / "matches.jsonl") if match["games"])
    for change in (
        lambda it: it.pop("verdict"),
        lambda it: it.update(new=1),
        lambda it: it.update(schema=2),
        lambda it: it["games"][0]["deck"].pop(),
        lambda it: it["games"][0]["decisions"][0].update(move="lead 5C"),
        lambda it: it["games"][0]["decisions"][0].update(seat=4),
    ):
        wrong = json.loads(json.dumps(match))
        change(wrong)
        assert not validator.is_valid(wrong)


def test_matches_are_those_of_the_store(run: Path, out: Path) -> None:
    matches = read_lines(out / "matches.jsonl")
    with Store.open(run) as store:
        for number, record in store.iter_matches():
            match = matches[number - 1]
            assert tuple(match["teams"]) == record.key.seated
            assert tuple(match["verdict"]["defeat_points"]) == record.defeat_points
            for game, stored in zip(match["games"], record.games, strict=True):
                assert [(it["seat"], it["move"], it["think_us"]) for it in game["decisions"]] == [
                    (it.seat, str(it.move), it.think_us) for it in stored.decisions
                ]
                for it in game["decisions"]:
                    assert it["move"] in it["legal"]
                    kinds = {move.split()[0] for move in it["legal"]}
                    assert kinds <= {"lead": {"lead"}, "answer": {"beat", "discard"}, "pull": {"pull", "pass"}}[it["question"]]


def test_run_file_has_everything_else(run: Path, out: Path) -> None:
    values = json.loads((out / "run.json").read_text(encoding="ascii"))
    assert values["table"]["deals"]["secret"] == SECRET.hex()
    assert {row["team"] for row in values["table"]["standings"]} == set(NAMES)
    assert {row["team"] for row in values["grades"]} == set(NAMES) - {STAFF}
    assert values["staff"] == [STAFF]
    assert values["config"]["name"] == "Played"
    assert all(grade["against"][0]["sets"] == 6 for grade in values["grades"])


def test_unfinished_run_does_not_give_its_secret_away(tmp_path: Path) -> None:
    run = write_run(tmp_path, teams=("A", "B"), matches=1, is_finished=False)
    result = call(run, "--out", tmp_path / "out")
    assert "not finished" in result.stderr
    assert all(SECRET.hex() not in path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir())


def test_ids_in_place_of_names(run: Path, out: Path, tmp_path: Path) -> None:
    key = tmp_path / "kept" / "key"
    for folder in ("one", "two"):
        result = call(run, "--out", tmp_path / folder, "--staff", STAFF, "--anonymous", key)
    assert str(key) + ".names.csv" in result.stderr
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["grades.csv"]
    text = (tmp_path / "one" / "grades.csv").read_text(encoding="utf-8")
    assert text == (tmp_path / "two" / "grades.csv").read_text(encoding="utf-8")
    assert "calc" not in text
    assert "Козлы" not in text
    rows = read_csv(tmp_path / "one" / "grades.csv")
    assert all(re.fullmatch("t-[0-9a-f]{12}", row["team"]) for row in rows)
    assert [row["team"] for row in rows] == sorted(row["team"] for row in rows)
    names = {row["id"]: row["team"] for row in read_csv(Path(f"{key}.names.csv"))}
    by_name = {row["team"]: row for row in read_csv(out / "grades.csv")}
    assert [by_name[names[row["team"]]] | {"team": ""} for row in rows] == [row | {"team": ""} for row in rows]
    for file in (key, Path(f"{key}.names.csv")):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_other_key_gives_other_ids(run: Path, tmp_path: Path) -> None:
    ids = []
    for name in ("one", "two"):
        call(run, "--out", tmp_path / name, "--anonymous", tmp_path / f"{name}.key")
        ids.append({row["team"] for row in read_csv(tmp_path / name / "grades.csv")})
    assert len(ids[0]) == len(NAMES)
    assert not ids[0] & ids[1]


def test_key_that_would_be_handed_out_or_guessed_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="keep the key elsewhere"):
        call(run, "--out", tmp_path / "out", "--anonymous", tmp_path / "out" / "sub" / "key")
    assert not (tmp_path / "out").exists()
    short = tmp_path / "short"
    short.write_text("secret\n")
    with pytest.raises(UserError, match="holds no key"):
        call(run, "--out", tmp_path / "out", "--anonymous", short)
    assert short.read_text() == "secret\n"


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_folder_that_cannot_be_written(run: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        call(run, "--out", tmp_path / place)


def test_staff_that_is_no_team_is_named(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no team 'C' in this run; its teams are"):
        call(run, "--out", tmp_path / "out", "--staff", "C")
    with pytest.raises(click.UsageError):
        call(run)


def test_real_run(undisturbed: tuple[Contest, Outcome], folder: Path) -> None:
    contest, _ = undisturbed
    result = contest.call("export", contest.run, "--out", folder / "out")
    assert (result.code, result.stdout) == (0, "")
    assert result.stderr == f"Written to {folder / 'out'}: grades.csv, run.json, matches.jsonl\n"
    schema = json.loads((PROJECT / "docs" / "match.schema.json").read_text(encoding="utf-8"))
    for match in read_lines(folder / "out" / "matches.jsonl"):
        jsonschema.validate(match, schema, jsonschema.Draft202012Validator)


def example() -> str:
    text = (PROJECT / "docs" / "verification.md").read_text(encoding="utf-8")
    return text.split("```python\n")[1].split("```")[0]


def check_deals(tmp_path: Path, arguments: Sequence[object]) -> "subprocess.CompletedProcess[str]":
    """The program of docs/verification.md, as a student runs it, with nothing but the standard library to be had."""
    (tmp_path / "check_deals.py").write_text(example(), encoding="utf-8")
    command = [sys.executable, "-I", "-S", tmp_path / "check_deals.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("rules", [{}, {"max_games": 1}])
def test_class_can_check_the_deals_without_arena(tmp_path: Path, rules: dict[str, int]) -> None:
    run = write_run(tmp_path, teams=NAMES, matches=5, rules=rules | {"match_target": 2})
    call(run, "--out", tmp_path / "out")
    file = tmp_path / "out" / "matches.jsonl"
    deals = json.loads((tmp_path / "out" / "run.json").read_text(encoding="ascii"))["table"]["deals"]
    done = check_deals(tmp_path, [deals["commitment"], deals["secret"], file])
    assert done.returncode == 0, done
    with Store.open(run) as store:
        games = sum(len(record.games) for _, record in store.iter_matches())
    assert done.stdout == f"{games} games were dealt from the secret.\n"
    done = check_deals(tmp_path, [deals["commitment"], bytes(32).hex(), file])
    assert (done.returncode, done.stderr) == (1, "This is not the secret that was committed to.\n")
    lines = read_lines(file)
    deck = lines[3]["games"][0]["deck"]
    deck[0], deck[1] = deck[1], deck[0]
    file.write_text("\n".join(map(json.dumps, lines)))
    done = check_deals(tmp_path, [deals["commitment"], deals["secret"], file])
    assert (done.returncode, done.stderr) == (1, "Match 4, game 1 was not dealt from the secret.\n")
    deck[0], deck[1] = deck[1], deck[0]
    lines[2]["games"][0]["dealer"] = (lines[2]["games"][0]["dealer"] + 1) % 4
    file.write_text("\n".join(map(json.dumps, lines)))
    done = check_deals(tmp_path, [deals["commitment"], deals["secret"], file])
    assert (done.returncode, done.stderr) == (1, "Match 3 had another first dealer.\n")
