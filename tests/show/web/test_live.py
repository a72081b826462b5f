"""The live page of real tournaments, in a browser and over a bare connection."""

import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.records.store import Store
from tests.cli.running import PATIENCE, until
from tests.show.web.following import ALL, PLANNED, TEAMS, LiveContest, Proxy, ask, next_event, shown, streaming
from tests.show.web.looking import LAPTOP, PHONE, Looker
from tests.show.web.runs import SCRIPT

PATIENCE_MS = PATIENCE * 1000


@pytest.fixture(name="contest")
def contest_fixture() -> Iterator[LiveContest]:
    folder = Path(tempfile.mkdtemp(prefix="c-"))
    folder.chmod(0o755)
    yield LiveContest(folder)
    shutil.rmtree(folder)


@pytest.fixture(name="looker")
def looker_fixture(browser: Browser) -> Iterator[Looker]:
    """Pages may ask the server they come from and nobody else. What they complain of is for the test to look at."""
    with Looker.over(browser) as looker:
        yield looker
        hosts = {urlsplit(url).hostname for url in looker.requests if not url.startswith("data:")}
        assert hosts <= {"127.0.0.1"}


def wait_for_stage(page: Page, stage: str) -> None:
    expect(page.locator("#live")).to_have_attribute("data-stage", stage, timeout=PATIENCE_MS)


def wait_for_matches(page: Page, count: int) -> None:
    words = f"{count} matches played" if count == PLANNED else f"{count} of {PLANNED} matches played"
    expect(page.locator("#board .lead")).to_contain_text(words, timeout=PATIENCE_MS)


def test_a_page_opened_early_and_one_opened_late_show_the_table_all_along(contest: LiveContest, looker: Looker) -> None:
    with contest.live("--live") as (arena, url):
        early = looker.open(url)
        wait_for_stage(early, "playing")
        wait_for_matches(early, 0)
        assert set(shown(early)) == set(TEAMS)
        expect(early.locator("#progress .pairing")).to_have_count(1, timeout=PATIENCE_MS)
        # One match is played, and then everything stands still: the processes of the first session are to play a second.
        contest.allow(1)
        wait_for_matches(early, 1)
        late = looker.open(url)
        wait_for_matches(late, 1)
        assert shown(early) == shown(late) == contest.table()
        assert early.locator("main").inner_html() == late.locator("main").inner_html()
        contest.allow(ALL)
        for page in (early, late):
            wait_for_stage(page, "finished")
        # Both are connected, and nothing waits for them.
        result = arena.result()
        assert result.code == 0, result
        assert shown(early) == shown(late) == contest.table()
        assert early.locator("main").inner_html() == late.locator("main").inner_html()
        wait_for_matches(early, PLANNED)
        assert early.locator("progress").evaluate("it => [it.value, it.max]") == [PLANNED, PLANNED]
        assert early.get_by_text("At the tables").count() == 0
        expect(early.get_by_role("rowheader", name=SCRIPT).first).to_be_visible()
    assert looker.complaints == []


def test_a_page_whose_connection_was_cut_catches_up(contest: LiveContest, looker: Looker) -> None:
    with contest.live("--live") as (arena, url):
        proxy = Proxy(url)
        page = looker.open(proxy.url)
        wait_for_stage(page, "playing")
        proxy.cut()
        wait_for_stage(page, "lost")
        expect(page.get_by_role("status")).to_contain_text("trying again")
        contest.allow(1)
        until(lambda: contest.stored() == 1)
        wait_for_matches(page, 0)
        proxy.mend()
        wait_for_matches(page, 1)
        wait_for_stage(page, "playing")
        expect(page.get_by_role("status")).not_to_contain_text("trying again")
        contest.allow(ALL)
        wait_for_stage(page, "finished")
        assert arena.result().code == 0
        assert shown(page) == contest.table()
        proxy.close()
    # The browser says itself that it could not connect.
    assert [text for text in looker.complaints if "net::ERR_" not in text] == []


def test_an_interrupted_run_says_so_and_its_page_goes_on_with_it(contest: LiveContest, looker: Looker) -> None:
    with contest.live("--live") as (arena, url):
        page = looker.open(url)
        wait_for_stage(page, "playing")
        arena.signal(signal.SIGINT)
        assert arena.result().code == 130
        wait_for_stage(page, "stopped")
        assert f"To go on: arena tournament contest.yaml --live {0}\n" in (contest.folder / "stderr").read_text()
    # The same port, so that the page finds it again.
    port = urlsplit(url).port
    contest.allow(ALL)
    with contest.live("--live", port) as (arena, again):
        assert again == url
        wait_for_stage(page, "finished")
        assert arena.result().code == 0
        assert shown(page) == contest.table()
    assert [text for text in looker.complaints if "net::ERR_" not in text] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_labels(contest: LiveContest, looker: Looker, axe: str, scheme: str) -> None:
    with contest.live("--live") as (_, url):
        for size in (LAPTOP, PHONE):
            page = looker.open(url, size=size, scheme=scheme)
            expect(page.locator("#progress .pairing")).to_have_count(1, timeout=PATIENCE_MS)
            page.evaluate(axe)
            result = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
            assert result["passes"], "nothing was looked at"
            assert [(it["id"], node["target"]) for it in result["violations"] for node in it["nodes"]] == []
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert looker.complaints == []


