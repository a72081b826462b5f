"""From numbers to verdicts: what is near a limit is told, what is over it is a cross."""

from collections.abc import Sequence
from pathlib import Path

from arena.check.measure import Stopwatch, last_lines, printed_bytes
from arena.check.report import Outcome, Problem, Verdict

_NOTED_LINES = 3


def passed(summary: str) -> Verdict:
    """A tick."""
    return Verdict(outcome=Outcome.PASSED, summary=summary)


def failed(problem: Problem) -> Verdict:
    """A cross."""
    return Verdict(outcome=Outcome.FAILED, summary="", problem=problem)


def judge_start(start_ms: int, *, limit_ms: int) -> Verdict:
    """A start within the limit; more than half of it is too near to it for a machine that is busy with a contest."""
    summary = f"{start_ms / 1000:.2f} s of {limit_ms / 1000:g} s"
    if start_ms * 2 > limit_ms:
        return Verdict(outcome=Outcome.WARNED, summary=f"{summary}: a busy machine may need longer than the limit")
    return passed(summary)


def judge_time(watch: Stopwatch, *, limit_ms: int) -> Verdict:
    """The times of answers; a late one is a cross of the step in which it was late, not of this one."""
    if watch.median_ms is None or watch.p95_ms is None or watch.worst_ms is None:
        return Verdict(outcome=Outcome.SKIPPED, summary="no answer could be measured")
    summary = f"median {watch.median_ms:.1f} ms, 95 % {watch.p95_ms:.1f} ms, worst {watch.worst_ms:.1f} ms of {limit_ms} ms"
    return Verdict(outcome=Outcome.WARNED if watch.worst_ms * 2 > limit_ms else Outcome.PASSED, summary=summary)


def judge_memory(peak_kib: int | None, *, limit_mib: int, failed_at: int | None = None) -> Verdict:
    """What one bot held at most; a bot that is over the limit ended in an earlier step.

    failed_at: the first step that failed, after which nobody knows what it would have held, or whether it ended for that.
    """
    if peak_kib is None:
        return Verdict(outcome=Outcome.SKIPPED, summary="cannot be seen on this machine")
    summary = f"at most {peak_kib / 1024:.0f} MiB of {limit_mib} MiB"
    if failed_at is not None:
        return Verdict(outcome=Outcome.SKIPPED, summary=f"{summary} until step {failed_at} failed")
    return Verdict(outcome=Outcome.WARNED if peak_kib * 2 > limit_mib * 1024 else Outcome.PASSED, summary=summary)


def judge_output(logs: Sequence[Path], *, cap_bytes: int) -> Verdict:
    """What was printed, and the last of it; a stream that reached its cap is a cross."""
    sizes = {stream: printed_bytes(logs, stream, cap_bytes=cap_bytes) for stream in ("stdout", "stderr")}
    full = [stream for stream, (_, is_full) in sizes.items() if is_full]
    notes = [f"{stream}: {line}" for stream in sizes for line in last_lines(logs, stream, lines=_NOTED_LINES) if line.strip()]
    if full:
        return failed(
            Problem(
                reason=f"it printed more than {cap_bytes // 1024} KiB to {' and to '.join(full)}; what comes after that is "
                "thrown away and the stream is closed, so that its next print fails",
                advice="Print less: a line a game, not a line a card.",
                output="\n".join(notes),
            )
        )
    summary = ", ".join(f"{stream} {size:,} bytes" for stream, (size, _) in sizes.items())
    return Verdict(outcome=Outcome.PASSED, summary=summary, notes=tuple(notes))
