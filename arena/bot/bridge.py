"""Stands between the referee and a program that knows no gRPC: a JSON line on its stdin, a JSON line from its stdout.

    python -m arena.bot.bridge -- PROGRAM ARGUMENTS...

docs/protocol.md says what the lines are. A program that does not keep to it is ended, and the bridge exits with a line on
stderr that says why: to the referee that is a crash.
"""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from google.protobuf.message import Message

from arena.bot.call import leave, log, play
from arena.v1 import bot_pb2 as pb
from arena.wire.encode import PROTOCOL_VERSIONS

MAX_LINE_BYTES = 64 * 1024
"""The longest line that a program may write, its end included; the same as for a message over gRPC."""
EXIT_PROGRAM = 4
"""The exit code when the program is to blame."""

_KINDS = {name: number for name, number in pb.MoveKind.items() if number}
_CARDS = {name: number for name, number in pb.Card.items() if number}
_MAX_UINT32 = 2**32 - 1
_SHOWN_BYTES = 120
_GRACE_SECONDS = 0.5
"""How long a program may take to exit once its stdin is closed."""
_OURS = ("ARENA_ADDRESS", "ARENA_TOKEN")
"""What the program does not inherit: there is one call for a seat, and the bridge has it."""


class ProgramError(Exception):
    """The program behind the bridge has ended or did what it must not; the text is for its author."""


class Program:
    """The program, running. Its stderr is the bridge's own."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it. Raises ProgramError when it cannot be run."""
        environment = {name: value for name, value in os.environ.items() if name not in _OURS}
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        except (OSError, ValueError) as error:  # ValueError: a NUL in a word
            raise ProgramError(f"{command[0]} cannot be run: {getattr(error, 'strerror', None) or error}") from None
        # A program that writes on and on waits here, and not in our memory.
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=1)
        threading.Thread(target=self._read, daemon=True).start()

    def tell(self, message: pb.RefereeMessage) -> None:
        """Write a message as a line. Waits while the program does not read. Raises ProgramError when it has ended."""
        stdin = self._process.stdin
        try:
            stdin.write(line_of(message))  # type: ignore[union-attr]
            stdin.flush()  # type: ignore[union-attr]
        except OSError:
            raise ProgramError(f"it {self._end()}") from None

    def ask(self, message: pb.RefereeMessage) -> pb.BotMessage:
        """Write a turn and wait for the answer; the referee has the clock. Raises ProgramError when there will be none."""
        self._check_silence()
        self.tell(message)
        line = self._lines.get()
        if not line:
            raise ProgramError(f"it {self._end()} and did not answer turn {message.turn.number}")
        try:
            return pb.BotMessage(answer=parse_answer(line, message.turn.number))
        except ValueError as error:
            raise ProgramError(f"its answer to turn {message.turn.number} {error}: {_shown(line)}") from None

    def close(self) -> None:
        """Close its stdin, and end it when it does not go by itself."""
        with contextlib.suppress(OSError):  # it was gone before it had read everything
            self._process.stdin.close()  # type: ignore[union-attr]
        try:
            self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it now."""
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        """Runs in a thread: what the program writes, line by line, an empty one at its end."""
        line = b"\n"
        while line.endswith(b"\n"):
            line = self._process.stdout.readline(MAX_LINE_BYTES + 1)  # type: ignore[union-attr]
            self._lines.put(line)
        self._lines.put(b"")

    def _check_silence(self) -> None:
        """Before a turn nothing can have been said: else every later answer would be taken for that of another turn."""
        try:
            line = self._lines.get_nowait()
        except queue.Empty:
            return
        if line:
            raise ProgramError(f"it wrote a line that nothing had asked for: {_shown(line)}")
        raise ProgramError(f"it {self._end()}")

    def _end(self) -> str:
        """What became of a program that does not talk any more."""
        try:
            status = self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its stdin or stdout"
        return f"exited with status {status}" if status >= 0 else f"was ended by signal {-status}"


def line_of(message: pb.RefereeMessage) -> bytes:
    """A message as a line: protobuf's JSON mapping, ASCII, without spaces, with all fields in the order of the proto.

    Only fields that know whether they are set are left out when they are not.
    """
    return json.dumps(_object_of(message), separators=(",", ":")).encode() + b"\n"


def _object_of(message: Message) -> dict[str, object]:
    # By hand, since protobuf's own printer puts fields that are 0 behind all others: no place to look for them in a text.
    return {
        field.json_name: _value_of(field, getattr(message, field.name))
        for field in message.DESCRIPTOR.fields
        if not field.has_presence or message.HasField(field.name)
    }


def _value_of(field: Any, value: Any) -> object:
    """The JSON of a value; field: its descriptor, of which protobuf has two classes."""
    if field.is_repeated:
        return [_single_of(field, entry) for entry in value]
    return _single_of(field, value)


def _single_of(field: Any, value: Any) -> object:
    if field.message_type is not None:
        return _object_of(value)
    if field.enum_type is not None and value in (names := field.enum_type.values_by_number):
        return names[value].name
    return value  # a text, a truth value, or a number of 32 bits


def parse_answer(line: bytes, turn: int) -> pb.Answer:
    """The answer in a line that a program wrote: the JSON of a Move, for this turn, or of an Answer. Hostile.

    Whether the move is legal, the referee decides. Raises ValueError, in words that go on after "its answer", for
    everything else than one whole line with such an object.
    """
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"is longer than {MAX_LINE_BYTES:,} bytes")
    if not line.endswith(b"\n"):
        raise ValueError("has no end of line")
    try:
        value = json.loads(line.decode(), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"is no JSON ({error})") from None
    if not isinstance(value, dict) or not ({"kind", "move"} & value.keys()):
        raise ValueError('is neither a Move {"kind": ..., "cards": [...]} nor an Answer {"turn": ..., "move": {...}}')
    if "move" not in value:
        return pb.Answer(turn=turn, move=_parse_move(value))
    _check_keys(value, ("turn", "move"))
    turn = value.get("turn", turn)
    if type(turn) is not int or not 0 <= turn <= _MAX_UINT32:
        raise ValueError("has a turn that is not the number of one")
    return pb.Answer(turn=turn, move=_parse_move(value["move"]))


def _parse_move(value: object) -> pb.Move:
    # By hand, since protobuf's own parser takes true for 1 and 1.5 as well, and stumbles over half a character.
    if not isinstance(value, dict):
        raise ValueError("has a move that is no object")
    _check_keys(value, ("kind", "cards"))
    cards = value.get("cards", [])
    if not isinstance(cards, list):
        raise ValueError("has cards that are no list")
    kind = _parse_enum(value.get("kind"), _KINDS, "kind of move")
    return pb.Move(kind=kind, cards=[_parse_enum(card, _CARDS, "card") for card in cards])  # type: ignore[arg-type,misc]


def _parse_enum(value: object, numbers: dict[str, int], what: str) -> int:
    """The number of an enum's value, which is given by its name or its number."""
    if isinstance(value, str) and value in numbers:
        return numbers[value]
    if type(value) is int and value in numbers.values():
        return value
    raise ValueError(f"has an unknown {what}: {str(value)[:_SHOWN_BYTES]!a}")