def test_what_is_served_and_to_whom(contest: LiveContest) -> None:
    with contest.live("--live") as (arena, url):
        port = urlsplit(url).port
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}", "localhost"):
            assert ask(url, host=host)[0] == 200
        for host in (f"evil.example:{port}", "evil.example", "127.0.0.1.evil.example", ""):
            for path in ("/", "/events", "/assets/live.js", "/nothing"):
                status, _, body = ask(url, path, host=host)
                assert status == 400, (host, path)
                assert "Козлы" not in body
        for path in (
            "/index.html",
            "/assets/",
            "/assets/replay.js",
            "/assets/../arena.db",
            "/assets/%2e%2e/rendering.py",
            "//",
        ):
            assert ask(url, path)[0] == 404, path
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            assert ask(url, method=method)[0] == 405
        assert ask(url, "/events", method="HEAD")[::2] == (200, "")
        for path in ("/", "/assets/live.js"):
            _, header, _ = ask(url, path)
            assert not [name for name in header if name.startswith("access-control")]
            assert header["cross-origin-resource-policy"] == "same-origin"
            assert "default-src 'none'" in header["content-security-policy"]
            assert "unsafe" not in header["content-security-policy"]
        with Store.open(contest.run) as store:
            secret = store.secret.hex()
        contest.allow(ALL)
        events = []
        with streaming(url) as stream:
            while not events or events[-1]["stage"] != "finished":
                events.append(next_event(stream))
                assert ask(url)[2].count(secret) == 0
            assert stream.read() == b""
        assert arena.result().code == 0
        assert len({event["id"] for event in events}) == len(events)
        assert secret not in str(events)
        assert SCRIPT not in str(events)
        assert str(contest.folder) not in str(events)
        assert secret in (contest.folder / "stderr").read_text(), "it was to be found"


def test_who_has_the_last_event_gets_the_next_one(contest: LiveContest) -> None:
    with contest.live("--live") as (_, url):
        with streaming(url) as stream:
            event = next_event(stream)
            while not event["progress"].count("pairing"):
                event = next_event(stream)
        with streaming(url) as stream:
            assert next_event(stream) == event
        with streaming(url, last_id="of an earlier server") as stream:
            assert next_event(stream) == event
        with streaming(url, last_id=event["id"]) as stream:
            assert stream.readline() == b"retry: 2000\n"
            contest.allow(ALL)
            later = next_event(stream)
            assert later["id"] != event["id"]
            assert later["board"] != event["board"]


def test_browsers_that_do_not_read_hold_up_nobody(contest: LiveContest) -> None:
    with contest.live("--live") as (arena, url):
        place = (urlsplit(url).hostname, urlsplit(url).port)
        deaf = []
        for _ in range(20):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            one.connect(place)
            one.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            deaf.append(one)
        deaf.append(socket.create_connection(place))  # and one that does not even ask
        deaf.append(socket.create_connection(place))
        deaf[-1].sendall(b"\x16\x03 no HTTP at all\r\n\r\n")
        contest.allow(ALL)
        with streaming(url) as stream:
            while next_event(stream)["stage"] != "finished":
                pass
        result = arena.result()
        assert result.code == 0, result
        assert contest.table().keys() == TEAMS.keys()
        for one in deaf:
            one.close()
    said = (contest.folder / "stderr").read_text()
    assert "Traceback" not in said
    assert "live page" not in said


def test_more_connections_than_may_be_are_closed(contest: LiveContest) -> None:
    with contest.live("--live") as (arena, url):
        place = (urlsplit(url).hostname, urlsplit(url).port)
        many = [socket.create_connection(place) for _ in range(300)]

        def closed() -> int:
            return sum(_is_closed(one) for one in many)

        until(lambda: closed() >= 100)
        assert closed() <= 101
        contest.allow(ALL)
        assert arena.result().code == 0
        for one in many:
            one.close()


def _is_closed(one: socket.socket) -> bool:
    one.setblocking(False)
    try:
        return one.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        one.setblocking(True)
