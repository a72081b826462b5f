"""A bot's source as bytes: what goes in comes out, and nothing else, and nowhere else."""

import io
import os
import stat
import tarfile
from pathlib import Path

import pytest

from arena.errors import HostError, UserError
from arena.seat.archive import pack_folder, unpack_folder
from arena.seat.content import content_hash


@pytest.fixture(name="bot")
def bot_fixture(tmp_path: Path) -> Path:
    """A folder with all that can be in one."""
    bot = tmp_path / "bot"
    (bot / "src" / "deep").mkdir(parents=True)
    (bot / "bot.yaml").write_text("name: Bot\nrun: [./run]\n")
    (bot / "run").write_text("#!/bin/sh\n")
    (bot / "run").chmod(0o700)
    (bot / "src" / "deep" / "имя 🐐 with a\nline.txt").write_bytes(bytes(range(256)) * 100)
    (bot / "src" / ("long" * 50)).touch()
    (bot / "src" / "back").symlink_to("../run")
    (bot / "folder").symlink_to("src/deep")
    (bot / "later").symlink_to("build/what-a-build-makes")
    return bot


def packed(*entries: tarfile.TarInfo) -> bytes:
    """An archive that somebody else made."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for entry in entries:
            archive.addfile(entry, io.BytesIO(b"x" * entry.size))
    return buffer.getvalue()


def entry(name: str, kind: bytes = tarfile.REGTYPE, *, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    info.size = 1 if kind == tarfile.REGTYPE else 0
    return info


def test_what_goes_in_comes_out(bot: Path, tmp_path: Path) -> None:
    unpack_folder(pack_folder(bot), tmp_path / "copy")
    assert content_hash(tmp_path / "copy") == content_hash(bot)
    assert (tmp_path / "copy" / "folder").readlink() == Path("src/deep")
    # Every user may read it, whatever the original said.
    assert stat.S_IMODE((tmp_path / "copy" / "run").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "copy" / "bot.yaml").stat().st_mode) == 0o644
    assert stat.S_IMODE((tmp_path / "copy" / "src").stat().st_mode) == 0o755


def test_equal_folders_give_equal_bytes(bot: Path, tmp_path: Path) -> None:
    before = pack_folder(bot)
    unpack_folder(before, tmp_path / "copy")
    for path in tmp_path.joinpath("copy").rglob("*"):
        os.utime(path, (1, 1), follow_symlinks=False)
    (tmp_path / "copy" / "empty").mkdir()
    assert pack_folder(tmp_path / "copy") == before


def test_what_builds_make_is_left_out(bot: Path, tmp_path: Path) -> None:
    before = pack_folder(bot)
    for name in ("build", "src/target", "__pycache__", ".git"):
        (bot / name).mkdir()
        (bot / name / "made").touch()
    (bot / "main.pyc").touch()
    os.mkfifo(bot / "pipe")
    assert pack_folder(bot) == before


@pytest.mark.parametrize("link", ["/etc/passwd", "../other", "src/../../other", "folder/../../../other", "round"])
def test_link_that_leads_out_is_refused(bot: Path, link: str) -> None:
    (bot / "round").symlink_to(link)
    with pytest.raises(UserError, match=r"round is a link to .*, which leads out of the folder"):
        pack_folder(bot)


def test_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere: cannot be read: No such file"):
        pack_folder(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([entry("../out")], "outside of its folder"),
        ([entry("/tmp/out")], "outside of its folder"),
        ([entry("a/../../out")], "outside of its folder"),
        ([entry("a", tarfile.SYMTYPE, link="..")], "a link out of its folder"),
        ([entry("a", tarfile.SYMTYPE, link="/")], "a link out of its folder"),
        # Each of them is harmless without the other.
        ([entry("d", tarfile.SYMTYPE, link="."), entry("e", tarfile.SYMTYPE, link="d/..")], "a link out of its folder"),
        ([entry("a", tarfile.LNKTYPE, link="/etc/passwd")], "no file: a"),
        ([entry("a", tarfile.CHRTYPE)], "no file: a"),
        ([entry("a"), entry("a")], "cannot be written"),
    ],
    # Not by the entries themselves, whose text is another one in every process.
    ids=["above", "absolute", "above from below", "link above", "link to the top", "two links", "hard link", "device", "twice"],
)
def test_nothing_is_written_outside(tmp_path: Path, entries: list[tarfile.TarInfo], told: str) -> None:
    (tmp_path / "inside").mkdir()
    with pytest.raises(HostError, match=told):
        unpack_folder(packed(*entries), tmp_path / "inside" / "bot")
    assert [path.name for path in tmp_path.iterdir()] == ["inside"]
    assert [path.name for path in (tmp_path / "inside").iterdir()] == ["bot"]


def test_no_file_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    archive = packed(entry("d", tarfile.SYMTYPE, link="../other"), entry("d/file"))
    with pytest.raises(HostError):
        unpack_folder(archive, tmp_path / "bot")
    assert list((tmp_path / "other").iterdir()) == []


@pytest.mark.parametrize("damaged", [b"", b"no archive", b"\x1f\x8b" + b"\0" * 100])
def test_damaged_bytes_are_our_failure(tmp_path: Path, damaged: bytes) -> None:
    with pytest.raises(HostError):
        unpack_folder(damaged, tmp_path / "bot")


def test_archive_that_was_cut_is_our_failure(bot: Path, tmp_path: Path) -> None:
    with pytest.raises(HostError):
        unpack_folder(pack_folder(bot)[:-200], tmp_path / "copy")
