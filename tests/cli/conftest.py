"""What the tests of the command line share: folders for contests, and one contest that was played without a disturbance."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import Contest, Result


@pytest.fixture(name="folder")
def folder_fixture() -> Iterator[Path]:
    """A folder with a short path, for sockets, that bots can reach under whatever user they run."""
    yield from _folder()


@pytest.fixture(name="contest")
def contest_fixture(folder: Path) -> Contest:
    """A contest that has not been played."""
    return Contest(folder)


@pytest.fixture(name="undisturbed", scope="session")
def undisturbed_fixture() -> Iterator[tuple[Contest, Result]]:
    """The same contest, played from the beginning to the end, with what its command printed; not to be changed."""
    for folder in _folder():
        contest = Contest(folder)
        yield contest, contest.play()


def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="c-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)
