"""What happened in a chair, in words for reports and records."""

import signal

from arena.v1 import bot_pb2 as pb

_SHOWN_CARDS = 8
"""Cards of an answer that is no move, in a report: a bot may send thousands."""


def exit_in_words(status: int | None) -> str:
    """What a process that has an exit status did."""
    if status is None or status >= 0:
        return f"exited with status {status}"
    try:
        return f"was ended by signal {-status} ({signal.Signals(-status).name})"
    except ValueError:
        return f"was ended by signal {-status}"


def in_numbers(move: pb.Move) -> str:
    """An answer that is no move, as a bot sent it: the numbers of the protocol's enums."""
    cards = ", ".join(map(str, move.cards[:_SHOWN_CARDS]))
    more = ", ..." if len(move.cards) > _SHOWN_CARDS else ""
    return f"kind {move.kind}, {len(move.cards)} cards: {cards}{more}"
