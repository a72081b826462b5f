"""A seat for a person at the screen: the referee asks it as it asks a bot, and no clock runs."""

import asyncio
from collections.abc import Sequence

from arena.errors import HostError
from arena.play.feed import Feed, ask
from arena.rules.cards import Seat, Team
from arena.rules.match import GameResult, MatchScore
from arena.rules.moves import Move, MoveCode
from arena.rules.options import Rules, TimeControl
from arena.rules.view import View
from arena.seat.clock import Clock
from arena.seat.connection import Ended
from arena.seat.dialogue import Dialogue
from arena.seat.trouble import Reply, Trouble, TroubleKind


class Person(Dialogue):
    """Puts the referee's questions on the feed and waits for the answers, as long as it takes.

    What else happens comes to the screen from an observer, with the same view: a person wants to see every play, and a seat
    is asked in its own turns only.
    """

    def __init__(self, seat: Seat, *, feed: Feed) -> None:
        super().__init__(seat, first_turn_ms=0)
        self._feed = feed

    @property
    def is_ready(self) -> bool:
        """Always."""
        return True

    async def start(self) -> Trouble | None:
        """A person is there already."""
        return None

    async def end(self) -> None:
        """Nothing runs that could be ended."""

    async def begin_match(self, *, teams: tuple[str, str], rules: Rules, time: TimeControl, clock: Clock | None = None) -> None:
        """The screen knows the match."""

    async def ask(self, legal: Sequence[MoveCode], *, view: View, score: MatchScore) -> Reply | Trouble:
        """The answer of the person, one of the legal moves."""
        loop = asyncio.get_running_loop()
        self._number += 1
        asked_at = loop.time()
        move = await ask(self._feed, legal)
        return Reply(move=move, turn=self._number, think_us=round((loop.time() - asked_at) * 1_000_000))

    async def tell_fault(self, reason: str, *, played: Move, faults: int, max_faults: int) -> None:
        """Raise HostError: the screen sends nothing but legal moves."""
        raise HostError(f"the move of the person could not be used: {reason}")

    async def tell_game(self, result: GameResult) -> None:
        """The screen knows."""

    async def tell_match(self, defeat_points: tuple[int, int], *, loser: Team | None, forfeited: tuple[Team, ...]) -> None:
        """The screen knows."""

    async def _ended(self, ended: Ended) -> Trouble:
        return self._trouble(TroubleKind.ENDED, ended.detail)

    def _trouble(self, kind: TroubleKind, detail: str, *, turn: int | None = None, think_us: int = 0) -> Trouble:
        return Trouble(kind=kind, detail=detail, turn=turn, think_us=think_us)
