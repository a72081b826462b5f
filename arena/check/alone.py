"""The bot alone in one chair, with chance on the other seats: does it start, and go on whatever happens to it?"""

import os
import time
from dataclasses import replace
from pathlib import Path

from arena.check.judge import failed, judge_start, passed
from arena.check.measure import MemoryMeter, Stopwatch
from arena.check.report import Problem, Verdict
from arena.check.tables import Kind, Table, TablePlayer
from arena.check.words import after, trouble_problem
from arena.rules.cards import SEATS
from arena.rules.options import Rules, TimeControl
from arena.seat.chair import Chair
from arena.seat.output import TAIL_BYTES

SEAT = SEATS[2]
"""Where the bot sits when it plays alone with chance."""
_LATE_MS = (1, 5, 25)
"""Time for a turn in which an answer should be late. The later ones are tried when the first was too short even for us."""
_LATE_GAMES = 3
_RESTART_BEFORE_TURN = 3
SHORT = Rules(match_target=4)
"""For matches of a game or two."""


class Alone:
    """The steps in which it sits there; each may leave it dead or stuck, and the next one starts it again then.

    chair: entered. logs: its folder of logs. watch, memory: what is measured goes there; only this bot is started meanwhile.
    """

    def __init__(
        self, chair: Chair, *, logs: Path, time: TimeControl, startup_ms: int, watch: Stopwatch, memory: MemoryMeter
    ) -> None:
        self._chair = chair
        self._logs = logs
        self._startup_ms = startup_ms
        self._watch = watch
        self._memory = memory
        self._player = TablePlayer(chair, time=time, watch=watch, memory=memory)
        self._written = 0

    async def end(self) -> None:
        """End the bot."""
        await self._chair.end()

    async def start(self) -> Verdict:
        """It starts and greets."""
        if problem := await self._start():
            return await self._failed(problem)
        return judge_start(max(self._watch.starts_ms), limit_ms=self._startup_ms)

    async def play_tables(self) -> Verdict:
        """It answers every kind of turn."""
        if problem := await self._player.play_tables():
            return await self._failed(problem)
        missing = [kind.value for kind in Kind if kind not in self._player.seen]
        note = f"; did not come: {', '.join(missing)}" if missing else ""
        return passed(f"{self._player.turns} turns, {len(self._player.seen)} kinds{note}")

    async def answer_late(self) -> Verdict:
        """It goes on after a late answer."""
        verdict = passed(f"it was never late, not even with {_LATE_MS[0]} ms")
        for move_ms in _LATE_MS:
            if problem := await self._ready():
                return await self._failed(problem)
            is_late, problem = await self._be_late(move_ms)
            if problem is not None:
                verdict = await self._failed(after("after one late answer, which was forced on it", problem))
            elif is_late:
                verdict = passed(f"it was given {move_ms} ms, was late, and answered the next match")
            # So little time may end before the turn is written. Then its call is over, and it exits as it should.
            if problem is None or problem.exit_status != 0:
                break
        return verdict

    async def restart(self) -> Verdict:
        """It goes on after a new start in the middle of a match."""
        if problem := await self._ready():
            return await self._failed(problem)
        table = Table(name="restart", rules=SHORT, leads=True)

        async def interrupt(turns: int) -> Problem | None:
            if turns != _RESTART_BEFORE_TURN:
                return None
            problem = await self._start()
            await self._player.remind(table)
            return problem

        if problem := await self._player.play(table, interrupt=interrupt):
            return await self._failed(after("started again in the middle of a match", problem))
        return passed("it answered the turn that was open")

    async def _be_late(self, move_ms: int) -> tuple[bool, Problem | None]:
        """Whether it was late, and what went wrong in it or after it."""
        for number in range(_LATE_GAMES):
            is_late, problem = await self._player.play_late(Table(name=f"late {number}", rules=SHORT), move_ms=move_ms)
            if problem is None and is_late:
                problem = await self._player.play(Table(name="after late", rules=SHORT, leads=True))
            if problem is not None or is_late:
                return is_late, problem
        return False, None

    async def _ready(self) -> Problem | None:
        """Start the bot again when an earlier step left it dead or stuck."""
        return None if self._chair.is_ready else await self._start()

    async def _failed(self, problem: Problem) -> Verdict:
        """A cross with all that the process of the bot in the first chair wrote to stderr: it is ended for that."""
        await self._chair.end()
        with (self._logs / "stderr.log").open("rb") as log:
            log.seek(max(self._written, log.seek(0, os.SEEK_END) - TAIL_BYTES))
            words = log.read().decode("utf-8", "replace")
        return failed(replace(problem, output=words))

    async def _start(self) -> Problem | None:
        await self._chair.end()
        self._written = (self._logs / "stderr.log").stat().st_size
        began = time.monotonic()
        trouble = await self._chair.start()
        self._player.restarted()
        if trouble is not None:
            return trouble_problem(trouble, seat=SEAT)
        self._watch.starts_ms.append(round((time.monotonic() - began) * 1000))
        self._memory.read()
        return None
