"""A submitter as a process of its own: `python submitter.py BOT CONTEST TEAM WHEN COUNT UID`; begins when its stdin says so.

WHEN: `finish` submits COUNT times. With anything else it is killed: when the files were `copied` but have no place yet, when
the bot is being `examined`, or when its report was `reported`. UID: of the user to be, empty for the same.
"""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.contest.store import new_submission
from arena.seat.manifest import load_manifest

WALK = os.fwalk


def die() -> None:
    """As a machine that is switched off does it."""
    os.kill(os.getpid(), signal.SIGKILL)


def walk_and_die(*arguments: Any, **options: Any) -> Iterator[Any]:
    """Every folder, and no further."""
    yield from WALK(*arguments, **options)
    die()


def main() -> None:
    bot, contest, team, when, count, uid = sys.argv[1:]
    sys.stdin.readline()
    if uid:
        load_manifest(Path(bot))  # imports what the other user may not be able to read
        os.setgroups([])
        os.setgid(int(uid))
        os.setuid(int(uid))
        os.umask(0o077)
    if when == "copied":
        os.fwalk = walk_and_die  # type: ignore[assignment]
    for _ in range(int(count)):
        with new_submission(Path(bot), contest=Path(contest), team=team, submitter="anna") as pending:
            if when == "examined":
                die()
            if when == "reported":
                (pending.built.parent / "report.json").write_text("{}")
                (pending.built.parent / "submission.new").write_text('{"format": 1')
                die()
            pending.finish(is_valid=True, report="{}\n")


main()
