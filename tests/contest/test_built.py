"""What is built of a submission: made again from its source when it is missing, and by one at a time."""

import asyncio
import shutil
from pathlib import Path

import pytest

from arena.contest.built import ensure_built, is_built
from arena.contest.submission import Submission
from arena.errors import UserError
from tests.contest.bots import submit, tree, write_tree

BUILD = "name: goat\nbuild: [sh, -c, 'cat words.txt >> made.txt; chmod +x made.txt']\nrun: [./made.txt]\n"


@pytest.fixture(name="done")
def done_fixture(tmp_path: Path, contest: Path) -> Submission:
    return submit(write_tree(tmp_path / "bot", {"words.txt": "pass\n"}, manifest=BUILD), contest)


def build(submission: Submission) -> None:
    asyncio.run(ensure_built(submission))


def test_a_tree_that_is_there_is_let_alone(done: Submission) -> None:
    assert is_built(done)
    (done.built / "made.txt").write_text("by the examination\n")
    build(done)
    assert (done.built / "made.txt").read_text() == "by the examination\n"


@pytest.mark.parametrize("is_half", [False, True])
def test_it_is_built_again_from_the_source(done: Submission, is_half: bool) -> None:
    source = tree(done.source)
    shutil.rmtree(done.built)
    if is_half:  # its build was cut off
        write_tree(done.built, {"made.txt": "half", "words.txt": "changed\n"})
    assert not is_built(done)
    build(done)
    assert (done.built / "made.txt").read_text() == "pass\n"
    assert (done.built / "made.txt").stat().st_mode & 0o111
    assert tree(done.source) == source
    assert is_built(done)


def test_a_build_that_fails_now_is_told_in_one_line(tmp_path: Path, contest: Path) -> None:
    manifest = "name: goat\nbuild: [sh, -c, 'echo no compiler here; exit 3']\nrun: [cat]\n"
    done = submit(write_tree(tmp_path / "bot", manifest=manifest), contest)
    shutil.rmtree(done.built)
    with pytest.raises(UserError) as caught:
        build(done)
    message = str(caught.value)
    assert message.startswith(f"{done.folder}: was valid when it was submitted, and cannot be built again: `sh -c")
    assert "ended with status 3; its last line: no compiler here" in message
    assert message.isprintable()
    assert not is_built(done)


def test_two_tournaments_at_the_same_time_build_it_once(done: Submission) -> None:
    shutil.rmtree(done.built)

    async def both() -> None:
        await asyncio.gather(asyncio.to_thread(build, done), asyncio.to_thread(build, done))

    asyncio.run(both())
    assert (done.built / "made.txt").read_text() == "pass\n"
