"""What a worker of a Dask cluster does for a run: it finds out what its machine offers, gets and builds bots, plays sessions.

Only for those who have `distributed` installed; `cluster` is the runner's side.
"""

import asyncio
import contextlib
import hashlib
import pickle
import socket
import threading
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from distributed import Client, Queue, Variable, Worker, WorkerPlugin, get_client, get_worker

import arena
from arena.errors import HostError, UserError
from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.cgroup import find_hierarchies, remove_leftovers
from arena.seat.isolation.probe import Finding, check_folders, probe_tiers
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.manifest import Manifest
from arena.tournament.bot_cache import ensure_bot
from arena.tournament.config import BotEntry
from arena.tournament.scratch import scratch_folder
from arena.tournament.session import SessionJob, play_session, until_stopped

CACHE_NAME = "arena-bots"
"""Beside the worker's own folder, for all workers of this user on the machine."""
CALL_SECONDS = 60.0
"""How long the scheduler may take to answer."""
_FETCH_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Begun:
    """A worker has begun to play a session. number: of the session, from the runner."""

    number: int
    worker: str


@dataclass(frozen=True, slots=True)
class SeatLog:
    """What a bot wrote to one of its streams. number: of the session. packed: the bytes, hostile and compressed."""

    number: int
    folder: str
    name: str
    packed: bytes


@dataclass(frozen=True, slots=True)
class Offer:
    """What a worker offers. problem: why it cannot play in this run, in words; empty when it can. tiers: weakest first."""

    problem: str
    tiers: tuple[Finding, ...] = ()


