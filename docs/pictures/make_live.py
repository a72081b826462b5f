"""Makes the picture of docs/live.md from a real tournament, with the system's own Chromium.

    python docs/pictures/make_live.py FILE

FILE: a tournament file. It is played until a third of its matches is over. Writes docs/pictures/live.webp.
"""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from chromium import open_browser, save

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
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, reduced_motion="reduce")
        page.goto(url)
        page.wait_for_function(A_THIRD, timeout=0)
        save(browser, page.screenshot(), "live")


if __name__ == "__main__":
    main()
