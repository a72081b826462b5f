"""One bot's chair at the table: starts it, asks it, tells it, ends it.

Everything that goes wrong on the bot's side comes back as a `Trouble`; what is ours or the machine's is raised as HostError.
"""

import asyncio
import contextlib
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

from arena.errors import HostError
from arena.rules.cards import Seat, Team
from arena.rules.match import GameResult, MatchScore
from arena.rules.moves import Move, MoveCode
from arena.rules.options import Rules, TimeControl
from arena.rules.view import View
from arena.seat.clock import Clock
from arena.seat.connection import Arrived, Connection, Ended
from arena.seat.gate import start_slot
from arena.seat.isolation.cage import Cage, Isolation
from arena.seat.isolation.tree import RESCAN_SECONDS
from arena.seat.isolation.wrapper import Place, seat_address
from arena.seat.manifest import Manifest
from arena.seat.output import Capture
from arena.seat.process import BotProcess
from arena.seat.trouble import Reply, Trouble, TroubleKind
from arena.seat.words import exit_in_words, in_numbers
from arena.v1 import bot_pb2 as pb
from arena.wire.decode import decode_answered
from arena.wire.encode import TurnEncoder, encode_fault, encode_game_result, encode_match_result, encode_match_start

_EXIT_SECONDS = 0.5
"""How long a bot whose call has ended may take to exit, so that a report can tell its exit status."""
_TELL_SECONDS = 0.5
"""How long a message may wait for a bot that does not read, a turn beyond its deadline."""
_MAX_SOCKET_PATH = 103
"""Bytes in the path of a Unix socket: 103 on some systems, 107 on others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChairOptions:
    """How bots are run.

    startup_ms: from the start of the process to its greeting. first_turn_ms: what the first turn of a process has on top.
    log_bytes: cap of each output stream. isolation: what the bot is kept from.
    """

    startup_ms: int
    first_turn_ms: int
    log_bytes: int
    isolation: Isolation


class Chair:
    """One seat's bot over any number of matches; an async context manager that leaves no process and no socket behind.

    folder: the chair's own, for its socket; logs: where stdout.log and stderr.log go. Both must exist, and the path of
    `folder` must be short: a socket's path has at most about 100 bytes. Entering it raises HostError when they are not so.
    """

    def __init__(self, seat: Seat, *, manifest: Manifest, folder: Path, logs: Path, options: ChairOptions) -> None:
        self.seat = seat
        self._manifest = manifest
        self._folder = folder
        self._logs = logs
        self._options = options
        self._opened = contextlib.AsyncExitStack()
        self._stdout: Capture
        self._stderr: Capture
        self._connection: Connection
        self._address = ""
        self._process: BotProcess | None = None
        self._cage: Cage | None = None
        self._encoder = TurnEncoder()
        self._number = 0
        self._is_stuck = False
        self._second_look: asyncio.TimerHandle | None = None
        self._clock = Clock(TimeControl(move_ms=1, bank_ms=0, max_faults=1))

    async def __aenter__(self) -> "Chair":
        async with contextlib.AsyncExitStack() as opened:
            self._stdout = self._open_log(opened, "stdout.log")
            self._stderr = self._open_log(opened, "stderr.log")
            self._connection = Connection()
            opened.push_async_callback(self._connection.close)
            self._address = await self._listen()
            opened.push_async_callback(self.end)
            self._opened = opened.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, where: TracebackType | None
    ) -> None:
        await self._opened.aclose()

    @property
    def is_ready(self) -> bool:
        """Whether the bot runs, has greeted, and answered the last turn that it was asked."""
        is_running = self._process is not None and self._process.exit_status is None
        return is_running and self._connection.is_open and not self._is_stuck

    async def start(self) -> Trouble | None:
        """Start the bot, after ending the one that may run, and wait for its greeting; None when it is ready.

        After a trouble nothing is left running. Raises HostError when the machine cannot start it.
        """
        await self.end()
        for log in (self._stdout, self._stderr):
            log.check()
            log.begin()
        token = secrets.token_urlsafe(24)
        on_exit = self._connection.expect(token)
        try:
            async with start_slot():
                self._process = await self._launch(token, on_exit)
                await self._greeting(self._process)
        except OSError as error:
            await self.end()
            return Trouble(kind=TroubleKind.NO_START, detail=f"its command cannot be run: {error.strerror}: {error.filename}")
        if self.is_ready:
            self._freeze()
            return None
        trouble = await self._no_start(self._process)
        self._process.kill()
        await self.end()
        return trouble

    async def end(self) -> None:
        """End the bot, if one runs: hang up, and see its process out. `start` may start another one."""
        self._connection.hang_up()
        self._is_stuck = False
        self._number = 0
        try:
            if self._process is not None:
                self._thaw()
                await self._process.stop()
                self._process = None
        finally:
            cage, self._cage = self._cage, None
            if cage is not None:
                await asyncio.to_thread(cage.close)

    async def begin_match(self, *, teams: tuple[str, str], rules: Rules, time: TimeControl) -> None:
        """Set the clock and tell the bot that a match begins."""
        self._clock = Clock(time)
        await self.remind(teams=teams, rules=rules, time=time)

    async def remind(self, *, teams: tuple[str, str], rules: Rules, time: TimeControl) -> None:
        """Tell a bot that was started again which match is being played; its clock goes on."""
        await self._tell(encode_match_start(self.seat, teams=teams, rules=rules, time=time))

    async def ask(self, legal: Sequence[MoveCode], *, view: View, score: MatchScore) -> Reply | Trouble:
        """Send a turn and wait for its answer, at most for the time that the clock gives; the clock is booked.

        Raises HostError for a bug of ours in reading the answer.
        """
        loop = asyncio.get_running_loop()
        clock = self._clock
        self._number += 1
        clock.begin_turn(grace_ms=self._options.first_turn_ms if self._number == 1 else 0)
        message = self._encoder.encode(
            self._number, legal=legal, view=view, score=score, move_ms=clock.move_ms, bank_ms=clock.bank_ms
        ).SerializeToString()
        answer = self._connection.open_turn(self._number)
        self._thaw()
        sent_at = loop.time()
        deadline = sent_at + clock.allowance_seconds
        outcome: Arrived | Ended | None = None
        try:
            # A write that is cancelled ends the call, so that one is given longer: only a bot that does not read needs it.
            async with asyncio.timeout_at(deadline + _TELL_SECONDS) as limit:
                await self._connection.send(message)
                limit.reschedule(deadline)
                outcome = await answer
        except TimeoutError:
            # An answer in time and the deadline may be found in the same round of the event loop.
            if answer.done() and not answer.cancelled():
                outcome = answer.result()
        self._connection.close_turn()
        if isinstance(outcome, Ended):
            return await self._ended(outcome)
        self._freeze()
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
        text = in_numbers(outcome.move) if move is None else str(move)
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

    async def _launch(self, token: str, on_exit: Callable[[], None]) -> BotProcess:
        """Start the process in its tier. Raises OSError when the bot's command cannot be run."""
        isolation = self._options.isolation
        place = Place(bot=self._manifest.folder, seat=self._folder)
        self._cage = cage = await _new_cage(isolation, place)
        address = self._address if sys.platform == "win32" else seat_address(isolation.tier, place)
        cage.check_command(self._manifest.command)
        environment = {"ARENA_ADDRESS": address, "ARENA_TOKEN": token, "PYTHONUNBUFFERED": "1"}
        process = await BotProcess.start(
            cage.launch(self._manifest.command, environment), stdout=self._stdout, stderr=self._stderr, on_exit=on_exit
        )
        cage.watch(process.pid)
        return process

    @property
    def _exit_status(self) -> int | None:
        status = self._process.exit_status if self._process else None
        return self._cage.exit_status(status) if self._cage else status

    def _freeze(self) -> None:
        if self._cage is not None:
            self._cage.freeze()
            self._second_look = asyncio.get_running_loop().call_later(RESCAN_SECONDS, self._cage.freeze_again)

    def _thaw(self) -> None:
        if self._second_look is not None:
            self._second_look.cancel()
            self._second_look = None
        if self._cage is not None:
            self._cage.thaw()

    def _open_log(self, opened: contextlib.AsyncExitStack, name: str) -> Capture:
        return opened.enter_context(contextlib.closing(Capture(self._logs / name, cap_bytes=self._options.log_bytes)))

    async def _listen(self) -> str:
        path = os.fsencode(self._folder / "seat.sock")
        if sys.platform == "win32":
            wanted = "127.0.0.1:0"
        elif len(path) > _MAX_SOCKET_PATH:
            raise HostError(f"the path of a socket has at most {_MAX_SOCKET_PATH} bytes, this one has {len(path)}: {path!r}")
        else:
            wanted = f"unix://{quote(path)}"
        try:
            return await self._connection.listen(wanted)
        except RuntimeError as error:
            raise HostError(f"the socket of seat {self.seat} could not be opened: {error}") from error

    async def _tell(self, message: pb.RefereeMessage) -> None:
        """Write a message that has no answer. A bot that does not read will show that in its next turn."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_TELL_SECONDS):
                await self._connection.send(message.SerializeToString())

    async def _greeting(self, process: BotProcess) -> None:
        """Wait for the greeting, the end of the call, the end of the process or the start limit, whichever is first."""
        tasks = [asyncio.create_task(self._connection.greeted_or_ended()), asyncio.create_task(process.wait())]
        try:
            await asyncio.wait(tasks, timeout=self._options.startup_ms / 1000, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _no_start(self, process: BotProcess) -> Trouble:
        """Why a bot is not ready; waits a moment for the exit status of one whose call has ended."""
        ended = self._connection.ended
        if ended is not None:
            _raise_ours(ended)
        has_exited = await process.wait(0 if ended is None else _EXIT_SECONDS)
        status = process.exit_status
        if self._cage is not None and status is not None and self._cage.has_failed(status):
            raise HostError(f"a bot could not be isolated: {self._stderr.tail.strip() or f'exit status {status}'}")
        if ended is not None and ended.code is not None:
            detail = f"its greeting was refused: {ended.detail}"
        elif refusal := self._connection.refusal:
            detail = f"its call was refused: {refusal}"
        elif has_exited:
            detail = f"it {exit_in_words(self._exit_status)} before it was ready"
        elif ended is not None:
            detail = f"{ended.detail} before it was ready"
        else:
            detail = f"no greeting within {self._options.startup_ms / 1000:g} s"
        return self._trouble(TroubleKind.NO_START, detail)

    async def _ended(self, ended: Ended) -> Trouble:
        """The trouble of a bot whose call has ended; waits a moment for its exit status."""
        _raise_ours(ended)
        has_exited = self._process is None or await self._process.wait(_EXIT_SECONDS)
        if ended.code is not None:
            return self._trouble(TroubleKind.PROTOCOL, ended.detail, turn=self._number)
        if has_exited and self._process is not None:
            return self._trouble(TroubleKind.ENDED, f"it {exit_in_words(self._exit_status)}", turn=self._number)
        if ended.is_cut and not has_exited:
            detail = "it cancelled its call, or sent a message far over the limit of 64 KiB"
            return self._trouble(TroubleKind.PROTOCOL, detail, turn=self._number)
        return self._trouble(TroubleKind.ENDED, ended.detail, turn=self._number)

    def _trouble(self, kind: TroubleKind, detail: str, *, turn: int | None = None, think_us: int = 0) -> Trouble:
        if self._stdout.is_full or self._stderr.is_full:
            detail += f"; it could print no more, its log of {self._options.log_bytes:,} bytes was full"
        return Trouble(
            kind=kind,
            detail=detail,
            turn=turn,
            think_us=think_us,
            exit_status=self._exit_status,
            is_oom=self._cage is not None and self._cage.oom_kills > 0,
            stderr_tail=self._stderr.tail,
        )


async def _new_cage(isolation: Isolation, place: Place) -> Cage:
    """Make a cage in a thread, since it takes milliseconds that other seats should not wait; none is left when cancelled."""
    making = asyncio.ensure_future(asyncio.to_thread(Cage, isolation, place))
    try:
        return await asyncio.shield(making)
    except asyncio.CancelledError:
        with contextlib.suppress(HostError):
            (await making).close()
        raise


def _raise_ours(ended: Ended) -> None:
    if ended.error is not None:
        raise HostError(f"what a bot sent could not be read, by a bug of ours: {ended.error!r}") from ended.error
