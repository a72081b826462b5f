"""Looks for what it has left, and leaves it."""

from pathlib import Path

from attack import TARGETS, failed, play, succeeded

found = False
for folder in (TARGETS["scratch"], "/tmp", "/dev/shm", "/run/arena", "/bot"):
    mark = Path(folder, "mark-" + TARGETS["word"])
    if mark.exists():
        found = True
        mark.unlink()
    else:
        try:
            mark.write_text("I was here")
        except OSError:
            pass
        if folder == TARGETS["scratch"] and mark.exists():
            break  # a machine without walls: one is enough, and the test clears it away
(succeeded if found else failed)("a file of the last start")
play()
