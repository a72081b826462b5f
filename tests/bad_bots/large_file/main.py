"""One file of 32 MiB."""

from pathlib import Path

from attack import TARGETS, attempt, play

folder = Path(TARGETS["scratch"])
folder = folder if folder.is_dir() else Path("/tmp")
with attempt("32 MiB"), open(folder / "large", "wb", buffering=0) as file:
    for _ in range(32):
        if file.write(bytes(1 << 20)) < 1 << 20:
            raise OSError("not all of it was written")
play()
