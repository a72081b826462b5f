"""Runs the build commands of a bot, as its author would: in its folder, as the user who runs us, with the network.

Nothing isolates them: whoever builds a bot trusts its author as far as that.
"""

import asyncio
import contextlib
import os
import shlex
import signal
import sys
import tempfile
from dataclasses import dataclass
from typing import IO

from arena.seat.manifest import Command, Manifest

BUILD_SECONDS = 600.0
"""For all commands of a build together, where nobody says otherwise."""
_TAIL_BYTES = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildFailure:
    """Why a build failed. reason, advice: ours, in plain words. output: the last that the command wrote; hostile text."""

    reason: str
    advice: str
    output: str = ""


async def run_build(manifest: Manifest, *, limit_seconds: float) -> BuildFailure | None:
    """Run all build commands in order; what went wrong, None when nothing did.

    limit_seconds: for all of them together. Whatever a command leaves running in its session is ended with it.
    """
    deadline = asyncio.get_running_loop().time() + limit_seconds
    for command, written in zip(manifest.build_commands, manifest.build, strict=True):
        with tempfile.TemporaryFile() as output:
            try:
                status = await _run(command, manifest, output=output, deadline=deadline)
            except OSError as error:
                return BuildFailure(
                    reason=f"`{shlex.join(written)}` cannot be run: {error.strerror}",
                    advice=f"Is {written[0]} installed, and on the PATH? `build` in bot.yaml runs in the bot's folder, "
                    "without a shell.",
                )
            if status == 0:
                continue
            tail = _tail(output)
        if status is None:
            return BuildFailure(
                reason=f"`{shlex.join(written)}` was ended, since the build took more than {limit_seconds:g} s",
                advice="Run it once by hand: it may ask for something, or fetch a lot.",
                output=tail,
            )
        return BuildFailure(
            reason=f"`{shlex.join(written)}` ended with status {status}",
            advice="Run it by hand in the bot's folder until it works there. Its last lines say what it lacks.",
            output=tail,
        )
    return None


async def _run(command: Command, manifest: Manifest, *, output: IO[bytes], deadline: float) -> int | None:
    """The exit status of a command; None when it had to be ended. Raises OSError when it cannot be executed."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=manifest.folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=output,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout_at(deadline):
            return await process.wait()
    except TimeoutError:
        return None
    finally:
        _end(process)
        await process.wait()


def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def _tail(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - _TAIL_BYTES))
    return output.read().decode("utf-8", "replace")
