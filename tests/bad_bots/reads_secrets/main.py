"""Opens what it should not see, also by way of other processes' folders."""

from attack import TARGETS, attempt, play

for path in TARGETS["files"]:
    for way in (path, f"/proc/1/root{path}", f"/proc/self/root{path}"):
        with attempt(f"read {way}"), open(way, "rb") as file:
            file.read()
play()
