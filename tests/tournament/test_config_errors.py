"""What is said of a tournament file that is wrong: everything at once, in our words, and whatever it is."""

import json
import re
import tracemalloc
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.tournament.config import load_config
from tests.tournament.files import MINIMAL, PROJECT, documented_keys, load, put, refusal

GOLDEN = PROJECT / "tests" / "golden" / "config_errors"


def check_wording(error: ConfigError) -> None:
    """Every line says where, is safe to print, and has nothing of pydantic's or Python's words."""
    for line in str(error).splitlines():
        assert re.match(r".*contest\.yaml(:\d+)?: .+", line)
        assert line.isprintable()
        assert not re.search(r"Input should|Value error|pydantic|Traceback|<class", line)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.yaml")), ids=lambda path: path.stem)
def test_golden(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GOLDEN)
    with pytest.raises(ConfigError) as caught:
        load_config(Path(path.name))
    assert str(caught.value) + "\n" == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: there is no such file$"):
        load_config(tmp_path / "nowhere.yaml")
    with pytest.raises(ConfigError, match="is not a file"):
        load_config(tmp_path)


@pytest.mark.parametrize(
    "first",
    ["Wild Goats", "wild goats", " Wild  Goats ", "Wild\u200b Goats", "WILD GOATS"],
)
def test_team_names_that_people_cannot_tell_apart(home: Path, first: str) -> None:
    content = MINIMAL | {"teams": [{"name": name, "bots": ["good", "good"]} for name in (first, "Wild Goats")]}
    assert 'teams[1].name: the name "Wild Goats" is taken by the team on line' in refusal(home, content)


def test_the_same_letters_composed_differently(home: Path) -> None:
    content = MINIMAL | {"teams": [{"name": name, "bots": ["good", "good"]} for name in ("Козий край", "Козии\u0306 край")]}
    assert "is taken" in refusal(home, content)


@pytest.mark.parametrize("name", ["a\tb", "a\x1b[31mb", "a\u202eb", "a\u2028b", "a\x85b", "a\u2066b", "\u200d", " ", "x" * 65])
def test_names_that_would_upset_a_terminal_or_a_table(home: Path, name: str) -> None:
    message = refusal(home, json.dumps(put("teams[].name", name)))
    assert "teams[0].name: " in message
    assert message.isprintable()


@pytest.mark.parametrize(
    "value", ["yes", "no", "on", "true", "1:30", "1_000", "0x10", ".inf", ".nan", "1e999", "null", "~", "''", "[]", "{}"]
)
def test_no_number_is_guessed(home: Path, value: str) -> None:
    text = yaml.safe_dump({key: MINIMAL[key] for key in ("name", "bots", "teams")})
    message = refusal(home, text + f"matches: {value}\ntime: {{move_seconds: {value}}}\n")
    assert re.search(r"\bmatches: .*must be a whole number from 1 to 10000", message)
    assert re.search(r"\btime\.move_seconds: .*must be a number from 0.001 to 3600", message)


@pytest.mark.parametrize("pull", ["no", "false", "Off", "never", "1", "[off]", "null", "''"])
def test_only_the_words_of_an_option_are_taken(home: Path, pull: str) -> None:
    message = refusal(home, yaml.safe_dump(MINIMAL) + f"rules: {{pull: {pull}}}\n")
    assert "rules.pull: " in message
    assert "must be any_time, before_lead or off" in message


@pytest.mark.parametrize("section", ["rules", "time", "faults", "logs", "seed", "jobs", "restart"])
def test_a_key_with_nothing_behind_it_is_not_taken_for_the_default(home: Path, section: str) -> None:
    assert f": {section}: " in refusal(home, yaml.safe_dump(MINIMAL) + f"{section}:\n")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "a: " + "{b: " * 5_000,
        "- " * 50_000,
        "? " * 50_000,
        "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
        "a: &a [*a]\n",
        "!!python/object/apply:os.system [ls]\n",
        '"\\UFFFFFFFF": 1\n',
        '"\\uD800": 1\n',
        '"\\0": 1\n',
        "%YAML 1." + "9" * 10_000 + "\n--- {}\n",
        "a: " + "9" * 100_000 + "\n",
        "#" * (1 << 20) + "##",
        "\x00",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_hostile_file_is_refused_without_much_memory(home: Path, text: str) -> None:
    tracemalloc.start()
    try:
        message = refusal(home, text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert message.startswith("contest.yaml")
    assert len(message.splitlines()) <= 11
    assert peak < 100_000_000


def test_a_file_of_far_too_many_values_is_not_read_to_its_end(home: Path) -> None:
    assert refusal(home, "- x\n" * 20_100) == "contest.yaml:20000: the file has more than 20000 values"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_value_in_any_place_is_taken_or_refused_in_our_words(home: Path, data: st.DataObject) -> None:
    scalars = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=8)
        | st.sampled_from(["good", "auto", "bots"])
    )
    values = st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    )
    key = data.draw(st.sampled_from([key for key, _, _ in documented_keys("Every key")]))
    try:
        load(home, put(key, data.draw(values)))
    except ConfigError as error:
        check_wording(error)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    where=st.integers(0, 500),
    length=st.integers(0, 5),
    patch=st.binary(max_size=4) | st.text("{}[]:,-&*!|>'\"%@`#? \n\t\\0ua", max_size=6).map(str.encode),
)
def test_any_damage_to_a_file_is_refused_or_harmless(home: Path, where: int, length: int, patch: bytes) -> None:
    text = yaml.safe_dump(MINIMAL).encode()
    where %= len(text)
    try:
        load(home, text[:where] + patch + text[where + length :])
    except ConfigError as error:
        check_wording(error)
