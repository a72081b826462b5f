"""The folder for sockets: private, short, gone afterwards, and gone after a kill with the next one."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.tournament.scratch import scratch_folder

KILLED = """
import os
from arena.tournament.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "socket").touch()
    os.kill(os.getpid(), 9)
"""


@pytest.fixture(name="place")
def place_fixture(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="s-") as place:
        monkeypatch.setattr(tempfile, "tempdir", place)
        yield Path(place)


def test_it_is_ours_alone_and_gone_afterwards(place: Path) -> None:
    with scratch_folder() as folder, scratch_folder() as other:
        assert folder != other
        assert folder.parent == place
        # Others may pass through it to what is theirs, and see nothing.
        assert folder.stat().st_mode & 0o777 == 0o711
        (folder / "sub").mkdir()
        (folder / "sub" / "file").touch()
    assert list(place.iterdir()) == []


def test_it_is_gone_after_an_error(place: Path) -> None:
    with pytest.raises(KeyError), scratch_folder():
        raise KeyError
    assert list(place.iterdir()) == []


def test_leftovers_of_the_killed_go_and_those_of_the_living_stay(place: Path) -> None:
    (place / "arena-users").mkdir()
    (place / "arena-users" / "note.lock").touch()
    with scratch_folder() as living:
        for _ in range(2):
            subprocess.run([sys.executable, "-c", KILLED], env={"TMPDIR": str(place)}, check=False)
        # The second has removed what the first one left.
        assert len(list(place.glob("arena-*/socket"))) == 1
        with scratch_folder():
            assert list(place.glob("arena-*/socket")) == []
            assert living.is_dir()
    assert [path.name for path in place.iterdir()] == ["arena-users"]
    assert (place / "arena-users" / "note.lock").exists()


def test_path_that_is_too_long_is_told_with_what_to_do(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = place / ("x" * 80)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with pytest.raises(HostError, match="TMPDIR"), scratch_folder():
        pass
    assert list(deep.iterdir()) == []


def test_place_that_is_no_folder_is_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "file").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(place / "file"))
    with pytest.raises(HostError, match="temporary files cannot be made"), scratch_folder():
        pass
