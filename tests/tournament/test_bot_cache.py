"""The cache of bots that came from elsewhere: who builds, how often, and what becomes of a build that failed."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.seat.archive import pack_folder
from arena.seat.content import content_hash
from arena.tournament.bot_cache import ensure_bot

BUILD = """
import pathlib, time
with open({log!r}, "a") as log:
    print("built", file=log)
time.sleep(0.3)
pathlib.Path("build").mkdir()
pathlib.Path("build/made").write_text("by the build")
"""
OTHER = """
import asyncio, sys
from pathlib import Path
from arena.tournament.bot_cache import ensure_bot
archive, content, cache = sys.argv[1:]
manifest = asyncio.run(ensure_bot(content, cache=Path(cache), fetch=Path(archive).read_bytes))
print((manifest.folder / "build" / "made").read_text())
"""


class Bot:
    """A bot that has to be built, and a cache for it."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "source"
        self.log = folder / "log"
        self.cache = folder / "deep" / "cache"
        self.fetched = 0
        self.source.mkdir()
        (self.source / "bot.yaml").write_text("name: Built\nbuild: [python, make.py]\nrun: [python, main.py]\n")
        self.write(BUILD.format(log=str(self.log)))

    def write(self, build: str) -> None:
        (self.source / "make.py").write_text(build)
        self.content = content_hash(self.source)
        self.archive = pack_folder(self.source)

    def ensure(self) -> Path:
        return asyncio.run(ensure_bot(self.content, cache=self.cache, fetch=self._fetch)).folder

    def builds(self) -> int:
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0

    def _fetch(self) -> bytes:
        self.fetched += 1
        return self.archive


@pytest.fixture(name="bot")
def bot_fixture(tmp_path: Path) -> Bot:
    return Bot(tmp_path)


def test_it_is_fetched_and_built_once(bot: Bot) -> None:
    folder = bot.ensure()
    assert bot.ensure() == folder
    assert (folder / "build" / "made").read_text() == "by the build"
    assert folder.is_relative_to(bot.cache)
    assert (bot.fetched, bot.builds()) == (1, 1)
    assert not (bot.source / "build").exists()


def test_another_content_has_another_folder(bot: Bot) -> None:
    first = bot.ensure()
    bot.write(BUILD.format(log=str(bot.log)) + "# changed\n")
    assert bot.ensure() != first
    assert bot.builds() == 2


def test_processes_that_need_it_at_the_same_moment_build_it_once(bot: Bot, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(bot.archive)
    command = [sys.executable, "-c", OTHER, str(archive), bot.content, str(bot.cache)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=120)[0] for process in processes] == ["by the build\n"] * 3
    assert bot.builds() == 1


def test_build_that_fails_is_told_and_tried_again(bot: Bot, tmp_path: Path) -> None:
    bot.write(
        f"import pathlib, sys\nprint('no compiler')\nsys.exit(0 if pathlib.Path({str(tmp_path / 'fixed')!r}).exists() else 3)"
    )
    for _ in range(2):
        with pytest.raises(HostError, match=r"the bot Built cannot be built: .* status 3; its last line: no compiler"):
            bot.ensure()
    (tmp_path / "fixed").touch()
    assert bot.ensure().is_dir()


def test_what_a_killed_process_left_is_made_new(bot: Bot) -> None:
    folder = bot.ensure()
    (folder.parent / "built").unlink()
    (folder / "build" / "made").write_text("half")
    assert (bot.ensure() / "build" / "made").read_text() == "by the build"


def test_bytes_of_another_bot_are_not_taken(bot: Bot) -> None:
    bot.content = "0" * 64
    with pytest.raises(HostError, match="was changed"):
        bot.ensure()
    assert bot.builds() == 0


def test_build_can_be_given_up(bot: Bot) -> None:
    bot.write("import time\ntime.sleep(600)")

    async def give_up() -> None:
        making = asyncio.create_task(ensure_bot(bot.content, cache=bot.cache, fetch=lambda: bot.archive))
        while not (bot.cache / bot.content / "bot" / "make.py").exists():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        making.cancel()
        await asyncio.wait([making])
        assert making.cancelled()

    asyncio.run(give_up())
    # Neither its lock nor a half-made bot is left.
    bot.archive = b""
    with pytest.raises(HostError, match=r"damaged|cannot be written"):
        bot.ensure()


def test_cache_of_somebody_else_is_not_used(bot: Bot, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    bot.cache.parent.mkdir()
    bot.cache.symlink_to(tmp_path / "theirs")
    with pytest.raises(HostError, match="belongs to somebody else"):
        bot.ensure()
    assert list((tmp_path / "theirs").iterdir()) == []
