"""The exact command that puts a bot into a tier. Nothing here runs anything, so a test can read what would be run."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import arena
from arena.seat.isolation import keeper
from arena.seat.isolation.tier import Limits, Tier

MAX_FILES = 256
INSIDE_BOT = "/bot"
INSIDE_SEAT = "/run/arena"
INSIDE_ENVIRONMENT = "/env"
INSIDE_LIBRARY = "/arena"
"""Where a bot in a sandbox finds its folder, its socket, the Python environment and the `arena` package."""

_SHARED_MEMORY_BYTES = 16 * 1024 * 1024
_SYSTEM_FILES = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What a bot needs to see: its own folder and the folder with its socket, as they are outside."""

    bot: Path
    seat: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """A command to execute. folder: where. inherited: descriptors that it needs. holds_stdin: whether it ends when the other
    end of its standard input is closed; else it is given none."""

    command: tuple[str, ...]
    folder: Path
    environment: dict[str, str]
    inherited: tuple[int, ...] = ()
    holds_stdin: bool = False


def seat_address(tier: Tier, place: Place) -> str:
    """What a bot of this tier has to dial."""
    if tier is Tier.LIMITS:
        return f"unix://{quote(str(place.seat / 'seat.sock'))}"
    return f"unix://{INSIDE_SEAT}/seat.sock"


def limits_launch(command: Sequence[str], place: Place, *, limits: Limits, environment: dict[str, str]) -> Launch:
    """`command` under a keeper; environment: what the bot's consists of."""
    return Launch(
        command=_kept(command, limits.memory_bytes, limits.disk_bytes, MAX_FILES),
        folder=place.bot,
        environment=environment,
        holds_stdin=True,
    )


def sandbox_launch(
    command: Sequence[str],
    place: Place,
    *,
    limits: Limits,
    environment: dict[str, str],
    user: int | None,
    entrances: Sequence[Path],
    seccomp_fd: int | None,
    status_fd: int,
    with_proc: bool,
) -> Launch:
    """`command` in bubblewrap under a keeper.

    user: the uid and gid to take first, when we are root. entrances: of its control groups. seccomp_fd: of a filter.
    status_fd: where bubblewrap tells whether it came to run the command. with_proc: whether /proc is mounted, which some
    systems forbid.
    """
    outer: list[str] = []
    if entrances:
        # The shell enters the groups with its own number and becomes the rest.
        enter = "".join(f"echo $$ >{_quoted(entrance)} && " for entrance in entrances)
        outer += ["/bin/sh", "-c", f'{enter}exec "$@"', "sh"]
    if user is not None:
        outer += [_program("setpriv"), "--reuid", str(user), "--regid", str(user), "--clear-groups", "--no-new-privs"]
    inner = ["prlimit", f"--nproc={limits.processes}", f"--nofile={MAX_FILES}", f"--fsize={limits.disk_bytes}", "--core=0"]
    if not entrances:
        inner.append(f"--data={limits.memory_bytes}")  # the group's own limit tells more: whether it was reached
    inner.append("--")
    status = ("--json-status-fd", str(status_fd))
    seccomp = () if seccomp_fd is None else ("--seccomp", str(seccomp_fd))
    proc = ("--proc", "/proc") if with_proc else ()
    walls = (*_namespaces(), *_system(), *_python(), *proc, *_own_places(place, limits), "--remount-ro", "/", *status, *seccomp)
    return Launch(
        command=_kept((*outer, _program("bwrap"), *walls, "--", *inner, *map(_inside, command))),
        folder=Path("/"),
        environment=environment
        | {
            "PATH": f"{INSIDE_ENVIRONMENT}/bin:/usr/local/bin:/usr/bin:/bin",
            "PYTHONPATH": INSIDE_LIBRARY,
            "HOME": "/tmp",
            "TMPDIR": "/tmp",
        },
        inherited=(status_fd,) if seccomp_fd is None else (status_fd, seccomp_fd),
        holds_stdin=True,
    )


def missing_programs(tier: Tier, *, is_root: bool) -> list[str]:
    """Programs that a tier needs and that are not on the PATH."""
    if tier is Tier.LIMITS:
        return []
    needed = ["bwrap", "prlimit", *(["setpriv"] if is_root else [])]
    return [name for name in needed if shutil.which(name) is None]


def _kept(command: Sequence[str], memory_bytes: int = 0, file_bytes: int = 0, files: int = 0) -> tuple[str, ...]:
    """`command` under a keeper, with limits where they are not 0."""
    limits = (str(memory_bytes), str(file_bytes), str(files))
    return (sys.executable, "-I", "-S", keeper.__file__, *limits, "--", *command)


def _program(name: str) -> str:
    """Where a program is on our PATH: the one of the bots' environment is another."""
    return shutil.which(name) or name


def _namespaces() -> tuple[str, ...]:
    return (
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
        *("--cap-drop", "ALL", "--hostname", "seat"),
    )


def _system() -> list[str]:
    """The programs and libraries of the system, and nothing of its data."""
    found = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/", name)
        if path.is_symlink():
            found += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            found += ["--ro-bind", str(path), str(path)]
    for file in (*_SYSTEM_FILES, *map(str, sorted(Path("/etc").glob("java-*")))):
        found += ["--ro-bind-try", file, file]
    return [*found, "--dev", "/dev"]


def _python() -> list[str]:
    """The environment in which we run: bots in Python find the packages that we find."""
    prefix, base = Path(sys.prefix), Path(sys.base_prefix)
    found = ["--ro-bind", str(prefix), INSIDE_ENVIRONMENT] if prefix != base else []
    if not base.is_relative_to("/usr"):
        found += ["--ro-bind", str(base), str(base)]
    return [*found, "--ro-bind", str(Path(arena.__file__).parent), f"{INSIDE_LIBRARY}/arena"]


def _own_places(place: Place, limits: Limits) -> tuple[str, ...]:
    return (
        *("--size", str(limits.disk_bytes), "--tmpfs", "/tmp"),
        *("--size", str(_SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm"),
        *("--ro-bind", str(place.bot), INSIDE_BOT, "--ro-bind", str(place.seat), INSIDE_SEAT, "--chdir", INSIDE_BOT),
    )


def _inside(word: str) -> str:
    """Our own interpreter by the name that it has inside."""
    if word == sys.executable and sys.prefix != sys.base_prefix:
        return f"{INSIDE_ENVIRONMENT}/bin/python"
    return word


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "'\\''") + "'"
