"""Nothing of the seed, the deals, the other seats or the host reaches a bot: it looks at all that it can, and we read that."""

import asyncio
import json
import os
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from arena.rules.cards import SEATS
from arena.rules.options import Rules
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.tier import Tier
from arena.seat.isolation.wrapper import INSIDE_BOT
from tests.isolation.machine import offered
from tests.referee.table import Table, key
from tests.seat_tools import NULL, RAW, SECRET, write_bot

LOOKS = """
import base64
import json
import os
import sys

def read(path):
    try:
        with open(path, "rb") as file:
            return file.read().decode(errors="replace")
    except OSError as error:
        return f"({error.strerror})"

def listed(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []

def opened():
    found = {}
    for number in range(256):
        try:
            found[number] = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            pass
    return found

FOLDERS = ("/", "/etc", "/run", "/run/arena", "/tmp", "/bot", "/arena", "/dev/shm", "/home")
seen = {
    "environment": dict(os.environ),
    "arguments": read("/proc/self/cmdline").split(chr(0)),
    "descriptors": opened(),
    "folders": {folder: listed(folder) for folder in FOLDERS},
    "processes": [name for name in os.listdir("/proc") if name.isdecimal()],
    "mounts": read("/proc/self/mountinfo"),
    "first": read("/proc/1/cmdline"),
    "host": [read(f"/proc/sys/kernel/{name}") for name in ("hostname", "domainname")],
    "user": [os.getuid(), os.getgroups(), read("/proc/self/status")],
    "network": read("/proc/net/unix") + read("/proc/net/tcp"),
}

from arena.v1 import bot_pb2 as pb
from raw import Raw

raw = Raw()
raw.hello()
messages = seen["messages"] = []
try:
    for data in raw.call:
        messages.append(data.hex())
        message = pb.RefereeMessage.FromString(data)
        if message.HasField("turn"):
            raw.answer(message.turn.number, message.turn.legal[0])
        if message.HasField("match_result"):
            break
finally:
    print(json.dumps(seen), flush=True)
    os._exit(0)
"""


async def look(tier: Tier, root: Path) -> dict[str, Any]:
    """What a bot in seat 0 has seen in a match."""
    isolation = offered(tier)
    (root / "run").mkdir()
    (root / "run" / "store.sqlite").write_bytes(SECRET)
    looks, null = write_bot(root / "looks", LOOKS), write_bot(root / "innocent", NULL)
    (looks.folder / "raw.py").write_text(RAW)
    async with AsyncExitStack() as stack:
        chairs = []
        for seat in SEATS:
            folder, logs = Path(tempfile.mkdtemp(dir=root)), root / f"logs-{seat}"
            logs.mkdir()
            options = ChairOptions(startup_ms=20_000, first_turn_ms=0, log_bytes=1_000_000, isolation=isolation)
            chair = Chair(seat, manifest=looks if seat == 0 else null, folder=folder, logs=logs, options=options)
            chairs.append(await stack.enter_async_context(chair))
        record = await Table((chairs[0], chairs[1], chairs[2], chairs[3]), Rules(match_target=2, max_games=1)).play()
        assert not record.faults
    seen: dict[str, Any] = json.loads((root / "logs-0" / "stdout.log").read_text())
    return seen


def texts(value: object) -> str:
    """Everything in a value, as one text."""
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("tier", Tier)
def test_what_a_bot_sees(tier: Tier, open_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TEST_SECRET", SECRET.hex())
    found = asyncio.run(look(tier, open_root))
    _check_secrets(found, open_root)
    _check_handed_over(found)
    if tier is not Tier.LIMITS:
        _check_walls(found, open_root)
        assert found["user"][0] != 0
        assert "CapEff:\t0000000000000000" in found["user"][2]
        assert "NoNewPrivs:\t1" in found["user"][2]
    assert ("Seccomp:\t2" in found["user"][2]) == (tier is Tier.STRICT)


def _check_secrets(found: dict[str, Any], root: Path) -> None:
    """In no tier is a bot told the secret, the words that the deals of its match are made from, or what our environment has."""
    everything = texts(found)
    for word in (SECRET.hex(), SECRET.decode("latin-1"), key(0).deals, "ARENA_TEST_SECRET", "PYTEST_CURRENT_TEST"):
        assert word not in everything
    assert len(found["messages"]) > 5
    for message in map(bytes.fromhex, found["messages"]):
        assert SECRET not in message
        assert os.fsencode(root.name) not in message


def _check_handed_over(found: dict[str, Any]) -> None:
    """What a bot is given of ours is what it needs."""
    needed = {"ARENA_ADDRESS", "ARENA_TOKEN", "PYTHONUNBUFFERED", "PATH"}
    assert needed <= found["environment"].keys()
    assert found["environment"].keys() <= needed | {"PYTHONPATH", "HOME", "TMPDIR", "PWD", "LANG", "LC_ALL", "LC_CTYPE", "TZ"}
    assert found["descriptors"].keys() <= {"0", "1", "2"}
    if found["descriptors"]:
        assert found["descriptors"]["0"] == "/dev/null"
        assert found["descriptors"]["1"].startswith("pipe:")
        assert found["descriptors"]["2"].startswith("pipe:")
    assert found["arguments"][1:] == ["main.py", ""]


def _check_walls(found: dict[str, Any], root: Path) -> None:
    """The host is not there. What the kernel tells of mounts does name the bot's own places, as docs/security.md says."""
    told = {name: value for name, value in found.items() if name not in ("mounts", "first")}
    for word in (str(root), root.name, "store.sqlite", "innocent", str(Path.home()), os.uname().nodename, sys.prefix):
        if len(word) > 4:
            assert word not in texts(told), word
    for word in ("store.sqlite", "innocent", "logs-"):
        assert word not in texts(found), word
    folders = found["folders"]
    usual = {"bin", "sbin", "lib", "lib32", "lib64", "usr", "etc", "dev", "proc", "tmp", "env", "arena", "bot", "run"}
    base = Path(sys.base_prefix)
    assert set(folders["/"]) <= usual | (set() if base.is_relative_to("/usr") else {base.parts[1]})
    assert all(
        name in ("alternatives", "ld.so.cache", "localtime", "ssl") or name.startswith("java-") for name in folders["/etc"]
    )
    assert folders["/run"] == ["arena"]
    assert folders["/run/arena"] == ["seat.sock"]
    assert folders["/arena"] == ["arena"]
    assert sorted(name for name in folders[INSIDE_BOT] if name != "__pycache__") == ["main.py", "raw.py"]
    assert folders["/tmp"] == folders["/dev/shm"] == folders["/home"] == []
    assert len(found["processes"]) <= 3
    assert found["host"][0].strip() == "seat"
    assert found["user"][1] in ([], [found["user"][0]])
    assert "@" not in found["network"]
