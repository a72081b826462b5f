"""The folder of a contest: a folder for each submission, which nobody but its own submitter writes to.

    CONTEST/
        0007-3f2a9c0d12ab/      its number, in the order of arrival, and the beginning of its hash
            submission.json     written last and at once: without it, nothing of this counts
            report.json         what the examination found
            source/             what was submitted
            built/              the copy that was built, and that plays
        .arena/                 locks, and what is still coming in

No name that somebody gave is a part of a path.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from arena.contest.built import copy_source, mark_built
from arena.contest.claims import STATE_NAME, claim_number, incoming_folder, iter_folders, open_state
from arena.contest.folder import iter_folder
from arena.contest.intake import take_in
from arena.contest.submission import (
    FILE_NAME,
    REPORT_NAME,
    SOURCE_NAME,
    Submission,
    parse_team,
    read_submission,
    submission_id,
    submission_json,
)
from arena.contest.zip_file import iter_zip
from arena.errors import ConfigError, HostError, UserError
from arena.seat.content import content_hash
from arena.seat.manifest import Manifest, load_manifest
from arena.seat.yaml_file import printable
from arena.seat.yaml_model import folded_name, suggestion


@dataclass(frozen=True, slots=True)
class Listing:
    """What a contest has. submissions: in the order of arrival. damaged: a line for each that cannot be read."""

    submissions: tuple[Submission, ...]
    damaged: tuple[str, ...]


class Pending:
    """A submission that is being taken in; nothing of it counts before `finish`.

    manifest: of the copy that is to be built and examined. superseded: what counts for its team until now.
    """

    def __init__(self, submission: Submission, *, manifest: Manifest, superseded: Submission | None) -> None:
        self._submission = submission
        self.manifest = manifest
        self.superseded = superseded

    @property
    def built(self) -> Path:
        """The folder that is to be built and examined."""
        return self._submission.built

    def finish(self, *, is_valid: bool, report: str, why: str = "") -> Submission:
        """Keep it for good. report: of its examination, as JSON. why: the reason when it is not valid. Raises HostError."""
        done = replace(self._submission, is_valid=is_valid, why="" if is_valid else why)
        try:
            if is_valid:
                mark_built(done)
            else:
                shutil.rmtree(done.built, ignore_errors=True)
            _write(done.folder / REPORT_NAME, report)
            _write(done.folder / FILE_NAME, submission_json(done))
        except OSError as error:
            raise HostError(f"the submission cannot be written into {done.folder}: {error.strerror or error}") from error
        return done


@contextmanager
def new_submission(
    source: Path,
    *,
    contest: Path,
    submitter: str,
    team: str | None = None,
) -> Iterator[Pending]:
    """Take in a bot, a folder or a zip file that may be hostile, for examination; it is gone afterwards unless it was finished.

    team: as its submitter wrote it; None for the name of the bot, as long as no other submitter has that. Raises UserError with
    one line for what is refused, ConfigError with a line for each problem in its manifest, HostError when it cannot be written.
    """
    if team is not None:
        team = parse_team(team)
    _check_contest(contest)
    place, source_place = contest.resolve(), _find(source)
    if source_place.is_dir() and place.is_relative_to(source_place):
        raise UserError(f"{contest}: lies inside the bot's folder {source}; a contest has a folder elsewhere")
    try:
        open_state(place)
    except OSError as error:
        raise HostError(f"{contest}: cannot be written to: {error.strerror or error}") from error
    received_at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    with claim_number(place) as number:
        incoming = incoming_folder(place, number)
        shown = printable(str(source))
        try:
            take_in(iter_folder(source_place) if source_place.is_dir() else iter_zip(source_place), incoming / SOURCE_NAME)
        except UserError as error:
            raise UserError(f"{shown}: {error}") from error
        try:
            manifest = load_manifest(incoming / SOURCE_NAME)
        except ConfigError as error:
            raise ConfigError(str(error).replace(str(incoming / SOURCE_NAME), shown)) from None
        submissions = list_submissions(contest).submissions
        if team is None:
            team = manifest.name
            _refuse_taken(team, submissions, submitter=submitter)
        content = content_hash(incoming / SOURCE_NAME)
        submission = Submission(
            number=number,
            folder=place / submission_id(number, content),
            team=team,
            submitter=submitter,
            received_at=received_at,
            content=content,
            bot=manifest.name,
            language=manifest.language,
            is_valid=False,
        )
        try:
            incoming.rename(submission.folder)
            copy_source(submission)
        except OSError as error:
            raise HostError(f"{contest}: the submission cannot be written: {error.strerror or error}") from error
        before = {old.team_key: old for old in current_submissions(submissions)}
        yield Pending(
            submission,
            manifest=load_manifest(submission.built),
            superseded=before.get(submission.team_key),
        )


def list_submissions(contest: Path) -> Listing:
    """Everything that was submitted to a contest and examined. Raises UserError for a folder that is not a contest's."""
    _check_contest(contest)
    submissions, damaged = [], []
    for folder in iter_folders(contest):
        try:
            if (submission := read_submission(folder)) is not None:
                submissions.append(submission)
        except UserError as error:
            damaged.append(str(error))
    return Listing(tuple(sorted(submissions, key=lambda submission: submission.number)), tuple(sorted(damaged)))


def current_submissions(submissions: Iterable[Submission]) -> tuple[Submission, ...]:
    """The newest valid submission of every team, in the order of arrival."""
    newest = {submission.team_key: submission for submission in submissions if submission.is_valid}
    return tuple(sorted(newest.values(), key=lambda submission: submission.number))


def is_contest(folder: Path) -> bool:
    """Whether something was ever submitted to this folder, or it is empty and something may be."""
    names = {entry.name for entry in folder.iterdir()}
    return not names or STATE_NAME in names


def _check_contest(contest: Path) -> None:
    shown = printable(str(contest))
    try:
        if not contest.is_dir():
            around = contest.absolute().parent
            near = [entry.name for entry in around.iterdir() if entry.is_dir()] if around.is_dir() else []
            raise UserError(f"{shown}: there is no such folder{suggestion(contest.name, near)}")
        if not is_contest(contest):
            raise UserError(f"{shown}: is not the folder of a contest: nothing was ever submitted to it, and it is not empty")
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise UserError(f"{shown}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _find(source: Path) -> Path:
    shown = printable(str(source))
    try:
        place = source.resolve()
        if place.is_dir() or place.is_file():
            return place
        if place.exists():
            raise UserError(f"{shown}: is neither a folder nor a zip file")
        near = [entry.name for entry in place.parent.iterdir()] if place.parent.is_dir() else []
    except (OSError, ValueError) as error:
        raise UserError(f"{shown}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    raise UserError(f"{shown}: there is no such folder or zip file{suggestion(source.name, near)}")


def _refuse_taken(team: str, submissions: Iterable[Submission], *, submitter: str) -> None:
    """Nobody takes another's place because two bots happen to have the same name."""
    key = folded_name(team)
    others = [old.submitter for old in submissions if old.team_key == key]
    if others and submitter not in others:
        raise UserError(
            f"the team {printable(team)} (the name in bot.yaml) is that of {printable(others[-1])}; say --team with another "
            "name, or with this one if it is your team, too"
        )


def _write(path: Path, text: str) -> None:
    """All of the file or nothing, also when the power goes."""
    fresh = path.with_suffix(".new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.chmod(0o444)
    fresh.replace(path)
