"""Worker processes of this machine: where they run."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

import pytest

from arena.tournament.workers import local_workers

PATIENCE = 60.0


@contextmanager
def tracker_of_its_own() -> Iterator[None]:
    """Python starts a process that outlives the workers, and tests after us look for processes that were left."""
    try:
        yield
    finally:
        resource_tracker._resource_tracker._stop()


def places_of_workers(jobs: int, *, cores: int, until: Callable[[set[frozenset[int]]], bool]) -> set[frozenset[int]]:
    """Where tasks ran: sets of cores, from many tasks, until enough was seen."""
    with tracker_of_its_own(), local_workers(jobs, cores=cores) as workers, workers.new_executor() as executor:
        places: set[frozenset[int]] = set()
        deadline = time.monotonic() + PATIENCE
        while not until(places):
            futures = [executor.submit(os.sched_getaffinity, 0) for _ in range(20 * jobs)]
            places |= {frozenset(future.result(timeout=PATIENCE)) for future in futures}
            assert time.monotonic() < deadline, places
        return places


@pytest.fixture(name="available")
def available_fixture() -> frozenset[int]:
    if not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there are no cores to share out here")
    return frozenset(os.sched_getaffinity(0))


def test_every_worker_has_a_core_of_its_own_when_there_are_just_as_many(available: frozenset[int]) -> None:
    found = places_of_workers(len(available), cores=1, until=lambda places: len(places) == len(available))
    assert found == {frozenset([core]) for core in available}
    assert frozenset(os.sched_getaffinity(0)) == available


@pytest.mark.parametrize(("more", "cores"), [(1, 1), (-1, 1), (0, 2)])
def test_workers_share_the_cores_otherwise(available: frozenset[int], more: int, cores: int) -> None:
    jobs = len(available) + more
    assert places_of_workers(jobs, cores=cores, until=bool) == {available}
