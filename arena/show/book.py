"""A run as files: the grade book for a teacher, and all of it for programs."""

import csv
import io
import json
import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.errors import StoreError, UserError
from arena.records.store import Store
from arena.show.export import spreadsheet_text, standings_json
from arena.show.grades import Entrants, Grade, anonymous_id, grade_json, grades_csv, iter_grades
from arena.show.leaderboard import Leaderboard, read_leaderboard
from arena.show.matches import match_line
from arena.tournament.statistics import SetTally

RUN_SCHEMA = 1
GRADES, RUN, MATCHES = "grades.csv", "run.json", "matches.jsonl"
_KEY_CHARACTERS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What was read of a run. staff: the names of its teams. config: as it is stored."""

    board: Leaderboard
    grades: tuple[Grade, ...]
    staff: tuple[str, ...]
    config: Mapping[str, Any]


def read_book(store: Store, *, staff: Sequence[str]) -> Book:
    """The grades of a run as far as it has been played. Raises UserError when one of the staff is no team, StoreError."""
    board = read_leaderboard(store)
    teams = [row.team for row in board.standings.rows]
    for name in staff:
        if name not in teams:
            raise UserError(f"there is no team {name!r} in this run; its teams are {', '.join(sorted(teams))}")
    sets = SetTally()
    for match in store.iter_summaries():
        sets.add(match)
    try:
        config = json.loads(store.config)
        entrants = Entrants.parse(config)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StoreError(f"{store.path}: the run's configuration is damaged: {error!r}") from error
    grades = tuple(iter_grades(board, sets, staff=staff, entrants=entrants))
    return Book(board=board, grades=grades, staff=tuple(staff), config=config)


def write_files(store: Store, book: Book, out: Path) -> None:
    """GRADES, RUN and MATCHES in a folder, which is made when it is not there. Raises UserError when it cannot be written."""
    _write(out / GRADES, [grades_csv(book.grades, staff=book.staff)])
    _write(out / RUN, [_run_json(store, book)])
    _write(out / MATCHES, (f"{match_line(record, number=number)}\n" for number, record in store.iter_matches()))


def write_anonymous(book: Book, out: Path, *, key_file: Path) -> Path:
    """GRADES alone, with ids in place of names, and beside the key a file with the names by id, whose path it is.

    key_file: made when it is not there. Raises UserError when it is no key, when it lies in `out`, or when a file cannot be
    written.
    """
    if key_file.resolve().is_relative_to(out.resolve()):
        raise UserError(f"{key_file} lies in {out}: whoever is given that folder could tell the names; keep the key elsewhere")
    key = _key(key_file)
    ids = {grade.name: anonymous_id(grade.name, key) for grade in book.grades}
    names = io.StringIO()
    csv.writer(names, lineterminator="\n").writerows([("id", "team"), *((ids[name], spreadsheet_text(name)) for name in ids)])
    mapping = key_file.with_name(f"{key_file.name}.names.csv")
    _write(mapping, [names.getvalue()], mode=0o600)
    # Teams that share a rank stand in the order of their names, which would tell something of them.
    grades = sorted((replace(grade, name=ids[grade.name]) for grade in book.grades), key=lambda grade: grade.name)
    _write(out / GRADES, [grades_csv(grades, staff=book.staff)])
    return mapping


def _run_json(store: Store, book: Book) -> str:
    info = store.info
    values = {
        "schema": RUN_SCHEMA,
        "arena_version": info.arena_version,
        "python_version": info.python_version,
        "created_at": info.created_at,
        "finished_at": store.finished_at,
        "config": book.config,
        "staff": book.staff,
        "grades": list(map(grade_json, book.grades)),
        "table": json.loads(standings_json(book.board)),
    }
    return json.dumps(values, indent=2, allow_nan=False) + "\n"


def _key(path: Path) -> bytes:
    """The key in a file of the user's, a new one when there is no file."""
    try:
        if not path.exists():
            _write(path, [secrets.token_hex(32) + "\n"], mode=0o600)
        key = path.read_bytes().strip()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from error
    if len(key) < _KEY_CHARACTERS:
        raise UserError(f"{path} holds no key: it must have at least {_KEY_CHARACTERS} characters that nobody can guess")
    return key


def _write(path: Path, texts: Iterable[str], *, mode: int = 0o666) -> None:
    """A whole file or, when something fails, none; texts are written as they come."""
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with os.fdopen(
                os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8", newline=""
            ) as file:
                file.writelines(texts)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}") from error
