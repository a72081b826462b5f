"""What a cage takes of the machine it gives back, and what goes wrong with it is not the bot's fault."""

import asyncio
import os
import shutil
import threading
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.seat.isolation import user
from arena.seat.isolation.cage import Cage
from arena.seat.isolation.tier import Tier
from arena.seat.isolation.user import SeatUser
from arena.seat.isolation.wrapper import Place
from tests.isolation.machine import iter_groups, offered
from tests.isolation.test_survival import chair_of
from tests.seat_tools import NULL, descriptors, until, write_bot

as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root gives bots users of their own")


@pytest.fixture(name="few_users")
def few_users_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A range of three users, and locks that nobody else has."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(user, "COUNT", 3)


@as_root
@pytest.mark.usefixtures("few_users")
def test_no_two_bots_have_the_same_user() -> None:
    taken = [SeatUser.acquire() for _ in range(3)]
    assert len({one.uid for one in taken}) == 3
    with pytest.raises(HostError, match="no user number is left"):
        SeatUser.acquire()
    # Cages are made in one thread and closed in another.
    thread = threading.Thread(target=taken[1].release)
    thread.start()
    thread.join()
    assert SeatUser.acquire().uid == taken[1].uid


@as_root
def test_a_folder_of_locks_that_is_not_ours_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "arena-users").mkdir()
    os.chown(tmp_path / "arena-users", 1234, 1234)
    with pytest.raises(HostError, match="belongs to somebody else"):
        SeatUser.acquire()


@pytest.mark.parametrize("tier", Tier)
def test_a_cage_gives_back_what_it_took(tier: Tier, open_root: Path) -> None:
    isolation = offered(tier)
    (open_root / "seat").mkdir()
    before = descriptors()
    for _ in range(3):
        groups = set(iter_groups())
        cage = Cage(isolation, Place(bot=open_root, seat=open_root / "seat"))
        own = set(iter_groups()) - groups
        cage.freeze()
        cage.close()
        cage.close()
        assert not [group for group in own if group.exists()]
    assert descriptors() == before


@pytest.mark.parametrize("tier", [Tier.SANDBOX, Tier.STRICT])
def test_a_wrapper_that_fails_is_not_the_bots_fault(tier: Tier, open_root: Path) -> None:
    """Here the bot's folder is gone, so that bubblewrap cannot mount it."""
    isolation = offered(tier)
    null = write_bot(open_root / "null", NULL)

    async def scenario() -> None:
        async with chair_of(null, open_root / "c", isolation=isolation) as chair:
            assert await chair.start() is None
            shutil.rmtree(null.folder)
            with pytest.raises(HostError, match=r"could not be isolated.*Can't find source path"):
                await chair.start()

    asyncio.run(scenario())


@pytest.mark.parametrize("tier", Tier)
def test_a_start_that_is_cancelled_leaves_nothing(tier: Tier, open_root: Path) -> None:
    """At whatever moment: before, in and after the making of the cage, and while the bot starts."""
    isolation = offered(tier)
    null = write_bot(open_root / "null", NULL)

    async def scenario() -> None:
        async with chair_of(null, open_root / "c", isolation=isolation) as chair:
            assert await chair.start() is None
            await chair.end()
            before = descriptors()
            groups = set(iter_groups())
            for delay in (0, 0, 0.0005, 0.001, 0.002, 0.004, 0.01, 0.05):
                starting = asyncio.create_task(chair.start())
                await asyncio.sleep(delay)
                starting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await starting
                seen = set(iter_groups()) - groups
                await chair.end()
            await until(lambda: descriptors() <= before)
            assert await chair.start() is None
            assert chair.is_ready
            # Those of tests that run at the same time go, too.
            await until(lambda: not [group for group in seen if group.exists()])

    asyncio.run(scenario())
