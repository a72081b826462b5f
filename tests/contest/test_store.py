"""The folder of a contest: what counts, what is kept, and that nothing is lost or half there, whoever is killed when."""

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arena.contest.store import current_submissions, list_submissions, new_submission
from arena.contest.submission import submission_json
from arena.errors import UserError
from arena.seat.content import content_hash
from tests.contest.bots import refusal, stored, submit, tree, write_tree

SUBMITTER = Path(__file__).with_name("submitter.py")


@pytest.fixture(name="bot")
def bot_fixture(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "bot", {"words.txt": "pass\n"})


def listed(contest: Path) -> list[tuple[int, str, bool, bool]]:
    """Number, team, whether it is valid, whether it plays."""
    submissions = list_submissions(contest).submissions
    current = current_submissions(submissions)
    return [(one.number, one.team, one.is_valid, one in current) for one in submissions]


def names(folder: Path) -> set[str]:
    """What is in a folder."""
    return {path.name for path in folder.iterdir()}


def test_what_is_kept_of_a_submission(bot: Path, contest: Path) -> None:
    with new_submission(bot, contest=contest, submitter="anna") as pending:
        assert pending.manifest.folder == pending.built
        assert listed(contest) == []
        done = pending.finish(is_valid=True, report='{"may_play": true}\n')
    assert list_submissions(contest).submissions == (done,)
    assert (done.number, done.team, done.submitter, done.bot, done.language) == (1, "goat", "anna", "goat", "text")
    assert done.content == content_hash(bot) == content_hash(done.source)
    assert done.folder == contest / f"0001-{done.content[:12]}"
    assert json.loads((done.folder / "report.json").read_text()) == {"may_play": True}
    assert stat.S_IMODE((done.folder / "submission.json").stat().st_mode) == 0o444
    assert names(contest / ".arena") == {"lock"}


def test_a_later_one_takes_the_place_and_earlier_ones_are_kept(bot: Path, contest: Path) -> None:
    first = submit(bot, contest, team="Wild Goats")
    (bot / "words.txt").write_text("lead\n")
    second = submit(bot, contest, team="wild  goats")
    submit(bot, contest, team="Old Goats")
    assert listed(contest) == [(1, "Wild Goats", True, False), (2, "wild  goats", True, True), (3, "Old Goats", True, True)]
    assert tree(first.source)["words.txt"] == b"pass\n"
    assert tree(second.source)["words.txt"] == b"lead\n"


def test_a_failed_one_is_kept_with_its_report_and_does_not_count(bot: Path, contest: Path) -> None:
    submit(bot, contest)
    failed = submit(bot, contest, is_valid=False)
    assert listed(contest) == [(1, "goat", True, True), (2, "goat", False, False)]
    assert failed.why == "step 3, it starts: it does not"
    assert (failed.folder / "report.json").exists()
    assert not failed.built.exists()


def test_what_is_not_finished_leaves_nothing(bot: Path, contest: Path) -> None:
    with new_submission(bot, contest=contest, submitter="anna") as pending:
        assert pending.built.is_dir()
    assert stored(contest) == []
    assert submit(bot, contest).number == 1


def test_the_name_of_a_bot_does_not_take_another_persons_team(bot: Path, contest: Path) -> None:
    submit(bot, contest, submitter="anna")
    submit(bot, contest, submitter="anna")
    with pytest.raises(UserError, match=r"the team goat \(the name in bot.yaml\) is that of anna; say --team"):
        submit(bot, contest, submitter="boris")
    assert submit(bot, contest, submitter="boris", team="goat").number == 3
    assert submit(bot, contest, submitter="boris").number == 4


@pytest.mark.parametrize(
    "team", ["../../evil", "/etc/passwd", "..", "a/b", "CON", "x" * 64, "$(reboot)", "козёл 🐐", "-rf", "%s"]
)
def test_the_name_of_a_team_is_no_path(bot: Path, contest: Path, team: str) -> None:
    around = set(contest.parent.iterdir())
    done = submit(bot, contest, team=team)
    assert done.team == team
    assert done.folder.parent == contest
    assert names(contest) == {".arena", done.submission_id}
    assert set(contest.parent.iterdir()) == around


@pytest.mark.parametrize("team", ["", " ", "a\nb", "a\x1b[2Jb", "a\u202eb", "x" * 65, "\ud800"])
def test_names_that_no_team_can_have(bot: Path, contest: Path, team: str) -> None:
    with pytest.raises(UserError, match="the team's name") as caught:
        submit(bot, contest, team=team)
    assert str(caught.value).isprintable()
    assert stored(contest) == []


