"""The import table: which package may use which, read from the source of every module, whether or not it is ever run.

Imports under TYPE_CHECKING and inside functions count as any other. Imports inside one package are always allowed.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena

ROOT = Path(arena.__file__).parent
TABLE = {
    "errors": set(),
    "v1": set(),
    "rules": {"errors"},
    "wire": {"errors", "rules", "v1"},
    "bot": {"errors", "rules", "wire", "v1"},
    "seat": {"errors", "rules", "wire", "v1"},
    "records": {"errors", "rules"},
    "referee": {"errors", "rules", "records", "seat"},
    "contest": {"errors", "seat"},
    "tournament": {"errors", "rules", "records", "referee", "seat", "contest"},
    "check": {"errors", "rules", "records", "referee", "seat"},
    "show": {"errors", "rules", "records", "tournament", "check"},
    "play": {"errors", "rules", "records", "referee", "seat", "show"},
    "cli": {"errors", "rules", "bot", "seat", "records", "referee", "contest", "tournament", "show", "check", "play"},
}
"""By package, what it may import of ours. The tree of exceptions belongs to everybody but the generated code."""
VERSION_READERS = set(TABLE) - {"errors", "v1", "rules"}
"""Who may import the top package itself, which holds the version and nothing else."""
PURE = {"collections", "dataclasses", "enum", "functools", "hashlib", "hmac", "itertools", "math", "random", "struct", "typing"}
"""What the rules may import of the standard library: nothing that reads a file, a clock, or the state of the process."""


def package_of(module: str) -> str:
    """The part of `arena.x.y` that has a row in the table; empty for the top package itself."""
    return module.split(".")[1] if "." in module else ""


def imported_modules(source: str, module: str, *, is_package: bool = False) -> Iterator[str]:
    """The full name of everything that a module imports; `from a import b` may be the module a.b, so it is given as that."""
    parts = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = parts[: len(parts) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{start}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            argument = node.args[0] if node.args else None
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value


def iter_imports() -> Iterator[tuple[str, str]]:
    """Every import of every module below `arena`: importer and imported."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = ["arena", *path.relative_to(ROOT).with_suffix("").parts]
        is_package = parts[-1] == "__init__"
        module = ".".join(parts[:-1] if is_package else parts)
        for imported in imported_modules(path.read_text(encoding="utf-8"), module, is_package=is_package):
            yield module, imported


IMPORTS = list(iter_imports())


def is_allowed(importer: str, imported: str) -> bool:
    """Whether the table allows an import of ours."""
    package, used = package_of(importer), package_of(imported)
    if used not in TABLE:
        return package in VERSION_READERS  # a name of the top package, such as its version
    return package == used or used in TABLE.get(package, set())


def test_every_package_has_a_row() -> None:
    packages = {path.name for path in ROOT.iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    modules = {path.stem for path in ROOT.glob("*.py")} - {"__init__"}
    assert {"rules", "v1"} <= packages, "the packages were not found"
    assert packages | modules <= set(TABLE), "a new package needs a row in the table, here and in DESIGN and CONTRIBUTING"


def test_the_imports_keep_to_the_table() -> None:
    ours = [(importer, imported) for importer, imported in IMPORTS if imported.split(".")[0] == "arena"]
    assert len(ours) > 30, "the imports were not found"
    broken = [f"{importer} imports {imported}" for importer, imported in ours if not is_allowed(importer, imported)]
    assert not broken, f"{package_of(broken[0].split()[0])} may import {TABLE.get(package_of(broken[0].split()[0]))} only"


def test_the_top_package_imports_nothing() -> None:
    assert [imported for importer, imported in IMPORTS if importer == "arena"] == []


def test_the_table_has_no_circle() -> None:
    done: set[str] = set()
    while len(done) < len(TABLE):
        ready = {package for package, used in TABLE.items() if package not in done and used <= done}
        assert ready, f"these import each other: {set(TABLE) - done}"
        done |= ready


def test_the_rules_are_pure() -> None:
    outside = {
        imported for importer, imported in IMPORTS if package_of(importer) == "rules" and not imported.startswith("arena")
    }
    assert {imported.split(".")[0] for imported in outside} <= PURE
    for path in (ROOT / "rules").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
                assert node.attr == "Random", f"{path.name} uses the global generator"
            if isinstance(node, ast.ImportFrom) and node.module == "random":
                assert [alias.name for alias in node.names] == ["Random"], f"{path.name} uses the global generator"


@pytest.mark.parametrize("package", ["bot", "rules", "wire", "v1"])
def test_a_bot_starts_fast_it_needs_grpc_and_nothing_else(package: str) -> None:
    tops = {imported.split(".")[0] for importer, imported in IMPORTS if package_of(importer) == package}
    assert tops - sys.stdlib_module_names <= {"arena", "grpc", "google"}


@pytest.mark.parametrize(
    ("source", "imported", "allowed"),
    [
        ("import arena.seat.process", "arena.seat.process", False),
        ("from arena.records import store", "arena.records.store", False),
        ("from arena import referee", "arena.referee", False),
        ("from ..wire.encode import encode_view", "arena.wire.encode.encode_view", False),
        ("from .. import wire", "arena.wire", False),
        ("from . import cards", "arena.rules.cards", True),
        ("from .cards import Suit", "arena.rules.cards.Suit", True),
        ("from arena.errors import RulesError", "arena.errors.RulesError", True),
        ("from arena import errors", "arena.errors", True),
        ("from arena import __version__", "arena.__version__", False),
        ("if TYPE_CHECKING:\n    from arena.seat.chair import Chair", "arena.seat.chair.Chair", False),
        ("if TYPE_CHECKING:\n    from arena.rules.game import Game", "arena.rules.game.Game", True),
        ("def late():\n    import arena.wire", "arena.wire", False),
        ("importlib.import_module('arena.cli.main')", "arena.cli.main", False),
    ],
)
def test_the_reader_of_imports_sees_through_every_form(source: str, imported: str, allowed: bool) -> None:
    assert list(imported_modules(source, "arena.rules.game")) == [imported]
    assert is_allowed("arena.rules.game", imported) is allowed


def test_the_reader_resolves_a_package_as_itself() -> None:
    assert list(imported_modules("from .game import Game", "arena.rules", is_package=True)) == ["arena.rules.game.Game"]
    assert list(imported_modules("from ..seat import chair", "arena.rules", is_package=True)) == ["arena.seat.chair"]