def code_hash() -> str:
    """SHA-256 of this package's code: all who play a run must have the same."""
    root = Path(arena.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(f"{path.relative_to(root).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


class Host(WorkerPlugin):
    """What a run has on each worker, from when it joins until the run is over."""

    def __init__(self, name: str, *, limits: Limits, freezes: bool, code: str) -> None:
        """name: of the run on this cluster. freezes: bots are stopped while they are not asked. code: the runner's hash."""
        self.name = name
        self._limits = limits
        self.freezes = freezes
        self._code = code

    async def setup(self, worker: Worker) -> None:
        """Look at the machine; called on the worker, by Dask."""
        self.stop = threading.Event()
        self._cache = Path(worker.local_directory).parent / CACHE_NAME
        self._manifests: dict[str, Manifest] = {}
        self.offer = await self._look(worker)

    def teardown(self, worker: Worker) -> None:
        """Stop what is played; called on the worker, by Dask, when the run or the worker ends."""
        self.stop.set()

    async def _look(self, worker: Worker) -> Offer:
        if code_hash() != self._code:
            return Offer(f"it has another arena than the runner (here {arena.__version__}); install the same on all machines")
        if worker.state.nthreads != 1:
            return Offer(
                f"it has {worker.state.nthreads} threads, and a process plays one match at a time; "
                "start workers with --nthreads 1"
            )
        try:
            return Offer("", await probe_tiers(self._limits))
        except (HostError, UserError, OSError) as error:
            return Offer(f"its machine cannot isolate bots: {error}")

    def isolation(self, tier: Tier) -> Isolation:
        """How bots are isolated here in the run's tier. Raises HostError when the machine does not offer it."""
        if self.offer.problem:
            raise HostError(self.offer.problem)
        finding = next(finding for finding in self.offer.tiers if finding.tier is tier)
        if not finding.works:
            raise HostError(f"this run's bots are isolated by {tier}, which its machine does not offer: {finding.problem}")
        if tier is Tier.STRICT:
            remove_leftovers(find_hierarchies())
        return Isolation(tier=tier, limits=self._limits, with_proc=finding.with_proc, freezes=self.freezes)

    async def prepare(
        self, bots: Sequence[BotEntry], isolation: Isolation, fetch: Callable[[str], bytes]
    ) -> tuple[BotEntry, ...]:
        """The bots with folders of this machine. fetch: gives an archive by its content. Raises HostError or UserError."""
        for content in dict.fromkeys(bot.content for bot in bots):
            if content not in self._manifests:
                manifest = await ensure_bot(content, cache=self._cache, fetch=partial(fetch, content))
                await check_folders(isolation, [manifest.folder])
                self._manifests[content] = manifest
        return tuple(replace(bot, manifest=self._manifests[bot.content]) for bot in bots)


class _Stop:
    """Raised when the run or the worker ends, and when nobody wants the task any more: the runner is gone."""

    def __init__(self, worker: Worker, host: Host) -> None:
        self._worker = worker
        self._host = host
        self._key = worker.get_current_task()

    def is_set(self) -> bool:
        task = self._worker.state.tasks.get(self._key)
        return self._host.stop.is_set() or task is None or task.state == "cancelled"


class _Line:
    """The way to the runner."""

    def __init__(self, name: str, client: Client) -> None:
        self._name = name
        self._client = client
        self._queue = Queue(name, client=client)

    def put(self, item: Any) -> None:
        """Report something. Raises OSError when the scheduler does not take it."""
        try:
            self._client.sync(self._queue.put, pickle.dumps(item), callback_timeout=CALL_SECONDS)
        except OSError:
            raise
        except Exception as error:  # what a closed client raises is of many kinds
            raise ConnectionError(f"the scheduler was lost: {error!r}") from error

    def fetch(self, content: str) -> bytes:
        """The archive of a bot. Raises OSError when the scheduler does not give it."""
        variable = Variable(archive_name(self._name, content), client=self._client)
        try:
            packed: bytes = self._client.sync(variable.get, callback_timeout=_FETCH_SECONDS)
        except OSError:
            raise
        except Exception as error:
            raise ConnectionError(f"the scheduler was lost: {error!r}") from error
        return packed

    def close(self) -> None:
        """Nothing more is put."""
        self._queue.close()


def archive_name(name: str, content: str) -> str:
    """What a bot's archive is called on the scheduler."""
    return f"{name}-{content}"


def play_on_worker(name: str, number: int, pickled: bytes) -> None:
    """Play a session of the run `name`, given as a pickled `SessionJob`; called on a worker, by Dask.

    Raises HostError, which names the worker, when we or its machine failed.
    """
    worker = get_worker()
    job: SessionJob = pickle.loads(pickled)
    try:
        host = worker.plugins.get(name)
        if not isinstance(host, Host):
            raise HostError("the run is over, or the worker was not prepared for it")
        line = _Line(name, get_client())
        try:
            line.put(Begun(number, worker.address))
            _play(job, number, host, line, _Stop(worker, host))
        finally:
            line.close()
    except HostError as error:
        raise type(error)(f"{machine_name(worker.address)}: {error}") from None
    except (UserError, OSError) as error:
        raise HostError(f"{machine_name(worker.address)}: {error}") from None


def machine_name(address: str) -> str:
    """A worker of this machine, as people find it."""
    return f"the worker {address} on {socket.gethostname()}"


def look_at(name: str, dask_worker: Worker) -> tuple[str, Offer]:
    """What a worker is called and what it offers to a run; called on the worker, by Dask."""
    host = dask_worker.plugins[name]
    if not isinstance(host, Host):
        raise HostError(f"{name} is something else on the worker {dask_worker.address}")
    return machine_name(dask_worker.address), host.offer


def stop_playing(name: str, dask_worker: Worker) -> None:
    """Have a worker give up what it plays of a run; called on the worker, by Dask."""
    host = dask_worker.plugins.get(name)
    if isinstance(host, Host):
        host.stop.set()


def _play(job: SessionJob, number: int, host: Host, line: _Line, stop: _Stop) -> None:
    isolation = host.isolation(job.options.isolation.tier)
    with scratch_folder() as scratch:
        logs = scratch / "logs"
        try:
            bots = asyncio.run(until_stopped(host.prepare(job.bots, isolation, line.fetch), stop))
            if bots is None:
                return
            first, second, third, fourth = bots
            here = replace(
                job,
                bots=(first, second, third, fourth),
                options=replace(job.options, isolation=isolation),
                logs=logs,
                scratch=scratch,
            )
            play_session(here, line.put, stop)
        finally:
            _send_logs(logs, number, line)


def _send_logs(logs: Path, number: int, line: _Line) -> None:
    """Hand the bots' output to the runner, if that is still possible: no match is void without it."""
    with contextlib.suppress(OSError):
        for path in sorted(logs.glob("*/*.log")):
            if path.stat().st_size:
                line.put(SeatLog(number, path.parent.name, path.name, zlib.compress(path.read_bytes())))
