"""Progress while a run goes on."""

import io
import re
from collections.abc import Mapping

from rich.cells import cell_len

from arena.show.console import open_console
from arena.show.progress import LINE_SECONDS, Count, Pairing, RunProgress, show_progress

FIRST = ("Wild Goats", "Козлы [red] {x} and so on")
SECOND = ("A", "B")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def plan(progress: RunProgress, counts: Mapping[Pairing, Count]) -> None:
    planned = {pairing: count.planned for pairing, count in counts.items()}
    progress.plan(planned, finished={pairing: count.done for pairing, count in counts.items()})


def test_lines_at_intervals_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    clock = Clock()
    with show_progress(open_console(stream), clock=clock) as progress:
        plan(progress, {FIRST: Count(0, 10), SECOND: Count(0, 10)})
        for pairing in (FIRST, SECOND):
            progress.begin(pairing)
            for _ in range(10):
                clock.now += 2
                progress.add(pairing)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "0 of 20 matches in 0:00"
    assert lines[1] == "3 of 20 matches in 0:06, about 0:34 left; Wild Goats – Козлы [red]… 3/10"  # noqa: RUF001
    assert lines[-1] == "20 of 20 matches in 0:40"
    assert len(lines) == 2 + 40 // (LINE_SECONDS + 1)
    assert all("\x1b" not in line and len(line) < 80 for line in lines)


def test_run_that_is_taken_up_again_counts_what_was_played_but_not_its_time() -> None:
    stream = io.StringIO()
    clock = Clock()
    with show_progress(open_console(stream), clock=clock) as progress:
        plan(progress, {SECOND: Count(90, 100)})
        clock.now += 7200
        progress.add(SECOND)
    assert stream.getvalue().splitlines() == [
        "90 of 100 matches in 0:00",
        "91 of 100 matches in 2:00:00, about 18:00:00 left; A – B 91/100",  # noqa: RUF001
    ]


def test_what_is_planned_later_is_added() -> None:
    stream = io.StringIO()
    with show_progress(open_console(stream), clock=Clock()) as progress:
        plan(progress, {FIRST: Count(0, 1)})
        progress.add(FIRST)
        plan(progress, {FIRST: Count(0, 2), SECOND: Count(0, 2)})
        progress.add(SECOND)
    assert stream.getvalue().splitlines() == ["0 of 1 matches in 0:00", "2 of 5 matches in 0:00, about 0:00 left"]


def test_interrupted_run_says_how_far_it_came() -> None:
    stream = io.StringIO()
    try:
        with show_progress(open_console(stream), clock=Clock()) as progress:
            plan(progress, {SECOND: Count(0, 100)})
            progress.add(SECOND)
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert stream.getvalue().splitlines()[-1].startswith("1 of 100 matches")


def test_notes_are_lines_of_their_own_and_harmless() -> None:
    stream = io.StringIO()
    with show_progress(open_console(stream), clock=Clock()) as progress:
        plan(progress, {SECOND: Count(0, 2)})
        progress.note("seat 1 crashed: \x1b[2J [bold]\nx" + "y" * 200)
    assert "seat 1 crashed: \\x1b[2J [bold]\\nx" + "y" * 200 in stream.getvalue().splitlines()


def test_terminal_shows_the_run_and_the_pairings_that_are_played(colour_terminal: None) -> None:
    stream = io.StringIO()
    console = open_console(stream)
    console.width = 80
    with show_progress(console) as progress:
        plan(progress, {FIRST: Count(2, 10), SECOND: Count(0, 1)})
        progress.begin(FIRST)
        progress.add(FIRST)
        progress.note("something \x1b[2J happened")
        progress.add(SECOND)
    text = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", stream.getvalue())
    assert "\x1b" not in text
    assert re.search(r"Matches .* 4/11", text)
    assert re.search(r"Wild Goats – Козлы \[red\]… .* 3/10", text)  # noqa: RUF001
    assert "something \\x1b[2J happened" in text
    assert max(map(len, text.replace("\r", "\n").splitlines())) <= 80


def test_long_names_and_runs_fit_into_80_columns(colour_terminal: None) -> None:
    stream = io.StringIO()
    console = open_console(stream)
    console.width = 80
    pairing = ("A team with a long name", "\U0001f410" * 30)
    with show_progress(console) as progress:
        plan(progress, {pairing: Count(9000, 10000)})
        progress.begin(pairing)
        progress.add(pairing)
    lines = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", stream.getvalue()).replace("\r", "\n").splitlines()
    bars = [line for line in lines if "9001" in line]
    assert len(bars) >= 2
    assert all(re.search(r" left +(\d+:)?[\d-]+:[\d-]+ *$", line) for line in bars)
    assert max(cell_len(line) for line in lines) <= 80
