"""What the tests of contests share."""

from pathlib import Path

import pytest


@pytest.fixture(name="contest")
def contest_fixture(tmp_path: Path) -> Path:
    """The empty folder of a contest."""
    folder = tmp_path / "contest"
    folder.mkdir()
    return folder
