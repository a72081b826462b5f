"""Writes files of 4 MiB as long as it can, up to 64 MiB."""

from pathlib import Path

from attack import TARGETS, attempt, play

folder = Path(TARGETS["scratch"])
folder = folder if folder.is_dir() else Path("/tmp")
with attempt("64 MiB"):
    for number in range(16):
        (folder / f"fill-{number}").write_bytes(bytes(4 << 20))
play()
