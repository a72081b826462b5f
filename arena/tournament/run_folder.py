"""The folder of a run: made new, gone on with, or put aside; one runner at a time."""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from arena.errors import RunError, StoreError
from arena.records.store import FILE_NAME, Store
from arena.tournament.config import TournamentConfig, canonical_json, changed_programs, differences, run_secret


@contextmanager
def open_run(config: TournamentConfig, folder: Path, *, again: bool, anyway: bool = False) -> Iterator[Store]:
    """The store of the run in `folder`, for this process alone: a new run, or the one that is there.

    again: put a run that is there aside, as `<folder>.1` or the next free number, and start a new one. anyway: go on with a run
    though bots or the rules of this program have changed; the run is told so for good. Raises RunError when
    another runner is at work there or when the run that is there was started from another tournament file, StoreError.
    """
    try:
        # Under whatever name it is called, a folder has one lock.
        place = folder.resolve()
        if not place.name:
            raise RunError(f"{folder} cannot be a run: name a folder of its own")
        place.mkdir(parents=True, exist_ok=True)
        lock = FileLock(place.with_name(f".{place.name}.lock"))
        lock.acquire(blocking=False)
    except Timeout:
        raise RunError(
            f"another arena is playing the run in {folder}: wait for it, or name another folder with --run"
        ) from None
    except (FileExistsError, NotADirectoryError):
        raise RunError(f"{folder} is not a folder: a run needs one of its own") from None
    except (OSError, NotImplementedError) as error:  # NotImplementedError: a file system without locks
        raise StoreError(f"the run's folder {folder} cannot be made and locked: {error}") from error
    try:
        if again:
            _put_aside(place)
        with _open_store(config, place, anyway=anyway) as store:
            yield store
    finally:
        lock.release()


def _open_store(config: TournamentConfig, folder: Path, *, anyway: bool) -> Store:
    wanted = canonical_json(config)
    if not _has_run(folder):
        return Store.create(folder, config=wanted, source=config.source, secret=run_secret(config))
    store = Store.open(folder)
    try:
        _compare(config, store, wanted, anyway=anyway)
    except BaseException:
        store.close()
        raise
    return store


def _has_run(folder: Path) -> bool:
    """Whether there is something to keep: a start that was cut off leaves an empty file, once SQLite has cleaned it up."""
    path = folder / FILE_NAME
    try:
        if not path.exists():
            return False
        with contextlib.suppress(RunError):
            Store.open(folder).close()
        return path.stat().st_size > 0
    except OSError as error:
        raise StoreError(f"the run's folder {folder} cannot be read: {error.strerror}") from error


def _compare(config: TournamentConfig, store: Store, wanted: str, *, anyway: bool) -> None:
    try:
        found = differences(store.config, wanted)
        changes = changed_programs(store.config, wanted)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreError(f"{store.path}: the run's configuration is damaged: {error!r}") from error
    if config.seed is not None and config.seed != store.secret:
        found.append("seed: another one")
    lines = "\n".join(f"  {line}" for line in (*found, *changes))
    ways = "Start a new run with --again (the old one is kept), or name another folder with --run"
    if found:
        raise RunError(
            f"the run in {store.path.parent} was started from another tournament file; what differs:\n{lines}\n{ways}."
        )
    if changes and not anyway:
        raise RunError(
            f"the run in {store.path.parent} was started with other programs; what differs:\n{lines}\n"
            f"{ways}; --anyway goes on all the same, and the table mixes both."
        )
    if changes:
        store.replace_config(wanted)


def _put_aside(folder: Path) -> None:
    if not (folder / FILE_NAME).exists():
        return
    number = 1
    while (aside := folder.with_name(f"{folder.name}.{number}")).exists():
        number += 1
    try:
        folder.rename(aside)
        folder.mkdir()
    except OSError as error:
        raise StoreError(f"the run in {folder} cannot be put aside as {aside}: {error.strerror}") from error
