"""A bot's manifest: what is in `bot.yaml`, the file that makes a folder a bot. Everything in it comes from the bot's author."""

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from arena.errors import ConfigError
from arena.seat.yaml_file import Document, Problem, printable, problems_error, quoted, read_document
from arena.seat.yaml_model import EXPECTED, Section, check_document, clean_text, nearest, shown, suggestion

FILE_NAME = "bot.yaml"
PYTHON = "python"
"""As the first word of a command: the interpreter that runs the framework, so that the bot finds the same packages."""
BRIDGE = (sys.executable, "-P", "-m", "arena.bot.bridge", "--")
"""What stands before the command of a bot that talks JSON lines; -P: its folder cannot have modules that we would import."""
MAX_COMMANDS = 20
MAX_WORDS = 200
ENTRIES = ("run", "run_stdio")
"""The keys that start a bot; it has one of them."""
COMMAND_IN_WORDS = "a command: a list of words such as [python, main.py]"

Command: TypeAlias = tuple[str, ...]
"""A program and its arguments, which no shell looks at."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A bot that can be started.

    folder: absolute, where the commands run. name, language: for people; language is empty when it was not given.
    build: commands that make the bot, in order. run: the command that starts it. Both as the author wrote them.
    is_stdio: it talks JSON lines, so that our bridge stands before it (`run_stdio` instead of `run`).
    """

    folder: Path
    name: str
    language: str
    build: tuple[Command, ...]
    run: Command
    is_stdio: bool = False

    @property
    def command(self) -> Command:
        """`run` as it is to be executed, behind the bridge when it needs one."""
        return (*BRIDGE, *_executable(self.run)) if self.is_stdio else _executable(self.run)

    @property
    def build_commands(self) -> tuple[Command, ...]:
        """`build` as it is to be executed."""
        return tuple(_executable(command) for command in self.build)


def _executable(command: Command) -> Command:
    return (sys.executable, *command[1:]) if command[0] == PYTHON else command


def _find(folder: Path, path: Path) -> None:
    shown_folder = printable(str(folder))
    try:
        if not folder.is_dir():
            if folder.exists():
                raise ConfigError(f"{shown_folder}: is no folder; a bot is a folder with a {FILE_NAME} in it")
            siblings = [entry.name for entry in folder.parent.iterdir() if entry.is_dir()] if folder.parent.is_dir() else []
            raise ConfigError(f"{shown_folder}: there is no such folder{suggestion(folder.name, siblings)}")
        if not path.exists():
            names = [entry.name for entry in folder.iterdir()]
            raise ConfigError(f"{shown_folder}: there is no {FILE_NAME} in this folder{suggestion(FILE_NAME, names)}")
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise ConfigError(f"{shown_folder}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _parse_command(value: object, name: str = "") -> Command:
    """A command from the YAML value of `run`, or of one command of `build`. Raises ValueError with the words for the author."""
    if isinstance(value, str):
        try:
            value = shlex.split(value)
        except ValueError as error:  # a quotation without an end
            raise ValueError(f"{name}cannot be split into words: {str(error).lower()}; write a list of words") from None
    if not isinstance(value, list):
        raise ValueError(f"{name}must be a list of words such as [python, main.py], not {shown(value)}")
    words: list[str] = []
    for index, word in enumerate(value):
        if not isinstance(word, str):
            raise ValueError(f"{name}word {index + 1} must be text, not {shown(word)}; put it in quotes")
        words.append(word)
    if not words or not words[0]:
        raise ValueError(f"{name}has no program; it must be a list of words such as [python, main.py]")
    if len(words) > MAX_WORDS:
        raise ValueError(f"{name}has {len(words)} words; at most {MAX_WORDS} are allowed")
    if len(parts := words[0].split()) > 1:
        apart = printable(", ".join(parts)[:60])
        raise ValueError(f"{name}the program {quoted(words[0])} has a space in it; write one word an entry: [{apart}]")
    return tuple(words)


def _parse_build(value: object) -> tuple[Command, ...]:
    """The commands of `build`: one command, or a list in which at least one entry is a list. Raises ValueError as above."""
    if not isinstance(value, list):
        return (_parse_command(value),)
    if not any(isinstance(entry, list) for entry in value):
        return (_parse_command(value),) if value else ()
    if len(value) > MAX_COMMANDS:
        raise ValueError(f"has {len(value)} commands; at most {MAX_COMMANDS} are allowed")
    return tuple(_parse_command(entry, f"command {index + 1}: ") for index, entry in enumerate(value))


Entry: TypeAlias = Annotated[Command, BeforeValidator(_parse_command), WithJsonSchema({EXPECTED: COMMAND_IN_WORDS})]


class ManifestFile(Section):
    """The keys of `bot.yaml`."""

    name: Annotated[str, Field(min_length=1, max_length=64), AfterValidator(clean_text)]
    language: Annotated[str, Field(min_length=1, max_length=64), AfterValidator(clean_text)] = ""
    build: Annotated[
        tuple[Command, ...],
        BeforeValidator(_parse_build),
        WithJsonSchema({EXPECTED: "a command, or a list of commands such as [[make], [make, install]]"}),
    ] = ()
    run: Entry = ()
    run_stdio: Entry = ()


def _iter_entry_problems(document: Document) -> Iterator[Problem]:
    """A problem when there is not exactly one of the two commands that start a bot; none for one that was misspelt."""
    keys = document.value.keys() if isinstance(document.value, dict) else ENTRIES
    given = [key for key in ENTRIES if key in keys]
    known = ManifestFile.model_fields
    if len(given) > 1:
        yield document.problem((given[1],), f"is given beside {given[0]}; a bot has one of the two")
    elif not given and not any(nearest(key, known) in ENTRIES for key in keys if key not in known):
        yield document.problem(("run",), f"is missing, and so is run_stdio; one of them must be {COMMAND_IN_WORDS}")


def load_manifest(folder: Path) -> Manifest:
    """Read and check `folder/bot.yaml`.

    Raises ConfigError, with a line for every problem, for a folder or a file that is missing or wrong.
    """
    path = folder / FILE_NAME
    _find(folder, path)
    document = read_document(path)
    file, problems = check_document(document, ManifestFile)
    problems += _iter_entry_problems(document)
    if file is None or problems:
        raise problems_error(path, problems)
    is_stdio = bool(file.run_stdio)
    return Manifest(folder.resolve(), file.name, file.language, file.build, file.run_stdio or file.run, is_stdio)
