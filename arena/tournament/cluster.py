"""The runner's side of a Dask cluster: prepares its workers for a run, hands sessions to them, hears what they report.

All goes through the cluster's scheduler: sessions through Dask's executor, reports through a queue of Dask, bots' folders
through variables that workers read when they lack one. Only for those who have `distributed` installed.
"""

import contextlib
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from distributed import Client, Queue, Variable

from arena.errors import HostError, UserError, WorkerError
from arena.seat.archive import pack_folder
from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.tier import Tier
from arena.seat.yaml_file import MAX_PROBLEMS
from arena.tournament.cluster_sessions import Link, Reports, Sessions, StopAll
from arena.tournament.cluster_worker import CALL_SECONDS, Host, Offer, archive_name, code_hash, look_at
from arena.tournament.config import TournamentConfig
from arena.tournament.file import Pondering
from arena.tournament.workers import Workers

WORKER_SECONDS = 600.0
"""How long there may be no worker at all before a run gives up."""
_CONNECT_SECONDS = 10.0
_PREPARE_SECONDS = 300.0
"""How long all workers together may take to look at their machines, or the scheduler to take a bot's folder."""
_CLOSE_SECONDS = 5.0
_SILENT = logging.CRITICAL + 1

Result = TypeVar("Result")


class Cluster:
    """A cluster whose workers are ready for a run. isolation: of the bots, on all of them. size: how many there are by now."""

    def __init__(self, link: Link, name: str, *, isolation: Isolation, size: int, jobs: int | None) -> None:
        self.isolation = isolation
        self.size = size
        self._link = link
        self._name = name
        self._jobs = jobs

    @contextmanager
    def workers(self) -> Iterator[Workers]:
        """All workers, also those that join later. Raises HostError when the scheduler is lost."""
        queue = self._link.need(partial(_open_queue, self._name, self._link.client), seconds=CALL_SECONDS)
        with contextlib.closing(Sessions(self._link, self._name)) as sessions:
            reports = Reports(self._link, queue, sessions, patience_seconds=WORKER_SECONDS)
            try:
                yield Workers(
                    reports=reports,
                    stop=StopAll(self._link, self._name),
                    scratch=Path(),
                    job_count=self._job_count,
                    new_executor=sessions.new_executor,
                    kill=partial(_kill, sessions, reports),
                )
            finally:
                with contextlib.suppress(OSError):
                    self._link.ask(partial(_close_queue, queue), seconds=_CLOSE_SECONDS)

    def _job_count(self) -> int:
        return self._jobs or max(1, self._link.worker_count())


@contextmanager
def open_cluster(config: TournamentConfig, address: str, *, tell: Callable[[str], None]) -> Iterator[Cluster]:
    """Connect to the scheduler at an address and prepare its workers: the same code on all, machines that isolate bots well
    enough, one match at a time.

    tell: is told what it waits for. Raises UserError when a worker or a bot's folder is not as it should be, HostError when the
    scheduler cannot be reached or no worker comes.
    """
    name = f"arena-{secrets.token_hex(8)}"
    with _quiet(), contextlib.closing(_connect(address)) as link:
        if not link.need(partial(_count, link.client), seconds=CALL_SECONDS):
            tell(f"Waiting for a worker of {address}.")
            _wait_for_worker(link)
        _check_code(link)
        host = Host(name, limits=config.limits, freezes=config.pondering is Pondering.FORBIDDEN, code=code_hash())
        try:
            link.need(partial(link.client.register_plugin, host, name=name), seconds=_PREPARE_SECONDS)
            offers = link.need(partial(link.client.run, look_at, name), seconds=CALL_SECONDS)
            isolation = Isolation(
                tier=_common_tier(offers, least=config.least_isolation), limits=config.limits, freezes=host.freezes
            )
            with _published(config, link, name):
                yield Cluster(link, name, isolation=isolation, size=len(offers), jobs=config.jobs)
        finally:
            with contextlib.suppress(OSError):
                link.ask(partial(link.client.unregister_worker_plugin, name), seconds=_CLOSE_SECONDS)


def _connect(address: str) -> Link:
    try:
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False, name="arena")
    except Exception as error:  # what a missing certificate or a wrong answer raises is of many kinds
        raise HostError(f"the scheduler at {address} cannot be reached: {str(error) or repr(error)}") from error
    return Link(client, address)


def _wait_for_worker(link: Link) -> None:
    try:
        link.ask(partial(link.client.wait_for_workers, 1, timeout=WORKER_SECONDS), seconds=None)
    except TimeoutError:
        raise HostError(f"no worker has come to {link.address} within {WORKER_SECONDS:g} s") from None
    except OSError as error:
        raise WorkerError(str(error)) from error


def _check_code(link: Link) -> None:
    """Raise UserError when some worker does not have this package. Those that have another version say so themselves."""
    found = link.need(partial(link.client.run, code_hash, on_error="return"), seconds=CALL_SECONDS)
    for worker, result in found.items():
        if isinstance(result, ImportError):
            raise UserError(f"the worker {worker} cannot import what a run needs ({result}): install the arena where it runs")
        if isinstance(result, Exception):
            raise HostError(f"the worker {worker} does not answer: {result!r}")


def _common_tier(offers: Mapping[str, tuple[str, Offer]], *, least: Tier | None) -> Tier:
    """The tier in which all workers can isolate bots. Raises UserError with a line for each worker that cannot play."""
    tiers = list(Tier)
    common, lines = tiers[-1], []
    for machine, offer in offers.values():
        working = [finding.tier for finding in offer.tiers if finding.works]
        if offer.problem:
            lines.append(f"{machine} cannot play: {offer.problem}")
        elif not working:
            lines.append(f"{machine} cannot play: bots cannot be run there: {offer.tiers[0].problem}")
        elif least is not None and tiers.index(working[-1]) < tiers.index(least):
            problem = next(finding.problem for finding in offer.tiers if finding.tier is least)
            lines.append(f"isolation: {least} was asked for, and {machine} does not offer it: {problem}")
        else:
            common = min(common, working[-1], key=tiers.index)
    if lines:
        more = [f"and {len(lines) - MAX_PROBLEMS} more workers"] if len(lines) > MAX_PROBLEMS else []
        raise UserError("\n".join([*lines[:MAX_PROBLEMS], *more]))
    return common


@contextmanager
def _published(config: TournamentConfig, link: Link, name: str) -> Iterator[None]:
    """Have the scheduler keep the bots' sources for workers that lack them."""
    sources = {bot.content: bot.submission.source if bot.submission else bot.manifest.folder for bot in config.bots}
    variables: list[Variable] = []
    try:
        for content, folder in sources.items():
            variable = Variable(archive_name(name, content), client=link.client)
            link.need(partial(variable.set, pack_folder(folder)), seconds=_PREPARE_SECONDS)
            variables.append(variable)
        yield
    finally:
        with contextlib.suppress(OSError):
            link.ask(partial(_delete_all, variables), seconds=_CLOSE_SECONDS)


def _kill(sessions: Sessions, reports: Reports) -> None:
    reports.lose()
    sessions.kill()


async def _count(client: Client) -> int:
    return len(await client.nthreads())


async def _open_queue(name: str, client: Client) -> Queue:
    queue: Queue = await Queue(name, client=client)
    return queue


async def _close_queue(queue: Queue) -> None:
    queue.close()


async def _delete_all(variables: list[Variable]) -> None:
    for variable in variables:
        variable.delete()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's log off the progress that people look at; what matters of it is told by us."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "tornado.application")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(_SILENT)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
