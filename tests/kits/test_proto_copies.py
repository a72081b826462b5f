"""A kit can be copied out of this project, so it brings the proto along: the same one."""

from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
COPIES = sorted(PROJECT.glob("sample_bots/*/proto/arena/v1/bot.proto"))


def test_there_are_copies() -> None:
    assert len(COPIES) >= 2


@pytest.mark.parametrize("copy", COPIES, ids=lambda path: path.parents[3].name)
def test_a_copy_is_the_same(copy: Path) -> None:
    assert copy.read_bytes() == (PROJECT / "proto" / "arena" / "v1" / "bot.proto").read_bytes()
