"""Makes the picture of docs/live.md from a real tournament, with the system's own Chromium.

    python docs/pictures/make_live.py FILE

FILE: a tournament file. It is played until a third of its matches is over. Writes docs/pictures/live.webp.
"""

import base64
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent
TO_WEBP = """async png => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.85).split(",")[1];
}"""
"""The browser can write what is half the size of a PNG."""
SIZE = (1280, 760)
A_THIRD = """() => {
    const bar = document.querySelector("progress");
    return bar && bar.value * 3 >= bar.max && document.querySelector(".pairing");
}"""


def main() -> None:
    """The picture."""
    with tempfile.TemporaryDirectory() as scratch:
        arena = Path(sys.executable).with_name("arena")
        command = [arena, "tournament", sys.argv[1], "--run", Path(scratch, "run"), "--live"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as runner:
            url = next(found[1] for line in runner.stderr or () if (found := re.search(r"Live: (\S+)", line)))
            take(url)
            runner.send_signal(signal.SIGINT)
            runner.communicate()


def take(url: str) -> None:
    """The picture of the page, when a third is played."""
    with sync_playwright() as playwright:
        # Chromium refuses its own sandbox to root.
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, reduced_motion="reduce")
        page.goto(url)
        page.wait_for_function(A_THIRD, timeout=0)
        png = base64.b64encode(page.screenshot()).decode()
        # The page itself loads no pictures from elsewhere and so none from us.
        webp = browser.new_page().evaluate(TO_WEBP, png)
        (FOLDER / "live.webp").write_bytes(base64.b64decode(webp))
        browser.close()


if __name__ == "__main__":
    main()
