"""What the pages are made of is in the package, and is used."""

import re
import tomllib
from pathlib import Path

import arena.show.web
from arena.show.web.live_page import LIVE_ASSETS
from arena.show.web.report import ASSETS

FOLDER = Path(arena.show.web.__file__).parent
PROJECT = Path(__file__).parents[3]


def test_every_template_and_asset_is_package_data() -> None:
    values = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = values["tool"]["setuptools"]["package-data"]["arena.show.web"]
    packed = {path for pattern in patterns for path in FOLDER.glob(pattern)}
    there = {path for path in FOLDER.rglob("*.*") if path.suffix not in (".py", ".pyc")}
    assert packed == there
    assert len(there) > 8


def test_every_asset_is_written_to_a_report_or_served_live() -> None:
    assert {path.name for path in (FOLDER / "static").iterdir()} | {"stage.js"} == {*ASSETS, *LIVE_ASSETS}


def test_nothing_points_to_the_network() -> None:
    looked = 0
    for path in FOLDER.rglob("*.*"):
        if path.suffix in (".html", ".css", ".js"):
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")  # a name, not an address
            assert re.findall(r"https?:|=\s*[\"']//|@import|url\(|\bfetch\(|XMLHttpRequest|\bimport\(", text) == [], path.name
            looked += 1
    assert looked > 8
