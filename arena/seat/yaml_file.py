"""A YAML file as plain values that remember their places; everything in it may be hostile.

The values are built here from PyYAML's events. Its own constructors take `pull: off` for False and `010` for 8, let the
second of two equal keys win without a word, and recurse as deep as the file says.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeAlias

import yaml

from arena.errors import ConfigError

MAX_FILE_BYTES = 1 << 20
MAX_DEPTH = 20
"""Lists and mappings inside each other."""
MAX_VALUES = 20_000
"""Values in a file: 1000 teams need 5000, and PyYAML takes half a second for these."""
MAX_PROBLEMS = 10
"""Problems that one message lists."""
MAX_NUMBER_LENGTH = 100
"""Longer digits are text: no number that we ask for has so many, and to convert them costs time."""

INTEGER = re.compile(r"[-+]?[0-9]+")
NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
CONSTANTS = {"": None, "~": None, "null": None, "true": True, "false": False}
PLAIN_KEY = re.compile(r"[\w-]+")

Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | None"
Loc: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value from the top of the file."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A point of a file; line and column count from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where, the value it is about, what is wrong and what would be right."""

    place: Place
    loc: Loc
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read: plain values, the place of each, and the problems that did not keep it from being read.

    text: all of it, without a byte order mark. places: of a mapping's entry the place of its key, of a list's entry the place
    where it begins; () is the whole file.
    """

    path: Path
    text: str
    value: Value
    places: dict[Loc, Place]
    problems: tuple[Problem, ...] = ()

    def place(self, loc: Loc) -> Place:
        """Where a value is, or the innermost value around one that is not in the file."""
        while loc not in self.places:
            loc = loc[:-1]
        return self.places[loc]

    def at(self, loc: Loc) -> Value:
        """A value, None where there is none."""
        value = self.value
        for step in loc:
            if isinstance(value, dict) and isinstance(step, str):
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                value = value[step]
            else:
                return None
        return value

    def problem(self, loc: Loc, text: str) -> Problem:
        """A problem with a value."""
        return Problem(self.place(loc), loc, text)


def shown_loc(loc: Loc) -> str:
    """A place as people write it: `teams[2].bots`."""
    text = ""
    for step in loc:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += ("." if text else "") + (step if PLAIN_KEY.fullmatch(step) else quoted(step))
    return text


def printable(text: str) -> str:
    """Text that may be hostile, on one line and with everything that could upset a terminal escaped."""
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def quoted(text: str) -> str:
    """Text from a file, printable, in quotes and cut to 40 characters."""
    return f'"{printable(text if len(text) <= 40 else text[:39] + "…")}"'


def problems_error(path: Path, problems: Iterable[Problem]) -> ConfigError:
    """One error for many problems: a line each, in the order of the file, at most MAX_PROBLEMS and how many more."""
    ordered = sorted(problems, key=lambda problem: problem.place)
    lines = [_message(path, problem) for problem in ordered[:MAX_PROBLEMS]]
    if len(ordered) > MAX_PROBLEMS:
        lines.append(f"{path}: and {len(ordered) - MAX_PROBLEMS} more")
    return ConfigError("\n".join(lines))


def read_document(path: Path) -> Document:
    """Read one YAML document that a user or a bot's author gave us.

    Raises ConfigError for a file that is missing, too large, not UTF-8, empty or not YAML, and for what we leave out of
    YAML: several documents, anchors, aliases, tags, keys that are no text. A key that is given twice is left to the caller
    as a problem, the first one counts.
    """
    return _Reader(path).read(_read_text(path))


def _message(path: Path, problem: Problem) -> str:
    where = f"{shown_loc(problem.loc)}: " if problem.loc else ""
    return f"{printable(str(path))}:{problem.place.line}: {where}{problem.text}"


def _read_text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path}: is not a file; it must be a YAML file")
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise ConfigError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MAX_FILE_BYTES:
        raise ConfigError(f"{path}: is larger than {MAX_FILE_BYTES >> 20} MiB; it must be a short text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: is not UTF-8 text; save the file with the encoding UTF-8") from None


class _Reader:
    """Builds the values of one document while it walks through the events."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[Loc, Place] = {}
        self._problems: list[Problem] = []
        self._events: Iterator[yaml.Event] = iter(())
        self._values = 0

    def read(self, text: str) -> Document:
        self._events = yaml.parse(text, Loader=yaml.SafeLoader)
        try:
            value = self._document()
        except yaml.reader.ReaderError as error:
            self._stop(text.count("\n", 0, error.position) + 1, (), f"has the control character U+{error.character:04X}")
        except yaml.MarkedYAMLError as error:
            self._stop(*_explain(error))
        except (ValueError, OverflowError):  # PyYAML lets those of int() and chr() through, for "\UFFFFFFFF" and %YAML 1.9…9
            raise ConfigError(f"{self._path}: is not valid YAML: a number or a \\U escape in it is out of bounds") from None
        return Document(self._path, text, value, self._places, tuple(self._problems))

    def _document(self) -> Value:
        value: Value = None
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._stop(_place(event).line, (), "a second document begins here; it must be one document in a file")
                value = self._value(next(self._events), ())
        if value is None:
            raise ConfigError(f"{self._path}:1: the file is empty")
        return value

    def _value(self, event: yaml.Event, loc: Loc) -> Value:
        # setdefault: the entry of a mapping has the place of its key already, and a repeated key keeps the first one's places.
        self._places.setdefault(loc, _place(event))
        self._refuse_marks(event, loc)
        self._values += 1
        if self._values > MAX_VALUES:
            self._stop(_place(event).line, (), f"the file has more than {MAX_VALUES} values")
        if len(loc) > MAX_DEPTH:
            self._stop(_place(event).line, (), f"lists and mappings lie more than {MAX_DEPTH} deep in each other")
        if isinstance(event, yaml.ScalarEvent):
            return _plain(event.value) if event.implicit[0] else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(loc)
        return self._mapping(loc)

    def _list(self, loc: Loc) -> Value:
        values: list[Value] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            values.append(self._value(event, (*loc, len(values))))
        return values

    def _mapping(self, loc: Loc) -> Value:
        values: dict[str, Value] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            self._refuse_marks(event, loc)
            if not isinstance(event, yaml.ScalarEvent):
                self._stop(_place(event).line, loc, "a list or a mapping stands here as a key; a key must be text")
            at = (*loc, event.value)
            if event.value in values:
                self._problems.append(
                    Problem(_place(event), at, f"is given again, first on line {self._places[at].line}; keep one")
                )
            self._places.setdefault(at, _place(event))
            value = self._value(next(self._events), at)
            values.setdefault(event.value, value)
        return values

    def _refuse_marks(self, event: yaml.Event, loc: Loc) -> None:
        if isinstance(event, yaml.AliasEvent):
            self._stop(
                _place(event).line,
                loc,
                f"*{event.anchor} is an alias, which is not used here; put text that begins with * in quotes",
            )
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            self._stop(
                _place(event).line,
                loc,
                f"&{event.anchor} is an anchor, which is not used here; put text that begins with & in quotes",
            )
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag is not None:
            self._stop(_place(event).line, loc, "a tag (!…) is not used here; put text that begins with ! in quotes")
        if isinstance(event, yaml.ScalarEvent) and (bad := re.search("[\0\ud800-\udfff]", event.value)):
            self._stop(_place(event).line, loc, f"has the character U+{ord(bad[0]):04X}, which no text may have")

    def _stop(self, line: int, loc: Loc, text: str) -> NoReturn:
        raise ConfigError(_message(self._path, Problem(Place(line, 1), loc, text))) from None


def _place(event: yaml.Event) -> Place:
    mark = event.start_mark
    return Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)


def _plain(text: str) -> Value:
    """The value of a scalar without quotes: as in YAML 1.2, so yes, no, on, off, dates and 1:30 are text."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    if len(text) > MAX_NUMBER_LENGTH:
        return text
    if INTEGER.fullmatch(text):
        return int(text)
    return float(text) if NUMBER.fullmatch(text) else text


def _explain(error: yaml.MarkedYAMLError) -> tuple[int, Loc, str]:
    """PyYAML's complaint on one line, with what it usually comes from."""
    mark = error.problem_mark or error.context_mark
    text = f"is not valid YAML: {error.problem or error.context}"
    if error.context and error.context_mark and error.problem:
        text += f" {error.context} that begins on line {error.context_mark.line + 1}"
    if "'\\t'" in text:
        text += "; indent with spaces, not with tabs"
    elif "mapping values are not allowed" in text:
        text += '; put text with ": " in it in quotes, and give the keys of one mapping the same indentation'
    elif "cannot start any token" in text:
        text += "; put text that begins with it in quotes"
    return (mark.line + 1 if mark else 1), (), printable(text)
