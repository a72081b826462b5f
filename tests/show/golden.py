"""Outputs that were read by a person and found good, kept in tests/golden."""

import os
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "golden"


def check_golden(name: str, text: str) -> None:
    """Compare with the kept output; ARENA_GOLDEN=write in the environment keeps this one instead."""
    path = FOLDER / name
    if os.environ.get("ARENA_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
