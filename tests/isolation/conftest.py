"""What the tests of isolation have in common."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.seat.isolation.cage import make_reachable
from tests.seat_tools import nothing_left_fixture, root_fixture

__all__ = ["nothing_left_fixture", "root_fixture"]


@pytest.fixture(name="open_root")
def open_root_fixture(root: Path) -> Iterator[Path]:
    """The same folder, through which the users of bots may pass."""
    make_reachable(root)
    return root
