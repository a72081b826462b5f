"""A report on disk, and the system's own Chromium to look at it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, sync_playwright

from arena.records.store import Store
from arena.rules.options import Rules
from arena.show.web.positions import VIEWPOINTS
from arena.show.web.report import write_report
from tests.show.web.looking import Looker
from tests.show.web.runs import make_run

PROJECT = Path(__file__).parents[3]
AXE = Path(os.environ.get("ARENA_AXE", PROJECT / ".tools" / "node_modules" / "axe-core" / "axe.min.js"))
BIG_TEAMS = [f"Team {number:02}" for number in range(1, 21)]


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with names of all kinds, faults and pulls."""
    return make_run(tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture(scope="session")
def site(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its report."""
    return report(run, tmp_path_factory.mktemp("sites") / "site")


@pytest.fixture(scope="session")
def big_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of 570 short matches between 20 teams, without what seats saw."""
    run = make_run(tmp_path_factory.mktemp("runs") / "big", BIG_TEAMS, matches=570, rules=Rules(match_target=2))
    return report(run, tmp_path_factory.mktemp("sites") / "big", seats=False)


def report(run: Path, folder: Path, *, seats: bool = True) -> Path:
    """Write the report of a run."""
    with Store.open(run) as store:
        write_report(store, folder, viewpoints=VIEWPOINTS if seats else VIEWPOINTS[:1])
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser a module: while it is there, its event loop is the thread's."""
    path = os.environ.get("ARENA_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        give_up("pages are not tested in a browser: there is no chromium here")
    # Chromium refuses its own sandbox to root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def look(browser: Browser) -> Iterator[Looker]:
    """Opens pages; whatever they complain of or ask the network for fails the test."""
    with Looker.over(browser) as looker:
        yield looker
    assert looker.complaints == []
    assert [url for url in looker.requests if not url.startswith(("file:", "data:"))] == []


@pytest.fixture
def browser_without_scripts(browser: Browser) -> Iterator[Looker]:
    """The same with JavaScript switched off."""
    with Looker.over(browser, scripts=False) as looker:
        yield looker


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    if not AXE.is_file():
        give_up("contrast and labels are not tested: there is no axe-core; `npm install --prefix .tools axe-core` gets it")
    return AXE.read_text(encoding="utf-8")


def give_up(reason: str) -> NoReturn:
    """A skip that says why, or a failure where all tools have to be there."""
    if os.environ.get("ARENA_REQUIRE_TOOLS"):
        pytest.fail(reason)
    pytest.skip(reason)
