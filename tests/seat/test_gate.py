"""Starts wait for each other, over processes, and nobody waits forever."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.seat import gate
from tests.seat_tools import PATIENCE, until


@pytest.fixture(autouse=True)
def _own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks that nobody else on the machine has."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(gate, "SLOTS", 3)


def test_no_more_than_the_slots_are_held_at_once() -> None:
    held, most, done = 0, 0, 0

    async def start() -> None:
        nonlocal held, most, done
        async with gate.start_slot():
            held += 1
            most = max(most, held)
            await asyncio.sleep(0.02)
            held -= 1
            done += 1

    async def scenario() -> None:
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            for _ in range(12):
                group.create_task(start())

    asyncio.run(scenario())
    assert (most, done) == (3, 12)


def test_a_slot_is_free_again_after_a_failure_and_a_cancellation() -> None:
    async def fail() -> None:
        async with gate.start_slot():
            raise ValueError("a start that failed")

    async def hang() -> None:
        async with gate.start_slot():
            await asyncio.Event().wait()

    async def scenario() -> None:
        for _ in range(4):
            with pytest.raises(ValueError, match="a start that failed"):
                await fail()
            task = asyncio.create_task(hang())
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        async with asyncio.timeout(PATIENCE), gate.start_slot():
            pass

    asyncio.run(scenario())


def test_another_process_counts_until_it_is_killed(tmp_path: Path) -> None:
    source = f"""
import asyncio, tempfile
tempfile.tempdir = {str(tmp_path)!r}
from arena.seat import gate
gate.SLOTS = 3
async def main():
    async with gate.start_slot(), gate.start_slot(), gate.start_slot():
        print("held", flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""
    other = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    got = False

    async def start() -> None:
        nonlocal got
        async with gate.start_slot():
            got = True

    async def scenario() -> None:
        task = asyncio.create_task(start())
        await asyncio.sleep(0.2)
        assert not got
        other.kill()
        await until(lambda: got)
        await task

    try:
        assert other.stdout.readline() == "held\n"
        asyncio.run(scenario())
    finally:
        other.kill()
        other.communicate()


def test_a_start_goes_ahead_when_slots_are_held_for_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "MOST_SECONDS", 0.1)

    async def scenario() -> None:
        async with asyncio.timeout(PATIENCE), gate.start_slot(), gate.start_slot(), gate.start_slot(), gate.start_slot():
            pass

    asyncio.run(scenario())


def test_locks_that_cannot_be_made_are_the_machines_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    async def scenario() -> None:
        async with gate.start_slot():
            pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(tmp_path / "file"))
        with pytest.raises(HostError, match="cannot be used"):
            asyncio.run(scenario())
