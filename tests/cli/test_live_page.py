"""`arena tournament --live`: where it may listen, what it says, and what it costs those who do not want it."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import PATIENCE, Contest, Result


def test_a_port_that_is_taken_is_said_before_anything_starts(contest: Contest) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = contest.play("--live", port, "--again")
        assert (result.code, result.stdout) == (2, "")
        assert result.stderr == (
            f"arena: no live page at port {port} of 127.0.0.1: another program listens there. Name another port, or none for "
            "any that is free\n"
        )
    assert not contest.run.exists()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("contest.yaml", "--live takes a port"),
        ("65536", "--live takes a port"),
        ("localhost:", "--live takes a port"),
        ("192.0.2.1:0", "this machine does not have that address"),
        ("no-such-name.invalid:0", "no live page at port 0 of no-such-name.invalid"),
    ],
)
def test_what_is_no_address_of_this_machine(contest: Contest, address: str, words: str) -> None:
    result = contest.play(f"--live={address}")
    assert (result.code, result.stdout) == (2, "")
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not contest.run.exists()


def test_a_finished_run_has_no_live_page_and_prints_its_table(undisturbed: tuple[Contest, Result]) -> None:
    contest, first = undisturbed
    result = contest.play("--live")
    assert (result.code, result.stdout) == (0, first.stdout)
    assert "arena report runs/contest --out DIR" in result.stderr
    assert "http" not in result.stderr


def test_for_the_whole_network_it_says_the_name_of_the_machine(contest: Contest) -> None:
    result = contest.play("--live", "0.0.0.0:0", "--json")
    assert result.code == 0, result
    assert re.search(rf"^Live: http://{re.escape(socket.gethostname())}:\d+/$", result.stderr, re.MULTILINE)
    assert result.stdout == contest.call("standings", "runs/contest", "--json").stdout


def test_who_wants_no_page_imports_no_web_server(tmp_path: Path) -> None:
    script = (
        "import sys, arena.cli.tournament, arena.cli.standings; "
        "print([it for it in ('starlette', 'uvicorn', 'jinja2') if it in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=PATIENCE, cwd=tmp_path
    )
    assert (found.stdout, found.stderr) == ("[]\n", "")
