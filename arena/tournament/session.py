"""What a worker process does: one session, four bots, its matches one after the other."""

import asyncio
import contextlib
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import HostError
from arena.records.model import MatchRecord
from arena.referee.referee import MatchTerms, play_match
from arena.rules.cards import SEATS, Seat
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import make_reachable
from arena.tournament.config import BotEntry
from arena.tournament.schedule import Session
from arena.tournament.workers import StopFlag

_STOP_POLL_SECONDS = 0.5


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


def play_session(job: SessionJob, report: Callable[[MatchRecord], None], stop: StopFlag) -> None:
    """Play the matches of a session and report each as soon as it is finished.

    Returns early when `stop` is raised; the match that was being played is void. Raises HostError when we or the machine
    failed.
    """
    try:
        if not stop.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                asyncio.run(_play_until(job, report, stop))
    except (EOFError, OSError) as error:
        raise HostError(f"this machine failed a session: {str(error) or repr(error)}") from error


async def _play_until(job: SessionJob, report: Callable[[MatchRecord], None], stop: StopFlag) -> None:
    playing = asyncio.create_task(_play(job, report))
    while not playing.done():
        await asyncio.wait([playing], timeout=_STOP_POLL_SECONDS)
        if not playing.done() and await asyncio.to_thread(stop.is_set):
            playing.cancel()
            break
    await playing


async def _play(job: SessionJob, report: Callable[[MatchRecord], None]) -> None:
    first, second, third, fourth = (bot.bot_id for bot in job.bots)
    with tempfile.TemporaryDirectory(dir=job.scratch) as root:
        make_reachable(Path(root))
        async with contextlib.AsyncExitStack() as stack:
            chairs = [
                await stack.enter_async_context(_new_chair(seat, bot, job=job, root=Path(root)))
                for seat, bot in zip(SEATS, job.bots, strict=True)
            ]
            stack.push_async_callback(_end_all, chairs)
            for key in job.session.iter_keys():
                bots = (first, second, third, fourth)
                report(await play_match(chairs, key=key, bots=bots, terms=job.terms, secret=job.secret))


async def _end_all(chairs: Sequence[Chair]) -> None:
    """End the bots at the same time, since each may take its time to go. What fails is raised when its chair is closed."""
    await asyncio.gather(*(chair.end() for chair in chairs), return_exceptions=True)


def _new_chair(seat: Seat, bot: BotEntry, *, job: SessionJob, root: Path) -> Chair:
    folder = root / str(seat)
    logs = job.logs / f"seat{seat}-{bot.bot_id}"
    folder.mkdir()
    logs.mkdir(parents=True, exist_ok=True)
    return Chair(seat, manifest=bot.manifest, folder=folder, logs=logs, options=job.options)
