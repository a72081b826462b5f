"""The folder of a run: made new, gone on with, or put aside; one runner at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from arena.errors import RunError
from arena.records.store import FILE_NAME, Store
from arena.tournament.config import TournamentConfig, canonical_json, differences, run_secret


@contextmanager
def open_run(config: TournamentConfig, folder: Path, *, again: bool) -> Iterator[Store]:
    """The store of the run in `folder`, for this process alone: a new run, or the one that is there.

    again: put a run that is there aside, as `<folder>.1` or the next free number, and start a new one. Raises RunError when
    another runner is at work there or when the run that is there was started from another tournament file, StoreError.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"the run's folder {folder} cannot be made: {error.strerror}") from error
    lock = FileLock(folder.with_name(f".{folder.name}.lock"))
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise RunError(
            f"another arena is playing the run in {folder}: wait for it, or name another folder with --run"
        ) from None
    except OSError as error:
        raise RunError(f"the run's folder {folder} cannot be locked: {error.strerror}") from error
    try:
        if again and (folder / FILE_NAME).exists():
            _put_aside(folder)
        with _open_store(config, folder) as store:
            yield store
    finally:
        lock.release()


def _open_store(config: TournamentConfig, folder: Path) -> Store:
    wanted = canonical_json(config)
    if not (folder / FILE_NAME).exists():
        source = config.file.read_text(encoding="utf-8")
        return Store.create(folder, config=wanted, source=source, secret=run_secret(config))
    store = Store.open(folder)
    found = differences(store.config, wanted)
    if config.seed is not None and config.seed != store.secret:
        found.append("seed: another one")
    if found:
        store.close()
        lines = "\n".join(f"  {line}" for line in found)
        raise RunError(
            f"the run in {folder} was started from another tournament file; what differs:\n{lines}\n"
            "Start a new run with --again (the old one is kept), or name another folder with --run."
        )
    return store


def _put_aside(folder: Path) -> None:
    number = 1
    while (aside := folder.with_name(f"{folder.name}.{number}")).exists():
        number += 1
    folder.rename(aside)
    folder.mkdir()
