"""What the tests of this folder share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bot in bots/good."""
    folder = tmp_path_factory.mktemp("contest")
    (folder / "bots" / "good").mkdir(parents=True)
    (folder / "bots" / "good" / "bot.yaml").write_text("name: Good\nrun: [python, main.py]\n", encoding="utf-8")
    return folder
