"""The base class of Python bots; the methods that may be left out do nothing (B027 would have them abstract)."""

from abc import ABC, abstractmethod

from arena.bot.turn import MatchEnd, MatchStart, Turn
from arena.rules.match import GameResult
from arena.rules.moves import Move


class Bot(ABC):
    """A bot: one method to write, three more that may be.

    An exception that leaves any of them ends the process with a traceback on stderr: a crash, which the referee counts.
    """

    @abstractmethod
    def choose(self, turn: Turn) -> Move:
        """The move to play: one of `turn.legal`. It has `turn.move_ms` plus what it takes from `turn.bank_ms`."""

    def match_start(self, start: MatchStart) -> None:  # noqa: B027
        """A match begins; called again in a new process when the bot was started again in the middle of one."""

    def game_end(self, result: GameResult) -> None:  # noqa: B027
        """A game has ended."""

    def match_end(self, end: MatchEnd) -> None:  # noqa: B027
        """A match has ended; another one may begin."""
