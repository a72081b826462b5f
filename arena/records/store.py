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
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arena import __version__
from arena.errors import ArenaError, RunError, StoreError
from arena.records.codec import decode_match, encode_match
from arena.records.database import connect, mapped, pragma, transaction
from arena.records.model import MatchKey, MatchRecord
from arena.records.seal import StoredText, checksum, commitment_of
from arena.records.summary import MatchSummary, summarize
from arena.records.tables import KEY_COLUMNS, SCHEMA_VERSION, SUMMARY_COLUMNS, TABLES, MatchRow, key_of, summary_of, summary_row
from arena.rules.deal import SECRET_BYTES

FILE_NAME = "arena.db"
_APPLICATION_ID = 0x4B6F7A34
_PAGE = 64
"""Rows that are read at a time, between which no lock is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """What a run is, fixed when it was created.

    config: the validated configuration as JSON text. source: the YAML text that it came from, from the user.
    secret: 32 bytes that all deals come from, not to be shown before the run is finished. commitment: the hash of it that
    may be shown before. created_at: UTC, ISO 8601.
    """

    config: str
    source: str
    secret: bytes = field(repr=False)
    commitment: str
    arena_version: str
    python_version: str
    created_at: str


_INFO_COLUMNS = tuple(column.name for column in fields(RunInfo))


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
            commitment=commitment_of(secret),
            arena_version=__version__,
            python_version=platform.python_version(),
            created_at=_now(),
        )
        connection = connect(path)
        try:
            with mapped(path, "the run cannot be created"), transaction(connection):
                if pragma(connection, "application_id"):
                    raise RunError(f"{folder} holds a run already")
                for statement in TABLES.split(";"):
                    connection.execute(statement)
                row = (1, *astuple(info), None)
                connection.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, checksum(row)))
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
        connection = connect(path)
        try:
            with mapped(path, "the run cannot be read"):
                _check_schema(connection, path)
                row = connection.execute(f"SELECT {', '.join(_INFO_COLUMNS)} FROM run").fetchone()
                if row is None:
                    raise StoreError(f"{path}: the file is damaged: it does not say what run it is")
        except ArenaError:
            connection.close()
            raise
        info = RunInfo(**dict(zip(_INFO_COLUMNS, row, strict=True)))
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
        finished_at = _now()
        values = (finished_at, checksum((1, *astuple(self.info), finished_at)))
        self._write("the end of the run", "UPDATE run SET finished_at = ?, checksum = ? WHERE finished_at IS NULL", values)

    def replace_config(self, config: str) -> None:
        """Have the run go on with another configuration, as JSON text."""
        self.info = replace(self.info, config=config)
        values = (config, checksum((1, *astuple(self.info), self.finished_at)))
        self._write("the configuration of the run", "UPDATE run SET config = ?, checksum = ?", values)

    def add_block(self, content: str) -> None:
        """Keep the next block of the plan, as JSON text; it is there before the first of its matches."""
        row = (len(self.blocks()) + 1, content)
        self._write("a block of the plan", "INSERT INTO block VALUES (?, ?, ?)", (*row, checksum(row)))

    def blocks(self) -> list[str]:
        """The blocks of the plan, in their order, as JSON text."""
        return [content for (content,) in self._rows("SELECT content FROM block ORDER BY number")]

    def block_rows(self) -> list[tuple[Any, ...]]:
        """Every block as its row stands in the file, its checksum last, damaged or not."""
        return self._rows("SELECT * FROM block ORDER BY number", text=StoredText)

    def add_match(self, record: MatchRecord, *, number: int) -> None:
        """Keep a match for good, in one transaction.

        number: its place in the schedule, from 1, by which people name it. Raises StoreError when its key or its number is
        in the store already, or when it cannot be written; then nothing of it is there.
        """
        self._put("INSERT", record, number)

    def replace_match(self, record: MatchRecord, *, number: int) -> None:
        """Keep a match in place of the one that has its number, in one transaction; raises StoreError like `add_match`."""
        self._put("REPLACE", record, number)

    def match(self, which: int | MatchKey) -> MatchRecord:
        """The match with this number or this key. Raises RunError when it is not there (yet)."""
        if isinstance(which, MatchKey):
            rows = self._rows(
                f"SELECT record FROM match WHERE ({', '.join(KEY_COLUMNS)}) = (?, ?, ?, ?, ?)",
                *which.teams,
                which.number,
                which.swapped,
                which.exchanged,
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
        """Every match in figures, in the order of the matches' numbers, without reading the records."""
        return (summary for _, summary in self.iter_numbered())

    def iter_numbered(self, *, first: int = 1, last: int = 2**63 - 1) -> Iterator[tuple[int, MatchSummary]]:
        """The same from number `first` to number `last`, with the numbers."""
        for number, *row in self._iter_rows(", ".join(SUMMARY_COLUMNS), after=first - 1):
            if number > last:
                return
            yield number, summary_of(row)

    def iter_rows(self) -> Iterator[MatchRow]:
        """Every match as its row stands in the file, damaged or not, in the order of the matches' numbers."""
        for *row, seal in self._iter_rows(", ".join((*SUMMARY_COLUMNS, "record", "checksum")), text=StoredText):
            yield MatchRow(row, seal)

    def run_row(self) -> tuple[Any, ...]:
        """What the file says of the run itself, its checksum last, as it stands there, damaged or not."""
        rows = self._rows("SELECT * FROM run", text=StoredText)
        return rows[0] if rows else ()

    def file_damage(self) -> str | None:
        """What SQLite finds wrong with the file's structure, in its words; None when nothing is."""
        found: str = self._rows("PRAGMA integrity_check(1)")[0][0]
        return None if found == "ok" else found

    def _iter_rows(self, columns: str, *, after: int = 0, text: Callable[[bytes], Any] = str) -> Iterator[tuple[Any, ...]]:
        last = after
        query = f"SELECT number, {columns} FROM match WHERE number > ? ORDER BY number LIMIT {_PAGE}"
        while rows := self._rows(query, last, text=text):
            for row in rows:
                if row[0] <= last:
                    raise StoreError(f"{self.path}: the file is damaged: after match {last} comes match {row[0]}")
                last = row[0]
                yield row

    def _rows(self, query: str, *values: Any, text: Callable[[bytes], Any] = str) -> list[tuple[Any, ...]]:
        """text: what becomes of the bytes of text; `str`: of UTF-8 only."""
        with mapped(self.path, "the run cannot be read"):
            self._connection.text_factory = text
            return self._connection.execute(query, values).fetchall()

    def _put(self, verb: str, record: MatchRecord, number: int) -> None:
        row = (number, *summary_row(summarize(record)), encode_match(record))
        row = (*row, checksum(row))
        columns = ", ".join(("number", *SUMMARY_COLUMNS, "record", "checksum"))
        marks = ", ".join("?" * len(row))
        self._write(f"match {number}", f"{verb} INTO match ({columns}) VALUES ({marks})", row)

    def _write(self, what: str, statement: str, values: tuple[Any, ...]) -> None:
        with mapped(self.path, f"{what} cannot be stored"), transaction(self._connection):
            self._connection.execute(statement, values)


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    if pragma(connection, "application_id") != _APPLICATION_ID:
        raise RunError(f"{path} is not a run: arena did not write it, or its start was cut off")
    version = pragma(connection, "user_version")
    if version != SCHEMA_VERSION:
        raise RunError(f"{path} has schema {version}: arena {__version__} reads {SCHEMA_VERSION}")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
