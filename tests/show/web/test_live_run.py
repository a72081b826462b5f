"""What is at the tables while a run goes on, and a server that fails."""

import io
import time
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.records.store import Store
from arena.show.console import open_console
from arena.show.progress import show_progress
from arena.show.web.live_run import LiveObserver, LiveRun, Stage
from arena.show.web.live_server import LOOPBACK, LiveAddress, LiveServer, listen, parse_live_address
from arena.tournament.schedule import Restart, Seatings
from tests.cli.running import PATIENCE, until
from tests.show.web.runs import make_run

ONE, TWO, THREE = ("A", "B"), ("C", "D"), ("E", "F")


def new_run(*, restart: Restart = Restart.PAIRING, tables: int | None = 2) -> LiveRun:
    return LiveRun(seatings=Seatings.SWAP, restart=restart, tables=tables)


def test_a_session_of_three_matches_is_at_its_table_until_the_third() -> None:
    run = new_run()
    assert run.stage is Stage.PREPARING
    run.plan({ONE: 6, TWO: 6}, {})
    assert (run.stage, run.playing) == (Stage.PLAYING, ())
    run.begin(ONE)
    assert run.playing == (ONE,)
    for _ in range(2):
        run.add(ONE)
        assert run.playing == (ONE,)
    run.add(ONE)
    assert run.playing == ()


def test_a_session_that_waits_for_a_table_is_not_at_one() -> None:
    run = new_run(tables=1)
    run.plan({ONE: 4, TWO: 4}, {})
    run.begin(ONE)
    run.begin(TWO)
    assert run.playing == (ONE,)
    run.add(ONE)
    assert run.playing == (ONE,)
    run.add(ONE)
    assert run.playing == (TWO,)


def test_where_every_match_has_its_own_processes_each_is_a_session() -> None:
    run = new_run(restart=Restart.MATCH, tables=None)
    run.plan({ONE: 6, TWO: 6, THREE: 6}, {})
    for pairing in (ONE, TWO, THREE):
        run.begin(pairing)
    run.add(TWO)
    assert run.playing == (ONE, THREE)


def test_what_an_earlier_runner_played_is_not_waited_for() -> None:
    run = new_run()
    run.plan({ONE: 6}, {ONE: 5})
    run.begin(ONE)
    run.add(ONE)
    assert run.playing == ()


def test_a_match_that_nobody_plays_needs_no_table() -> None:
    run = new_run()
    run.plan({ONE: 2, TWO: 2}, {})
    run.begin(TWO)
    run.add(ONE)
    assert run.playing == (TWO,)
    run.end(Stage.STOPPED)
    assert run.playing == ()
    assert run.ended.is_set()


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("8080", LOOPBACK, 8080),
        ("0", LOOPBACK, 0),
        ("0.0.0.0:80", "0.0.0.0", 80),
        ("[::1]:8080", "::1", 8080),
        ("my-host.example:65535", "my-host.example", 65535),
    ],
)
def test_addresses(text: str, host: str, port: int) -> None:
    assert parse_live_address(text) == LiveAddress(host, port)


@pytest.mark.parametrize("text", ["", ":80", "80:", "::1:80", "65536", "٨٠", "80 ", "a b:80", "http://x:80", "-1"])
def test_no_addresses(text: str) -> None:
    with pytest.raises(UserError, match="--live takes a port"):
        parse_live_address(text)


def test_a_port_is_given_to_one_only() -> None:
    with pytest.raises(UserError, match="another program listens there"), listen(LiveAddress(LOOPBACK, 0)) as first:
        listen(LiveAddress(LOOPBACK, first.getsockname()[1]))


def test_a_server_that_fails_is_a_note_and_no_more(tmp_path: Path) -> None:
    stream = io.StringIO()
    run = new_run()
    listener = listen(LiveAddress(LOOPBACK, 0))
    with Store.open(make_run(tmp_path / "run", matches=6)) as store:
        server = LiveServer(listener, store, run)
        listener.close()
        began = time.monotonic()
        with server, show_progress(open_console(stream)) as progress:
            observer = LiveObserver(progress, run, notes=server.take_trouble)
            observer.plan({ONE: 10000}, finished={})

            def is_noted() -> bool:
                observer.add(ONE)
                return "The live page has ended, the tournament goes on without it" in stream.getvalue()

            until(is_noted)
        assert time.monotonic() - began < PATIENCE
        assert server.take_trouble() is None


def test_a_store_that_is_gone_is_a_note_and_no_more(tmp_path: Path) -> None:
    run = new_run()
    folder = make_run(tmp_path / "run", matches=6)
    with Store.open(folder) as store, listen(LiveAddress(LOOPBACK, 0)) as listener:
        server = LiveServer(listener, store, run)
        (folder / "arena.db").rename(folder / "elsewhere")
        with server:
            found: list[str] = []

            def is_said() -> bool:
                found.extend(filter(None, [server.take_trouble()]))
                return bool(found)

            until(is_said)
        assert "is not a run: it holds no arena.db" in found[0]
