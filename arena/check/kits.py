"""The kits: complete sample bots that `arena new` copies, and that `arena check` has a bot play against.

They lie in `sample_bots` of a checkout, and in `arena/kits` of an installed arena. This module uses the standard library only:
`setup.py` has it copy them when a wheel is built.
"""

import fnmatch
import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

KITS = {
    "python": "greedy",
    "javascript": "greedy_javascript",
    "go": "greedy_go",
    "rust": "greedy_rust",
    "java": "greedy_java",
    "cpp": "greedy_cpp",
    "stdio": "greedy_awk",
}
"""The folder of the kit for each language."""
MANIFEST = "bot.yaml"
_NEVER_COPIED = ("__pycache__", "*.pyc", ".*_cache", ".DS_Store")


def find_kits() -> Path:
    """The folder that has them: our own packages come first, since a checkout has none there."""
    package = Path(__file__).parents[1]
    installed = package / "kits"
    return installed if installed.is_dir() else package.parent / "sample_bots"


def offered_languages() -> list[str]:
    """The languages whose kit is there."""
    folder = find_kits()
    return [language for language, name in KITS.items() if (folder / name / MANIFEST).is_file()]


def copy_kit(source: Path, target: Path) -> None:
    """Copy a kit without what its build makes, which is what its `.gitignore` names. Raises OSError.

    target: must not exist, or be an empty folder.
    """
    patterns = _ignored(source)

    def left_out(folder: str, names: list[str]) -> Iterable[str]:
        inside = Path(folder).relative_to(source)
        return [name for name in names if _matches((inside / name).as_posix(), patterns)]

    shutil.copytree(source, target, ignore=left_out, dirs_exist_ok=True)


def copy_all(source: Path, target: Path) -> None:
    """Copy every kit of a folder into another one. Raises OSError, also when there is none."""
    kits = [manifest.parent for manifest in sorted(source.glob(f"*/{MANIFEST}"))]
    if not kits:
        raise FileNotFoundError(f"there are no kits in {source}")
    for kit in kits:
        copy_kit(kit, target / kit.name)


def rename(folder: Path, name: str) -> None:
    """Write another name into the manifest of a copied kit; everything else in it stays as it is."""
    path = folder / MANIFEST
    text = path.read_text(encoding="utf-8")
    is_plain = re.fullmatch(r"[A-Za-z][\w-]*", name, re.ASCII) and name.lower() not in ("true", "false", "null")
    value = name if is_plain else json.dumps(name, ensure_ascii=False)
    path.write_text(re.sub(r"(?m)^name:.*$", lambda _: f"name: {value}", text, count=1), encoding="utf-8")


def _ignored(kit: Path) -> tuple[str, ...]:
    path = kit / ".gitignore"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return (*_NEVER_COPIED, *(line.strip() for line in lines if line.strip() and not line.startswith("#")))


def _matches(path: str, patterns: Iterable[str]) -> bool:
    """Whether a path inside a kit is named by a pattern: `/x` is meant from the top, `x` anywhere."""
    for pattern in patterns:
        plain = pattern.rstrip("/")
        if fnmatch.fnmatch(path, plain[1:]) if plain.startswith("/") else fnmatch.fnmatch(path.rpartition("/")[2], plain):
            return True
    return False
