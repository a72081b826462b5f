"""What a bot writes to stdout or stderr: to a file up to a cap, and the last of it in memory."""

from pathlib import Path

TAIL_BYTES = 2000
"""What is kept in memory for reports."""
CAP_NOTE = b"\n[the arena stopped listening: the cap of this log is reached]\n"


class Capture:
    """The log of one stream of a seat; it goes on over the restarts of the bot and keeps its cap."""

    def __init__(self, path: Path, *, cap_bytes: int) -> None:
        self._file = path.open("ab", buffering=0)
        self._left = cap_bytes
        self._tail = b""

    @property
    def is_full(self) -> bool:
        """Whether the cap is reached and nothing more is taken."""
        return self._left == 0

    @property
    def tail(self) -> str:
        """The last of it, at most 2,000 bytes, as text; what is not UTF-8 is replaced. From a bot: hostile."""
        return self._tail.decode("utf-8", "replace")

    def write(self, data: bytes) -> None:
        """Keep what the cap leaves room for."""
        kept = data[: self._left]
        if not kept:
            return
        self._left -= len(kept)
        self._file.write(kept)
        self._tail = (self._tail + kept)[-TAIL_BYTES:]
        if self.is_full:
            self._file.write(CAP_NOTE)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
