"""What a bot prints: a log with a cap, and the tail of it for reports."""

import os
import random
from pathlib import Path

import pytest

from arena.errors import HostError
from arena.seat.output import Capture

NOTE = b"the cap of this log is reached"


def test_everything_is_kept_below_the_cap(tmp_path: Path) -> None:
    path = tmp_path / "log"
    capture = Capture(path, cap_bytes=1000)
    capture.write(b"one\n")
    capture.write(b"")
    capture.write(b"two \xd0\xba\n")
    assert capture.tail == "one\ntwo к\n"
    assert not capture.is_full
    capture.close()
    assert path.read_bytes() == b"one\ntwo \xd0\xba\n"


def test_at_the_cap_nothing_more_is_taken_and_the_log_says_so_once(tmp_path: Path) -> None:
    rng = random.Random(1)
    for cap in (1, 10, 4096, 100_000):
        path = tmp_path / f"{cap}.log"
        capture = Capture(path, cap_bytes=cap)
        sent = b""
        while len(sent) < 2 * cap + 10:
            data = rng.randbytes(rng.randint(1, cap))
            capture.write(data)
            sent += data
            assert capture.is_full == (len(sent) >= cap)
        capture.close()
        content = path.read_bytes()
        assert content[:cap] == sent[:cap]
        assert content.count(NOTE) == 1
        assert len(content) < cap + 100


def test_the_tail_is_the_end_of_what_was_kept(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "log", cap_bytes=10_000)
    for number in range(1000):
        capture.write(b"%06d\n" % number)
    assert capture.tail.endswith("000998\n000999\n")
    assert len(capture.tail) == 2000
    capture.write(b"x" * 100_000)
    assert capture.tail == "x" * 2000
    capture.close()


def test_a_tail_that_is_no_utf_8_is_still_text(tmp_path: Path) -> None:
    capture = Capture(tmp_path / "log", cap_bytes=100_000)
    capture.write("ж".encode() * 3001 + b"\xff\xfe")
    # The cut went through a letter, and the end is none at all.
    assert capture.tail.encode()
    assert capture.tail.strip("ж\ufffd") == ""
    assert "ж" * 900 in capture.tail
    capture.write(bytes(range(256)) * 20)
    assert capture.tail.encode()
    assert len(capture.tail) <= 2000
    capture.close()


def test_the_tail_begins_anew_with_the_next_process_but_the_log_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "log"
    capture = Capture(path, cap_bytes=100)
    capture.write(b"Traceback of the first\n")
    capture.begin()
    assert capture.tail == ""
    capture.write(b"second\n")
    assert capture.tail == "second\n"
    capture.write(b"x" * 1000)
    capture.begin()
    assert capture.is_full
    capture.close()
    assert path.read_bytes().startswith(b"Traceback of the first\nsecond\nxxx")


def test_a_log_is_added_to(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for word in (b"first\n", b"second\n"):
        capture = Capture(path, cap_bytes=100)
        capture.write(word)
        capture.close()
    assert path.read_bytes() == b"first\nsecond\n"


def test_a_log_that_cannot_be_opened_is_our_failure(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="could not be opened"):
        Capture(tmp_path / "no such folder" / "log", cap_bytes=100)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_our_failure_and_shows_when_it_is_asked_for() -> None:
    capture = Capture(Path("/dev/full"), cap_bytes=100)
    capture.check()
    capture.write(b"text")
    capture.write(b"more")
    assert capture.tail == "textmore"
    with pytest.raises(HostError, match=os.strerror(28)):
        capture.check()
    capture.close()
