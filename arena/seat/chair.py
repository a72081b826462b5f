"""One bot's chair at the table: starts it, ends it, and tells what became of it.

Everything that goes wrong on the bot's side comes back as a `Trouble`; what is ours or the machine's is raised as HostError.
"""

import asyncio
import contextlib
import os
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

from arena.errors import HostError, OverloadError
from arena.rules.cards import Seat
from arena.seat.connection import Connection, Ended
from arena.seat.dialogue import MAX_SOCKET_PATH, Dialogue, overload_in_words, raise_ours
from arena.seat.gate import start_slot
from arena.seat.isolation.cage import Cage, Isolation
from arena.seat.isolation.tree import RESCAN_SECONDS
from arena.seat.isolation.wrapper import Place, seat_address
from arena.seat.manifest import Manifest
from arena.seat.output import Capture
from arena.seat.process import BotProcess
from arena.seat.trouble import Trouble, TroubleKind
from arena.seat.words import exit_in_words

_EXIT_SECONDS = 0.5
"""How long a bot whose call has ended may take to exit, so that a report can tell its exit status."""


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


class Chair(Dialogue):
    """One seat's bot over any number of matches; an async context manager that leaves no process and no socket behind.

    folder: the chair's own, for its socket; logs: where stdout.log and stderr.log go. Both must exist, and the path of
    `folder` must be short: a socket's path has at most about 100 bytes. Entering it raises HostError when they are not so.
    """

    def __init__(self, seat: Seat, *, manifest: Manifest, folder: Path, logs: Path, options: ChairOptions) -> None:
        super().__init__(seat, first_turn_ms=options.first_turn_ms)
        self._manifest = manifest
        self._folder = folder
        self._logs = logs
        self._options = options
        self._opened = contextlib.AsyncExitStack()
        self._stdout: Capture
        self._stderr: Capture
        self._address = ""
        self._process: BotProcess | None = None
        self._cage: Cage | None = None
        self._second_look: asyncio.TimerHandle | None = None

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
        return is_running and super().is_ready

    async def start(self) -> Trouble | None:
        """Start the bot, after ending the one that may run, and wait for its greeting; None when it is ready.

        After a trouble nothing is left running. Raises HostError when the machine cannot start it, and OverloadError when it is
        so busy that nobody can tell whether the bot would.
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
        self._hang_up()
        try:
            if self._process is not None:
                self._thaw()
                await self._process.stop()
                self._process = None
        finally:
            cage, self._cage = self._cage, None
            if cage is not None:
                await asyncio.to_thread(cage.close)

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
    def cage(self) -> Cage | None:
        """What the bot runs in; None when it does not run."""
        return self._cage

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
        elif len(path) > MAX_SOCKET_PATH:
            raise HostError(f"the path of a socket has at most {MAX_SOCKET_PATH} bytes, this one has {len(path)}: {path!r}")
        else:
            wanted = f"unix://{quote(path)}"
        try:
            return await self._connection.listen(wanted)
        except RuntimeError as error:
            raise HostError(f"the socket of seat {self.seat} could not be opened: {error}") from error

    async def _greeting(self, process: BotProcess) -> None:
        """Wait for the greeting, the end of the call, the end of the process or the start limit, whichever is first.

        The limit is put off by what the machine owes the bot. Raises OverloadError when that has no end.
        """
        tasks = [asyncio.create_task(self._connection.greeted_or_ended()), asyncio.create_task(process.wait())]
        seconds = left = self._options.startup_ms / 1000
        try:
            with self._watch(seconds) as watch:
                while left > 0:
                    done, _ = await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                    if done:
                        break
                    delay = watch.delay()
                    if delay.owed and delay.lasted > watch.most_seconds:
                        raise OverloadError(overload_in_words(self.seat, delay, "had not started"))
                    left = seconds + delay.owed - delay.lasted
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _no_start(self, process: BotProcess) -> Trouble:
        """Why a bot is not ready; waits a moment for the exit status of one whose call has ended."""
        ended = self._connection.ended
        if ended is not None:
            raise_ours(ended)
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
        raise_ours(ended)
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
