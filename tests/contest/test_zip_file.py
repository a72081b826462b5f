"""A zip file that is submitted: what honest programs make is taken, what hostile ones make is refused."""

import os
import shutil
import stat
import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.contest import intake
from arena.contest.intake import take_in
from arena.contest.zip_file import iter_zip
from arena.errors import UserError
from tests.contest.bots import MANIFEST, refusal, submit, tree, write_tree, write_zip

BOT = {"bot.yaml": MANIFEST, "words.txt": "pass\n"}
SOURCE = {path: text.encode() for path, text in BOT.items()}


@pytest.fixture(name="path")
def path_fixture(tmp_path: Path) -> Path:
    return tmp_path / "bot.zip"


def entry(name: str, mode: int) -> zipfile.ZipInfo:
    """An entry that says it was made on Unix."""
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def patched(path: Path, change: Callable[[bytearray], None]) -> Path:
    """The zip with some of its bytes changed."""
    data = bytearray(path.read_bytes())
    change(data)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("top", ["", "goat/", "build/", "козёл 🐐/", "./"])
def test_all_at_the_top_or_all_in_one_folder(path: Path, contest: Path, top: str) -> None:
    done = submit(write_zip(path, {top + name: text for name, text in BOT.items()}), contest)
    assert tree(done.source) == SOURCE


def test_it_is_the_same_submission_as_the_folder(path: Path, contest: Path, tmp_path: Path) -> None:
    folder = write_tree(tmp_path / "goat", {"words.txt": "pass\n", "run.sh": "#!/bin/sh\n", "node_modules/x/y": "1"})
    (folder / "run.sh").chmod(0o755)
    made = shutil.make_archive(str(tmp_path / "made"), "zip", tmp_path, "goat")
    from_zip, from_folder = submit(Path(made), contest), submit(folder, contest)
    assert from_zip.content == from_folder.content
    assert os.access(from_zip.source / "run.sh", os.X_OK) or os.name == "nt"


def test_what_a_mac_adds_is_left_out(path: Path, contest: Path) -> None:
    extra = {"__MACOSX/goat/._bot.yaml": "x", "goat/.DS_Store": "x", "goat/": ""}
    assert (
        tree(submit(write_zip(path, {**{f"goat/{name}": text for name, text in BOT.items()}, **extra}), contest).source)
        == SOURCE
    )


def test_names_in_utf_8_without_the_mark_that_says_so(path: Path, contest: Path) -> None:
    def unmark(data: bytearray) -> None:
        data[:] = data.replace(b"xxxx.txt", "йй.txt".encode())

    assert "йй.txt" in tree(submit(patched(write_zip(path, BOT | {"xxxx.txt": "1"}), unmark), contest).source)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../evil.txt", "has .. in its path"),
        ("a/../../evil.txt", "has .. in its path"),
        ("node_modules/../../evil.txt", "has .. in its path"),
        ("/tmp/evil.txt", "is an absolute path"),
        ("C:/evil.txt", "is an absolute path"),
        ("..\\evil.txt", "has the character \\ in its name"),
        ("a//b", "has an empty name"),
        ("a\x00b", "in its name"),
        ("a\nb", "in its name"),
        ("x" * 201, "the name is too long"),
        ("d/" * 30 + "x", "folders deep"),
        ("WORDS.txt", "are one name on some systems"),
        ("words.txt/x", "are one name on some systems"),
        ("bot.yaml/x", "are one name on some systems"),
    ],
)
def test_hostile_names(path: Path, contest: Path, name: str, reason: str) -> None:
    # The library leaves out what follows a zero, unless the name is put in afterwards.
    info = zipfile.ZipInfo("evil")
    info.filename = name
    with zipfile.ZipFile(path, "w") as archive:
        for good, text in BOT.items():
            archive.writestr(good, text)
        archive.writestr(info, "x")
    assert reason in refusal(path, contest)
    assert not list(contest.parent.rglob("evil.txt"))


@pytest.mark.parametrize("is_marked", [True, False])
def test_a_name_that_is_not_utf_8(path: Path, contest: Path, is_marked: bool) -> None:
    name = "éé.txt" if is_marked else "xxxx.txt"
    write_zip(path, BOT | {name: "1"})
    patched(path, lambda data: data.__setitem__(slice(None), data.replace(name.encode(), b"\xe9\xff\xff\xe9.txt")))
    assert "not valid UTF-8" in refusal(path, contest)