def test_only_a_folder_for_a_contest_is_one(bot: Path, contest: Path) -> None:
    with pytest.raises(UserError, match=r"contst: there is no such folder; did you mean contest\?"):
        submit(bot, contest.with_name("contst"))
    assert not contest.with_name("contst").exists()
    with pytest.raises(UserError, match="is not the folder of a contest"):
        submit(bot, write_tree(contest.parent / "other"))
    assert list_submissions(contest).submissions == ()
    assert refusal(bot.with_name("bog"), contest) == "there is no such folder or zip file; did you mean bot?"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "[" * 60_000, '{"format": 1}', "\x00", "number", "team", "content", "valid", "received_at"],
    ids=lambda text: text[:10],
)
def test_a_damaged_one_is_named_and_the_others_count(bot: Path, contest: Path, text: str) -> None:
    done = submit(bot, contest, team="One")
    submit(bot, contest, team="Two")
    path = done.folder / "submission.json"
    content = json.loads(submission_json(done))
    path.chmod(0o644)
    path.write_text(json.dumps(content | {text: "\x1b"}) if text in content else text)
    listing = list_submissions(contest)
    assert [submission.team for submission in listing.submissions] == ["Two"]
    (line,) = listing.damaged
    assert line.startswith(f"{done.submission_id}: submission.json is damaged")


def test_a_submission_under_another_name_or_behind_a_link_is_damaged(bot: Path, contest: Path) -> None:
    done = submit(bot, contest)
    done.folder.rename(contest / "0009-aaaaaaaaaaaa")
    assert list_submissions(contest).damaged == ("0009-aaaaaaaaaaaa: submission.json belongs to another submission",)
    (contest / "0009-aaaaaaaaaaaa").rename(done.folder)
    done.built.rename(contest.parent / "elsewhere")
    done.built.symlink_to(contest.parent / "elsewhere")
    assert list_submissions(contest).damaged == (f"{done.submission_id}: built is a link",)


def start(
    bot: Path, contest: Path, team: str, *, when: str = "finish", count: int = 1, uid: int | None = None
) -> "subprocess.Popen[str]":
    """Another submitter, who waits for a line."""
    command = [sys.executable, SUBMITTER, bot, contest, team, when, str(count), "" if uid is None else str(uid)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, text=True)


def finish(process: "subprocess.Popen[str]") -> int:
    """Let it begin, if it has not; its exit status."""
    with process:
        process.communicate("go\n", timeout=120)
    return process.returncode


def test_submitters_at_the_same_moment_lose_nothing(bot: Path, contest: Path) -> None:
    teams = ["Same", "Same", "Other", "Козлы"]
    processes = [start(bot, contest, team, count=5) for team in teams]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [finish(process) for process in processes] == [0] * 4
    found = listed(contest)
    assert [number for number, *_ in found] == list(range(1, 21))
    assert sorted(team for _, team, _, _ in found) == sorted(teams * 5)
    last = {team: number for number, team, _, _ in found}
    assert {team: number for number, team, _, plays in found if plays} == last
    assert names(contest / ".arena") == {"lock"}


@pytest.mark.parametrize("when", ["copied", "examined", "reported"])
def test_a_killed_submitter_leaves_nothing_that_counts_and_the_next_one_cleans_up(bot: Path, contest: Path, when: str) -> None:
    before = submit(bot, contest, team="Before")
    found = stored(contest)
    assert finish(start(bot, contest, "Killed", when=when)) == -signal.SIGKILL
    assert len(stored(contest)) > len(found)
    assert listed(contest) == [(1, "Before", True, True)]
    assert list_submissions(contest).damaged == ()
    after = submit(bot, contest, team="After")
    assert names(contest) == {".arena", before.submission_id, after.submission_id}
    assert names(contest / ".arena") == {"lock"}


def test_what_a_living_submitter_is_taking_in_is_let_alone(bot: Path, contest: Path) -> None:
    with new_submission(bot, contest=contest, team="Slow", submitter="anna") as slow:
        assert finish(start(bot, contest, "Fast")) == 0
        assert slow.built.is_dir()
        slow.finish(is_valid=True, report="{}\n")
    # Who came first is first, however long its examination took.
    assert listed(contest) == [(1, "Slow", True, True), (2, "Fast", True, True)]


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root can be several users")
def test_a_class_may_share_the_folder_as_the_page_says() -> None:
    """With `chmod 1777`: several users, who have umask 077, and one of whom is killed, do not shut each other out."""
    with tempfile.TemporaryDirectory(prefix="c-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        contest, bot = root / "contest", write_tree(root / "bot", {"words.txt": "pass\n"})
        contest.mkdir()
        contest.chmod(0o1777)
        assert finish(start(bot, contest, "One", uid=60001)) == 0
        assert finish(start(bot, contest, "Killed", when="examined", uid=60002)) == -signal.SIGKILL
        assert finish(start(bot, contest, "Copied", when="copied", uid=60002)) == -signal.SIGKILL
        assert finish(start(bot, contest, "Two", uid=60003)) == 0
        assert finish(start(bot, contest, "Three", uid=60002)) == 0
        submit(bot, contest, team="Four")
        assert [team for _, team, _, plays in listed(contest) if plays] == ["One", "Two", "Three", "Four"]
        # Everybody can read what was submitted, and so can the users that bots run as.
        for submission in list_submissions(contest).submissions:
            for path in (submission.folder, submission.source, submission.built, submission.built / "words.txt"):
                assert path.stat().st_mode & 0o005 == (0o005 if path.is_dir() else 0o004)
            assert (submission.folder / "submission.json").stat().st_mode & 0o004
