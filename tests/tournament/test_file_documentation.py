"""docs/tournament-file.md is true: its tables have every key, and the program has the bounds and defaults that they give."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.seat.manifest import ManifestFile
from arena.tournament.config import canonical_json
from arena.tournament.file import TournamentFile
from tests.tournament.files import MINIMAL, PROJECT, documented_keys, load, put, refusal

COMPANIONS: dict[str, dict[object, dict[str, Any]]] = {
    "format": {"boards": {"matches": 4}},
    "schedule.kind": {
        "gauntlet": {"schedule": {"kind": "gauntlet", "team": "One"}},
        "swiss": {"schedule": {"kind": "swiss", "rounds": 1}},
    },
    "execution.engine": {"dask": {"execution": {"engine": "dask", "address": "tcp://127.0.0.1:8786"}}},
    "pairs": {"all": {"teams": [], "bots": dict.fromkeys("abcd", "bots/good")}},
}
"""What else a file must say with some values."""
IN_WORDS = ("by chance", "the strongest", "those of", "must be given", "not in", "the order", "no end")
"""How a default begins that is no value."""


def look_up(content: dict[str, Any], key: str) -> object:
    value: Any = content
    for step in key.split("."):
        value = value[step]
    return value


def model_keys(schema: dict[str, Any], part: dict[str, Any], prefix: str = "") -> dict[str, bool]:
    """All keys that a model takes, with whether they are required."""

    def resolved(place: dict[str, Any]) -> dict[str, Any]:
        return schema["$defs"][place["$ref"].split("/")[-1]] if "$ref" in place else place

    keys: dict[str, bool] = {}
    for name, place in part["properties"].items():
        inner = resolved(place)
        items = resolved(inner.get("items", {}))
        if "properties" in inner:
            keys |= model_keys(schema, inner, f"{prefix}{name}.")
            continue
        keys[prefix + name] = name in part.get("required", [])
        if "properties" in items:
            keys |= model_keys(schema, items, f"{prefix}{name}[].")
    return keys


@pytest.mark.parametrize(("heading", "model"), [("Every key", TournamentFile), ("bot.yaml", ManifestFile)])
def test_the_tables_have_every_key_and_no_other(heading: str, model: type[TournamentFile] | type[ManifestFile]) -> None:
    schema = model.model_json_schema()
    documented = {key: default == "" for key, _, default in documented_keys(heading)}
    assert documented == model_keys(schema, schema)


@pytest.mark.parametrize(("key", "value", "default"), documented_keys("Every key"), ids=lambda text: text.partition(" ")[0])
def test_the_bounds_and_defaults_are_those_of_the_program(home: Path, key: str, value: str, default: str) -> None:
    for good in good_values(value):
        assert load(home, put(key, good) | COMPANIONS.get(key, {}).get(good, {})).name
    for bad in bad_values(value):
        assert key.replace("[]", "[0]") in refusal(home, put(key, bad))
    if default and not default.startswith(IN_WORDS):
        found = look_up(json.loads(canonical_json(load(home, MINIMAL))), key)
        assert str(found) == default or float(str(found)) == float(default)


def test_the_example_is_the_file_for_a_class() -> None:
    text = (PROJECT / "docs" / "tournament-file.md").read_text(encoding="utf-8")
    example = text.split("```yaml\n")[1].split("```")[0]
    assert yaml.safe_load(example) == yaml.safe_load((PROJECT / "tournaments" / "class.yaml").read_text(encoding="utf-8"))


def bounds(value: str) -> tuple[float, float]:
    least, most = re.search(r"([\d.]+) to ([\d.]+)", value).groups()  # type: ignore[union-attr]
    return (float(least), float(most)) if "." in least or "number, 0 to" in value else (int(least), int(most))


def good_values(value: str) -> list[object]:
    """Values at the bounds that a row of the table gives."""
    if value.startswith("one of"):
        return list(value.removeprefix("one of ").split(", "))
    if "number" in value and "to" in value and "text" not in value:
        return [
            *([] if "auto" not in value else ["auto"]),
            *(int(bound) if "whole" in value else bound for bound in bounds(value)),
        ]
    if "text" in value:
        return ["x" * int(bound) for bound in bounds(value)] + ([5] if "whole" in value else [])
    return []


def bad_values(value: str) -> list[object]:
    """Values next to the bounds that a row of the table gives, and of a wrong type."""
    if value.startswith("one of"):
        return [None, True, 1, "nonsense", [], {}, *(word.upper() for word in good_values(value) if isinstance(word, str))]
    if "text" in value:
        return [None, True, [], 1.5, "", "x" * (int(bounds(value)[1]) + 1)]
    if "number" in value:
        least, most = bounds(value)
        step = 2 if "even" in value else 1 if "whole" in value else 0.0001
        return [
            None,
            True,
            "5",
            [],
            least - step,
            most + step,
            *([least + 0.5] if "whole" in value else []),
            *([least + 1] if step == 2 else []),
        ]
    if "list of exactly 2" in value:
        return [None, "good", [], ["good"], ["good"] * 3, ["good", 1]]
    if value in ("a team's name", "the folder of an earlier run"):
        return [None, 1, [], ""]
    if value == "at least 1 and at most half the teams":
        return [None, 0, 2, "1", 1.5]
    return [None, "good", 1, []]
