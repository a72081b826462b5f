"""The report as people see it: on a phone, in the dark, on paper, with a screen reader, and big ones at once."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from arena.show.web.report import team_links
from tests.show.web.looking import LAPTOP, PHONE, Looker
from tests.show.web.runs import SCRIPT, TEAMS

HEBREW, ARABIC = TEAMS[2], TEAMS[4]
PAGES = ("index.html", "matches.html", team_links(TEAMS)[SCRIPT], "matches/41.html", "matches/41-seat2.html")
LOAD_MS = 2000
PATIENCE = 3
"""How many times longer a loaded machine may take."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_contrast_and_labels(site: Path, look: Looker, axe: str, name: str, scheme: str) -> None:
    for size in (LAPTOP, PHONE):
        page = look.at(site / name, "#g10m3" if "/41" in name else "", size=size, scheme=scheme)
        page.evaluate(axe)
        # Without preload it fetches nothing itself.
        result = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
        assert result["passes"], "nothing was looked at"
        problems = [
            f"{it['id']}: {node['target']} {node.get('failureSummary', '')}"
            for it in result["violations"]
            for node in it["nodes"]
        ]
        assert problems == []


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_needs_no_scrolling_sideways(site: Path, look: Looker, name: str) -> None:
    page = look.at(site / name, size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    expect(page.locator("h1")).to_be_visible()


def test_the_table_fits_on_a_phone(site: Path, look: Looker) -> None:
    page = look.at(site / "index.html", size=PHONE)
    box = page.locator("table.standings").bounding_box()
    assert box is not None
    assert box["width"] <= PHONE[0]


def test_dark_is_dark(site: Path, look: Looker) -> None:
    def shade(scheme: str) -> int:
        page = look.at(site / "index.html", scheme=scheme)
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(int(part) for part in colour[4:-1].split(","))

    assert shade("dark") < 150
    assert shade("light") > 700


def test_a_team_called_script_is_a_name(site: Path, look: Looker) -> None:
    page = look.at(site / "index.html")
    page.get_by_role("link", name=SCRIPT).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(SCRIPT)
    page.get_by_role("link", name="Replay of match 1", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(SCRIPT)
    expect(page.locator(".pile-1 strong")).to_have_text(SCRIPT)


@pytest.mark.parametrize("name", [HEBREW, ARABIC])
def test_a_name_from_right_to_left_keeps_to_itself(site: Path, look: Looker, name: str) -> None:
    page = look.at(site / "index.html")
    row = page.locator("table.standings tbody tr").filter(has_text=name)
    direction = row.locator("bdi").evaluate("it => getComputedStyle(it).direction")
    assert direction == "rtl"
    rank, figures = row.locator("td.rank").bounding_box(), row.locator("td").last.bounding_box()
    label = row.locator("bdi").bounding_box()
    assert rank
    assert label
    assert figures
    assert rank["x"] < label["x"] < figures["x"]
    row.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_on_paper_there_is_everything_and_nothing_to_click(site: Path, look: Looker) -> None:
    page = look.at(site / "index.html", size=PHONE, scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.get_by_role("navigation")).to_be_hidden()
    for heading in page.locator("table.standings thead th").all():
        expect(heading).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page = look.at(site / "matches" / "1.html")
    page.emulate_media(media="print")
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator(".board")).to_be_visible()


def test_without_scripts_the_page_says_what_is_missing(site: Path, browser_without_scripts: Looker) -> None:
    page = browser_without_scripts.at(site / "matches" / "1.html")
    expect(page.get_by_text("needs JavaScript")).to_be_visible()
    page = browser_without_scripts.at(site / "index.html")
    expect(page.locator("table.standings")).to_be_visible()


@pytest.mark.parametrize("name", ["index.html", "matches.html", "teams/1.html", "matches/500.html"])
def test_a_report_of_500_matches_is_there_at_once(big_site: Path, look: Looker, name: str) -> None:
    assert len(list((big_site / "matches").iterdir())) > 500
    page = look.at(big_site / name)
    page.wait_for_load_state("load")
    took = page.evaluate("performance.getEntriesByType('navigation')[0].duration")
    assert 0 < took < LOAD_MS * PATIENCE
    expect(page.get_by_role("heading", level=1)).to_be_visible()
