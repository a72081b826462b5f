"""Bots and teams from a contest, and what a run notices when a bot is another one than when it began."""

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.contest.store import new_submission
from arena.contest.submission import Submission
from arena.seat.content import content_hash
from arena.tournament.config import canonical_json, changed_programs, differences
from tests.tournament.files import MINIMAL, load, refusal

FROM: dict[str, Any] = {"name": "Class", "matches": 1, "bots": {"from": "spring"}}


@pytest.fixture(name="folder")
def folder_fixture(tmp_path: Path) -> Path:
    """A folder with an empty contest and two bots of the staff."""
    (tmp_path / "spring").mkdir()
    for name in ("greedy", "random"):
        write_bot(tmp_path / name)
    return tmp_path


def write_bot(folder: Path, *, content: str = "1") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "bot.yaml").write_text("name: Bot\nrun: [python, main.py]\n")
    (folder / "main.py").write_text(content)
    return folder


def submit(folder: Path, team: str, *, content: str = "1", is_valid: bool = True) -> Submission:
    with new_submission(
        write_bot(folder / "new", content=content), contest=folder / "spring", team=team, submitter="anna"
    ) as new:
        return new.finish(is_valid=is_valid, report="{}\n", why="" if is_valid else "step 3")


def test_the_newest_valid_submission_of_everyone_alone_with_its_copy(folder: Path) -> None:
    submit(folder, "Козлы 🐐", content="old")
    other = submit(folder, "Other", content="other")
    newest = submit(folder, "козлы  🐐", content="new")
    submit(folder, "Козлы 🐐", content="broken", is_valid=False)
    submit(folder, "Never", is_valid=False)
    config = load(folder, FROM)
    assert [(team.name, team.bots) for team in config.teams] == [
        ("Other", (other.submission_id,) * 2),
        ("козлы  🐐", (newest.submission_id,) * 2),
    ]
    bot = config.bot(newest.submission_id)
    assert bot.manifest.folder == newest.built.resolve()
    assert (bot.manifest.folder / "main.py").read_text() == "new"
    assert bot.content == newest.content
    assert pickle.loads(pickle.dumps(config)) == config


def test_staff_bots_play_in_the_teams_that_are_listed(folder: Path) -> None:
    one = submit(folder, "One")
    bots = {"from": "spring/", "greedy": "greedy", "random": "random"}
    config = load(folder, FROM | {"bots": bots, "teams": [{"name": "Staff", "bots": ["greedy", "random"]}]})
    assert [(team.name, team.bots) for team in config.teams] == [
        ("One", (one.submission_id,) * 2),
        ("Staff", ("greedy", "random")),
    ]
    assert config.bot("greedy").submission is None


