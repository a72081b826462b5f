"""Commands that a test runs inside a tier, without a chair."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.seat.isolation.cage import Cage, Isolation, make_reachable
from arena.seat.isolation.wrapper import Place


@dataclass(frozen=True)
class Outcome:
    """status: as the cage tells it, negative for a signal. out, err: what was printed."""

    status: int | None
    out: str
    err: str


def run_inside(isolation: Isolation, command: Sequence[str], root: Path, *, bot: Path | None = None) -> Outcome:
    """Run a command as a bot would be run. root: a folder that others may pass through. bot: the bot's, else an empty one."""
    home = Path(tempfile.mkdtemp(dir=root))
    make_reachable(home)
    place = Place(bot=bot or home / "bot", seat=home / "seat")
    for folder in {place.bot, place.seat}:
        folder.mkdir(exist_ok=True)
    cage = Cage(isolation, place)
    try:
        launch = cage.launch(command, {"PATH": "/usr/bin:/bin"})
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            with subprocess.Popen(
                launch.command,
                cwd=launch.folder,
                env=launch.environment,
                pass_fds=launch.inherited,
                stdin=subprocess.PIPE if launch.holds_stdin else subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            ) as process:
                status = process.wait(60)
            out.seek(0)
            err.seek(0)
            return Outcome(cage.exit_status(status), out.read().decode(), err.read().decode())
    finally:
        cage.close()


def run_python(isolation: Isolation, source: str, root: Path) -> str:
    """What a piece of Python prints inside. It must end well."""
    outcome = run_inside(isolation, (sys.executable, "-c", source), root)
    assert outcome.status == 0, outcome.err
    return outcome.out
