"""Pages opened in a browser, and what is read off them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Browser, BrowserContext, Page

PHONE = (360, 740)
LAPTOP = (1280, 900)

_STEP_THROUGH = """() => {
    const place = name => document.querySelector(`[data-seat="${name}"] .hand`);
    const names = element => Array.from(element.querySelectorAll(".card")).map(it => it.getAttribute("aria-label"));
    const step = () => document.querySelector("#moves [aria-current]").dataset.step;
    const moment = () => document.getElementById("game").value + "." + step();
    const found = [];
    for (let n = 0; n < 100000; n++) {
        found.push({
            status: document.getElementById("status").textContent,
            game: Number(document.getElementById("game").value),
            hands: Object.fromEntries(["bottom", "left", "top", "right"].map(it => [it, names(place(it))])),
            shown: names(document.querySelector(".board")),
            minis: Array.from(document.querySelectorAll("main .mini")).map(it => it.textContent),
        });
        const before = moment();
        document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
        if (moment() === before) break;
    }
    return found;
}"""


class Looker:
    """Opens pages and keeps what they complain of and what they ask for."""

    def __init__(self, browser: Browser, *, scripts: bool = True) -> None:
        self._browser = browser
        self._scripts = scripts
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.requests: list[str] = []

    @classmethod
    @contextmanager
    def over(cls, browser: Browser, *, scripts: bool = True) -> Iterator[Self]:
        """With its contexts closed at the end."""
        looker = cls(browser, scripts=scripts)
        yield looker
        for context in looker._contexts:
            context.close()

    def at(self, path: Path, anchor: str = "", *, size: tuple[int, int] = LAPTOP, scheme: str = "light") -> Page:
        """A page from the disk, loaded."""
        return self.open(path.absolute().as_uri() + anchor, size=size, scheme=scheme)

    def open(self, url: str, *, size: tuple[int, int] = LAPTOP, scheme: str = "light") -> Page:
        """A page from anywhere, loaded."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            java_script_enabled=self._scripts,
        )
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(url)
        return page


def step_through(page: Page) -> list[dict[str, Any]]:
    """What stands on a replay page at every step from here to the end of the match.

    hands: names of the cards by place. shown: all cards on the board. minis: all cards in texts, as `10 of hearts`.
    """
    found: list[dict[str, Any]] = page.evaluate(_STEP_THROUGH)
    return found
