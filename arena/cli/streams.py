"""Our output streams, made so that the command line knows what became of what it printed."""

import io
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from arena.errors import EXIT_DONE, ArenaError, HostError


class ReaderLeftError(ArenaError):
    """Whoever read our output has left, e.g. `| head`: nothing is wrong, and nothing more can be said to them."""

    exit_code = EXIT_DONE


def open_streams() -> None:
    """Have stdout raise ReaderLeftError or HostError, never OSError, and stderr raise nothing."""
    sys.stdout = _reopened(sys.stdout, _Output)
    sys.stderr = _reopened(sys.stderr, _Messages)


class _Output(io.FileIO):
    """What cannot be written raises an error of its own, so that it is not taken for one of a run's files."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            self._give_up()
            if isinstance(error, BrokenPipeError):
                raise ReaderLeftError("whoever read the output has left") from error
            raise HostError(f"the output cannot be written: {error.strerror}") from error

    def _give_up(self) -> None:
        """Throw away what is still to be written, so that Python does not fail with it once more when it exits."""
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self.fileno())
        os.close(null)


class _Messages(io.FileIO):
    """That nobody can read our messages is no reason to end a run."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def _reopened(stream: TextIO | None, kind: type[io.FileIO]) -> TextIO:
    if stream is None:  # we were started with a closed descriptor
        return Path(os.devnull).open("w", encoding="utf-8")
    raw = kind(stream.fileno(), "w", closefd=False)
    lines = bool(getattr(stream, "line_buffering", True))
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding=stream.encoding, errors=stream.errors, line_buffering=lines)
