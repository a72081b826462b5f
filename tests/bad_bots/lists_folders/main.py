"""Lists its own folder's parent, the socket's, and temporary folders, for names of others."""

import os
from urllib.parse import unquote

from attack import TARGETS, attempt, play

socket = unquote(os.environ["ARENA_ADDRESS"].removeprefix("unix://"))
for folder in ("..", os.path.dirname(os.path.dirname(socket)), "/tmp", "/run", "/var/tmp", "/home", "/root"):
    with attempt(f"list {folder}"):
        names = os.listdir(folder)
        if not any(name in TARGETS["names"] for name in names):
            raise OSError(f"only {names[:8]}")
play()
