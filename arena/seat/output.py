"""What a bot writes to stdout or stderr: to a file up to a cap, and the last of it in memory."""

import io
from pathlib import Path

from arena.errors import HostError

TAIL_BYTES = 2000
"""What is kept in memory for reports."""
CAP_NOTE = b"\n[the arena stopped listening: the cap of this log is reached]\n"


class Capture:
    """The log of one stream of a seat; it goes on over the restarts of the bot and keeps its cap.

    Raises HostError when the file cannot be opened.
    """

    def __init__(self, path: Path, *, cap_bytes: int) -> None:
        self._path = path
        self._left = cap_bytes
        self._tail = b""
        self._failure: OSError | None = None
        try:
            self._file: io.FileIO = path.open("ab", buffering=0)
        except OSError as error:
            raise HostError(f"the log {path} could not be opened: {error.strerror}") from error

    @property
    def is_full(self) -> bool:
        """Whether the cap is reached and nothing more is taken."""
        return self._left == 0

    @property
    def tail(self) -> str:
        """The last that was written since `begin`, at most 2,000 bytes, as text; what is not UTF-8 is replaced.

        From a bot: hostile.
        """
        return self._tail.decode("utf-8", "replace")

    def begin(self) -> None:
        """Another process writes from now on: what the last one wrote is no longer the tail."""
        self._tail = b""

    def write(self, data: bytes) -> None:
        """Keep what the cap leaves room for. A file that cannot be written does not show here, but in `check`."""
        kept = data[: self._left]
        if not kept:
            return
        self._left -= len(kept)
        self._tail = (self._tail + kept)[-TAIL_BYTES:]
        self._append(kept)
        if self.is_full:
            self._append(CAP_NOTE)

    def check(self) -> None:
        """Raises HostError when something could not be written to the file: it is called by the event loop, which cannot."""
        if self._failure is not None:
            raise HostError(f"the log {self._path} could not be written: {self._failure.strerror}") from self._failure

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _append(self, data: bytes) -> None:
        try:
            while data and self._failure is None:
                data = data[self._file.write(data) :]
        except OSError as error:
            self._failure = error
