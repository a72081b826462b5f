"""A document against a pydantic model: every problem in one line of plain words, with what would be right.

The models stay plain pydantic (strict, frozen, no unknown keys). What would be right is read from the JSON schema of the
model, so a bound is written down once. A type that is not in the schema's words says it as `EXPECTED`.
"""

import difflib
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from arena.seat.yaml_file import NUMBER, Document, Loc, Problem, Value, printable, quoted

EXPECTED = "expected"
"""The key of a schema that says in words what a value must be."""
KEY_MARK = "[key]"
"""What pydantic adds to the place of a mapping's entry when the trouble is its key."""

_CONTROLS = ("Cc", "Zl", "Zp", "Cs")
_DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""They change how text after the name is shown; the marks that Hebrew and Arabic really need are not among them."""

Model = TypeVar("Model", bound=BaseModel)
Schema = dict[str, Any]


class Section(BaseModel):
    """What all parts of our YAML files have in common."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


def check_document(document: Document, model: type[Model]) -> tuple[Model | None, list[Problem]]:
    """The document as a value of the model, or None, and all problems, those of the document included, in no order."""
    problems = list(document.problems)
    try:
        return model.model_validate(document.value), problems
    except ValidationError as error:
        words = _Words(document, model.model_json_schema())
        return None, problems + list(words.iter_problems(error.errors(include_url=False, include_input=False)))


def clean_text(text: str) -> str:
    """A name as it is kept: normalised to NFC, without space around it. Any script, emoji included.

    Raises ValueError for characters that end a line, move the cursor or turn the direction of what follows, and for text
    in which nothing can be seen.
    """
    text = unicodedata.normalize("NFC", text).strip()
    for character in text:
        if unicodedata.category(character) in _CONTROLS or character in _DIRECTIONS:
            raise ValueError(f"has the control character U+{ord(character):04X}; remove it")
    if not any(unicodedata.category(character)[0] in "LNPS" for character in text):
        raise ValueError("has nothing in it that can be seen")
    return text


def folded_name(name: str) -> str:
    """What two names have in common that people cannot tell apart: case, composition, space, invisible characters."""
    seen = "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFC", " ".join(seen.split()).casefold())


def nearest(text: str, known: Iterable[str]) -> str | None:
    """The valid spelling that a wrong one was probably meant to be; None when nothing is near."""
    by_folded = {word.casefold(): word for word in known}
    close = difflib.get_close_matches(text[:100].casefold(), by_folded, n=1)
    return by_folded[close[0]] if close else None


def suggestion(text: str, known: Iterable[str]) -> str:
    """`; did you mean X?` to be put behind a complaint, empty when nothing is near."""
    meant = nearest(text, known)
    return f"; did you mean {printable(meant)}?" if meant else ""


def listed(words: Iterable[str], last: str = "or") -> str:
    """`a, b or c`."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def shown(value: object) -> str:
    """A value from a file in a few words, safe to print."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}" if len(str(value)) <= 40 else "a number that is far too long"
        case str():
            return f"the text {quoted(value)}" + (f" of {len(value)} characters" if len(value) > 40 else "")
        case list() | dict():
            kind = "list" if isinstance(value, list) else "mapping"
            return f"a {kind} of {len(value)}" if value else f"an empty {kind}"
        case _:
            return "nothing"


class _Words:
    """Puts pydantic's errors into our words."""

    def __init__(self, document: Document, schema: Schema) -> None:
        self._document = document
        self._schema = schema

    def iter_problems(self, errors: list[ErrorDetails]) -> Iterator[Problem]:
        """A problem for each error, but none for a missing key that was only misspelt."""
        unknown = [error["loc"] for error in errors if error["type"] == "extra_forbidden"]
        misspelt = {(*loc[:-1], nearest(str(loc[-1]), self._keys(loc[:-1]))) for loc in unknown}
        for error in errors:
            loc = error["loc"]
            if error["type"] != "missing" or loc not in misspelt:
                yield self._document.problem(_without_mark(loc), self._text(error))

    def _text(self, error: ErrorDetails) -> str:
        loc = error["loc"]
        if error["type"] == "extra_forbidden":
            keys = self._keys(loc[:-1])
            return "there is no such key" + (suggestion(str(loc[-1]), keys) or f"; the keys here are {listed(keys, 'and')}")
        if error["type"] == "value_error":  # from a validator of ours, which has the words
            return str(error["ctx"]["error"])
        schema = self._schema_at(loc)
        wanted = _expected(schema)
        if error["type"] == "missing":
            return f"is missing; it must be {wanted}"
        value = self._document.at(loc)
        if value is None:
            return f"has no value; it must be {wanted}"
        return f"must be {wanted}, not {shown(value)}{_advice(schema, value)}"

    def _keys(self, loc: Loc) -> list[str]:
        return list(self._schema_at(loc).get("properties", {}))

    def _schema_at(self, loc: Loc) -> Schema:
        """The schema of the value at a place; empty where the model does not know it."""
        schema = self._resolved(self._schema)
        for step in loc:
            below = schema.get("items") if isinstance(step, int) else schema.get("properties", {}).get(step)
            schema = self._resolved(below or schema.get("additionalProperties") or {})
        return schema

    def _resolved(self, schema: Schema) -> Schema:
        if "$ref" in schema:
            resolved: Schema = self._schema["$defs"][schema["$ref"].rpartition("/")[2]]
            return resolved
        if "anyOf" in schema:  # a key that may be left out
            return next(option for option in schema["anyOf"] if option.get("type") != "null")
        return schema


def _without_mark(loc: Loc) -> Loc:
    return loc[:-1] if loc[-1:] == (KEY_MARK,) else loc


def _expected(schema: Schema) -> str:
    if EXPECTED in schema:
        return str(schema[EXPECTED])
    if "enum" in schema:
        return listed(schema["enum"])
    match schema.get("type"):
        case "integer":
            even = "an even" if schema.get("multipleOf") == 2 else "a"
            return f"{even} whole number" + _between(schema.get("minimum"), schema.get("maximum"))
        case "number":
            return "a number" + _between(schema.get("minimum"), schema.get("maximum"))
        case "string":
            return "text" + _size(schema.get("minLength"), schema.get("maxLength"), "characters")
        case "array":
            return "a list" + _size(schema.get("minItems"), schema.get("maxItems"), "entries")
        case _:
            return "a mapping (key: value)" + _size(schema.get("minProperties"), schema.get("maxProperties"), "entries")


def _between(least: float | None, most: float | None) -> str:
    return f" from {least:g} to {most:g}" if least is not None and most is not None else ""


def _size(least: int | None, most: int | None, unit: str) -> str:
    if least is None or most is None:
        return ""
    return f" of exactly {least} {unit}" if least == most else f" of {least} to {most} {unit}"


def _advice(schema: Schema, value: Value) -> str:
    if "enum" in schema:
        return suggestion(value, schema["enum"]) if isinstance(value, str) else ""
    if isinstance(value, str) and schema.get("type") in ("integer", "number"):
        plain = value.strip().replace("_", "").replace(",", ".")
        return f"; write {plain} without quotes" if NUMBER.fullmatch(plain) else ""
    if isinstance(value, int | float) and schema.get("type") == "string":
        return "; put it in quotes"
    return ""
