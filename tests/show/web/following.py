"""Real tournaments with a live page, and what stands on the page."""

import http.client
import json
import re
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.cli.running import Contest, Process, until
from tests.show.web.runs import SCRIPT

TEAMS = {SCRIPT: ("first", "first"), "עִזִּים פראיות": ("last", "last"), "Козлы & Co": ("first", "last")}
PLANNED = 12
ALL = 2
"""Matches that a process plays."""


class LiveContest(Contest):
    """A contest of twelve matches, two in each of six sessions, whose bots a test lets play."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, teams=TEAMS, matches=2)
        self.allow(0)

    def allow(self, matches: int) -> None:
        """Let each process play so many matches. Bots that read this at the same time read the old or the new number."""
        for bot in (self.folder / "bots").iterdir():
            (bot / "build").mkdir(exist_ok=True)
            new = bot / "build" / "new"
            new.write_text(str(matches))
            new.replace(bot / "build" / "hold")

    @contextmanager
    def live(self, *arguments: object) -> Iterator[tuple[Process, str]]:
        """The tournament, going on, and the address of its page."""
        log = self.folder / "stderr"
        with log.open("w") as stderr, self.playing(*arguments, stderr=stderr) as arena:
            until(lambda: arena.is_over or "Live: http" in log.read_text())
            found = re.search(r"Live: (http\S+)", log.read_text())
            assert found is not None, log.read_text()
            yield arena, found[1]

    def table(self) -> dict[str, tuple[int, int]]:
        """Of `arena standings --json`: matches and defeat points by team, in its order."""
        rows = self.standings()["standings"]
        return {row["team"]: (row["matches_won"] + row["matches_lost"], row["defeat_points"]) for row in rows}


class Proxy:
    """A connection between a browser and a server that can be cut."""

    def __init__(self, url: str) -> None:
        self._target = (urlsplit(url).hostname or "", urlsplit(url).port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self.is_cut = False
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End all connections, and new ones at once."""
        self.is_cut = True
        for end in list(self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let the browser connect again."""
        self.is_cut = False

    def close(self) -> None:
        """Make an end."""
        self.cut()
        # Wakes the thread that waits for connections.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with suppress(OSError), client:
            if self.is_cut:
                return
            with socket.create_connection(self._target) as server:
                ends = {client: server, server: client}
                self._open |= set(ends)
                while not self.is_cut:
                    for end in select.select(list(ends), [], [], 1.0)[0]:
                        if not (data := end.recv(65536)):
                            return
                        ends[end].sendall(data)


def ask(url: str, path: str = "/", *, method: str = "GET", host: str | None = None) -> tuple[int, dict[str, str], str]:
    """Status, header and body of an answer."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
    try:
        connection.request(method, path, headers={} if host is None else {"Host": host})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()
    finally:
        connection.close()


@contextmanager
def streaming(url: str, *, last_id: str = "") -> Iterator[http.client.HTTPResponse]:
    """The stream of events, open."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
    try:
        connection.request("GET", "/events", headers={"Last-Event-ID": last_id} if last_id else {})
        yield connection.getresponse()
    finally:
        connection.close()


def next_event(stream: http.client.HTTPResponse) -> dict[str, Any]:
    """The next event that has data, with its id."""
    found: dict[str, Any] = {}
    while line := stream.readline():
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "data":
            found |= json.loads(value)
        elif name == "id":
            found["id"] = value
        elif not name and found:
            return found
    raise AssertionError("the stream has ended")


def shown(page: Page) -> dict[str, tuple[int, int]]:
    """Matches and defeat points by team, in the order of the page."""
    rows = page.locator("table.standings tbody tr").evaluate_all(
        "rows => rows.map(row => [row.querySelector('th').innerText, ...Array.from(row.querySelectorAll('td:not(.banded)'), "
        "it => it.innerText)])"
    )
    dash = "\N{EN DASH}"
    return {name: (sum(map(int, matches.rstrip("*").split(dash))), int(points)) for name, _, matches, _, points, *_ in rows}
