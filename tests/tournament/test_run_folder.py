"""A run's folder: made, gone on with, put aside, locked."""

import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import RunError, StoreError
from arena.records.model import MatchKey
from arena.records.seal import checksum
from arena.records.store import FILE_NAME, Store
from arena.tournament.config import TournamentConfig
from arena.tournament.run_folder import open_run
from tests.builders import play_match
from tests.tournament.files import MINIMAL, load


@pytest.fixture(name="config")
def config_fixture(home: Path) -> TournamentConfig:
    return load(home, MINIMAL)


def start(config: TournamentConfig, folder: Path) -> bytes:
    """A run with one match; its secret."""
    with open_run(config, folder, again=False) as store:
        store.add_match(play_match(MatchKey(("One", "Two"), 0, swapped=False)), number=1)
        return store.secret


def test_new_run_and_going_on_with_it(config: TournamentConfig, tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "deep" / "run"
    secret = start(config, folder)
    with open_run(config, folder, again=False) as store:
        assert (store.match_count(), store.secret) == (1, secret)


def test_the_text_that_was_checked_is_kept_whatever_the_file_says_now(home: Path, tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf# saved by an editor for Windows\r\nname: Minimal\nmatches: 2\nbots: {good: bots/good}\n" + (
        b"teams: [{name: One, bots: [good, good]}, {name: Two, bots: [good, good]}]\n"
    )
    config = load(home, text)
    config.file.write_text("something else")
    with open_run(config, tmp_path / "run", again=False) as store:
        assert store.info.source == text.decode("utf-8-sig")


def test_again_puts_every_old_run_aside(config: TournamentConfig, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    secrets = [start(config, folder)]
    (folder / "logs").mkdir()
    for _ in range(2):
        with open_run(config, folder, again=True) as store:
            assert store.match_count() == 0
            secrets.append(store.secret)
    assert len(set(secrets)) == 3
    for number, secret in enumerate(secrets[:2], 1):
        with Store.open(tmp_path / f"run.{number}") as store:
            assert store.secret == secret
    assert (tmp_path / "run.1" / "logs").is_dir()
    assert not (folder / "logs").exists()


def test_again_without_a_run_starts_one(config: TournamentConfig, tmp_path: Path) -> None:
    with open_run(config, tmp_path / "run", again=True):
        pass
    assert not (tmp_path / "run.1").exists()


def test_one_runner_at_a_time_by_whatever_name(
    config: TournamentConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    (tmp_path / "link").symlink_to(folder)
    with open_run(config, folder, again=False):
        monkeypatch.chdir(folder)
        for name in (folder, tmp_path / "link", Path(), Path("../run"), tmp_path / "other" / ".." / "run"):
            for again in (False, True):
                with pytest.raises(RunError, match="another arena is playing"), open_run(config, name, again=again):
                    pass
    # And when it is gone, the next one may.
    with open_run(config, Path(), again=False):
        pass


def test_lock_of_a_killed_runner_holds_nobody_up(config: TournamentConfig, tmp_path: Path) -> None:
    lock = tmp_path / ".run.lock"
    hold = "import filelock, os, sys; filelock.FileLock(sys.argv[1]).acquire(); os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", hold, lock], check=False).returncode == -9
    assert lock.exists()
    start(config, tmp_path / "run")


def test_other_file_is_refused_with_what_differs(config: TournamentConfig, tmp_path: Path) -> None:
    start(config, tmp_path / "run")
    other = replace(config, scheduling=replace(config.scheduling, sets=3), name="Other")
    for anyway in (False, True):
        with pytest.raises(RunError) as caught, open_run(other, tmp_path / "run", again=False, anyway=anyway):
            pass
    assert "\n  matches was 2 and is 3 now\n" in str(caught.value)
    assert "\n  name was Minimal and is Other now\n" in str(caught.value)
    with (
        pytest.raises(RunError, match="seed: another one"),
        open_run(replace(config, seed=bytes(32)), tmp_path / "run", again=False),
    ):
        pass
    with open_run(replace(config, jobs=17), tmp_path / "run", again=False) as store:
        assert store.match_count() == 1


@pytest.mark.parametrize("what", ["bot", "rules"])
def test_other_bots_and_other_rules_are_accepted_when_that_is_asked_for(
    config: TournamentConfig, tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(config, tmp_path / "run")
    if what == "bot":
        config = replace(config, bots=(replace(config.bots[0], content="0" * 64),))
        said = "the bot good has changed: what is in bots/good is not what the run began with"
    else:
        monkeypatch.setattr("arena.tournament.config.RULES_VERSION", 1000)
        said = "the rules of this arena are version 1000, those of the run are 1"
    with pytest.raises(RunError) as caught, open_run(config, tmp_path / "run", again=False):
        pass
    assert f"\n  {said}\n" in str(caught.value)
    assert "--anyway" in str(caught.value)
    with open_run(config, tmp_path / "run", again=False, anyway=True) as store:
        assert store.match_count() == 1
    with open_run(config, tmp_path / "run", again=False) as store:  # it was told once
        *values, seal = store.run_row()
        assert seal == checksum(values)


def test_start_that_was_cut_off_at_once_is_no_run_yet(config: TournamentConfig, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / FILE_NAME).touch()
    start(config, tmp_path / "run")


def test_start_that_was_cut_off_in_its_transaction_is_no_run_yet(config: TournamentConfig, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    # Pages of an unfinished first transaction are in the file, and the journal to take them back is beside it.
    script = """
        import os, sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE run (x)")
        for _ in range(100):
            connection.execute("INSERT INTO run VALUES (randomblob(4000))")
        os.kill(os.getpid(), 9)
    """
    script = "\n".join(line.strip() if "INSERT" not in line else "    " + line.strip() for line in script.splitlines())
    subprocess.run([sys.executable, "-c", script, folder / FILE_NAME], check=False)
    assert (folder / FILE_NAME).stat().st_size > 0
    assert (folder / f"{FILE_NAME}-journal").stat().st_size > 0
    start(config, folder)


def test_what_is_there_and_no_run_is_left_alone(config: TournamentConfig, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    with sqlite3.connect(folder / FILE_NAME) as other:
        other.execute("CREATE TABLE precious (x)")
    before = (folder / FILE_NAME).read_bytes()
    with pytest.raises(RunError, match="is not a run"), open_run(config, folder, again=False):
        pass
    assert (folder / FILE_NAME).read_bytes() == before


def test_damaged_configuration_is_told(config: TournamentConfig, tmp_path: Path) -> None:
    Store.create(tmp_path / "run", config='{"teams": [1]}', source="", secret=bytes(32)).close()
    with pytest.raises(StoreError, match="configuration is damaged"), open_run(config, tmp_path / "run", again=False):
        pass


@pytest.mark.parametrize("place", ["file", "file/run", "/"])
def test_what_cannot_be_a_folder_is_a_mistake(config: TournamentConfig, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="folder"), open_run(config, tmp_path / place, again=False):
        pass


@pytest.mark.skipif(os.getuid() == 0, reason="needs a user who may not write everywhere")
def test_folder_that_may_not_be_written_is_the_machines(config: TournamentConfig, tmp_path: Path) -> None:
    start(config, tmp_path / "run")
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="cannot be put aside"), open_run(config, tmp_path / "run", again=True):
        pass
    with pytest.raises(StoreError, match="cannot be made"), open_run(config, tmp_path / "new", again=False):
        pass
