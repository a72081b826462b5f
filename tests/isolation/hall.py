"""A table in one tier whose innocent seats stay the same, at which one bad bot after the other takes a seat."""

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from arena.rules.cards import SEATS, Seat
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import Isolation, make_reachable
from arena.seat.isolation.tier import Tier
from arena.seat.manifest import Manifest, load_manifest
from tests.isolation.expectation import BAD_BOTS, Expectation
from tests.isolation.machine import groups_of
from tests.seat_tools import NULL, RAW, write_bot

LOG_BYTES = 200_000
SLOW = """
import time
from arena.bot import Bot, serve

class Slow(Bot):
    turns = 0

    def choose(self, turn):
        self.turns += 1
        if self.turns <= 3:
            time.sleep(0.6)
        return turn.legal[0]

    def match_start(self, start):
        self.turns = 0

serve(Slow())
"""
"""A bot that takes its time in the first turns of a match."""


class Hall:
    """Innocent bots in one tier, running, and what there is to attack. root: a short path that others may pass through."""

    def __init__(self, isolation: Isolation, root: Path) -> None:
        self.isolation = isolation
        self.root = root
        self.innocents: dict[str, Chair] = {}
        self.bots = root / f"bots-{secrets.token_hex(4)}"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.abstract = f"arena-{secrets.token_hex(8)}"
        self.unlinked = socket.socket(socket.AF_UNIX)
        self.unlinked.bind("\0" + self.abstract)
        self.unlinked.listen()
        (root / "run").mkdir(0o700)
        (root / "run" / "store.sqlite").write_text("every deal")
        (root / "run" / "secret").write_text("the seed")

    async def open(self) -> None:
        """Start the innocents."""
        null, slow = (write_bot(self.bots / name, source) for name, source in (("null", NULL), ("slow", SLOW)))
        make_reachable(self.bots)
        for name, seat, manifest in (("1", 1, null), ("2", 2, null), ("3", 3, null), ("slow", 1, slow)):
            options = ChairOptions(startup_ms=20_000, first_turn_ms=2000, log_bytes=LOG_BYTES, isolation=self.isolation)
            chair = self.new_chair(SEATS[seat], manifest, folder=self.root / f"s{name}", options=options)
            self.innocents[name] = await chair.__aenter__()
        for chair in self.innocents.values():
            assert await chair.start() is None

    async def close(self) -> None:
        """End them."""
        for chair in self.innocents.values():
            await chair.__aexit__(None, None, None)
        self.listener.close()
        self.unlinked.close()

    def new_chair(self, seat: Seat, manifest: Manifest, *, folder: Path, options: ChairOptions) -> Chair:
        """Not yet entered, with folders for its socket and, beside it, for its logs."""
        folder.mkdir()
        logs_of(folder).mkdir()
        return Chair(seat, manifest=manifest, folder=folder, logs=logs_of(folder), options=options)

    def bad_chair(self, seat: Seat, bot: Path, *, expected: Expectation, folder: Path) -> Chair:
        """A chair for a bad bot."""
        limits = replace(self.isolation.limits, memory_mib=expected.memory_mib)
        options = ChairOptions(
            startup_ms=expected.startup_ms,
            first_turn_ms=0,
            log_bytes=LOG_BYTES,
            isolation=replace(self.isolation, limits=limits),
        )
        return self.new_chair(seat, load_manifest(bot), folder=folder, options=options)

    def write_bad_bot(self, name: str, home: Path) -> Path:
        """A copy of a bad bot's folder with what it needs to know beside it."""
        folder = home / "bot"
        shutil.copytree(BAD_BOTS / name, folder, ignore=shutil.ignore_patterns("__pycache__", "expect.yaml"))
        shutil.copy(BAD_BOTS / "attack.py", folder)
        (folder / "raw.py").write_text(RAW)
        scratch = home / "scratch"
        scratch.mkdir()
        scratch.chmod(0o777)
        targets = {
            "files": [str(self.root / "run" / file) for file in ("store.sqlite", "secret")]
            + [str(self.bots / "null" / "main.py")],
            "names": [self.root.name, home.name, "store.sqlite", "secret", "scratch"],
            "seats": [str(self.root / f"s{seat}" / "seat.sock") for seat in (1, 2, 3)],
            "port": self.listener.getsockname()[1],
            "abstract": self.abstract,
            "referee": os.getpid(),
            "scratch": str(scratch),
            "word": secrets.token_hex(8),
        }
        (folder / "targets.json").write_text(json.dumps(targets))
        return folder


def logs_of(folder: Path) -> Path:
    """Where the logs of the chair with this folder are: not where its bot could see them."""
    return folder.with_name(folder.name + "-logs")


def make_harmless(bot: Path, tier: Tier) -> None:
    """Put a bot that plays its first legal move in the place of a bad one, under the same command."""
    (bot / "main.py").write_text(NULL)
    if "./bot" in load_manifest(bot).run:
        import sys

        python = sys.executable if tier is Tier.LIMITS else "/usr/bin/env python"
        (bot / "bot").write_text(f"#!{python}\n{NULL}")
        (bot / "bot").chmod(0o755)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, but what Python makes of its modules where it may."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@contextlib.contextmanager
def watched_groups() -> Iterator[set[Path]]:
    """The control groups of bots that are seen below this process meanwhile; filled by a task of the running loop."""
    seen: set[Path] = set()

    async def watch() -> None:
        while True:
            seen.update(await asyncio.to_thread(groups_of, os.getpid()))
            await asyncio.sleep(0.1)

    task = asyncio.create_task(watch())
    try:
        yield seen
    finally:
        task.cancel()
