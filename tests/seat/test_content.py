"""The hash of a bot's folder changes exactly when its source does."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.seat.content import content_hash


@pytest.fixture(name="bot")
def bot_fixture(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "src").mkdir(parents=True)
    (folder / "bot.yaml").write_text("name: goat\n")
    (folder / "src" / "main.c").write_text("int main(void) {}\n")
    (folder / "link").symlink_to("src/main.c")
    return folder


def rename(bot: Path) -> None:
    (bot / "src" / "main.c").rename(bot / "main.c")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a byte": lambda bot: (bot / "src" / "main.c").write_text("int main(void) {;\n"),
    "a new file": lambda bot: (bot / "src" / "new.c").touch(),
    "a file less": lambda bot: (bot / "src" / "main.c").unlink(),
    "another place": rename,
    "a program": lambda bot: (bot / "src" / "main.c").chmod(0o755),
    "another target": lambda bot: (bot / "link").unlink() or (bot / "link").symlink_to("bot.yaml"),
    "a file in place of a link": lambda bot: (bot / "link").unlink() or (bot / "link").write_text("int main(void) {}\n"),
    "a file called as a build folder": lambda bot: (bot / "build").touch(),
}
NO_CHANGES: dict[str, Callable[[Path], object]] = {
    "times": lambda bot: os.utime(bot / "bot.yaml", (0, 0)),
    "rights of others": lambda bot: (bot / "bot.yaml").chmod(0o600),
    "an empty folder": lambda bot: (bot / "empty").mkdir(),
    "a pipe": lambda bot: os.mkfifo(bot / "pipe"),
    "what Python keeps": lambda bot: (bot / "main.pyc").touch(),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_shows(bot: Path, what: str) -> None:
    before = content_hash(bot)
    CHANGES[what](bot)
    assert content_hash(bot) != before


@pytest.mark.parametrize("what", NO_CHANGES)
def test_what_is_no_change_of_the_source_does_not(bot: Path, what: str) -> None:
    before = content_hash(bot)
    NO_CHANGES[what](bot)
    assert content_hash(bot) == before


@pytest.mark.parametrize(
    "name", ["target", "build", "node_modules", "__pycache__", ".git", ".venv", ".pytest_cache", "src/build"]
)
def test_what_builds_make_does_not(bot: Path, name: str) -> None:
    before = content_hash(bot)
    (bot / name / "deep").mkdir(parents=True)
    (bot / name / "deep" / "file").touch()
    assert content_hash(bot) == before


def test_it_does_not_depend_on_where_the_folder_lies(bot: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(bot, tmp_path / "elsewhere" / "copy", symlinks=True)
    assert content_hash(copy) == content_hash(bot)


def test_names_cannot_be_made_to_look_like_other_files(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, names in ((one, ["a", "b"]), (two, ["a\nb"])):
        folder.mkdir()
        for name in names:
            (folder / name).touch()
    assert content_hash(one) != content_hash(two)


def test_what_builds_make_is_not_even_looked_at(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bot / "node_modules" / "deep").mkdir(parents=True)
    looked: list[str] = []
    original = os.scandir
    monkeypatch.setattr(os, "scandir", lambda place: looked.append(str(place)) or original(place))
    content_hash(bot)
    assert sorted(looked) == [str(bot), str(bot / "src")]
