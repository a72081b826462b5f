"""Numbers near a limit are told; what was printed is counted without our own note."""

from pathlib import Path

import pytest

from arena.check.judge import judge_memory, judge_output, judge_start, judge_time
from arena.check.measure import Stopwatch
from arena.check.report import Outcome
from arena.seat.output import Capture


@pytest.mark.parametrize(
    ("start_ms", "outcome"), [(900, Outcome.PASSED), (5000, Outcome.PASSED), (5001, Outcome.WARNED), (9900, Outcome.WARNED)]
)
def test_a_slow_start_is_told_before_it_is_too_slow(start_ms: int, outcome: Outcome) -> None:
    assert judge_start(start_ms, limit_ms=10_000).outcome is outcome


def test_times() -> None:
    watch = Stopwatch()
    assert judge_time(watch, limit_ms=1000).outcome is Outcome.SKIPPED
    watch.answers_us += [*range(1000, 101_000, 1000)]  # 1 to 100 ms
    verdict = judge_time(watch, limit_ms=1000)
    assert verdict.outcome is Outcome.PASSED
    assert verdict.summary == "median 50.5 ms, 95 % 95.0 ms, worst 100.0 ms of 1000 ms"
    assert judge_time(watch, limit_ms=199).outcome is Outcome.WARNED


def test_memory() -> None:
    assert judge_memory(None, limit_mib=1024).outcome is Outcome.SKIPPED
    assert judge_memory(100 * 1024, limit_mib=1024).summary == "at most 100 MiB of 1024 MiB"
    assert judge_memory(600 * 1024, limit_mib=1024).outcome is Outcome.WARNED
    assert judge_memory(100 * 1024, limit_mib=1024, failed_at=4).outcome is Outcome.SKIPPED


def test_output_is_counted_over_all_processes_and_without_our_note(tmp_path: Path) -> None:
    for name, data in (("first", b"hello\n"), ("second", b"x" * 5000)):
        (tmp_path / name).mkdir()
        for stream in ("stdout", "stderr"):
            capture = Capture(tmp_path / name / f"{stream}.log", cap_bytes=2048)
            capture.write(data if stream == "stdout" else b"a\nb\nc\nd\n")
            capture.close()
    quiet = judge_output([tmp_path / "first"], cap_bytes=2048)
    assert quiet.summary == "stdout 6 bytes, stderr 8 bytes"
    assert quiet.notes == ("stdout: hello", "stderr: b", "stderr: c", "stderr: d")
    full = judge_output([tmp_path / "first", tmp_path / "second"], cap_bytes=2048)
    assert full.outcome is Outcome.FAILED
    assert full.problem is not None
    assert "more than 2 KiB to stdout;" in full.problem.reason
