"""What a worker process does: one session, four bots, its matches one after the other."""

import asyncio
import contextlib
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from arena.errors import HostError, OverloadError
from arena.records.model import MatchKey, MatchRecord
from arena.referee.referee import MatchTerms, play_match
from arena.rules.cards import SEATS, Seat
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import make_reachable
from arena.tournament.config import BotEntry
from arena.tournament.pairings import Pairing
from arena.tournament.schedule import Session
from arena.tournament.workers import StopFlag

Result = TypeVar("Result")
_STOP_POLL_SECONDS = 0.5
PAUSES_SECONDS = (1.0, 5.0, 15.0)
"""How long a machine that was overloaded is left alone before the match is played again, after each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionJob:
    """Everything that a worker needs, in a form that can be sent to it.

    bots: by seat. secret: the deals come from it. logs: folder for the seats' output, made when it is not there. scratch:
    folder for the sockets.
    """

    session: Session
    bots: tuple[BotEntry, BotEntry, BotEntry, BotEntry]
    terms: MatchTerms
    options: ChairOptions
    secret: bytes
    logs: Path
    scratch: Path


@dataclass(frozen=True, slots=True)
class Voided:
    """A match of these teams was void, is counted nowhere, and is played again. reason: in words."""

    teams: Pairing
    reason: str


Report: TypeAlias = Callable[[MatchRecord | Voided], None]


def play_session(job: SessionJob, report: Report, stop: StopFlag) -> None:
    """Play the matches of a session and report each as soon as it is finished.

    Returns early when `stop` is raised; the match that was being played is void. Raises HostError when we or the machine
    failed; for an overload only when that voids the same match again and again.
    """
    try:
        if not stop.is_set():
            asyncio.run(until_stopped(_play(job, report), stop))
    except (EOFError, OSError) as error:
        raise HostError(f"this machine failed a session: {str(error) or repr(error)}") from error


async def until_stopped(work: Coroutine[Any, Any, Result], stop: StopFlag) -> Result | None:
    """What some work comes to; None when it was given up because `stop` was raised."""
    working = asyncio.create_task(work)
    while not working.done():
        await asyncio.wait([working], timeout=_STOP_POLL_SECONDS)
        if not working.done() and await asyncio.to_thread(stop.is_set):
            working.cancel()
            break
    with contextlib.suppress(asyncio.CancelledError):
        return await working
    return None


async def _play(job: SessionJob, report: Report) -> None:
    with tempfile.TemporaryDirectory(dir=job.scratch) as root:
        make_reachable(Path(root))
        async with contextlib.AsyncExitStack() as stack:
            chairs = [
                await stack.enter_async_context(_new_chair(seat, bot, job=job, root=Path(root)))
                for seat, bot in zip(SEATS, job.bots, strict=True)
            ]
            stack.push_async_callback(_end_all, chairs)
            for key in job.session.iter_keys():
                report(await _play_match(chairs, key, job=job, report=report))


async def _play_match(chairs: Sequence[Chair], key: MatchKey, *, job: SessionJob, report: Report) -> MatchRecord:
    """Play a match; again, with fresh processes and after a pause, when the machine was overloaded."""
    first, second, third, fourth = (bot.bot_id for bot in job.bots)
    bots = (first, second, third, fourth)
    for pause in PAUSES_SECONDS:
        try:
            return await play_match(chairs, key=key, bots=bots, terms=job.terms, secret=job.secret)
        except OverloadError as error:
            report(Voided(key.teams, str(error)))
            await _end_all(chairs)
            await asyncio.sleep(pause)
    return await play_match(chairs, key=key, bots=bots, terms=job.terms, secret=job.secret)


async def _end_all(chairs: Sequence[Chair]) -> None:
    """End the bots at the same time, since each may take its time to go. What fails is raised when its chair is closed."""
    await asyncio.gather(*(chair.end() for chair in chairs), return_exceptions=True)


def _new_chair(seat: Seat, bot: BotEntry, *, job: SessionJob, root: Path) -> Chair:
    folder = root / str(seat)
    logs = job.logs / f"seat{seat}-{bot.bot_id}"
    folder.mkdir()
    logs.mkdir(parents=True, exist_ok=True)
    return Chair(seat, manifest=bot.manifest, folder=folder, logs=logs, options=job.options)
