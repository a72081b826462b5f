"""`arena new DIR --lang LANGUAGE`: a new bot, from the kit for its language."""

import shlex
from pathlib import Path

import click

from arena.check.kits import KITS, copy_kit, find_kits, offered_languages, rename
from arena.errors import HostError, UserError
from arena.seat.yaml_model import clean_text, listed

_MAX_NAME = 64


def _parse_language(context: click.Context, parameter: click.Parameter, value: str | None) -> str:
    offered = offered_languages()
    if value is None:
        raise click.MissingParameter(f"There are kits for {listed(offered, 'and')}.", context, parameter)
    if value not in offered:
        raise click.BadParameter(f"there is no kit for {value!r} here; there are {listed(offered, 'and')}", context, parameter)
    return value


@click.command(epilog=f"Languages: {', '.join(KITS)}.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--lang", "language", metavar="LANGUAGE", callback=_parse_language, help="Of the bot; see below.  [required]")
def new(folder: Path, *, language: str) -> None:
    """Make a bot in the new folder DIR that plays already, to go on from.

    The bot is called as the folder.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder}: is there already and is not an empty folder; name another one")
    try:
        name = clean_text(folder.resolve().name)[:_MAX_NAME]
    except ValueError as error:
        raise UserError(f"{folder}: cannot be the name of a bot: it {error}") from None
    try:
        copy_kit(find_kits() / KITS[language], folder)
        rename(folder, name)
    except OSError as error:
        raise HostError(f"{folder}: cannot be made: {error.strerror or error}") from error
    where = shlex.quote(str(folder))
    click.echo(f"{_strategy(folder)} decides what it plays: change that.")
    click.echo(f"Examine it:  arena check {where}")
    click.echo(f"Submit it:   arena submit {where} --to CONTEST --team NAME")


def _strategy(folder: Path) -> Path:
    """The file that its author will want to open first."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    found = [path for path in files if path.stem.lower() == "strategy"] or [path for path in files if path.stem == "main"]
    sources = [path for path in found if path.suffix not in (".h", ".hpp")]
    return (sources or found or [folder / "bot.yaml"])[0]
