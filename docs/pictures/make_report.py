"""Makes the pictures of docs/report.md from a real run, with the system's own Chromium.

    python docs/pictures/make_report.py RUN

RUN: the folder of a run in which somebody pulled after cards were laid. Writes docs/pictures/report-*.webp.
"""

import json
import re
import sys
import tempfile
from pathlib import Path

from chromium import open_browser, save
from playwright.sync_api import Browser

from arena.records.store import Store
from arena.show.web.report import write_report

LAPTOP, PHONE = (1280, 880), (360, 720)


def main() -> None:
    """All pictures."""
    with tempfile.TemporaryDirectory() as scratch, open_browser() as browser:
        site = Path(scratch)
        with Store.open(Path(sys.argv[1])) as store:
            write_report(store, site)
        match, anchor = find_pull(site)
        faulty = max((site / "teams").glob("*.html"), key=lambda path: path.read_text(encoding="utf-8").count('class="kind"'))
        take(browser, site / "index.html", "standings", size=(1280, 1000))
        take(browser, site / "index.html", "standings-dark", size=(1280, 1000), scheme="dark")
        take(browser, site / "index.html", "crosstable", size=(1280, 800), anchor="#crosstable")
        take(browser, faulty, "team", size=(1280, 1000), anchor="#chances")
        take(browser, match, "replay", size=LAPTOP, anchor=anchor)
        seat = match.with_name(f"{match.stem}-seat0.html")
        take(browser, seat, "replay-seat-dark", size=LAPTOP, anchor=anchor, scheme="dark")
        take(browser, site / "index.html", "phone", size=PHONE)
        take(browser, seat, "phone-replay", size=PHONE, anchor=anchor, scheme="dark")


def take(browser: Browser, path: Path, name: str, *, size: tuple[int, int], scheme: str = "light", anchor: str = "") -> None:
    """One picture of a page."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto(path.as_uri() + anchor)
    save(browser, page.screenshot(), f"report-{name}")
    page.close()


def find_pull(site: Path) -> tuple[Path, str]:
    """The page and the address of a pull that sends back as many plays as can be found."""
    found: list[tuple[int, Path, str]] = []
    for path in sorted((site / "matches").glob("*.html")):
        if "seat" in path.name:
            continue
        text = re.search(r'id="match">(.*?)</script>', path.read_text(encoding="utf-8"), re.DOTALL)
        for number, game in enumerate(json.loads(text[1])["games"] if text else [], start=1):
            plays = laid = 0
            for action, *_ in game["steps"]:
                kind = action[1:2]
                if kind == "P" and laid:
                    found.append((laid, path, f"#g{number}m{plays + 1}"))
                plays += kind in tuple("LBDP")
                laid = 0 if kind == "T" else laid + (kind in tuple("LBDP"))
    if not found:
        raise SystemExit("nobody pulled after cards were laid: take another run")
    _, path, anchor = max(found, key=lambda it: it[0])
    return path, anchor


if __name__ == "__main__":
    main()
