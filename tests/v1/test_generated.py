"""The generated code is that of the proto, and the proto is in order."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
NAMES = ("bot_pb2.py", "bot_pb2.pyi", "bot_pb2_grpc.py")


def tool(*, is_there: bool, what: str) -> None:
    """Skip the test when a tool is missing; where all tools have to be there, fail."""
    if is_there:
        return
    if os.environ.get("ARENA_REQUIRE_TOOLS"):
        pytest.fail(f"ARENA_REQUIRE_TOOLS is set, but {what}")
    pytest.skip(what)


def test_the_generated_code_is_up_to_date(tmp_path: Path) -> None:
    has_protoc = subprocess.run([sys.executable, "-c", "import grpc_tools"], check=False, capture_output=True).returncode == 0
    tool(is_there=has_protoc, what="grpcio-tools is not installed: pip install '.[dev]'")
    outputs = [f"--{kind}={tmp_path}" for kind in ("python_out", "pyi_out", "grpc_python_out")]
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROJECT}/proto", *outputs, "arena/v1/bot.proto"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = tmp_path / "arena" / "v1"
    assert sorted(path.name for path in made.iterdir()) == sorted(NAMES)
    for name in NAMES:
        committed = (PROJECT / "arena" / "v1" / name).read_text()
        assert (made / name).read_text() == committed, f"arena/v1/{name} is not what the proto gives: run `make proto`"


def test_nothing_else_is_in_the_generated_package() -> None:
    files = {path.name for path in (PROJECT / "arena" / "v1").iterdir() if path.is_file()}
    assert files == {"__init__.py", *NAMES}
    assert (PROJECT / "arena" / "v1" / "__init__.py").read_text().strip() == ""


def test_buf_has_nothing_to_say_about_the_proto() -> None:
    buf = shutil.which("buf")
    tool(is_there=buf is not None, what="buf is not on PATH: npm install --global @bufbuild/buf")
    done = subprocess.run([str(buf), "lint"], cwd=PROJECT / "proto", check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
