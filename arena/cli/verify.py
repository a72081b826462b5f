"""`arena verify RUN`: does every stored match follow from the deals and the moves, and the table from the matches?"""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from arena.records.seal import parse_hash
from arena.records.verify import Difference
from arena.show.console import Printer, open_console
from arena.tournament.verify import Noted, Verified, verify_run

EXIT_DIFFERS = 1
"""It could be read, and something in it is not right."""


def _hash(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    try:
        return None if value is None else parse_hash(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@click.command(
    epilog="Exit codes: 0 all is right; 1 something is not, and the first difference is printed; 2 a mistake in what was "
    "given; 3 the run could not be read to its end, for reasons of ours or the machine's."
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--commitment", metavar="HASH", callback=_hash, help="What was printed before the first deal, as you noted it.")
@click.option("--fingerprint", metavar="HASH", callback=_hash, help="What was printed after the last match, as you noted it.")
@click.pass_context
def verify(context: click.Context, run: Path, *, commitment: str | None, fingerprint: str | None) -> None:
    """Check everything that is stored in RUN, the folder of a run.

    Every game is dealt again from the run's secret and played again through the rules; results, verdicts, faults, numbers and
    the table are worked out again and compared with what is stored. A changed byte is found by its checksum.
    """
    began = time.monotonic()
    with _progress() as on_match:
        found = verify_run(run, Noted(commitment=commitment, fingerprint=fingerprint), on_match=on_match)
    if isinstance(found, Difference):
        _print_difference(run, found)
        context.exit(EXIT_DIFFERS)
    _print_verified(run, found, seconds=time.monotonic() - began)


def _print_verified(run: Path, found: Verified, *, seconds: float) -> None:
    planned = "" if found.matches == found.matches_planned else f" of {found.matches_planned}"
    counts = f"{found.matches}{planned} matches, {found.games} games, {found.decisions} decisions"
    _print(f"{run}: all is right: {counts} in {seconds:.1f} s.")
    _print(f"Deals: committed to {found.commitment}")
    if found.secret is None:
        _print("The secret of the deals is shown when the run is finished.")
    else:
        _print(f"Secret of the deals: {found.secret.hex()}")
        _print(f"Fingerprint of the run: {found.fingerprint}")


def _print_difference(run: Path, found: Difference) -> None:
    places = (("match", found.match), ("game", found.game), ("decision", found.decision))
    place = ", ".join(f"{name} {number}" for name, number in places if number is not None)
    _print(f"{run} does not verify. The first difference{f', in {place}' if place else ''}:")
    _print(f"  what    {found.what}")
    _print(f"  stored  {found.stored}")
    _print(f"  right   {found.right}")


def _print(line: str) -> None:
    console = open_console(sys.stdout)
    console.print(Printer(console.encoding).whole(line), soft_wrap=True)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Tells a terminal how far it is."""
    console = open_console(sys.stderr)
    with contextlib.ExitStack() as stack:
        status = stack.enter_context(console.status("Verifying ...")) if console.is_terminal else None

        def on_match(done: int, total: int) -> None:
            if status is not None:
                status.update(f"Verifying: {done} of {total} matches ...")

        yield on_match
