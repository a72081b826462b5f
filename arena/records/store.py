"""The one journal of a run: DIR/arena.db, a SQLite file with the run's configuration and every match.

A match is one transaction: numbers for the table and the complete record together, or nothing. The key of a match is unique,
so a match that is played again after a crash is never counted twice.

The rollback journal is used, not the write-ahead log. A match takes seconds and one commit takes milliseconds, so nothing
is gained from concurrent writing; and between two commits the run is exactly one file that can be copied, mailed, put on a
network drive or on read-only media, none of which the write-ahead log allows. Readers never hold a lock for longer than
one page of rows, so a table can be printed while the run goes on. `synchronous` is EXTRA: FULL, and the folder is synced too
when the journal goes, so that a power cut right after a commit cannot take the match back.

The file is readable by its owner only: the secret that all deals are drawn from is inside.
"""

import platform
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arena import __version__
from arena.errors import ArenaError, RunError, StoreError
from arena.records.codec import decode_match, encode_match
from arena.records.model import MatchKey, MatchRecord
from arena.records.summary import MatchSummary, summarize
from arena.records.tables import KEY_COLUMNS, SCHEMA_VERSION, SUMMARY_COLUMNS, TABLES, key_of, summary_of, summary_row
from arena.rules.deal import SECRET_BYTES

FILE_NAME = "arena.db"
_APPLICATION_ID = 0x4B6F7A34
_BUSY_SECONDS = 30.0
_PAGE = 64
"""Rows that are read at a time, between which no lock is held."""

