"""What a chair gives back instead of a move."""

from dataclasses import dataclass
from enum import StrEnum

from arena.rules.moves import Move


class TroubleKind(StrEnum):
    """What happened in a chair; whose fault it is, the referee decides."""

    NO_START = "no_start"
    """No greeting within the start limit: it ended, was refused, or said nothing."""
    ENDED = "ended"
    """The process or its call ended."""
    PROTOCOL = "protocol"
    """It sent what the protocol does not allow; the call was ended for it."""
    LATE = "late"
    """No answer before the deadline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why there is no answer.

    detail: in plain words. exit_status: of the process, negative for a signal, None while it runs. stderr_tail: the last
    lines that the bot wrote there, hostile text of at most 2,000 characters. turn: the number of the turn that was open.
    think_us: how long it was open, in microseconds, when it was late. cpu_seconds: what the bot computed meanwhile, but for the
    first moments, where that is known. is_oom: whether the kernel killed a process of the bot for memory, where that is known.
    """

    kind: TroubleKind
    detail: str
    turn: int | None = None
    think_us: int = 0
    cpu_seconds: float | None = None
    exit_status: int | None = None
    stderr_tail: str = ""
    is_oom: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer in time.

    move: what was sent, legal or not; None when it is no move at all, and `no_move` says what it is. turn: the number that it
    answers. think_us: microseconds from the write of the turn to the arrival of the answer.
    """

    move: Move | None
    no_move: str = ""
    turn: int
    think_us: int

    @property
    def text(self) -> str:
        """What was sent, in words, for a fault's report."""
        return self.no_move if self.move is None else str(self.move)
