"""Sessions that the workers of a Dask cluster play: an executor, the queue of their reports, the flag that stops them.

When a worker dies, Dask gives its task to another one, which would play the session from its first match again. So a session
that is begun twice is taken back, and the run hands out what is left of it.
"""

import asyncio
import contextlib
import itertools
import pickle
import threading
import time
import zlib
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from distributed import Client, Queue
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker

from arena.errors import WorkerError
from arena.tournament.cluster_worker import CALL_SECONDS, Begun, SeatLog, play_on_worker, stop_playing

_STOP_SECONDS = 10.0
"""How long workers may take to hear that they are to stop, or to be restarted."""
_COUNT_SECONDS = 2.0
"""How old the number of workers may be."""
_WATCH_SECONDS = 10.0
"""How often it is looked at whether there are workers, while nothing is reported."""
_CLOSE_SECONDS = 5.0


class Link:
    """The connection to a scheduler, with an end to every wait and one kind of error."""

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        self.address = address
        self._workers = 0
        self._counted = float("-inf")

    def ask(self, work: Callable[[], Any], *, seconds: float | None) -> Any:
        """What some work comes to, done on the client's loop, where its methods can be awaited; from any other thread.

        Raises TimeoutError when it takes longer, another OSError when the scheduler is lost.
        """
        if self.client.status != "running":
            raise ConnectionError(f"the connection to the scheduler {self.address} was lost")
        try:
            return self.client.sync(work, callback_timeout=seconds)
        except CommClosedError as error:
            raise ConnectionError(f"the connection to the scheduler {self.address} was lost") from error
        except OSError:
            raise
        except Exception as error:  # a client that is closing meanwhile raises anything
            raise ConnectionError(f"the scheduler {self.address} does not answer: {error!r}") from error

    def need(self, work: Callable[[], Any], *, seconds: float) -> Any:
        """The same where nothing goes on without it. Raises WorkerError."""
        try:
            return self.ask(work, seconds=seconds)
        except OSError as error:
            raise WorkerError(f"the cluster at {self.address} cannot be used: {str(error) or repr(error)}") from error

    def worker_count(self) -> int:
        """How many workers there are, or were a moment ago. Raises WorkerError."""
        if time.monotonic() - self._counted > _COUNT_SECONDS:
            self._workers = len(self.need(self.client.nthreads, seconds=CALL_SECONDS))
            self._counted = time.monotonic()
        return self._workers

    def close(self) -> None:
        """Disconnect; all that is still being played for us is given up by its workers."""
        with contextlib.suppress(Exception):
            self.client.close(timeout=_CLOSE_SECONDS)


@dataclass(slots=True)
class _Flight:
    """A session that was handed out. given: to the run. task: Dask's. worker: who has begun it."""

    given: "Future[None]"
    logs: Path
    task: "Future[None] | None" = None
    worker: str | None = None


class Sessions:
    """All sessions that were handed out and have not ended."""

    def __init__(self, link: Link, name: str) -> None:
        self._link = link
        self._name = name
        self._executor: Executor = link.client.get_executor(pure=False, retries=0)
        # What hears of an end reports it through the scheduler, which cannot be done on the client's own loop.
        self._landing = ThreadPoolExecutor(1, thread_name_prefix="landing")
        self._numbers = itertools.count(1)
        self._flights: dict[int, _Flight] = {}
        self._lock = threading.Lock()

    def new_executor(self) -> Executor:
        """An executor that plays sessions on the cluster."""
        return _ClusterExecutor(self)

    def submit(self, job: Any) -> "Future[None]":
        """Hand out a session. Raises WorkerError when the scheduler is lost."""
        number = next(self._numbers)
        flight = _Flight(given=Future(), logs=job.logs)
        with self._lock:
            self._flights[number] = flight
        try:
            flight.task = self._executor.submit(play_on_worker, self._name, number, pickle.dumps(job))
        except Exception as error:  # a client that is closing raises anything
            self._take(number)
            raise WorkerError(f"the scheduler {self._link.address} takes no sessions: {error}") from error
        flight.task.add_done_callback(lambda task: self._land_soon(number, task))
        return flight.given

    def note_begin(self, begun: Begun) -> None:
        """A worker has begun a session; when another one had before, that one is gone."""
        with self._lock:
            flight = self._flights.get(begun.number)
            if flight is None:
                return
            before, flight.worker = flight.worker, begun.worker
        if before is not None:
            self._take(begun.number)
            if flight.task is not None:
                _cancel(flight.task)
            _settle(flight.given, WorkerError(f"the worker {before} died"))

    def note_log(self, log: SeatLog) -> None:
        """Keep what a bot has printed, where the local workers would have. What cannot be written is lost, and no match."""
        with self._lock:
            flight = self._flights.get(log.number)
        if flight is not None:
            path = flight.logs / Path(log.folder).name / Path(log.name).name
            with contextlib.suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("ab") as file:
                    file.write(zlib.decompress(log.packed))

    def kill(self) -> None:
        """Take all sessions back and have the processes that play them ended, where there is a nanny to do it."""
        with self._lock:
            flights, self._flights = list(self._flights.values()), {}
        workers = list({flight.worker for flight in flights if flight.worker is not None})
        for flight in flights:
            if flight.task is not None:
                _cancel(flight.task)
        with contextlib.suppress(OSError):
            self._link.ask(partial(self._restart, workers), seconds=_STOP_SECONDS)
        for flight in flights:
            _settle(flight.given, WorkerError("the session was taken back"))

    def close(self) -> None:
        """Wait for nothing."""
        self._landing.shutdown(wait=False, cancel_futures=True)

    async def _restart(self, workers: list[str]) -> None:
        if workers:
            await self._link.client.restart_workers(workers, timeout=_STOP_SECONDS, raise_for_error=False)

    def _take(self, number: int) -> _Flight | None:
        with self._lock:
            return self._flights.pop(number, None)

    def _land_soon(self, number: int, task: "Future[None]") -> None:
        with contextlib.suppress(RuntimeError):  # it is closed
            self._landing.submit(self._land, number, task)

    def _land(self, number: int, task: "Future[None]") -> None:
        """A task of Dask is over."""
        flight = self._take(number)
        if flight is None:
            return
        error = WorkerError("Dask has cancelled the session") if task.cancelled() else task.exception()
        if isinstance(error, KilledWorker):
            error = WorkerError(f"a worker died: {error}")
        _settle(flight.given, error)


