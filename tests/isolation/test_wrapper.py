"""The commands that put a bot into a tier, read and not run; that they work is shown by running them elsewhere."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.seat.isolation.tier import Limits, Tier
from arena.seat.isolation.wrapper import Launch, Place, limits_launch, missing_programs, sandbox_launch, seat_address

PLACE = Place(bot=Path("/contest/bots/a bot"), seat=Path("/tmp/arena-1/0"))
LIMITS = Limits(memory_mib=100, processes=33, disk_mib=7)
BOT = ("python", "main.py", "--fast")


def sandbox(*command: str, **other: Any) -> Launch:
    """A command in a sandbox, with nothing but what is said."""
    usual = {"limits": LIMITS, "environment": {"ARENA_TOKEN": "t"}, "user": None, "entrances": (), "seccomp_fd": None}
    return sandbox_launch(command or BOT, PLACE, **(usual | {"status_fd": 9, "with_proc": True} | other))


def under_the_keeper(launch: Launch) -> tuple[str, ...]:
    """What the keeper is told to run, without limits of its own."""
    at = launch.command.index("--")
    assert launch.command[:3] == (sys.executable, "-I", "-S")
    assert launch.command[4:at] == ("0", "0", "0")
    assert launch.holds_stdin
    return launch.command[at + 1 :]


def mounts(launch: Launch) -> dict[str, tuple[str, str]]:
    """By the place inside: how it is mounted, and what."""
    words = launch.command
    return {
        words[at + 2]: (word, words[at + 1])
        for at, word in enumerate(words)
        if word in ("--ro-bind", "--ro-bind-try", "--bind")
    }


def test_a_sandbox_shows_the_system_the_bot_and_its_socket_read_only() -> None:
    found = mounts(sandbox())
    assert {kind for kind, _ in found.values()} <= {"--ro-bind", "--ro-bind-try"}
    assert found["/bot"] == ("--ro-bind", "/contest/bots/a bot")
    assert found["/run/arena"] == ("--ro-bind", "/tmp/arena-1/0")
    assert found["/arena/arena"] == ("--ro-bind", str(Path(arena.__file__).parent))
    if sys.prefix != sys.base_prefix:
        assert found["/env"] == ("--ro-bind", sys.prefix)
    ours = {"/bot", "/run/arena", "/arena/arena", "/env", sys.base_prefix}
    assert all(place in ours or place.startswith(("/usr", "/bin", "/sbin", "/lib", "/etc/")) for place in found)
    words = sandbox().command
    assert words.index("--remount-ro") > max(at for at, word in enumerate(words) if word == "--tmpfs")


def test_the_limits_are_set_inside() -> None:
    """Outside, the number of processes would be that of the user, over all bots and everything else."""
    words = under_the_keeper(sandbox())
    inside = words[words.index("--") + 1 :]
    assert inside == (
        "prlimit", "--nproc=33", "--nofile=256", f"--fsize={7 << 20}", "--core=0", f"--data={100 << 20}", "--", *BOT,
    )  # fmt: skip
    assert ("--size", str(7 << 20), "--tmpfs", "/tmp") == words[words.index("--tmpfs") - 2 : words.index("--tmpfs") + 2]


def test_a_group_limits_memory_instead_of_the_process() -> None:
    launch = sandbox(entrances=(Path("/groups/x/cgroup.procs"),), seccomp_fd=8, user=60_601)
    assert not [word for word in launch.command if word.startswith("--data")]
    assert launch.inherited == (9, 8)
    at = [Path(word).name for word in launch.command].index("setpriv")
    assert launch.command[at + 1 :][:6] == ("--reuid", "60601", "--regid", "60601", "--clear-groups", "--no-new-privs")


def test_groups_are_entered_before_anything_else_is_run(tmp_path: Path) -> None:
    """Whatever their names are: run here, with a command in the place of bubblewrap."""
    entrances = (tmp_path / "it's", tmp_path / "$HOME `x`")
    words = under_the_keeper(sandbox(entrances=entrances))
    shell = subprocess.run([*words[:4], "echo", "$$", "runs"], capture_output=True, text=True, check=True)
    assert shell.stdout == "$$ runs\n"
    first, second = (entrance.read_text() for entrance in entrances)
    assert first == second
    assert int(first) > 0


def test_proc_is_left_out_where_it_is_forbidden() -> None:
    assert "--proc" in sandbox().command
    assert "--proc" not in sandbox(with_proc=False).command


def test_the_environment_is_ours_and_not_the_hosts() -> None:
    assert sandbox().environment == {
        "ARENA_TOKEN": "t",
        "PATH": "/env/bin:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": "/arena",
        "HOME": "/tmp",
        "TMPDIR": "/tmp",
    }


def test_our_own_python_has_another_name_inside() -> None:
    if sys.prefix == sys.base_prefix:
        pytest.skip("this Python is not in an environment of its own")
    launch = sandbox(sys.executable, "main.py")
    assert launch.command[-2:] == ("/env/bin/python", "main.py")


def test_without_walls_a_keeper_stands_beside_the_bot() -> None:
    launch = limits_launch(BOT, PLACE, limits=LIMITS, environment={"A": "b"})
    assert launch.command[:3] == (sys.executable, "-I", "-S")
    assert launch.command[4:] == (str(100 << 20), str(7 << 20), "256", "--", *BOT)
    assert (launch.folder, launch.environment, launch.holds_stdin) == (PLACE.bot, {"A": "b"}, True)


@pytest.mark.parametrize(
    ("tier", "address"),
    [
        (Tier.LIMITS, "unix:///tmp/a%20b%3F/seat.sock"),
        (Tier.SANDBOX, "unix:///run/arena/seat.sock"),
        (Tier.STRICT, "unix:///run/arena/seat.sock"),
    ],
)
def test_the_address_is_the_one_that_the_bot_can_reach(tier: Tier, address: str) -> None:
    assert seat_address(tier, replace(PLACE, seat=Path("/tmp/a b?"))) == address


def test_programs_that_are_missing_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert missing_programs(Tier.LIMITS, is_root=True) == []
    assert missing_programs(Tier.SANDBOX, is_root=False) == ["bwrap", "prlimit"]
    assert missing_programs(Tier.STRICT, is_root=True) == ["bwrap", "prlimit", "setpriv"]
