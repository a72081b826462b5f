"""`arena play` and `arena watch`: who sits down, what a pipe gets, and that a terminal that goes away takes its bots along."""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.cli.table import deals_secret, find_bot
from arena.errors import ConfigError, UserError
from tests.cli.running import ARENA, PATIENCE, is_alive, until
from tests.seat_tools import NULL, write_bot

SMALL = ("--match-target", "2", "--seed", "a test")


def call(*arguments: object) -> subprocess.CompletedProcess[str]:
    """A command without a terminal."""
    return subprocess.run(
        [ARENA, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_a_bot_is_a_folder_or_the_name_of_a_sample(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_bot(folder / "mine", NULL)
    (folder / "mine" / "bot.yaml").write_text("name: my own\nlanguage: python\nrun: [python, main.py]\n")
    assert find_bot(str(folder / "mine")).name == "my own"
    assert find_bot("greedy").folder.name == "greedy"
    monkeypatch.chdir(folder)
    assert find_bot("mine").name == "my own"
    with pytest.raises(UserError, match=r"neither a folder nor a sample bot: those are .*greedy.*random"):
        find_bot("greddy\x1b")
    (folder / "empty").mkdir()
    with pytest.raises(ConfigError, match=r"bot\.yaml"):
        find_bot("empty")


def test_deals_are_new_each_time_or_those_of_the_seed() -> None:
    assert deals_secret("x") == deals_secret("x") != deals_secret("y")
    assert deals_secret(None) != deals_secret(None)


def test_in_a_pipe_the_match_is_printed_move_by_move() -> None:
    one, two = call("watch", "random", "greedy", *SMALL), call("watch", "greedy", "random", "greedy", "counter", *SMALL)
    for result in (one, two):
        assert result.returncode == 0, result
        assert result.stderr.startswith("Isolation of the bots: ")
        assert "\x1b" not in result.stdout
        assert re.search(r"^Match over   Even seats \d+ : \d+ Odd seats", result.stdout, re.MULTILINE)
    assert "(random, random)" in one.stdout
    assert "(greedy, greedy)" in two.stdout
    assert "(random, counter)" in two.stdout
    # Who plays makes no difference to the deals.
    dealt = [re.findall(r"^  dealt .*$", result.stdout, re.MULTILINE)[0] for result in (one, two)]
    assert dealt[0] == dealt[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("watch", "greedy"), "name two bots for two teams, or four for the four seats"),
        (("watch", *["greedy"] * 3), "name two bots"),
        (("watch", "greedy", "nobody"), "neither a folder nor a sample bot"),
        (("watch", "greedy", "greedy", "--match-target", "3"), "defeat points come in twos"),
        (("play", "--against", "greedy", "--against", "greedy", "--against", "greedy"), "there are two opponents"),
        (("play", "--with", "nobody"), "neither a folder nor a sample bot"),
        (("play",), "needs a terminal"),
    ],
)
def test_mistakes_are_named(arguments: tuple[str, ...], message: str) -> None:
    result = call(*arguments)
    assert result.returncode == 2, result
    assert message in result.stderr
    assert "Traceback" not in result.stderr


class Screen:
    """`arena` in a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.fd, inner = pty.openpty()
        environment = os.environ | {"TERM": "xterm-256color", "LINES": "24", "COLUMNS": "80"}
        self.process = subprocess.Popen(
            ["setsid", "--ctty", ARENA, *arguments], stdin=inner, stdout=inner, stderr=inner, env=environment
        )
        os.close(inner)
        os.set_blocking(self.fd, False)
        self.output = b""
        self.is_open = True

    def shows(self, text: str) -> bool:
        """Whether a text was shown by now."""
        self.read()
        return text.encode() in self.output

    def read(self) -> None:
        """Take what there is: who writes to a terminal that nobody reads would wait."""
        try:
            while self.is_open and (piece := os.read(self.fd, 65536)):
                self.output += piece
        except OSError:
            return

    def press(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def close(self) -> None:
        """The terminal goes away, as when a connection breaks off."""
        if self.is_open:
            self.is_open = False
            os.close(self.fd)

    def end(self) -> int:
        """The exit code, once it has ended."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, "it goes on"
            self.read()
            time.sleep(0.02)
        self.read()
        return self.process.returncode

    def descendants(self) -> set[int]:
        """All processes below it."""
        children: dict[int, list[int]] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(path.parent.name))
        found, waiting = set(), [self.process.pid]
        while waiting:
            for pid in children.get(waiting.pop(), ()):
                found.add(pid)
                waiting.append(pid)
        return found


@contextmanager
def screen(*arguments: str) -> Iterator[Screen]:
    it = Screen(*arguments)
    try:
        yield it
    finally:
        it.process.kill()
        it.process.wait()
        it.close()


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@on_linux
@pytest.mark.parametrize("how", ["keys", "SIGTERM", "SIGINT", "hangup"])
def test_leaving_gives_the_terminal_back_and_ends_the_bots(how: str) -> None:
    with screen("play", "--seed", "a test") as arena:
        until(lambda: arena.shows("[4]") and len(arena.descendants()) >= 3)
        bots = arena.descendants()
        if how == "keys":
            arena.press("q")
            until(lambda: arena.shows("Leave in the middle of the match?"))
            arena.press("y")
        elif how == "hangup":
            arena.close()
        else:
            arena.process.send_signal(signal.Signals[how])
        code = arena.end()
        until(lambda: not any(map(is_alive, bots)))
        assert code == (0 if how == "keys" else 130)
        if how != "hangup":
            # The other screen, the mouse and the cursor.
            for back in ("\x1b[?1049l", "\x1b[?1000l", "\x1b[?25h"):
                assert arena.output.rindex(back.encode()) > 0
            assert "Traceback" not in arena.output.decode(errors="replace")


@on_linux
def test_a_match_is_watched_in_a_terminal() -> None:
    with screen("watch", "random", "greedy", "--speed", "20", *SMALL) as arena:
        until(lambda: arena.shows("Close"))
        arena.press("\r")
        assert arena.end() == 0
    assert re.search(
        r"(Even|Odd) won; (Even|Odd) are goats", arena.output.decode(errors="replace").rpartition("\x1b[?1049l")[2]
    )
