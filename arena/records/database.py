"""The one edge to SQLite: opening a file, one transaction, and every error of SQLite as one of ours."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import RunError, StoreError

_BUSY_SECONDS = 30.0

_REASONS = {  # by the low byte of SQLite's code; the rest of it is a closer description
    sqlite3.SQLITE_FULL: "the disk is full; nothing of this was written",
    sqlite3.SQLITE_READONLY: "it may not be written: the file, its folder or the whole disk is read-only",
    sqlite3.SQLITE_BUSY: f"another program has held it for more than {_BUSY_SECONDS:.0f} s",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check the folder's permissions",
    sqlite3.SQLITE_PERM: "permission denied",
    sqlite3.SQLITE_IOERR: "the disk failed to read or write it",
}
_OF_THE_CONTENT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_NOTADB, 0}
"""The codes that tell of what is in the file. 0: Python's own error, for text that is no UTF-8."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection to a file that is there. Raises StoreError."""
    with mapped(path, "the run cannot be opened"):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=_BUSY_SECONDS, isolation_level=None
        )
        connection.execute("PRAGMA synchronous = EXTRA")
        return connection


def pragma(connection: sqlite3.Connection, name: str) -> int:
    """A number that the file has under this name."""
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is written inside, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite itself rolls back after some errors, a full disk among them.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def mapped(path: Path, what: str) -> Iterator[None]:
    """Whatever SQLite raises inside leaves as a StoreError that says what could not be done and why.

    Only a file that is no database at all is a RunError: somebody named the wrong folder.
    """
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise StoreError(f"{path}: {what}: {_conflict(error)}") from error
    except (sqlite3.Error, sqlite3.Warning) as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_NOTADB:
            raise RunError(f"{path} is not a run: it is not a SQLite database") from error
        raise StoreError(f"{path}: {what}: {_REASONS.get(code, str(error))}") from error
    except (UnicodeError, OverflowError) as error:
        raise StoreError(f"{path}: {what}: a value that SQLite cannot hold: {error}") from error


def is_damage(error: StoreError) -> bool:
    """Whether the file was read and what it holds is wrong, and not the machine that failed to read it."""
    cause = error.__cause__
    return not isinstance(cause, sqlite3.Error) or getattr(cause, "sqlite_errorcode", 0) & 0xFF in _OF_THE_CONTENT


def _conflict(error: sqlite3.IntegrityError) -> str:
    code = getattr(error, "sqlite_errorcode", 0)
    if code == sqlite3.SQLITE_CONSTRAINT_UNIQUE:
        return "a match with the same key is there already"
    if code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
        return "a match with the same number is there already"
    return str(error)
