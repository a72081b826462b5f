"""The tree of a submission that plays: a copy of its source, in which its build has run. It can be made again at any time."""

import shutil
import stat
from pathlib import Path

from filelock import FileLock

from arena.contest.submission import Submission
from arena.errors import HostError, UserError
from arena.seat.build import BUILD_SECONDS, run_build
from arena.seat.manifest import load_manifest
from arena.seat.yaml_file import printable

_MARK = ".arena-built"
"""The file in the tree that says that its build came to its end."""


def copy_source(submission: Submission) -> None:
    """Make the tree new: the source, for a build to write into and for every user to read. Raises OSError."""
    shutil.rmtree(submission.built, ignore_errors=True)
    shutil.copytree(submission.source, submission.built, copy_function=_copy_file)
    for folder in (submission.folder, submission.built, *submission.built.rglob("*")):
        if folder.is_dir():
            folder.chmod(0o755)


def mark_built(submission: Submission) -> None:
    """Its build came to its end. Raises OSError."""
    (submission.built / _MARK).touch()


def is_built(submission: Submission) -> bool:
    """Whether the tree is there and complete."""
    return (submission.built / _MARK).is_file()


async def ensure_built(submission: Submission) -> None:
    """Build the tree again when somebody has removed it.

    Raises UserError when the build fails, HostError when the tree cannot be written.
    """
    if is_built(submission):
        return
    try:
        # Two tournaments may begin at the same time.
        with FileLock(submission.folder / ".build.lock", timeout=BUILD_SECONDS):
            if not is_built(submission):
                await _build(submission)
    except (OSError, NotImplementedError) as error:  # NotImplementedError: a file system without locks
        raise HostError(f"{submission.folder}: cannot be built again: {error}") from error


async def _build(submission: Submission) -> None:
    copy_source(submission)
    if failure := await run_build(load_manifest(submission.built), limit_seconds=BUILD_SECONDS):
        last = next((line for line in reversed(failure.output.splitlines()) if line.strip()), "")
        raise UserError(
            f"{submission.folder}: was valid when it was submitted, and cannot be built again: {printable(failure.reason)}"
            + (f"; its last line: {printable(last[:200])}" if last else "")
        )
    mark_built(submission)


def _copy_file(source: str, target: str) -> str:
    shutil.copyfile(source, target)
    is_program = Path(source).stat().st_mode & stat.S_IXUSR
    Path(target).chmod(0o755 if is_program else 0o644)
    return target
