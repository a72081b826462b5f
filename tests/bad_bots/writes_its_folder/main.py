"""What it could leave there, its next start or its partner would find."""

import os
from pathlib import Path
from urllib.parse import unquote

import arena

from attack import attempt, play

seat = Path(unquote(os.environ["ARENA_ADDRESS"].removeprefix("unix://"))).parent
for folder in (Path(), seat, Path("/etc"), Path("/usr"), Path("/")):
    if folder.is_absolute() and "bot" not in os.getcwd().split("/")[1]:
        continue  # only what is the bot's own is tried on a machine without walls
    with attempt(f"write to {folder.absolute()}"):
        (folder / "left-behind").write_text("hello")
if os.getcwd() == "/bot":
    with attempt("write to the framework"):
        (Path(arena.__file__).parent / "left-behind").write_text("hello")
play()