_REASONS = {  # by the low byte of SQLite's code; the rest of it is a closer description
    sqlite3.SQLITE_FULL: "the disk is full; nothing of this was written",
    sqlite3.SQLITE_READONLY: "it may not be written: the file, its folder or the whole disk is read-only",
    sqlite3.SQLITE_BUSY: f"another program has held it for more than {_BUSY_SECONDS:.0f} s",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check the folder's permissions",
    sqlite3.SQLITE_PERM: "permission denied",
    sqlite3.SQLITE_IOERR: "the disk failed to read or write it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """What a run is, fixed when it was created.

    config: the validated configuration as JSON text. source: the YAML text that it came from, from the user.
    secret: 32 bytes that all deals come from, not to be shown before the run is finished. created_at: UTC, ISO 8601.
    """

    config: str
    source: str
    secret: bytes = field(repr=False)
    arena_version: str
    python_version: str
    created_at: str


class Store:
    """An open run. Use `create` or `open`, then `close`, or a with statement; one thread only."""

    def __init__(self, path: Path, connection: sqlite3.Connection, info: RunInfo) -> None:
        """For `create` and `open` only."""
        self.path = path
        self.info = info
        self._connection = connection

    @classmethod
    def create(cls, folder: Path, *, config: str, source: str, secret: bytes) -> Self:
        """Start a new run in `folder`, which is made if it is not there.

        Raises RunError when the folder holds a run already, StoreError when it cannot be written.
        A start that is cut off in the middle leaves nothing that counts as a run.
        """
        if len(secret) != SECRET_BYTES:
            raise StoreError(f"the secret of a run has {SECRET_BYTES} bytes, not {len(secret)}")
        path = folder / FILE_NAME
        if folder.exists() and not folder.is_dir():
            raise RunError(f"{folder} is not a folder: a run needs one of its own")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size:
                raise RunError(f"{folder} holds a run already")
            path.touch(mode=0o600)
            path.chmod(0o600)
        except OSError as error:
            raise StoreError(f"{path}: the run cannot be created: {error.strerror}") from error
        info = RunInfo(
            config=config,
            source=source,
            secret=secret,
            arena_version=__version__,
            python_version=platform.python_version(),
            created_at=_now(),
        )
        connection = _connect(path)
        try:
            with _mapped(path, "the run cannot be created"), _transaction(connection):
                if _pragma(connection, "application_id"):
                    raise RunError(f"{folder} holds a run already")
                for statement in TABLES.split(";"):
                    connection.execute(statement)
                connection.execute(
                    "INSERT INTO run VALUES (1, ?, ?, ?, ?, ?, ?, NULL)",
                    (config, source, secret, info.arena_version, info.python_version, info.created_at),
                )
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        except ArenaError:
            connection.close()
            raise
        return cls(path, connection, info)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the run in `folder`.

        Raises RunError when there is none or when it is not one that this version reads, StoreError when it cannot be read.
        """
        path = folder / FILE_NAME
        if folder.is_file():
            raise RunError(f"{folder} is a file: name the folder of the run, the one that holds {FILE_NAME}")
        if not path.is_file():
            raise RunError(
                f"{folder} is not a run: it holds no {FILE_NAME}" if folder.is_dir() else f"no run at {folder}: no such folder"
            )
        connection = _connect(path)
        try:
            with _mapped(path, "the run cannot be read"):
                _check_schema(connection, path)
                row = connection.execute(
                    "SELECT config, source, secret, arena_version, python_version, created_at FROM run"
                ).fetchone()
        except ArenaError:
            connection.close()
            raise
        config, source, secret, arena_version, python_version, created_at = row
        info = RunInfo(
            config=config,
            source=source,
            secret=secret,
            arena_version=arena_version,
            python_version=python_version,
            created_at=created_at,
        )
        return cls(path, connection, info)

    def close(self) -> None:
        """Give the file back; closing twice is harmless."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def config(self) -> str:
        """The configuration as JSON text."""
        return self.info.config

    @property
    def secret(self) -> bytes:
        """What all deals come from."""
        return self.info.secret

    @property
    def finished_at(self) -> str | None:
        """When the run was finished, UTC, ISO 8601; None while it is not."""
        finished_at: str | None = self._rows("SELECT finished_at FROM run")[0][0]
        return finished_at

    @property
    def is_finished(self) -> bool:
        """Whether all matches of the schedule have been played."""
        return self.finished_at is not None

    def finish(self) -> None:
        """Mark the run as finished; the first time counts."""
        self._write("the end of the run", "UPDATE run SET finished_at = ? WHERE finished_at IS NULL", (_now(),))

    def add_match(self, record: MatchRecord, *, number: int) -> None:
        """Keep a match for good, in one transaction.

        number: its place in the schedule, from 1, by which people name it. Raises StoreError when its key or its number is
        in the store already, or when it cannot be written; then nothing of it is there.
        """
        row = (number, *summary_row(summarize(record)), encode_match(record))
        columns = ", ".join(("number", *SUMMARY_COLUMNS, "record"))
        marks = ", ".join("?" * len(row))
        self._write(f"match {number}", f"INSERT INTO match ({columns}) VALUES ({marks})", row)

    def match(self, which: int | MatchKey) -> MatchRecord:
        """The match with this number or this key. Raises RunError when it is not there (yet)."""
        if isinstance(which, MatchKey):
            rows = self._rows(
                f"SELECT record FROM match WHERE ({', '.join(KEY_COLUMNS)}) = (?, ?, ?, ?)",
                *which.teams,
                which.number,
                which.swapped,
            )
        else:
            # A number that SQLite cannot hold is no match either.
            rows = self._rows("SELECT record FROM match WHERE number = ?", which) if which < 2**63 else []
        if not rows:
            count, last = self._rows("SELECT count(*), max(number) FROM match")[0]
            known = f"it has {count}, the last is number {last}" if count else "it has none yet"
            raise RunError(f"{self.path.parent} has no match {which}: {known}")
        return decode_match(rows[0][0])

    def match_keys(self) -> dict[MatchKey, int]:
        """The keys of all matches that are there, with their numbers."""
        rows = self._rows(f"SELECT {', '.join(KEY_COLUMNS)}, number FROM match ORDER BY number")
        return {key_of(*key): number for *key, number in rows}

    def match_count(self) -> int:
        """How many matches are there."""
        count: int = self._rows("SELECT count(*) FROM match")[0][0]
        return count

    def iter_matches(self) -> Iterator[tuple[int, MatchRecord]]:
        """Every match with its number, in the order of the numbers; matches added meanwhile may come too."""
        for number, record in self._iter_rows("record"):
            yield number, decode_match(record)

    def iter_summaries(self) -> Iterator[MatchSummary]:
        """The numbers of every match, in the order of the matches' numbers, without reading the records."""
        for _, *row in self._iter_rows(", ".join(SUMMARY_COLUMNS)):
            yield summary_of(row)

    def _iter_rows(self, columns: str) -> Iterator[tuple[Any, ...]]:
        last = 0
        while rows := self._rows(f"SELECT number, {columns} FROM match WHERE number > ? ORDER BY number LIMIT {_PAGE}", last):
            yield from rows
            last = rows[-1][0]

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with _mapped(self.path, "the run cannot be read"):
            return self._connection.execute(query, values).fetchall()

    def _write(self, what: str, statement: str, values: tuple[Any, ...]) -> None:
        with _mapped(self.path, f"{what} cannot be stored"), _transaction(self._connection):
            self._connection.execute(statement, values)


def _connect(path: Path) -> sqlite3.Connection:
    with _mapped(path, "the run cannot be opened"):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=_BUSY_SECONDS, isolation_level=None
        )
        connection.execute("PRAGMA synchronous = EXTRA")
        return connection


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    if _pragma(connection, "application_id") != _APPLICATION_ID:
        raise RunError(f"{path} is not a run: arena did not write it, or its start was cut off")
    version = _pragma(connection, "user_version")
    if version != SCHEMA_VERSION:
        raise RunError(f"{path} has schema {version}: arena {__version__} reads {SCHEMA_VERSION}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
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
def _mapped(path: Path, what: str) -> Iterator[None]:
    """The one edge to SQLite: whatever it raises leaves as a StoreError that says what could not be done and why.

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


def _conflict(error: sqlite3.IntegrityError) -> str:
    code = getattr(error, "sqlite_errorcode", 0)
    if code == sqlite3.SQLITE_CONSTRAINT_UNIQUE:
        return "a match with the same key is there already"
    if code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
        return "a match with the same number is there already"
    return str(error)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
