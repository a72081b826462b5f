"""`arena new`: a copy of a kit under another name, from a checkout and from a wheel."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.check import kits
from arena.cli.new import new
from arena.errors import UserError
from arena.seat.manifest import load_manifest

PROJECT = Path(__file__).parents[2]
BUILT = ("bin", "build", "node_modules", "target")
"""Names of folders that builds of kits make."""


def make(folder: Path, language: str = "python") -> str:
    result = CliRunner().invoke(new, [str(folder), "--lang", language], standalone_mode=False)
    if result.exception:
        raise result.exception
    return result.stdout


@pytest.mark.parametrize("language", kits.offered_languages())
def test_a_kit_is_copied_under_another_name(tmp_path: Path, language: str) -> None:
    lines = make(tmp_path / "wild", language).splitlines()
    assert len(lines) == 3
    assert f"arena check {tmp_path / 'wild'}" in lines[1]
    before, after = load_manifest(PROJECT / "sample_bots" / kits.KITS[language]), load_manifest(tmp_path / "wild")
    assert after.name == "wild"
    assert (after.language, after.build, after.run) == (before.language, before.build, before.run)
    assert Path(lines[0].split(" decides ")[0]).is_file()
    assert not [path for path in tmp_path.rglob("*") if path.name in (*BUILT, "__pycache__")]


@pytest.mark.parametrize("name", ["true", "Дикий козёл", "- #1: \"a\\b'", "a b", "7"])
def test_any_name_of_a_folder_is_a_name(tmp_path: Path, name: str) -> None:
    make(tmp_path / name)
    assert load_manifest(tmp_path / name).name == name


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(UserError, match="is not an empty folder"):
        make(tmp_path)
    with pytest.raises(UserError, match="is not an empty folder"):
        make(tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "precious"


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    make(tmp_path)
    assert load_manifest(tmp_path).name == tmp_path.name


def test_a_language_without_a_kit(tmp_path: Path) -> None:
    result = CliRunner().invoke(new, [str(tmp_path / "bot"), "--lang", "cobol"])
    assert result.exit_code == 2
    assert "there is no kit for 'cobol'" in result.stderr
    assert "python" in result.stderr
    assert not (tmp_path / "bot").exists()
    missing = CliRunner().invoke(new, [str(tmp_path / "bot")])
    assert missing.exit_code == 2
    assert "Missing option '--lang'. There are kits for python, " in missing.stderr


def test_what_a_build_makes_is_left_out(tmp_path: Path) -> None:
    kit = tmp_path / "kit"
    for name in ("out/deep/x", "src/out", "src/keep.o.txt", "lib.o", "src/lib.o", "src/__pycache__/m.pyc", "bot.yaml"):
        (kit / name).parent.mkdir(parents=True, exist_ok=True)
        (kit / name).write_text("")
    (kit / ".gitignore").write_text("# made\n/out/\n\n*.o\n")
    kits.copy_kit(kit, tmp_path / "copy")
    copied = {path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*") if path.is_file()}
    assert copied == {".gitignore", "bot.yaml", "src/out", "src/keep.o.txt"}


def test_a_wheel_has_the_kits(tmp_path: Path) -> None:
    """And the arena that is made of it finds them, far from any checkout."""
    source = tmp_path / "source"
    junk = shutil.ignore_patterns("__pycache__", *BUILT)
    for name in ("arena", "sample_bots"):
        shutil.copytree(PROJECT / name, source / name, ignore=junk)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(PROJECT / name, source)
    for name in ("greedy/__pycache__/strategy.pyc", "greedy_go/bin/bot", "greedy_javascript/node_modules/x/index.js"):
        (source / "sample_bots" / name).parent.mkdir(parents=True, exist_ok=True)
        (source / "sample_bots" / name).write_text("made by a build")
    subprocess.run(["git", "init", "--quiet"], cwd=source, check=True)
    listed = ["git", "-c", "core.quotepath=off", "ls-files", "--others", "--exclude-standard", "sample_bots"]
    wanted = subprocess.run(listed, cwd=source, check=True, capture_output=True, text=True).stdout.splitlines()
    build = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    ran = subprocess.run([sys.executable, "-c", build, tmp_path], cwd=source, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    shipped = [path.relative_to(installed / "arena" / "kits") for path in (installed / "arena" / "kits").rglob("*")]
    assert {f"sample_bots/{path.as_posix()}" for path in shipped if (installed / "arena" / "kits" / path).is_file()} == set(
        wanted
    )
    (installed / "arena" / "kits" / "greedy" / "main.py").write_text("# from the wheel\n")
    subprocess.run(
        [sys.executable, "-m", "arena.cli.main", "new", "bot", "--lang", "python"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        check=True,
        capture_output=True,
    )
    assert (tmp_path / "bot" / "main.py").read_text() == "# from the wheel\n"
