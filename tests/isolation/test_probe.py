"""What the machine is found to offer, and what people are told when it is not enough."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.probe import check_folders, find_isolation, probe_tiers
from arena.seat.isolation.tier import Limits, Tier
from tests.isolation.machine import findings, offered

as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root gives bots users of their own")


def find(least: Tier | None) -> Isolation:
    return asyncio.run(find_isolation(least=least, limits=Limits(), freezes=True))


def test_every_tier_is_tried() -> None:
    assert list(findings()) == list(Tier)
    assert findings()[Tier.LIMITS].works


def test_the_strongest_that_works_is_taken() -> None:
    working = [tier for tier, finding in findings().items() if finding.works]
    assert find(None) == offered(working[-1], limits=Limits())


def test_a_tier_that_is_not_offered_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = asyncio.run(probe_tiers(Limits()))
    assert [finding.works for finding in found] == [True, False, False]
    assert "there is no bwrap" in found[1].problem
    assert found[1].remedy.startswith("install the packages bubblewrap util-linux")
    for least in (Tier.SANDBOX, Tier.STRICT):
        with pytest.raises(
            UserError, match=rf"^isolation: {least} was asked for.*there is no bwrap.*try: install .*bubblewrap"
        ):
            find(least)
    assert find(Tier.LIMITS).tier is Tier.LIMITS
    assert find(None).tier is Tier.LIMITS


def test_the_installer_of_the_system_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("apt-get", "prlimit", "setpriv"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert asyncio.run(probe_tiers(Limits()))[1].remedy == "apt-get install bubblewrap"


def test_a_sandbox_that_the_system_forbids_is_found_by_trying(open_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without namespaces bubblewrap is there and of no use; its own words are shown."""
    (open_root / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    (open_root / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{open_root}:{os.environ['PATH']}")
    found = asyncio.run(probe_tiers(Limits()))[1]
    assert "No permissions to create new namespace" in found.problem
    assert "unprivileged_userns_clone" in found.remedy


def test_a_system_that_forbids_proc_is_served_without(open_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered(Tier.SANDBOX)
    script = '#!/bin/sh\ncase " $* " in *" --proc "*) echo "bwrap: no proc" >&2; exit 1;; esac\nexec BWRAP "$@"\n'
    (open_root / "bwrap").write_text(script.replace("BWRAP", str(shutil.which("bwrap"))))
    (open_root / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{open_root}:{os.environ['PATH']}")
    found = asyncio.run(probe_tiers(Limits()))[1]
    assert (found.works, found.with_proc) == (True, False), found.problem


@pytest.mark.parametrize("is_file", [False, True], ids=["folder", "file"])
@as_root
def test_a_bot_that_its_user_cannot_read_is_told_before_a_run(is_file: bool, open_root: Path) -> None:
    isolation = offered(Tier.SANDBOX)
    bot = open_root / "bot"
    bot.mkdir()
    (bot / "main.py").write_text("pass")
    asyncio.run(check_folders(isolation, [bot]))
    (bot / "main.py" if is_file else bot).chmod(0o700)
    with pytest.raises(UserError, match=rf"cannot read {bot}: .*Permission denied.*chmod -R a\+rX {bot}"):
        asyncio.run(check_folders(isolation, [bot]))


def test_who_runs_bots_as_himself_can_read_what_he_can_read(open_root: Path) -> None:
    bot = open_root / "bot"
    bot.mkdir(mode=0o700)
    asyncio.run(check_folders(offered(Tier.LIMITS), [bot]))