def test_a_submission_whose_built_tree_is_missing_still_has_its_place(folder: Path) -> None:
    done = submit(folder, "One")
    submit(folder, "Two")
    shutil.rmtree(done.built)
    assert load(folder, FROM).bot(done.submission_id).manifest.folder == done.built.resolve()


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"bots": {"from": "sprng"}}, "contest.yaml:4: bots.from: sprng: there is no such folder; did you mean spring?"),
        ({"bots": {"from": "greedy"}}, "contest.yaml:4: bots.from: greedy: is a bot's folder; from names the folder that"),
        ({"bots": {"from": "."}}, "is not the folder of a contest"),
        (
            {"bots": {"from": 7}},
            "contest.yaml:4: bots.from: must be text of 1 to 1000 characters, not the number 7; put it in quotes",
        ),
        (
            {},
            "contest.yaml:4: bots.from: spring has 1 team with a valid submission, which with those under teams makes 1;",
        ),
        ({"bots": {"from": "spring", "greedy": "greedy"}}, "contest.yaml:3: bots: no team plays with greedy: list the teams"),
        (
            {"bots": {"from": "spring", "greedy": "greedy"}, "teams": [{"name": " ONE", "bots": ["greedy", "greedy"]}]},
            'contest.yaml:7: teams[0].name: the name " ONE" is taken by the submission 0001-',
        ),
        (
            {"bots": {"from": "spring", "greedy": "greedy"}, "teams": [{"name": "A", "bots": ["gredy", "from"]}]},
            'teams[0].bots[0]: there is no bot "gredy" under bots; did you mean greedy?',
        ),
        (
            {"bots": {"from": "spring", "greedy": "greedy"}, "teams": [{"name": "A", "bots": ["greedy", "from"]}]},
            'teams[0].bots[1]: there is no bot "from" under bots',
        ),
        ({"teams": None}, "contest.yaml:5: teams: has no value; it must be a list of 2 to 1000 entries"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(folder: Path, keys: dict[str, Any], said: str) -> None:
    submit(folder, "One")
    message = refusal(folder, FROM | keys)
    assert any(line.startswith(said) or said in line for line in message.splitlines()), message


def test_a_staff_bot_is_not_called_as_a_submission(folder: Path) -> None:
    name = submit(folder, "One").submission_id
    content = FROM | {"bots": {"from": "spring", name: "greedy"}, "teams": [{"name": "A", "bots": [name, name]}]}
    assert "is what a submission is called; choose another name" in refusal(folder, content)


@pytest.mark.parametrize("content", [MINIMAL | {"teams": []}, MINIMAL | {"teams": MINIMAL["teams"][:1]}])
def test_without_a_contest_there_must_be_two_teams(home: Path, content: dict[str, Any]) -> None:
    assert "teams: must be a list of 2 to 1000 entries, not a" in refusal(home, content)
    assert "teams: is missing; it must be a list of 2 to 1000 entries" in refusal(
        home, {key: value for key, value in content.items() if key != "teams"}
    )


def test_a_source_that_was_changed_or_a_damaged_submission_is_refused(folder: Path) -> None:
    done = submit(folder, "One")
    submit(folder, "Two")
    path = done.source / "main.py"
    path.chmod(0o644)
    path.write_text("2")
    assert "the source was changed after the team" in refusal(folder, FROM)
    path = done.folder / "submission.json"
    path.unlink()
    path.write_text("{")
    assert f"spring/{done.submission_id}: submission.json is damaged" in refusal(folder, FROM)


def test_a_resumed_run_hears_which_team_has_another_submission(folder: Path) -> None:
    one, two = submit(folder, "One"), submit(folder, "Two")
    old = canonical_json(load(folder, FROM))
    assert json.loads(old)["hashes"] == {one.submission_id: one.content, two.submission_id: two.content}
    newer = submit(folder, "Two", content="2")
    three = submit(folder, "Three", content="3")
    assert differences(old, canonical_json(load(folder, FROM))) == [
        f"team Two was the submission {two.submission_id} and is the submission {newer.submission_id} now",
        f"team Three is new: the submission {three.submission_id}",
    ]


def test_a_failed_submission_meanwhile_is_no_difference(folder: Path) -> None:
    submit(folder, "One")
    submit(folder, "Two")
    old = canonical_json(load(folder, FROM))
    submit(folder, "Two", content="2", is_valid=False)
    assert differences(old, canonical_json(load(folder, FROM))) == []


def test_a_resumed_run_hears_which_folder_has_changed(folder: Path) -> None:
    content = MINIMAL | {
        "bots": {"g": "greedy", "r": "random"},
        "teams": [{"name": "One", "bots": ["g", "g"]}, {"name": "Two", "bots": ["r", "r"]}],
    }
    old = canonical_json(load(folder, content))
    assert json.loads(old)["hashes"]["g"] == content_hash(folder / "greedy")
    (folder / "greedy" / "__pycache__").mkdir()
    (folder / "greedy" / "__pycache__" / "main.pyc").touch()
    assert changed_programs(old, canonical_json(load(folder, content))) == []
    (folder / "greedy" / "main.py").write_text("2")
    new = canonical_json(load(folder, content))
    assert changed_programs(old, new) == ["the bot g has changed: what is in greedy is not what the run began with"]
    # A run of before there were hashes goes on.
    without = json.dumps({key: value for key, value in json.loads(old).items() if key not in ("hashes", "submissions")})
    assert changed_programs(without, new) == []


def test_what_stands_for_a_contest_in_the_store_is_a_tournament_file_too(folder: Path) -> None:
    submit(folder, "One")
    submit(folder, "Two")
    config = load(folder, FROM)
    stored = json.loads(canonical_json(config))
    of_no_file = ("hashes", "submissions", "rules_version")
    again = load(folder, json.dumps({key: value for key, value in stored.items() if key not in of_no_file}))
    assert again.teams == config.teams
    assert [bot.manifest.folder for bot in again.bots] == [bot.manifest.folder for bot in config.bots]


def test_bots_that_are_ranked_have_different_names(folder: Path) -> None:
    """A team that calls itself as a bot of the staff would be ranked as one with it."""
    for team in ("Greedy", "A + B", "A", "C", "B + C"):
        submit(folder, team)
    content = {"name": "All", "matches": 1, "pairs": "all", "bots": {"from": "spring", "greedy": "greedy"}}
    assert "bots.greedy: is what a submitted team is called; choose another name" in refusal(folder, content)
    content["bots"] = {"from": "spring"}
    assert 'pairs: two pairs of bots would be called "A + B + C"' in refusal(folder, content)
