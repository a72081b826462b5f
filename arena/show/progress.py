"""How far a run is, while it goes on: a live display in a terminal, a line now and then everywhere else."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from arena.show.console import Printer

Pairing = tuple[str, str]
_NAME_CELLS = 13
_MAX_PAIRINGS = 8
"""Pairings shown at the same time in a terminal."""
LINE_SECONDS = 5.0
"""At least so long between two lines where there is no terminal."""


@dataclass(frozen=True, slots=True)
class Count:
    """Matches of a pairing: how many are played and how many there are."""

    done: int
    planned: int


class RunProgress(Protocol):
    """What the runner tells while it plays; used in a with statement, from one thread."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    def plan(self, matches: Mapping[Pairing, int], *, finished: Mapping[Pairing, int]) -> None:
        """So many more matches are planned of these pairings, of which so many were finished by an earlier runner."""

    def begin(self, pairing: Pairing) -> None:
        """Matches of this pairing are being played now."""

    def add(self, pairing: Pairing) -> None:
        """One more match of it is played and stored."""

    def note(self, text: str) -> None:
        """Something that people should read now, on a line of its own; may hold text of others."""


def show_progress(console: Console, *, clock: Callable[[], float] = time.monotonic) -> RunProgress:
    """The display for this console, which should be of stderr. clock: seconds, only ever rising."""
    if console.is_terminal:
        return _LiveProgress(console)
    return _LineProgress(console, clock)


class _Counts:
    def __init__(self) -> None:
        self.by_pairing: dict[Pairing, Count] = {}
        self.done = 0
        self.planned = 0

    def plan(self, matches: Mapping[Pairing, int], finished: Mapping[Pairing, int]) -> None:
        for pairing, planned in matches.items():
            before = self.by_pairing.get(pairing, Count(0, 0))
            done = finished.get(pairing, 0)
            self.by_pairing[pairing] = Count(before.done + done, before.planned + planned)
            self.done += done
            self.planned += planned

    def add(self, pairing: Pairing) -> Count:
        count = self.by_pairing[pairing]
        self.by_pairing[pairing] = count = replace(count, done=count.done + 1)
        self.done += 1
        return count


def _pairing_text(pairing: Pairing, printer: Printer) -> str:
    first, second = (printer.short(team, _NAME_CELLS) for team in pairing)
    return f"{first} {printer.glyphs.dash} {second}"


class _LiveProgress:
    """One bar for the run, one for each pairing that is being played."""

    def __init__(self, console: Console) -> None:
        self._counts = _Counts()
        self._console = console
        self._printer = Printer(console.encoding)
        self._bars: dict[Pairing, TaskID] = {}
        self._display = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=12),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(compact=True),
            console=console,
            transient=True,
        )
        self._all = self._display.add_task("Matches", total=None)

    def __enter__(self) -> Self:
        self._display.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._display.stop()

    def plan(self, matches: Mapping[Pairing, int], *, finished: Mapping[Pairing, int]) -> None:
        self._counts.plan(matches, finished)
        self._display.update(self._all, total=self._counts.planned, completed=self._counts.done)

    def begin(self, pairing: Pairing) -> None:
        if pairing in self._bars or len(self._bars) >= _MAX_PAIRINGS:
            return
        count = self._counts.by_pairing[pairing]
        text = _pairing_text(pairing, self._printer)
        self._bars[pairing] = self._display.add_task(text, total=count.planned, completed=count.done)

    def add(self, pairing: Pairing) -> None:
        count = self._counts.add(pairing)
        self._display.update(self._all, completed=self._counts.done)
        if count.done < count.planned:
            self.begin(pairing)
        if pairing in self._bars:
            self._display.update(self._bars[pairing], completed=count.done)
            if count.done >= count.planned:
                self._display.remove_task(self._bars.pop(pairing))

    def note(self, text: str) -> None:
        self._console.print(Text(self._printer.whole(text)))


class _LineProgress:
    """A line at the first plan, at the end, and after a match when the last line is old enough."""

    def __init__(self, console: Console, clock: Callable[[], float]) -> None:
        self._counts = _Counts()
        self._console = console
        self._printer = Printer(console.encoding)
        self._clock = clock
        self._began_at = self._printed_at = clock()
        self._begun_with = 0
        self._printed_done = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._printed_done != self._counts.done:
            self._line("")

    def plan(self, matches: Mapping[Pairing, int], *, finished: Mapping[Pairing, int]) -> None:
        is_first = self._counts.planned == 0
        self._counts.plan(matches, finished)
        self._begun_with += sum(finished.values())
        if is_first:
            self._line("")

    def begin(self, pairing: Pairing) -> None:
        """A pairing shows when a match of it is over."""

    def add(self, pairing: Pairing) -> None:
        count = self._counts.add(pairing)
        if self._clock() - self._printed_at >= LINE_SECONDS:
            self._line(f"; {_pairing_text(pairing, self._printer)} {count.done}/{count.planned}")

    def note(self, text: str) -> None:
        self._print(self._printer.whole(text))

    def _line(self, last: str) -> None:
        counts = self._counts
        self._printed_at = self._clock()
        self._printed_done = counts.done
        elapsed = self._printed_at - self._began_at
        played = counts.done - self._begun_with
        left = counts.planned - counts.done
        eta = f", about {_minutes(elapsed / played * left)} left" if played and left else ""
        self._print(f"{counts.done} of {counts.planned} matches in {_minutes(elapsed)}{eta}{last}")

    def _print(self, text: str) -> None:
        # A log has a line for a line, however narrow the console thinks it is.
        self._console.print(Text(text), soft_wrap=True)


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
