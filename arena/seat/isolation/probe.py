"""What this machine offers: each tier is tried once with the exact command that bots will run under."""

import asyncio
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.errors import HostError, UserError
from arena.seat.isolation import seccomp
from arena.seat.isolation.cage import Cage, Isolation, make_reachable
from arena.seat.isolation.cgroup import find_hierarchies, remove_leftovers
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.isolation.wrapper import Place, missing_programs

_SECONDS = 20.0
_READ_ALL = """
import os, sys

def fail(error):
    sys.exit(f"{error.filename}: {error.strerror}")

for folder, _, names in os.walk(".", onerror=fail):
    for name in names:
        path = os.path.join(folder, name)
        if os.path.exists(path) and not os.access(path, os.R_OK):
            sys.exit(f"{path}: Permission denied")
"""
_PACKAGES = {"bwrap": "bubblewrap", "setpriv": "util-linux", "prlimit": "util-linux"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a tier works here. problem: what is missing, in words; empty when it works. remedy: a command, if there is one.

    with_proc: whether /proc can be mounted in it.
    """

    tier: Tier
    problem: str = ""
    remedy: str = ""
    with_proc: bool = True

    @property
    def works(self) -> bool:
        """Whether bots can run in it."""
        return not self.problem


async def probe_tiers(limits: Limits) -> tuple[Finding, ...]:
    """Try every tier, weakest first."""
    return tuple([await _probe(tier, limits) for tier in Tier])


async def find_isolation(*, least: Tier | None, limits: Limits, freezes: bool) -> Isolation:
    """The strongest tier that works here, found by trying from the top.

    least: the weakest that will do, from the user; None for any. Raises UserError when none from there up works.
    """
    finding = Finding(Tier.LIMITS, "no tier was tried")
    for tier in reversed(Tier):
        finding = await _probe(tier, limits)
        if finding.works:
            if tier is Tier.STRICT:
                remove_leftovers(find_hierarchies())
            return Isolation(tier=tier, limits=limits, with_proc=finding.with_proc, freezes=freezes)
        if tier is least:
            remedy = f"; try: {finding.remedy}" if finding.remedy else ""
            raise UserError(f"isolation: {least} was asked for, and this machine does not offer it: {finding.problem}{remedy}")
    raise UserError(f"bots cannot be run here: {finding.problem}")


async def check_folders(isolation: Isolation, folders: Iterable[Path]) -> None:
    """Raise UserError when bots could not read their own folders, which otherwise shows as a fault of each of them."""
    if isolation.tier is Tier.LIMITS or not _is_root():
        return
    for folder in folders:
        if problem := await _try(isolation, (sys.executable, "-c", _READ_ALL), bot=folder):
            raise UserError(
                f"bots run as users of their own, who cannot read {folder}: {problem}; "
                f"try: chmod -R a+rX {shlex.quote(str(folder))}, and let others pass through the folders above it"
            )


async def _probe(tier: Tier, limits: Limits) -> Finding:
    if sys.platform != "linux" and tier is not Tier.LIMITS:
        return Finding(tier, f"{tier} needs Linux")
    if missing := missing_programs(tier, is_root=_is_root()):
        packages = " ".join(dict.fromkeys(_PACKAGES[name] for name in missing))
        installer = "apt-get install" if shutil.which("apt-get") else "install the packages"
        return Finding(tier, f"there is no {' and no '.join(missing)} on the PATH", f"{installer} {packages}")
    if tier is Tier.STRICT:
        if not seccomp.is_supported():
            return Finding(tier, f"there is no filter of system calls for {os.uname().machine}")
        if not find_hierarchies().is_enough:
            remedy = "" if _is_root() else "run as root, or log in so that this works: systemd-run --user --scope true"
            return Finding(tier, "this process may not make control groups for memory and processes", remedy)
    isolation = Isolation(tier=tier, limits=limits)
    imports = (sys.executable, "-c", "import arena.bot")
    problem = await _try(isolation, imports)
    if problem and tier is not Tier.LIMITS and not await _try(replace(isolation, with_proc=False), imports):
        return Finding(tier, with_proc=False)
    return Finding(tier, problem, _remedy(problem))


async def _try(isolation: Isolation, command: Sequence[str], *, bot: Path | None = None) -> str:
    """Run a command as a bot would be run, in its folder or in an empty one; what went wrong, in words."""
    with tempfile.TemporaryDirectory(prefix="arena-") as root:
        make_reachable(Path(root))
        empty = Path(tempfile.mkdtemp(dir=root))
        make_reachable(empty)
        place = Place(bot=bot or empty, seat=Path(tempfile.mkdtemp(dir=root)))
        try:
            cage = Cage(isolation, place)
        except HostError as error:
            return str(error)
        try:
            launch = cage.launch(command, {"PATH": os.environ.get("PATH", os.defpath)})
            process = await asyncio.create_subprocess_exec(
                *launch.command,
                cwd=launch.folder,
                env=launch.environment,
                pass_fds=launch.inherited,
                stdin=asyncio.subprocess.PIPE if launch.holds_stdin else asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
            try:
                async with asyncio.timeout(_SECONDS):
                    errors = await process.stderr.read() if process.stderr else b""
                    status = await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()
                return f"a process in it did not end within {_SECONDS:g} s"
        finally:
            cage.close()
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return "" if status == 0 else (lines[-1] if lines else f"a process in it ended with status {status}")


def _remedy(problem: str) -> str:
    if "Permission denied" in problem:
        return "make the environment from the system's Python: /usr/bin/python3 -m venv"
    if "namespace" in problem or "Operation not permitted" in problem:
        return "sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000"
    return ""


def _is_root() -> bool:
    return hasattr(os, "getuid") and os.getuid() == 0