def _check_keys(value: dict[str, object], known: tuple[str, str]) -> None:
    for key in value:
        if key not in known:
            raise ValueError(f"has the key {json.dumps(key)[:_SHOWN_BYTES]} beside {known[0]} and {known[1]}")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key is given twice")
    return value


def _shown(line: bytes) -> str:
    """What the program wrote, on one line, ASCII, and cut."""
    text = json.dumps(line[:_SHOWN_BYTES].decode("utf-8", "replace").rstrip("\r\n"))[:_SHOWN_BYTES]
    return text + ("..." if len(line) > _SHOWN_BYTES else "")


def _react(program: Program, message: pb.RefereeMessage) -> pb.BotMessage | None:
    if message.HasField("turn"):
        return program.ask(message)
    program.tell(message)
    return None


def run(command: Sequence[str]) -> int:
    """Play with a program until the referee ends the call; the exit code."""
    try:
        program = Program(command)
    except ProgramError as error:
        log(f"the program behind the bridge: {error}")
        return EXIT_PROGRAM
    hello = pb.Hello(versions=PROTOCOL_VERSIONS, name=Path(command[0]).name, language="stdio")
    try:
        code = play(hello, lambda message: _react(program, message))
        program.close()
    except ProgramError as error:
        log(f"the program behind the bridge: {error}")
        code = EXIT_PROGRAM
    finally:
        program.kill()
    return code


def main() -> NoReturn:
    """The program behind `python -m`."""
    words = sys.argv[1:]
    if len(words) < 2 or words[0] != "--":
        log("usage: python -m arena.bot.bridge -- PROGRAM ARGUMENTS...")
        leave(2)
    leave(run(words[1:]))


if __name__ == "__main__":
    main()
