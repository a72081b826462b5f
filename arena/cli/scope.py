"""Has systemd give us a control group of our own, for people without root."""

import os
import shutil
import subprocess
import sys

from arena.seat.isolation.cgroup import find_hierarchies

_MARK = "ARENA_SCOPE"
"""In the environment of the arena that was started in a scope, so that it does not ask for another one."""
_SCOPE = ("--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes", "--")
_SECONDS = 5.0


def enter_scope() -> None:
    """Become the same command inside a scope of systemd, where it may make control groups; return when that is not to be had.

    It is not asked for when groups can be made already, and by root, who can make them anywhere.
    """
    if sys.platform != "linux" or os.getuid() == 0 or _MARK in os.environ or find_hierarchies().is_enough:
        return
    program = shutil.which("systemd-run")
    if program is None or not _gives_scopes(program):
        return
    sys.stdout.flush()
    sys.stderr.flush()
    command = [program, *_SCOPE, sys.executable, "-m", "arena.cli.main", *sys.argv[1:]]
    os.execve(program, command, {**os.environ, _MARK: "1"})


def _gives_scopes(program: str) -> bool:
    """Whether systemd runs for this user and lets us have a scope; there may be no session, or another init."""
    try:
        return subprocess.run([program, *_SCOPE, "true"], capture_output=True, timeout=_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
