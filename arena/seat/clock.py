"""The time of one seat in one match."""

import math

from arena.rules.options import TimeControl


class Clock:
    """A time for every turn, and a bank for the whole match that pays for what a turn takes beyond it."""

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self.move_ms = control.move_ms
        self._bank_us = control.bank_ms * 1000

    def begin_turn(self, *, grace_ms: int) -> None:
        """A turn begins for which a bot has so many milliseconds on top of the usual; `move_ms` is what it has in all."""
        self.move_ms = self._control.move_ms + grace_ms

    @property
    def bank_ms(self) -> int:
        """What is left in the bank, in milliseconds, rounded down."""
        return self._bank_us // 1000

    @property
    def allowance_seconds(self) -> float:
        """The longest that a turn may take now."""
        return self.move_ms / 1000 + self._bank_us / 1_000_000

    def take(self, think_us: int) -> None:
        """Book a turn that took so long."""
        self._bank_us = max(0, self._bank_us - max(0, think_us - self.move_ms * 1000))


class StoppedClock(Clock):
    """A clock that a bot is told and that does not run: for one in a debugger, and for a match that was played before."""

    def __init__(self, control: TimeControl) -> None:
        super().__init__(control)
        self._granted_ms = 0

    def begin_turn(self, *, grace_ms: int) -> None:
        """The same, with what was granted for this turn."""
        super().begin_turn(grace_ms=grace_ms + self._granted_ms)
        self._granted_ms = 0

    @property
    def allowance_seconds(self) -> float:
        """A turn may take as long as it likes."""
        return math.inf

    def take(self, think_us: int) -> None:
        """Nothing: how long it takes now does not count."""

    def grant(self, grace_ms: int) -> None:
        """The next turn has so much on top."""
        self._granted_ms = grace_ms

    def book(self, think_us: int) -> None:
        """Book what the last turn took when it was played."""
        super().take(think_us)
