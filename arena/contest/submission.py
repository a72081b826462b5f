"""One submission, as a value and as the file `submission.json` that makes a folder one."""

import json
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from arena import __version__
from arena.errors import UserError
from arena.seat.yaml_file import printable
from arena.seat.yaml_model import clean_text, folded_name

FILE_NAME = "submission.json"
REPORT_NAME = "report.json"
SOURCE_NAME = "source"
BUILT_NAME = "built"
MAX_TEAM = 64
HASH_DIGITS = 12
"""Of a hash, in the name of a submission."""
ID = re.compile(rf"([0-9]{{4,9}})-[0-9a-f]{{{HASH_DIGITS}}}")
_MAX_BYTES = 64 << 10
_MAX_WHY = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What was submitted, how and by whom, fixed when it was taken in.

    number: from 1, in the order of arrival. folder: of the submission. team, submitter, bot, language, why: text of others, the
    team and the bot without controls. received_at: UTC, ISO 8601. content: SHA-256 of the source. is_valid: it passed
    the examination. why: the first reason why not, else empty.
    """

    number: int
    folder: Path
    team: str
    submitter: str
    received_at: str
    content: str
    bot: str
    language: str
    is_valid: bool
    why: str = ""

    @property
    def submission_id(self) -> str:
        """Its number and the beginning of its hash; also the name of its folder."""
        return submission_id(self.number, self.content)

    @property
    def team_key(self) -> str:
        """Equal for names that people cannot tell apart."""
        return folded_name(self.team)

    @property
    def source(self) -> Path:
        """What was submitted, as it came; never written to again."""
        return self.folder / SOURCE_NAME

    @property
    def built(self) -> Path:
        """The copy in which its build ran and which plays; it can be made again."""
        return self.folder / BUILT_NAME


class _File(BaseModel):
    """The keys of `submission.json`."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    format: Literal[1]
    arena: Annotated[str, Field(max_length=100)]
    number: Annotated[int, Field(ge=1, le=999_999_999)]
    team: Annotated[str, Field(min_length=1, max_length=MAX_TEAM), AfterValidator(clean_text)]
    submitter: Annotated[str, Field(max_length=200)]
    received_at: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]
    content: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    bot: Annotated[str, Field(max_length=MAX_TEAM)]
    language: Annotated[str, Field(max_length=MAX_TEAM)]
    valid: bool
    why: Annotated[str, Field(max_length=_MAX_WHY)]


def parse_team(name: str) -> str:
    """A team's name as it is kept. Raises UserError for one that cannot be."""
    try:
        team = clean_text(name)
    except ValueError as error:
        raise UserError(f"the team's name {error}") from None
    if len(team) > MAX_TEAM:
        raise UserError(f"the team's name has {len(team)} characters; it must have 1 to {MAX_TEAM}")
    return team


def submission_id(number: int, content: str) -> str:
    """The name of a submission: `0007-3f2a9c0d12ab`."""
    return f"{number:04d}-{content[:HASH_DIGITS]}"


def submission_json(submission: Submission) -> str:
    """The text of `submission.json`, ending with a newline."""
    file = _File(
        format=1,
        arena=__version__,
        number=submission.number,
        team=submission.team,
        submitter=submission.submitter[:200],
        received_at=submission.received_at,
        content=submission.content,
        bot=submission.bot,
        language=submission.language,
        valid=submission.is_valid,
        why=submission.why if len(submission.why) <= _MAX_WHY else f"{submission.why[: _MAX_WHY - 1]}…",
    )
    return json.dumps(file.model_dump(), indent=2) + "\n"


def read_submission(folder: Path) -> Submission | None:
    """The submission in a folder; None when there is none, or not yet. Whoever may write to the contest may have written it.

    Raises UserError for one that is damaged.
    """
    path = folder / FILE_NAME
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise UserError(f"{folder.name}: {FILE_NAME} is not a file")
        with path.open("rb") as opened:
            text = opened.read(_MAX_BYTES)
        file = _File.model_validate(json.loads(text))
        if submission_id(file.number, file.content) != folder.name:
            raise UserError(f"{folder.name}: {FILE_NAME} belongs to another submission")
        for name in (SOURCE_NAME, BUILT_NAME):
            if (folder / name).is_symlink():
                raise UserError(f"{folder.name}: {name} is a link")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"{folder.name}: cannot be read: {error.strerror or error}") from error
    except ValidationError as error:
        key = ".".join(map(str, error.errors()[0]["loc"]))
        raise UserError(f"{folder.name}: {FILE_NAME} is damaged: {printable(key)}") from None
    except (ValueError, RecursionError):
        raise UserError(f"{folder.name}: {FILE_NAME} is damaged") from None
    return Submission(
        number=file.number,
        folder=folder,
        team=file.team,
        submitter=file.submitter,
        received_at=file.received_at,
        content=file.content,
        bot=file.bot,
        language=file.language,
        is_valid=file.valid,
        why=file.why,
    )
