"""What an examination found, as values: for people (`arena.show.check`) and for graders (`report_json`)."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from arena import __version__

JSON_FORMAT = 1


class Outcome(StrEnum):
    """How a step ended."""

    PASSED = "passed"
    WARNED = "warned"
    """It may play, but somebody should look at this."""
    FAILED = "failed"
    SKIPPED = "skipped"
    """Not tried, since an earlier step has to pass first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a step failed.

    reason, advice: ours, in plain words. sent: the turn that was open, line by line; empty when none was. answered: what came
    back, in notation or in words. output: the last that the bot, or its build, wrote; hostile text. exit_status: of the bot's
    process when it ended, negative for a signal.
    """

    reason: str
    advice: str
    sent: tuple[str, ...] = ()
    answered: str = ""
    output: str = ""
    exit_status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one step comes to. summary: one line. problem: there exactly when it failed. notes: lines of hostile text."""

    outcome: Outcome
    summary: str
    problem: Problem | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the examination. number: from 1. key: a word for programs. title: a sentence that should be true."""

    number: int
    key: str
    title: str
    verdict: Verdict
    seconds: float

    @property
    def is_failed(self) -> bool:
        """Whether the bot may not play because of it."""
        return self.verdict.outcome is Outcome.FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Numbers of the examined bot; None where nothing was measured.

    start_ms: the slowest start. turns: answered turns. median_ms, p95_ms, worst_ms: time for one, the first of a process left
    out. memory_mib: the most that the processes of one bot held. stdout_bytes, stderr_bytes: of all processes together.
    """

    start_ms: int | None = None
    turns: int = 0
    median_ms: float | None = None
    p95_ms: float | None = None
    worst_ms: float | None = None
    memory_mib: float | None = None
    stdout_bytes: int = 0
    stderr_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole examination. name, language: from the manifest, empty when it could not be read. isolation: the tier."""

    folder: Path
    name: str
    language: str
    isolation: str
    steps: tuple[Step, ...]
    measured: Measured

    @property
    def may_play(self) -> bool:
        """Whether no step failed."""
        return not any(step.is_failed for step in self.steps)


def report_json(report: Report) -> str:
    """The report as one JSON object, ending with a newline; ASCII, so hostile text does no harm."""
    steps = [
        {"number": step.number, "key": step.key, "title": step.title, "seconds": step.seconds} | asdict(step.verdict)
        for step in report.steps
    ]
    value = {
        "format": JSON_FORMAT,
        "arena": __version__,
        "folder": str(report.folder),
        "name": report.name,
        "language": report.language,
        "isolation": report.isolation,
        "may_play": report.may_play,
        "steps": steps,
        "measured": asdict(report.measured),
    }
    return json.dumps(value, indent=2) + "\n"
