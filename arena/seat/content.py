"""What a bot's folder consists of: its source, without what is made from it. A hash says whether that has changed."""

import fnmatch
import hashlib
import os
import stat
from pathlib import Path

LEFT_OUT_FOLDERS = (
    "target",
    "build",
    "node_modules",
    "__pycache__",
    "__MACOSX",
    "venv",
    ".venv",
    ".git",
    ".hg",
    ".svn",
    ".gradle",
    ".idea",
    ".vscode",
    ".tox",
    ".*_cache",
)
"""Names of folders, wherever they lie, that are made by builds, versioning and editors."""
LEFT_OUT_FILES = ("*.pyc", ".DS_Store", "Thumbs.db")
_CHUNK_BYTES = 1 << 20


def is_left_out(name: str, *, is_folder: bool) -> bool:
    """Whether a file, or a folder with all that is in it, is no part of a bot's source. name: without the folders above it."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in (LEFT_OUT_FOLDERS if is_folder else LEFT_OUT_FILES))


def content_hash(folder: Path) -> str:
    """SHA-256 of a folder's source as hexadecimal digits: the names, the contents and which files can be executed.

    Links are not followed, where they point to counts. Empty folders, times and owners do not count. What is neither file nor
    link is passed over. Raises OSError when something in it cannot be read.
    """
    lines: list[bytes] = []
    for place, folders, files in os.walk(folder, onerror=_raise):
        inside = Path(place)
        folders[:] = [name for name in folders if not is_left_out(name, is_folder=True)]
        # A link to a folder is among the folders, and is not walked into.
        for name in (*files, *folders):
            if not is_left_out(name, is_folder=False) and (digest := _digest(inside / name)):
                # Its length keeps a name with a line break in it from looking like two files.
                path = os.fsencode((inside / name).relative_to(folder).as_posix())
                lines.append(b"%d %s %s" % (len(path), path, digest))
    return hashlib.sha256(b"\n".join(sorted(lines))).hexdigest()


def _digest(path: Path) -> bytes:
    """Kind and hash of a file or a link; empty for anything else."""
    info = path.lstat()
    if stat.S_ISLNK(info.st_mode):
        return b"link " + hashlib.sha256(os.fsencode(path.readlink())).hexdigest().encode()
    if not stat.S_ISREG(info.st_mode):
        return b""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    kind = b"program " if info.st_mode & stat.S_IXUSR else b"file "
    return kind + digest.hexdigest().encode()


def _raise(error: OSError) -> None:
    raise error
