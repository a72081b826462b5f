"""Bots in folders with a manifest, good ones and bad ones, and an examination of one of them."""

import asyncio
from pathlib import Path

from arena.check.examination import CheckTerms, Examination, Opponent
from arena.check.report import Outcome, Problem, Report, Step
from arena.seat.manifest import load_manifest
from tests.seat_tools import ISOLATION, write_bot

RANDOM = Path(__file__).parents[2] / "sample_bots" / "random"

BOT = """
import os
import sys
import time

from arena.bot import Bot, Move, MoveKind, serve

"""
"""What goes before a class `Tested`."""
SERVE = """
serve(Tested())
"""


def write_folder(folder: Path, *sources: str, build: str = "") -> Path:
    """A bot in Python with its bot.yaml; build: the YAML of that key."""
    write_bot(folder, *sources)
    text = "name: tested\nrun: [python, main.py]\n" + (f"build: {build}\n" if build else "")
    (folder / "bot.yaml").write_text(text)
    return folder


def write_tested(folder: Path, body: str) -> Path:
    """A bot on the SDK from the body of its class `Tested`."""
    return write_folder(folder, BOT, body, SERVE)


def examine(folder: Path, root: Path, terms: CheckTerms | None = None) -> Report:
    """The report on a bot; without matches against opponents."""
    examination = Examination(
        folder,
        terms=terms or CheckTerms(),
        isolation=ISOLATION,
        scratch=root,
        companion=Opponent("random", load_manifest(RANDOM)),
    )
    return asyncio.run(examination.run())


def step_of(report: Report, key: str) -> Step:
    """The step with that key."""
    return next(step for step in report.steps if step.key == key)


def problem_in(report: Report, key: str) -> Problem:
    """What was wrong in a step that has to be the first one that failed."""
    failed = [step for step in report.steps if step.verdict.outcome is Outcome.FAILED]
    assert not report.may_play
    assert failed
    assert failed[0].key == key, [(step.key, step.verdict) for step in failed]
    problem = failed[0].verdict.problem
    assert problem is not None
    assert problem.advice
    return problem
