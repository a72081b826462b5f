"""A bot's process: started in a process group of its own, and ended for certain."""

import asyncio
import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable
from typing import cast

from arena.errors import HostError
from arena.seat.isolation.wrapper import Launch
from arena.seat.output import Capture

GRACE_SECONDS = 1.0
"""How long a bot may take to exit after its call was closed, and again after SIGTERM."""
_REAP_SECONDS = 10.0
"""How long the kernel may take to end a process that was killed."""
_KEEPER_SECONDS = 3.0
"""How long a keeper may take to kill what a bot has started."""
_DRAIN_SECONDS = 0.2
"""How long output may still come after the exit: something outside the group may hold the pipes open, and is not worth more."""

_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT")
"""What a bot's environment takes over from ours; everything else might tell it something."""
_SHORT_OF = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EIO})
"""Why a command cannot be run when it is the machine's fault."""


class BotProcess(asyncio.SubprocessProtocol):
    """One running bot. Created by `start`; `stop` ends it and everything in its process group."""

    def __init__(self, stdout: Capture, stderr: Capture, on_exit: Callable[[], None]) -> None:
        self._captures = {1: stdout, 2: stderr}
        self._on_exit = on_exit
        self._transport: asyncio.SubprocessTransport | None = None
        self._exited = asyncio.Event()
        self._drained = asyncio.Event()
        self._open_pipes = {1, 2}

    @classmethod
    async def start(
        cls,
        launch: Launch,
        *,
        stdout: Capture,
        stderr: Capture,
        on_exit: Callable[[], None],
    ) -> "BotProcess":
        """Start a bot with its output going to the captures; `on_exit` is called when it has exited.

        Raises OSError when the command cannot be executed (the bot's fault), HostError when the folder is gone or the
        machine has no process, memory or descriptor left for it (ours).
        """
        kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        try:
            _, process = await asyncio.get_running_loop().subprocess_exec(
                lambda: cls(stdout, stderr, on_exit),
                *launch.command,
                cwd=launch.folder,
                env=kept | launch.environment,
                pass_fds=launch.inherited,
                stdin=asyncio.subprocess.PIPE if launch.holds_stdin else asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            # Only what came from the command itself carries its name.
            if error.filename is None or error.errno in _SHORT_OF or not os.access(launch.folder, os.X_OK):
                raise HostError(f"this machine could not start a process in {launch.folder}: {error}") from error
            raise
        return process

    @property
    def exit_status(self) -> int | None:
        """The exit code, or minus the signal's number; None while it runs."""
        return self._transport.get_returncode() if self._transport else None

    @property
    def pid(self) -> int:
        """The process's number, which is its group's number too."""
        return self._running.get_pid()

    async def wait(self, seconds: float | None = None) -> bool:
        """Wait for the exit, at most so long; whether it has exited (and its output is drained)."""
        if not await _is_set_within(self._exited, seconds):
            return False
        await _is_set_within(self._drained, _DRAIN_SECONDS)
        return True

    async def stop(self) -> None:
        """End the process: wait for it to go by itself, SIGTERM, SIGKILL of its whole group, reap. Safe to call again.

        When it is cancelled it does not wait for the process any more, but still kills and reaps it. Raises HostError when
        the machine does not end a killed process.
        """
        try:
            if not await self.wait(GRACE_SECONDS):
                with contextlib.suppress(ProcessLookupError):
                    self._running.terminate()
                await self.wait(GRACE_SECONDS)
        finally:
            self.kill()
            await self._reap()

    def kill(self) -> None:
        """End the process and all that it started, without waiting; nothing is done once it has exited.

        A keeper is told by closing its standard input and kills more than we could find; everything else gets SIGKILL.
        """
        if self._exited.is_set():
            return
        keeper = self._running.get_pipe_transport(0)
        if keeper is None:
            self._kill_group()
        else:
            keeper.close()
            asyncio.get_running_loop().call_later(_KEEPER_SECONDS, self._kill_unless_exited)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop when the process runs."""
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Called by the event loop with output of the bot.

        At the cap the read end is closed, so that the bot's next write fails: reading on would let it burn our time.
        """
        capture = self._captures[fd]
        capture.write(data)
        pipe = self._running.get_pipe_transport(fd)
        if capture.is_full and pipe is not None:
            pipe.close()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Called by the event loop when a pipe was closed on either side."""
        self._open_pipes.discard(fd)
        if not self._open_pipes:
            self._drained.set()

    def process_exited(self) -> None:
        """Called by the event loop when the process was reaped; its group goes with it, at once.

        The group's number stays taken as long as a process is in it. If none is, the number is free for as long as this
        call took to come: far less than the kernel needs to hand out all the others first.
        """
        self._kill_group()
        self._exited.set()
        self._on_exit()

    @property
    def _running(self) -> asyncio.SubprocessTransport:
        if self._transport is None:
            raise HostError("the process was not started")
        return self._transport

    def _kill_unless_exited(self) -> None:
        """The keeper has not reacted: a bot of the same user can stop it."""
        if not self._exited.is_set():
            self._kill_group()

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._running.kill()
            else:
                os.killpg(self.pid, signal.SIGKILL)

    async def _reap(self) -> None:
        """Wait for the end of a killed process, whoever cancels us meanwhile: it must not be left behind as a zombie."""
        cancelled: asyncio.CancelledError | None = None
        deadline = asyncio.get_running_loop().time() + _REAP_SECONDS
        while not self._exited.is_set() and asyncio.get_running_loop().time() < deadline:
            try:
                await self.wait(_REAP_SECONDS)
            except asyncio.CancelledError as error:
                cancelled = error
        self._running.close()
        if cancelled is not None:
            raise cancelled
        if not self._exited.is_set():
            raise HostError(f"process {self.pid} was killed and did not end within {_REAP_SECONDS:g} s")


async def _is_set_within(event: asyncio.Event, seconds: float | None) -> bool:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