def test_two_files_of_one_name(path: Path, contest: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, text in [*BOT.items(), ("words.txt", "other")]:
            archive.writestr(name, text)
    assert refusal(path, contest) == "words.txt: is there twice"


def test_links_and_devices(path: Path, contest: Path) -> None:
    def zipped(*extra: tuple[zipfile.ZipInfo, str]) -> Path:
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in BOT.items():
                archive.writestr(name, text)
            for info, text in extra:
                archive.writestr(info, text)
        return path

    link = entry("passwords", stat.S_IFLNK | 0o777)
    for target in ("/etc/passwd", "../outside", "x" * 100_000):
        assert refusal(zipped((link, target)), contest).startswith("passwords: is a link to")
    # A link to a folder, and then a file through it: the classic.
    assert "d" in refusal(
        zipped((entry("d", stat.S_IFLNK | 0o777), "/tmp"), (entry("d/x", stat.S_IFREG | 0o644), "x")), contest
    )
    for kind in (stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK):
        assert (
            refusal(zipped((entry("device", kind | 0o644), "")), contest) == "device: is neither a file nor a folder; remove it"
        )
    done = submit(zipped((link, "words.txt"), (entry("run.sh", stat.S_IFREG | 0o755), "")), contest)
    assert (done.source / "passwords").read_text() == "pass\n"
    assert not (done.source / "passwords").is_symlink()


def test_a_bomb_whose_headers_lie(path: Path, contest: Path) -> None:
    size = intake.MAX_FILE_BYTES + 1
    write_zip(path, BOT | {"bomb": bytes(size)})
    assert path.stat().st_size < 100_000
    assert refusal(path, contest).startswith("bomb: has more than 64 MiB")
    # It says that it has a few bytes: no more than these are unpacked, and the check sum is wrong.
    patched(path, lambda data: data.__setitem__(slice(None), data.replace(struct.pack("<I", size), struct.pack("<I", 9))))
    tracemalloc.start()
    try:
        assert refusal(path, contest).startswith("it is no zip file, or a damaged one")
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_a_bomb_of_many_files(path: Path, contest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MAX_TOTAL_BYTES", 2 << 20)
    write_zip(path, BOT | {f"{number}": bytes(1 << 19) for number in range(5)})
    assert refusal(path, contest).startswith("it has more than 2 MiB in all")
    write_zip(path, BOT | {f"{number}": "" for number in range(intake.MAX_FILES)})
    assert refusal(path, contest).startswith("there are more than 2000 files in it")


def test_a_list_of_files_that_would_fill_the_memory(path: Path, contest: Path) -> None:
    # 200,000 entries of one byte each, told by the same few: what zipfile makes of the list needs a hundred times its size.
    record = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"x"
    directory = record * 200_000
    path.write_bytes(directory + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(directory), 0, 0))
    tracemalloc.start()
    try:
        assert refusal(path, contest) == "its list of files is too large"
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_encrypted_or_packed_in_another_way(path: Path, contest: Path) -> None:
    write_zip(path, BOT)

    def encrypt(data: bytearray) -> None:
        for mark, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
            at = data.index(mark)
            data[at + flags] |= 1

    assert refusal(patched(path, encrypt), contest) == "bot.yaml: is encrypted; make the zip without a password"
    for method in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        assert "packed in a way that is not read here" in refusal(write_zip(path, BOT, method), contest)
    assert submit(write_zip(path, BOT, zipfile.ZIP_STORED), contest).is_valid


def test_damage_anywhere_is_refused_or_harmless(path: Path, tmp_path: Path) -> None:
    data = write_zip(path, {**BOT, "words.txt": "pass\n" * 50}).read_bytes()
    damaged = [data[:at] + bytes([data[at] ^ change]) + data[at + 1 :] for at in range(len(data)) for change in (0x01, 0xFF)]
    target = tmp_path / "target"
    refused = 0
    for content in [*damaged, *(data[:cut] for cut in range(0, len(data), 7))]:
        path.write_bytes(content)
        try:
            take_in(iter_zip(path), target)
        except UserError:
            refused += 1
        shutil.rmtree(target, ignore_errors=True)
    assert refused > len(damaged) / 2


def test_no_manifest(path: Path, contest: Path) -> None:
    assert refusal(write_zip(path, {"a/bot.yaml": MANIFEST, "b/words.txt": ""}), contest).startswith(
        "there is no bot.yaml at its top"
    )
    assert refusal(write_zip(path, {"goat/bot.yml": MANIFEST}), contest).endswith("; did you mean bot.yml?")
    assert refusal(write_zip(path, {}), contest).startswith("there is no bot.yaml")
    path.write_text("name: goat\n")
    assert refusal(path, contest).startswith("it is no zip file, or a damaged one")
