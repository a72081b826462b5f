"""A folder that is submitted: what is copied, what is left out, and everything that is refused."""

import os
import socket
import stat
from pathlib import Path

import pytest

from arena.contest import intake
from arena.errors import UserError
from tests.contest.bots import MANIFEST, refusal, submit, tree, write_tree


@pytest.fixture(name="bot")
def bot_fixture(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "bot", {"words.txt": "pass\n", "src/deep/er.txt": b"\0\xff"})


def test_the_source_is_copied_as_it_is_and_nobody_may_write_to_it(bot: Path, contest: Path) -> None:
    (bot / "words.txt").chmod(0o750)
    done = submit(bot, contest)
    assert tree(done.source) == {"bot.yaml": MANIFEST.encode(), "words.txt": b"pass\n", "src/deep/er.txt": b"\0\xff"}
    assert stat.S_IMODE((done.source / "words.txt").stat().st_mode) == 0o555
    assert stat.S_IMODE((done.source / "bot.yaml").stat().st_mode) == 0o444
    # Bots run as users of their own, who have to reach what is built.
    assert stat.S_IMODE((done.built / "src" / "deep").stat().st_mode) == 0o755
    assert stat.S_IMODE((done.built / "words.txt").stat().st_mode) == 0o755


def test_what_builds_and_editors_make_is_left_out(bot: Path, contest: Path) -> None:
    clean = submit(bot, contest).content
    for folder in ("target", "src/build", "node_modules/x", "__pycache__", ".git/objects", ".venv/lib", ".mypy_cache"):
        write_tree(bot / folder, {"junk": "x"})
    write_tree(bot, {"main.pyc": "x", ".DS_Store": "x"})
    (bot / "node_modules" / "outside").symlink_to("/etc")
    done = submit(bot, contest)
    assert sorted(tree(done.source)) == ["bot.yaml", "src/deep/er.txt", "words.txt"]
    assert done.content == clean


def test_a_file_may_be_called_as_a_folder_that_is_left_out(bot: Path, contest: Path) -> None:
    write_tree(bot, {"build": "#!/bin/sh\n"})
    assert "build" in tree(submit(bot, contest).source)


def test_a_link_to_a_file_of_the_bot_becomes_a_copy(bot: Path, contest: Path) -> None:
    (bot / "src" / "alias").symlink_to("../words.txt")
    done = submit(bot, contest)
    assert not (done.source / "src" / "alias").is_symlink()
    assert (done.source / "src" / "alias").read_text() == "pass\n"


@pytest.mark.parametrize(
    "target",
    ["/etc/passwd", "../outside.txt", "src/../../outside.txt", "src", "alias", "nowhere", ".git/secret", "../bot/words.txt"],
)
def test_a_link_to_anything_else_is_refused(bot: Path, contest: Path, target: str) -> None:
    write_tree(bot.parent, {"outside.txt": "secret"})
    write_tree(bot / ".git", {"secret": "secret"})
    (bot / "alias").symlink_to(target)
    assert refusal(bot, contest).startswith(f"alias: is a link to {target}; a link may only point to a file")


def test_a_link_in_the_place_of_the_manifest_is_refused(bot: Path, contest: Path) -> None:
    (bot / "bot.yaml").rename(bot.parent / "bot.yaml")
    (bot / "bot.yaml").symlink_to("../bot.yaml")
    assert "bot.yaml: is a link to ../bot.yaml" in refusal(bot, contest)


def test_a_hard_link_is_refused_when_its_other_name_is_outside(bot: Path, contest: Path) -> None:
    os.link(bot / "words.txt", bot / "again.txt")
    assert tree(submit(bot, contest).source)["again.txt"] == b"pass\n"
    outside = contest.parent / "outside.txt"
    os.link(bot / "words.txt", outside)
    second = contest.parent / "second"
    second.mkdir()
    assert "has another name outside of what is submitted (a hard link)" in refusal(bot, second)


def test_pipes_sockets_and_devices_are_refused(bot: Path, contest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(bot / "pipe")
    assert refusal(bot, contest) == "pipe: is neither a file nor a folder; remove it"
    (bot / "pipe").unlink()
    monkeypatch.chdir(bot)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        assert refusal(bot, contest) == "socket: is neither a file nor a folder; remove it"


def test_limits(bot: Path, contest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (bot / "large.bin").open("wb") as file:  # a hole: nothing on the disk
        file.truncate(intake.MAX_FILE_BYTES + 1)
    assert refusal(bot, contest) == "large.bin: has more than 64 MiB; no file may be larger"
    (bot / "large.bin").unlink()
    monkeypatch.setattr(intake, "MAX_TOTAL_BYTES", 2 << 20)
    write_tree(bot, {f"{number}.bin": bytes(1 << 20) for number in range(2)})
    assert refusal(bot, contest).startswith("it has more than 2 MiB in all")


def test_too_many_files(bot: Path, contest: Path) -> None:
    for number in range(intake.MAX_FILES):
        (bot / f"{number}.txt").touch()
    assert refusal(bot, contest).startswith("there are more than 2000 files in it")


def test_too_many_folders_without_a_file(bot: Path, contest: Path) -> None:
    for number in range(intake.MAX_FILES + 1):
        (bot / f"d{number}").mkdir()
    assert "more than 2000 folders" in refusal(bot, contest)


def test_too_deep(bot: Path, contest: Path) -> None:
    (bot / "/".join("d" * 40)).mkdir(parents=True)
    assert f"lies {intake.MAX_DEPTH} folders deep or more" in refusal(bot, contest)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (b"caf\xe9.txt", "the name is not valid UTF-8"),
        (b"a\nb.txt", "has the character \\n in its name"),
        (b"a\x1b[31mb", "has the character \\u001b in its name"),
        (b"a\\b.txt", "has the character \\ in its name"),
        (b"C:b.txt", "has the character : in its name"),
        (b"x" * 201, "the name is too long"),
        ("й".encode() * 101, "the name is too long"),
    ],
)
def test_names_that_not_every_system_can_have(bot: Path, contest: Path, name: bytes, reason: str) -> None:
    Path(os.fsdecode(bytes(bot) + b"/" + name)).touch()
    assert reason in refusal(bot, contest)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Words.TXT", "words.txt"),
        ("SRC/other.txt", "src/deep/er.txt"),
        ("й.txt", "и\u0306.txt"),
        ("straße", "STRASSE"),
        ("src/DEEP", "src/deep/er.txt"),
    ],
)
def test_names_that_some_systems_take_for_one(bot: Path, contest: Path, first: str, second: str) -> None:
    write_tree(bot, {first: "1", second: "2"})
    assert "are one name on some systems; rename one of them" in refusal(bot, contest)


def test_no_manifest_or_a_wrong_one(bot: Path, contest: Path) -> None:
    write_tree(bot, manifest="name: goat\nrnu: [cat]\n")
    assert refusal(bot, contest) == "/bot.yaml:2: rnu: there is no such key; did you mean run?"
    (bot / "bot.yaml").unlink()
    assert refusal(bot, contest) == "there is no bot.yaml"


def test_the_contest_must_not_lie_inside(bot: Path) -> None:
    inside = bot / "contest"
    inside.mkdir()
    link = bot.parent / "link"
    link.symlink_to(bot)
    for source in (bot, link):
        with pytest.raises(UserError, match="lies inside the bot's folder"):
            submit(source, inside)
    assert list(inside.rglob("*")) == []
