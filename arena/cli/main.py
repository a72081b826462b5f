"""The command `arena`: one group, one file a command, and the one place where errors become messages and exit codes."""

import importlib
import signal
import sys
import traceback
from collections.abc import Mapping
from typing import NoReturn

import click

from arena import __version__
from arena.cli.streams import ReaderLeftError, open_streams
from arena.errors import EXIT_DONE, EXIT_HOST, EXIT_INTERRUPTED, EXIT_MISTAKE, ArenaError

COMMANDS: Mapping[str, str] = {
    "tournament": "Play a tournament and print its table.",
    "standings": "Print the table of a run, or export it.",
    "replay": "Print a match of a run, move by move, or send it to a live bot.",
    "report": "Write a run as web pages: standings, teams, every match.",
    "export": "Write a run for a grade book and for programs.",
    "verify": "Check everything that is stored of a run.",
    "new": "Make a new bot that plays already, in the language of your choice.",
    "play": "Play against bots, and with one, in the terminal.",
    "watch": "Watch a match between bots in the terminal.",
    "attach": "Play a match with a program that you start yourself, in a debugger.",
    "check": "Examine a bot: may it play, and if not, why?",
    "submit": "Submit a bot to a contest.",
    "submissions": "List what was submitted to a contest, and what of it plays.",
    "doctor": "Show what this machine offers for isolating bots.",
}
"""Every command, with what `arena --help` says of it. It stands in the module of arena.cli that has its name."""


class _Commands(click.Group):
    """Imports a command when it is called: all that they use takes half a second."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"arena.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 1 a run does not verify; 2 a mistake in what was given; 3 the run could not go on, for reasons "
    "of ours or the machine's; 130 interrupted.",
)
@click.version_option(__version__, prog_name="arena", message="%(prog)s %(version)s")
def cli() -> None:
    """Competitions between programs that play Kozel on 4 cards."""


def main() -> NoReturn:
    """Run the command line and exit with one of the codes above."""
    open_streams()
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        # Ends us as Ctrl-C does.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(_run())


def _run() -> int:
    try:
        code = cli.main(prog_name="arena", standalone_mode=False)
        sys.stdout.flush()
    except ReaderLeftError as error:
        return error.exit_code
    except ArenaError as error:
        _complain(str(error))
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return EXIT_MISTAKE
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted")
        return EXIT_INTERRUPTED
    except Exception:
        _complain(
            f"{traceback.format_exc()}\nThis is a bug of arena {__version__}, not yours: please report it with the lines above."
        )
        return EXIT_HOST
    return code if isinstance(code, int) else EXIT_DONE


def _complain(message: str) -> None:
    click.echo(f"arena: {message}", err=True)


if __name__ == "__main__":
    main()
