"""The command `arena`: one group, one file a command, and the one place where errors become messages and exit codes."""

import os
import sys
import traceback
from typing import NoReturn

import click

from arena import __version__
from arena.cli.doctor import doctor
from arena.cli.replay import replay
from arena.cli.standings import standings
from arena.cli.tournament import tournament
from arena.errors import EXIT_DONE, EXIT_HOST, EXIT_INTERRUPTED, EXIT_MISTAKE, ArenaError


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 2 a mistake in what was given; 3 the run could not go on, for reasons of ours or the "
    "machine's; 130 interrupted.",
)
@click.version_option(__version__, prog_name="arena", message="%(prog)s %(version)s")
def cli() -> None:
    """Competitions between programs that play Kozel on 4 cards."""


cli.add_command(tournament)
cli.add_command(standings)
cli.add_command(replay)
cli.add_command(doctor)


def main() -> NoReturn:
    """Run the command line and exit with one of the codes above."""
    sys.exit(_run())


def _run() -> int:
    try:
        code = cli.main(prog_name="arena", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else EXIT_DONE
    except ArenaError as error:
        _complain(str(error))
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return EXIT_MISTAKE
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has left, e.g. `| head`: nothing is wrong, and nothing more can be said to them.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_DONE
    except Exception:
        _complain(
            f"{traceback.format_exc()}\nThis is a bug of arena {__version__}, not yours: please report it with the lines above."
        )
        return EXIT_HOST


def _complain(message: str) -> None:
    click.echo(f"arena: {message}", err=True)


if __name__ == "__main__":
    main()
