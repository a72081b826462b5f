"""`arena submit` and `arena submissions` as real commands: from a kit to a tournament, and when somebody ends them."""

import json
import re
import shutil
import signal
import zipfile
from pathlib import Path

import pytest

from arena.cli.submit import user_name
from tests.cli.running import Contest, Result, until

SLOW = "import time\ntime.sleep(600)\n"
GREEDY = Path(__file__).parents[2] / "sample_bots" / "greedy"


@pytest.fixture(name="class_")
def class_fixture(folder: Path) -> Contest:
    """A folder with the folder of a contest, `spring`, in which commands can be started."""
    contest = Contest(folder, bots={"slow": SLOW})
    (folder / "spring").mkdir()
    return contest


def listing(contest: Contest) -> list[dict[str, object]]:
    result = contest.call("submissions", "spring", "--json")
    assert result.code == 0, result
    assert result.stdout.isascii()
    entries: list[dict[str, object]] = json.loads(result.stdout)["submissions"]
    return entries


def stored(contest: Contest) -> list[str]:
    """The folders of submissions, finished or not."""
    return [path.name for path in (contest.folder / "spring").iterdir() if path.name != ".arena"]


def submit(contest: Contest, source: str, *options: str) -> Result:
    return contest.call("submit", source, "--to", "spring", *options)


def test_from_a_folder_and_a_zip_to_a_tournament(class_: Contest) -> None:
    folder = class_.folder
    shutil.copytree(GREEDY, folder / "goat", ignore=shutil.ignore_patterns("__pycache__"))
    accepted = submit(class_, "goat", "--team", "Козлы 🐐")
    assert accepted.code == 0, accepted
    assert "It may play.\nAccepted for the team Козлы 🐐: spring/0001-" in accepted.stdout

    # The same with a build, as a zip, by which it has what it needs to run.
    (folder / "goat" / "main.py").rename(folder / "goat" / "source.py")
    text = "name: built\nbuild: [python, -c, \"import shutil; shutil.copy('source.py', 'main.py')\"]\nrun: [python, main.py]\n"
    (folder / "goat" / "bot.yaml").write_text(text)
    with zipfile.ZipFile(folder / "goat.zip", "w") as archive:
        for path in (folder / "goat").iterdir():
            if path.is_file():
                archive.write(path, f"goat/{path.name}")
    assert submit(class_, "goat.zip").code == 0

    (folder / "goat" / "source.py").write_text("raise SystemExit('out of order')\n")
    failed = submit(class_, "goat")
    assert failed.code == 2
    assert "Not accepted for the team built. Kept with its report: spring/0003-" in failed.stdout
    assert failed.stdout.endswith("still plays for the team.\n")

    entries = listing(class_)
    assert [(entry["number"], entry["team"], entry["valid"], entry["current"]) for entry in entries] == [
        (1, "Козлы 🐐", True, True),
        (2, "built", True, True),
        (3, "built", False, False),
    ]
    assert {entry["submitter"] for entry in entries} == {user_name()}
    assert str(entries[2]["why"]).startswith("step 3, it starts and greets: it did not start")
    report = json.loads((folder / "spring" / str(entries[2]["id"]) / "report.json").read_text())
    assert (report["may_play"], report["name"]) == (False, "built")
    assert "out of order" in report["steps"][2]["problem"]["output"]

    printed = class_.call("submissions", "spring").stdout
    assert [line[0] for line in printed.splitlines()[1:4]] == ["*", "*", " "]
    assert str(entries[2]["why"]) in re.sub(r"\n {6}", " ", printed), "nothing of the reason is cut"
    assert printed.endswith("Submissions: 3, valid: 2, teams that play: 2.\n")
    assert max(map(len, printed.splitlines())) <= 80

    # Somebody has made room on the disk.
    shutil.rmtree(folder / "spring" / str(entries[1]["id"]) / "built")
    class_.content = {key: class_.content[key] for key in ("name", "rules", "time", "seed", "jobs")}
    class_.write(matches=1, bots={"from": "spring"})
    played = class_.play("--json")
    assert played.code == 0, played
    assert {row["team"] for row in json.loads(played.stdout)["standings"]} == {"Козлы 🐐", "built"}

    # A run that is there does not go on with other bots.
    submit(class_, "goat.zip", "--team", "Third")
    refused = class_.play()
    assert refused.code == 2
    assert "\n  team Third is new: the submission 0004-" in refused.stderr


def test_what_is_refused_is_told_in_one_line_and_nothing_is_stored(class_: Contest) -> None:
    folder = class_.folder
    (folder / "bots" / "slow" / "out").symlink_to("/etc/passwd")
    for source in ("bots/slow", "contest.yaml", "nowhere", "spring"):
        result = submit(class_, source)
        assert (result.code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"arena: {source}: ")
        assert len(result.stderr.splitlines()) == 1
    assert stored(class_) == []
    assert class_.call("submit", "bots/slow", "--to", "sprong").stderr.endswith("did you mean spring?\n")
    assert class_.call("submissions", "bots").code == 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 130), (signal.SIGINT, 130)])
def test_ended_in_the_middle_of_the_examination(class_: Contest, number: signal.Signals, code: int) -> None:
    with class_.start("submit", "bots/slow", "--to", "spring") as process:
        until(lambda: any("main.py" in command for command in process.family().values()))
        process.signal(number)
        assert process.result().code == code
    assert (stored(class_) == []) == (number is not signal.SIGKILL)
    assert listing(class_) == []
    # The next one, whatever becomes of it, finds the number and the room free.
    (class_.folder / "bots" / "slow" / "main.py").write_text("raise SystemExit(1)\n")
    assert submit(class_, "bots/slow").code == 2
    assert stored(class_) == [entry["id"] for entry in listing(class_)]
    assert listing(class_)[0]["number"] == 1
