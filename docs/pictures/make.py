"""Makes the pictures of the documentation from a real run.

    python docs/pictures/make.py RUN

RUN: the folder of a finished run, such as runs/quick. Writes docs/pictures/leaderboard.svg.
"""

import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from arena.records.store import Store
from arena.show.leaderboard import print_leaderboard, read_leaderboard

FOLDER = Path(__file__).parent


def main() -> None:
    """The leaderboard as a terminal of 80 columns shows it."""
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True)
    with Store.open(Path(sys.argv[1])) as store:
        print_leaderboard(read_leaderboard(store), console)
    svg = console.export_svg(title="arena standings", theme=MONOKAI)
    # The page must not load fonts from elsewhere: any monospaced one will do.
    svg = re.sub(r"@font-face\s*\{.*?\}\s*", "", svg, flags=re.DOTALL)
    (FOLDER / "leaderboard.svg").write_text(re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE), encoding="utf-8")


if __name__ == "__main__":
    main()
