"""What the scripts beside it share: the system's Chromium, and pictures that are small."""

import base64
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).parent
_TO_WEBP = """async png => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.85).split(",")[1];
}"""
"""The browser can write what is half the size of a PNG."""


@contextmanager
def open_browser() -> Iterator[Browser]:
    """The system's own Chromium; it refuses its own sandbox to root."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


def save(browser: Browser, png: bytes, name: str) -> None:
    """Write a screenshot as docs/pictures/NAME.webp."""
    page = browser.new_page()  # the pages in the pictures load nothing from elsewhere, and so nothing from us
    encoded = page.evaluate(_TO_WEBP, base64.b64encode(png).decode())
    (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(encoded))
