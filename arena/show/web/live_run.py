"""What a runner tells of a run while it goes on, kept for the thread that makes the live page of it."""

import threading
from collections.abc import Callable, Mapping
from enum import StrEnum

from arena.tournament.pairings import Pairing
from arena.tournament.run import Observer
from arena.tournament.schedule import SEATINGS, Restart, Seatings


class Stage(StrEnum):
    """Where a run is."""

    PREPARING = "preparing"
    PLAYING = "playing"
    FINISHED = "finished"
    STOPPED = "stopped"
    """Somebody or something ended the runner before the end."""


class LiveRun:
    """The stage of a run and the pairings at the tables; results are in the store. One thread writes, another one reads.

    tables: matches at the same time, None when that is not known. changed: set after every change, for the reader to clear.
    ended: set when nothing will change any more.
    """

    def __init__(self, *, seatings: Seatings, restart: Restart, tables: int | None) -> None:
        self._sessions_of_pairing = len(SEATINGS[seatings]) if restart is Restart.PAIRING else None
        self._tables = tables
        self._left: dict[Pairing, int] = {}
        self._session_size: dict[Pairing, int] = {}
        self._begun: dict[Pairing, int] = {}
        self.changed = threading.Event()
        self.ended = threading.Event()
        # Both are replaced as a whole, so that a reader never sees one of them half changed.
        self.stage = Stage.PREPARING
        self.playing: tuple[Pairing, ...] = ()

    def plan(self, matches: Mapping[Pairing, int], finished: Mapping[Pairing, int]) -> None:
        """So many more matches of these pairings, of which so many are finished."""
        for pairing, planned in matches.items():
            self._left[pairing] = self._left.get(pairing, 0) + planned - finished.get(pairing, 0)
            self._session_size[pairing] = 1 if self._sessions_of_pairing is None else planned // self._sessions_of_pairing
        self.stage = Stage.PLAYING
        self._tell()

    def begin(self, pairing: Pairing) -> None:
        """A session of this pairing is played now, or as soon as a table is free."""
        self._begun[pairing] = self._begun.get(pairing, 0) + self._session_size.get(pairing, 1)
        self._tell()

    def add(self, pairing: Pairing) -> None:
        """A match is stored."""
        self._left[pairing] = self._left.get(pairing, 1) - 1
        # A session that was broken off comes again, so there may be less left than was begun.
        begun = min(self._begun.pop(pairing, 0) - 1, self._left[pairing])
        if begun > 0:
            self._begun = {pairing: begun, **self._begun}
        self._tell()

    def end(self, stage: Stage) -> None:
        """Nobody plays any more."""
        self._begun = {}
        self.stage = stage
        self._tell()
        self.ended.set()

    def _tell(self) -> None:
        self.playing = tuple(self._begun)[: self._tables]
        self.changed.set()


class LiveObserver:
    """Tells a display and the live page alike. notes: called after every change, what it says is for the display."""

    def __init__(self, shown: Observer, run: LiveRun, *, notes: Callable[[], str | None]) -> None:
        self._shown = shown
        self._run = run
        self._notes = notes

    def plan(self, matches: Mapping[Pairing, int], *, finished: Mapping[Pairing, int]) -> None:
        """More matches are planned."""
        self._shown.plan(matches, finished=finished)
        self._run.plan(matches, finished)
        self._pass_notes()

    def begin(self, pairing: Pairing) -> None:
        """A session was handed to a worker."""
        self._shown.begin(pairing)
        self._run.begin(pairing)
        self._pass_notes()

    def add(self, pairing: Pairing) -> None:
        """A match is stored."""
        self._shown.add(pairing)
        self._run.add(pairing)
        self._pass_notes()

    def note(self, text: str) -> None:
        """For the display only: a note may have more in it than names and results."""
        self._shown.note(text)

    def _pass_notes(self) -> None:
        if note := self._notes():
            self._shown.note(note)