class _ClusterExecutor(Executor):
    """Takes what `play_session` takes; the worker has its own ways to report and to be stopped."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Hand out a session: the first argument is the job. Raises WorkerError when the scheduler is lost."""
        return self._sessions.submit(args[0])

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing: the workers are the cluster's, and what they still play ends with the connection."""


class Reports:
    """The queue of what workers report, and of the ends of sessions, in the order in which it happened."""

    def __init__(self, link: Link, queue: Queue, sessions: Sessions, *, patience_seconds: float) -> None:
        self._link = link
        self._queue = queue
        self._sessions = sessions
        self._patience_seconds = patience_seconds
        self._is_lost = False

    def put(self, item: Any) -> None:
        """Add an item. Raises OSError when the scheduler is lost."""
        if self._is_lost:
            raise ConnectionError("nothing is reported any more")
        self._link.ask(partial(self._queue.put, pickle.dumps(item)), seconds=CALL_SECONDS)

    def get(self) -> Any:
        """Wait for the next item that is the run's. Raises OSError when the scheduler is lost, or all workers for too long."""
        while True:
            item = pickle.loads(self._link.ask(self._next, seconds=None))
            if isinstance(item, Begun):
                self._sessions.note_begin(item)
            elif isinstance(item, SeatLog):
                self._sessions.note_log(item)
            else:
                return item

    def lose(self) -> None:
        """Take no more: whoever reports has to find another way."""
        self._is_lost = True

    async def _next(self) -> bytes:
        getting = asyncio.ensure_future(self._queue.get())
        seen = time.monotonic()
        try:
            while not (await asyncio.wait([getting], timeout=_WATCH_SECONDS))[0]:
                if await self._link.client.nthreads():
                    seen = time.monotonic()
                elif time.monotonic() - seen > self._patience_seconds:
                    raise ConnectionError(f"{self._link.address} has had no worker for {self._patience_seconds:g} s")
            item: bytes = getting.result()
            return item
        finally:
            getting.cancel()


class StopAll:
    """The flag that stops the sessions of a run."""

    def __init__(self, link: Link, name: str) -> None:
        self._link = link
        self._name = name
        self._is_set = False

    def is_set(self) -> bool:
        """Whether it was raised."""
        return self._is_set

    def set(self) -> None:
        """Raise it on every worker that can be reached. Raises OSError when the scheduler is lost."""
        self._is_set = True
        # One that does not answer is waited for in the end like one that answers and goes on.
        with contextlib.suppress(TimeoutError):
            self._link.ask(partial(self._link.client.run, stop_playing, self._name, on_error="ignore"), seconds=_STOP_SECONDS)
        # Those that join from now on begin nothing.
        with contextlib.suppress(OSError):
            self._link.ask(partial(self._link.client.unregister_worker_plugin, self._name), seconds=_STOP_SECONDS)


def _cancel(task: "Future[None]") -> None:
    """Have Dask forget a task."""
    with contextlib.suppress(Exception):  # a client that is closing raises anything, and has done it
        task.cancel()


def _settle(given: "Future[None]", error: BaseException | None) -> None:
    """Tell the run that a session is over, unless it knows."""
    with contextlib.suppress(InvalidStateError):
        if error is None:
            given.set_result(None)
        else:
            given.set_exception(error)
