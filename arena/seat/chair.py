"""One bot's chair at the table: starts it, asks it, tells it, ends it.

Everything that goes wrong on the bot's side comes back as a `Trouble`; what is ours or the machine's is raised as HostError.
"""

import asyncio
import contextlib
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from arena.errors import HostError
from arena.rules.cards import Seat, Team
from arena.rules.match import GameResult, MatchScore
from arena.rules.moves import Move, MoveCode
from arena.rules.options import Rules, TimeControl
from arena.rules.view import View
from arena.seat.clock import Clock
from arena.seat.connection import Arrived, Connection, Ended
from arena.seat.manifest import Manifest
from arena.seat.output import Capture
from arena.seat.process import BotProcess
from arena.seat.trouble import Reply, Trouble, TroubleKind
from arena.v1 import bot_pb2 as pb
from arena.wire.decode import decode_answered
from arena.wire.encode import TurnEncoder, encode_fault, encode_game_result, encode_match_result, encode_match_start

_EXIT_SECONDS = 0.5
"""How long a bot whose call has ended may take to exit, so that a report can tell its exit status."""
_TELL_SECONDS = 0.5
"""How long a message that has no answer may wait for a bot that does not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChairOptions:
    """How bots are run. startup_ms: from the start of the process to its greeting. log_bytes: cap of each output stream."""

    startup_ms: int
    log_bytes: int


class Chair:
    """One seat's bot over any number of matches; an async context manager that leaves no process and no socket behind.

    folder: the chair's own, for its socket; logs: where stdout.log and stderr.log go. Both must exist, and the path of
    `folder` must be short: a socket's path has at most about 100 bytes.
    """

    def __init__(self, seat: Seat, *, manifest: Manifest, folder: Path, logs: Path, options: ChairOptions) -> None:
        self.seat = seat
        self._manifest = manifest
        self._folder = folder
        self._options = options
        self._stdout = Capture(logs / "stdout.log", cap_bytes=options.log_bytes)
        self._stderr = Capture(logs / "stderr.log", cap_bytes=options.log_bytes)
        self._connection = Connection()
        self._address = ""
        self._process: BotProcess | None = None
        self._encoder = TurnEncoder()
        self._number = 0
        self._is_stuck = False
        self._clock = Clock(TimeControl(move_ms=1, bank_ms=0, max_faults=1))

    async def __aenter__(self) -> "Chair":
        wanted = "127.0.0.1:0" if sys.platform == "win32" else f"unix://{self._folder / 'seat.sock'}"
        try:
            self._address = await self._connection.listen(wanted)
        except RuntimeError as error:
            raise HostError(f"the socket of seat {self.seat} could not be opened: {error}") from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, where: TracebackType | None
    ) -> None:
        try:
            await self._end_process()
        finally:
            await self._connection.close()
            self._stdout.close()
            self._stderr.close()

    @property
    def is_ready(self) -> bool:
        """Whether the bot runs, has greeted, and answered the last turn that it was asked."""
        is_running = self._process is not None and self._process.exit_status is None
        return is_running and self._connection.is_open and not self._is_stuck

    async def start(self) -> Trouble | None:
        """Start the bot, after ending the one that may run, and wait for its greeting; None when it is ready."""
        await self._end_process()
        self._is_stuck = False
        token = secrets.token_urlsafe(24)
        self._connection.expect(token)
        try:
            self._process = await BotProcess.start(
                self._manifest.command,
                folder=self._manifest.folder,
                environment={"ARENA_ADDRESS": self._address, "ARENA_TOKEN": token, "PYTHONUNBUFFERED": "1"},
                stdout=self._stdout,
                stderr=self._stderr,
            )
        except (FileNotFoundError, PermissionError) as error:
            return Trouble(kind=TroubleKind.NO_START, detail=f"its command cannot be run: {error.strerror}: {error.filename}")
        if await self._is_greeted(self._process):
            return None
        await self._process.wait(0)
        return self._trouble(TroubleKind.NO_START, self._why_no_start(self._process))

    async def begin_match(self, *, teams: tuple[str, str], rules: Rules, time: TimeControl) -> None:
        """Set the clock and tell the bot that a match begins."""
        self._clock = Clock(time)
        await self.remind(teams=teams, rules=rules, time=time)

    async def remind(self, *, teams: tuple[str, str], rules: Rules, time: TimeControl) -> None:
        """Tell a bot that was started again which match is being played; its clock goes on."""
        await self._tell(encode_match_start(self.seat, teams=teams, rules=rules, time=time))

    async def ask(self, legal: Sequence[MoveCode], *, view: View, score: MatchScore) -> Reply | Trouble:
        """Send a turn and wait for its answer, at most for the time that the clock gives; the clock is booked."""
        loop = asyncio.get_running_loop()
        clock = self._clock
        self._number += 1
        message = self._encoder.encode(
            self._number, legal=legal, view=view, score=score, move_ms=clock.move_ms, bank_ms=clock.bank_ms
        ).SerializeToString()
        answer = self._connection.open_turn(self._number)
        sent_at = loop.time()
        deadline = sent_at + clock.allowance_seconds
        outcome: Arrived | Ended | None = None
        try:
            async with asyncio.timeout_at(deadline):
                await self._connection.send(message)
                outcome = await answer
        except TimeoutError:
            pass
        self._connection.close_turn()
        if isinstance(outcome, Ended):
            return await self._ended(outcome)
        if outcome is None or outcome.at > deadline:
            think_us = round((deadline - sent_at) * 1_000_000)
            clock.take(think_us)
            self._is_stuck = outcome is None
            detail = f"no answer within {think_us / 1_000_000:.3f} s"
            return self._trouble(TroubleKind.LATE, detail, turn=self._number, think_us=think_us)
        self._is_stuck = False
        think_us = round((outcome.at - sent_at) * 1_000_000)
        clock.take(think_us)
        move = decode_answered(outcome.move)
        text = str(outcome.move).replace("\n", " ")[:200] if move is None else str(move)
        return Reply(move=move, text=text, turn=self._number, think_us=think_us)

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

    async def _is_greeted(self, process: BotProcess) -> bool:
        """Wait for the greeting, the end of the call, the end of the process or the start limit, whichever is first."""
        tasks = [asyncio.create_task(self._connection.greeted_or_ended()), asyncio.create_task(process.wait())]
        try:
            await asyncio.wait(tasks, timeout=self._options.startup_ms / 1000, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self.is_ready

    def _why_no_start(self, process: BotProcess) -> str:
        if refusal := self._connection.refusal:
            return f"its greeting was refused: {refusal}"
        if process.exit_status is not None:
            return f"it exited with status {process.exit_status} before its greeting"
        return f"no greeting within {self._options.startup_ms / 1000:g} s"

    async def _ended(self, ended: Ended) -> Trouble:
        """The trouble of a bot whose call has ended; waits a moment for its exit status."""
        if self._process is not None:
            await self._process.wait(_EXIT_SECONDS)
        kind = TroubleKind.ENDED if ended.code is None else TroubleKind.PROTOCOL
        return self._trouble(kind, ended.detail, turn=self._number)

    def _trouble(self, kind: TroubleKind, detail: str, *, turn: int | None = None, think_us: int = 0) -> Trouble:
        return Trouble(
            kind=kind,
            detail=detail,
            turn=turn,
            think_us=think_us,
            exit_status=self._process.exit_status if self._process else None,
            stderr_tail=self._stderr.tail,
        )

    async def _end_process(self) -> None:
        self._connection.hang_up()
        if self._process is not None:
            await self._process.stop()
            self._process = None
