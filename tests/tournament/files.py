"""Tournament files for tests, and what their documentation says."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.errors import ConfigError
from arena.tournament.config import TournamentConfig, load_config

PROJECT = Path(__file__).parents[2]
MINIMAL: dict[str, Any] = {
    "name": "Minimal",
    "matches": 2,
    "bots": {"good": "bots/good"},
    "teams": [{"name": "One", "bots": ["good", "good"]}, {"name": "Two", "bots": ["good", "good"]}],
}


def load(home: Path, content: str | bytes | dict[str, Any]) -> TournamentConfig:
    if isinstance(content, dict):
        content = yaml.safe_dump(content, allow_unicode=True, sort_keys=False)
    path = home / "contest.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load_config(path)


def refusal(home: Path, content: str | bytes | dict[str, Any]) -> str:
    """What is said of a wrong file, without the folder's name."""
    with pytest.raises(ConfigError) as caught:
        load(home, content)
    return str(caught.value).replace(f"{home}/", "")


def put(key: str, value: object) -> dict[str, Any]:
    """The minimal file with one more key, or with one key of all teams, given as in the documentation."""
    content: dict[str, Any] = json.loads(json.dumps(MINIMAL))
    head, _, tail = key.partition(".")
    if not tail:
        content[head] = value
    elif head == "teams[]":
        content["teams"] = [team | {tail: value} for team in content["teams"][:1]] + content["teams"][1:]
    else:
        content[head] = {tail: value}
    return content


def documented_keys(heading: str) -> list[tuple[str, str, str]]:
    """The rows of a table in docs/tournament-file.md: key, value, default, without the backticks."""
    text = (PROJECT / "docs" / "tournament-file.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [
        tuple(cell.strip().replace("`", "") for cell in line.strip("|").split("|"))
        for line in section.splitlines()
        if line[:2] == "| "
    ]
    return [(row[0], row[1], row[2]) for row in rows[1:]]
