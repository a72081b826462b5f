"""The parent of a bot, or of the sandbox around it: sets limits, and leaves nothing of it behind.

    keeper.py MEMORY_BYTES FILE_BYTES FILES -- PROGRAM ARGUMENT…

A limit of 0 is none: a sandbox sets its own inside. It is needed around one, too: bubblewrap ends with its parent, but for a
moment while it starts, when a half-made sandbox would be left for good by a referee that is killed.

It is run as a script by an interpreter without site-packages, so it imports only what is needed and starts in a few
milliseconds. Whoever started it holds the other end of its standard input: when that is closed, however it came about, or
when the bot's process has ended, everything that the bot started is killed, also what has called setsid and lost its
parents, since on Linux the keeper adopts it. It ends with the bot's own exit status or signal. SIGTERM is handed on.

The number of processes is not limited: the kernel counts all processes of a user, so those of other programs too.
"""

import contextlib
import ctypes
import os
import resource
import selectors
import signal
import sys

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_CANNOT_RUN = 127


def main() -> None:
    """Run the bot and clean up after it."""
    memory, file_bytes, files = map(int, sys.argv[1:4])
    command = sys.argv[5:]
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    wake_read, wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK) if hasattr(os, "pipe2") else os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    bot = os.fork()
    if bot == 0:
        _become(command, memory=memory, file_bytes=file_bytes, files=files)
    signal.signal(signal.SIGTERM, lambda *_: _signal(bot, signal.SIGTERM))
    status = _wait(bot, wake_read)
    _signal(-bot, signal.SIGKILL)  # its group; all that there is where the system does not tell who descends from whom
    _kill_all()
    if status is None:
        os._exit(1)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        signal.signal(number, signal.SIG_DFL) if number not in (signal.SIGKILL, signal.SIGSTOP) else None
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


def _become(command: list[str], *, memory: int, file_bytes: int, files: int) -> None:
    """In the child: turn into the bot."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    os.setpgid(0, 0)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # a keeper that was killed cannot clean up
    # RLIMIT_DATA and not RLIMIT_AS: runtimes such as Java's reserve far more address space than they ever use.
    for limit, value in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_NOFILE, files),
        (resource.RLIMIT_CORE, 0),
    ):
        if not value and limit != resource.RLIMIT_CORE:
            continue
        hard = resource.getrlimit(limit)[1]
        wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (wanted, wanted))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(_CANNOT_RUN)


def _wait(bot: int, wake_read: int) -> int | None:
    """Wait for the bot's end or the end of whoever started us; the bot's wait status, None when it was not its own end."""
    with selectors.DefaultSelector() as selector:
        selector.register(wake_read, selectors.EVENT_READ)
        selector.register(0, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fd == 0 and not os.read(0, 4096):
                    return None
                if key.fd == wake_read:
                    os.read(wake_read, 4096)
            while True:
                try:
                    pid, status = os.waitpid(-1, os.WNOHANG)
                except ChildProcessError:
                    return None
                if pid == 0:
                    break
                if pid == bot:
                    return status


def _kill_all() -> None:
    """Kill every descendant, round by round, until there is none: what is orphaned by a round is ours in the next."""
    while True:
        stopped: set[int] = set()
        while fresh := [pid for pid in _descendants(os.getpid()) if pid not in stopped]:
            for pid in fresh:  # what is stopped starts no others while we look for them
                _signal(pid, signal.SIGSTOP)
            stopped.update(fresh)
        for pid in stopped:
            _signal(pid, signal.SIGKILL)
        try:
            for _ in stopped or (0,):
                os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _descendants(pid: int) -> list[int]:
    """All processes below a process, where the system tells."""
    found = [pid]
    for parent in found:  # grows while we walk; a bot may make its tree as deep as it likes
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{parent}/task"):  # noqa: PTH208  # pathlib would double the start time
                with open(f"/proc/{parent}/task/{thread}/children", encoding="ascii") as file:  # noqa: PTH123
                    found += map(int, file.read().split())
    return found[1:]


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


if __name__ == "__main__":
    main()
