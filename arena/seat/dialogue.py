"""What is said between the referee and one bot over its call, and the time that it takes: the same whoever started the bot.

Everything that goes wrong on the bot's side comes back as a `Trouble`; what is ours or the machine's is raised as HostError.
"""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from arena.errors import HostError, OverloadError
from arena.rules.cards import Seat, Team
from arena.rules.match import GameResult, MatchScore
from arena.rules.moves import Move, MoveCode
from arena.rules.options import Rules, TimeControl
from arena.rules.view import View
from arena.seat.clock import Clock
from arena.seat.connection import Arrived, Connection, Ended
from arena.seat.isolation.cage import Cage
from arena.seat.trouble import Reply, Trouble, TroubleKind
from arena.seat.watch import Delay, Watch
from arena.seat.words import in_numbers
from arena.v1 import bot_pb2 as pb
from arena.wire.decode import decode_answered
from arena.wire.encode import TurnEncoder, encode_fault, encode_game_result, encode_match_result, encode_match_start

MAX_SOCKET_PATH = 103
"""Bytes in the path of a Unix socket: 103 on some systems, 107 on others."""
_TELL_SECONDS = 0.5
"""How long a message may wait for a bot that does not read, a turn beyond its deadline."""


class Dialogue(ABC):
    """One seat's bot over any number of matches, once its call is open: asks it and tells it.

    first_turn_ms: what the first turn of a call has on top. Whoever inherits opens `_connection`.
    """

    def __init__(self, seat: Seat, *, first_turn_ms: int) -> None:
        self.seat = seat
        self._first_turn_ms = first_turn_ms
        self._connection: Connection
        self._encoder = TurnEncoder()
        self._number = 0
        self._is_stuck = False
        self._clock = Clock(TimeControl(move_ms=1, bank_ms=0, max_faults=1))
        self._others: Sequence[Dialogue] = ()

    @property
    def is_ready(self) -> bool:
        """Whether the bot has greeted, its call goes on, and it answered the last turn that it was asked."""
        return self._connection.is_open and not self._is_stuck

    @abstractmethod
    async def start(self) -> Trouble | None:
        """Have a bot with a new call, after ending the one that may run; None when it is ready."""

    @abstractmethod
    async def end(self) -> None:
        """End the bot, if one runs. `start` may start another one."""

    def sit_with(self, others: "Sequence[Dialogue]") -> None:
        """These are the other seats of the table: what their bots use of the processors is no fault of the machine's."""
        self._others = others

    async def begin_match(self, *, teams: tuple[str, str], rules: Rules, time: TimeControl, clock: Clock | None = None) -> None:
        """Set the clock and tell the bot that a match begins. clock: another one than `time` makes."""
        self._clock = clock or self._new_clock(time)
        await self.remind(teams=teams, rules=rules, time=time)

    async def remind(self, *, teams: tuple[str, str], rules: Rules, time: TimeControl) -> None:
        """Tell a bot that was started again which match is being played; its clock goes on."""
        await self._tell(encode_match_start(self.seat, teams=teams, rules=rules, time=time))

    async def ask(self, legal: Sequence[MoveCode], *, view: View, score: MatchScore) -> Reply | Trouble:
        """Send a turn and wait for its answer, at most for the time that the clock gives; the clock is booked.

        Raises HostError for a bug of ours in reading the answer, and OverloadError when it was late by the machine's fault.
        """
        loop = asyncio.get_running_loop()
        clock = self._clock
        self._number += 1
        clock.begin_turn(grace_ms=self._first_turn_ms if self._number == 1 else 0)
        message = self._encoder.encode(
            self._number, legal=legal, view=view, score=score, move_ms=clock.move_ms, bank_ms=clock.bank_ms
        ).SerializeToString()
        answer = self._connection.open_turn(self._number)
        self._thaw()
        sent_at = loop.time()
        deadline = sent_at + clock.allowance_seconds
        outcome: Arrived | Ended | None = None
        delay: Delay | None = None
        with self._watch(clock.allowance_seconds) as watch:
            try:
                # A write that is cancelled ends the call, so that one is given longer: only a bot that does not read needs it.
                async with asyncio.timeout_at(deadline + _TELL_SECONDS) as limit:
                    await self._connection.send(message)
                    limit.reschedule(deadline)
                    outcome = await asyncio.shield(answer)
            except TimeoutError:
                # An answer in time and the deadline may be found in the same round of the event loop.
                outcome = answer.result() if answer.done() else None
            if outcome is None or (isinstance(outcome, Arrived) and outcome.at > deadline):
                delay = await self._outlast(watch, answer, deadline)
        self._connection.close_turn()
        if isinstance(outcome, Ended):
            return await self._ended(outcome)
        self._freeze()
        if outcome is None or outcome.at > deadline:
            think_us = round((deadline - sent_at) * 1_000_000)
            clock.take(think_us)
            self._is_stuck = outcome is None
            detail = f"no answer within {think_us / 1_000_000:.3f} s"
            trouble = self._trouble(TroubleKind.LATE, detail, turn=self._number, think_us=think_us)
            return trouble if delay is None else replace(trouble, cpu_seconds=delay.cpu)
        self._is_stuck = False
        think_us = round((outcome.at - sent_at) * 1_000_000)
        clock.take(think_us)
        move = decode_answered(outcome.move)
        no_move = in_numbers(outcome.move) if move is None else ""
        return Reply(move=move, no_move=no_move, turn=self._number, think_us=think_us)

    async def _outlast(self, watch: Watch, answer: "asyncio.Future[Arrived | Ended]", deadline: float) -> Delay:
        """See whether a late answer comes within what the machine owes the bot: then OverloadError is raised.

        When it does not, the bot has had all of its time. It is never used.
        """
        loop = asyncio.get_running_loop()
        delay = first = watch.delay()
        while not answer.done() and delay.owed:
            left = deadline + delay.owed - loop.time()
            if left <= 0:
                return first
            if delay.lasted > watch.most_seconds:
                raise OverloadError(overload_in_words(self.seat, delay, "was late"))
            await asyncio.wait([answer], timeout=left)
            delay = watch.delay()
        arrived = answer.result() if answer.done() else None
        if isinstance(arrived, Arrived) and arrived.at <= deadline + delay.owed:
            raise OverloadError(overload_in_words(self.seat, delay, "was late"))
        return first

    def _watch(self, seconds: float) -> Watch:
        """A watch over so long a time, from now on."""
        others = [other.cage for other in self._others if other.cage is not None]
        return Watch(seconds, bot=self.cage, others=others)

    @property
    def cage(self) -> Cage | None:
        """What the bot runs in; None when it does not run, or nobody knows in what."""
        return None

    async def tell_fault(self, reason: str, *, played: Move, faults: int, max_faults: int) -> None:
        """Tell the bot why its last answer was not used, and what was played."""
        await self._tell(encode_fault(self._number, reason=reason, played=played, faults=faults, max_faults=max_faults))

    async def tell_game(self, result: GameResult) -> None:
        """Tell the bot how a game ended."""
        await self._tell(encode_game_result(result))

    async def tell_match(self, defeat_points: tuple[int, int], *, loser: Team | None, forfeited: tuple[Team, ...]) -> None:
        """Tell the bot how the match ended."""
        await self._tell(encode_match_result(defeat_points, loser=loser, forfeited=forfeited))

    async def _tell(self, message: pb.RefereeMessage) -> None:
        """Write a message that has no answer. A bot that does not read will show that in its next turn."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_TELL_SECONDS):
                await self._connection.send(message.SerializeToString())

    def _hang_up(self) -> None:
        """End the call; what was said in it is forgotten."""
        self._connection.hang_up()
        self._is_stuck = False
        self._number = 0

    def _new_clock(self, time: TimeControl) -> Clock:
        return Clock(time)

    @abstractmethod
    async def _ended(self, ended: Ended) -> Trouble:
        """The trouble of a bot whose call has ended while it was asked."""

    @abstractmethod
    def _trouble(self, kind: TroubleKind, detail: str, *, turn: int | None = None, think_us: int = 0) -> Trouble:
        """A trouble with all that is known of the bot at this moment."""

    def _freeze(self) -> None:  # noqa: B027
        """It is not asked anything."""

    def _thaw(self) -> None:  # noqa: B027
        """It is asked something."""


def overload_in_words(seat: Seat, delay: Delay, what: str) -> str:
    """Of which a person is told."""
    return f"the machine was overloaded, and the bot of seat {seat} {what}: {delay}"


def raise_ours(ended: Ended) -> None:
    """Raise HostError when a call has ended by a bug of ours."""
    if ended.error is not None:
        raise HostError(f"what a bot sent could not be read, by a bug of ours: {ended.error!r}") from ended.error
