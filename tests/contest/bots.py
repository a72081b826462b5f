"""Folders and zip files with bots in them, for a contest to take in, and what came of it."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from arena.contest.store import new_submission
from arena.contest.submission import Submission
from arena.errors import UserError

MANIFEST = "name: goat\nlanguage: text\nrun: [cat, words.txt]\n"


def write_tree(folder: Path, files: Mapping[str, str | bytes] | None = None, *, manifest: str = MANIFEST) -> Path:
    """A bot with its manifest, and files by their paths."""
    for path, content in {"bot.yaml": manifest, **(files or {})}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def write_zip(path: Path, files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A zip file with entries by their names, just as they are given."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            archive.writestr(info, content)
    return path


def submit(
    source: Path, contest: Path, *, team: str | None = None, is_valid: bool = True, submitter: str = "anna"
) -> Submission:
    """A submission without its examination."""
    with new_submission(source, contest=contest, team=team, submitter=submitter) as pending:
        return pending.finish(is_valid=is_valid, report="{}\n", why="" if is_valid else "step 3, it starts: it does not")


def refusal(source: Path, contest: Path, *, team: str | None = None) -> str:
    """Why a bot is not taken in: one line. Nothing of it is kept."""
    with pytest.raises(UserError) as caught, new_submission(source, contest=contest, team=team, submitter="anna"):
        pass
    message = str(caught.value)
    assert message.isprintable()
    assert message.startswith(str(source))
    assert stored(contest) == []
    return message.removeprefix(str(source)).removeprefix(": ")


def stored(contest: Path) -> list[str]:
    """Every path in a contest's folder but that of its lock."""
    return sorted(path.relative_to(contest).as_posix() for path in contest.rglob("*") if path.name not in (".arena", "lock"))


def tree(folder: Path) -> dict[str, bytes]:
    """The content of every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
