"""The examination itself: numbered steps, each a sentence about the bot that should be true."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.check import matches
from arena.check.alone import SEAT, SHORT, Alone
from arena.check.judge import failed, judge_memory, judge_output, judge_start, judge_time, passed
from arena.check.measure import MemoryMeter, Stopwatch, printed_bytes
from arena.check.report import Measured, Outcome, Problem, Report, Step, Verdict
from arena.check.words import after, trouble_problem
from arena.errors import ConfigError, HostError, UserError
from arena.rules.cards import SEATS, TEAMS, Seat
from arena.rules.options import Rules, TimeControl
from arena.seat.build import BUILD_SECONDS, run_build
from arena.seat.chair import Chair, ChairOptions
from arena.seat.isolation.cage import Isolation, make_reachable
from arena.seat.isolation.probe import check_folders
from arena.seat.manifest import Manifest, load_manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTerms:
    """The limits of an examination: those of a tournament file that does not say otherwise, but for the bank.

    bank_ms: for a match; a quarter of a tournament's, so that a bot that lives on it is found. build_seconds: for the whole
    build. log_bytes: cap of each output stream.
    """

    startup_ms: int = 10_000
    first_turn_ms: int = 2_000
    move_ms: int = 1_000
    bank_ms: int = 5_000
    build_seconds: float = BUILD_SECONDS
    log_bytes: int = 256 * 1024


@dataclass(frozen=True, slots=True)
class Opponent:
    """A bot that plays with and against the examined one."""

    name: str
    manifest: Manifest


Examine = Callable[[], Awaitable[Verdict]]


class Examination:
    """One examination of the bot in a folder; `run` is called once.

    scratch: a folder with a short path, for sockets and logs. companion: a bot in order, which fills the other seats.
    opponents: those it has to play a match against. on_begin, on_step: told as it goes on.
    """

    def __init__(
        self,
        folder: Path,
        *,
        terms: CheckTerms,
        isolation: Isolation,
        scratch: Path,
        companion: Opponent,
        opponents: Sequence[Opponent] = (),
        on_begin: Callable[[str], None] = lambda title: None,
        on_step: Callable[[Step], None] = lambda step: None,
    ) -> None:
        self._folder = folder
        self._terms = terms
        self._time = TimeControl(move_ms=terms.move_ms, bank_ms=terms.bank_ms, max_faults=1)
        self._isolation = isolation
        self._scratch = scratch
        self._companion = companion
        self._opponents = opponents
        self._on_begin = on_begin
        self._on_step = on_step
        self._watch = Stopwatch()
        self._logs: list[Path] = []
        self._steps: dict[str, Step] = {}
        self._chairs = contextlib.AsyncExitStack()
        self._manifest: Manifest
        self._memory: MemoryMeter
        self._alone: Alone
        self._own: list[Chair] = []
        self._others: list[Chair] = []

    async def run(self) -> Report:
        """Take all steps. Raises HostError when we or the machine failed, UserError when the companion cannot be used."""
        async with self._chairs:
            self._chairs.push_async_callback(self._end_all)
            await self._step("manifest", "bot.yaml says what it must", self._read_manifest)
            await self._step("build", "it can be built", self._build, needs=("manifest",))
            await self._step("start", "it starts and greets", self._start, needs=("build",))
            await self._step("turns", "it answers every kind of turn", self._play_tables, needs=("start",))
            await self._step("late", "it goes on after a late answer", self._answer_late, needs=("turns",))
            await self._step("restart", "it goes on after a new start in the middle", self._restart, needs=("turns",))
            # A bot that fails alone fails in company, too: one cross says more than five.
            alone = ("late", "restart")
            await self._step("copies", "four copies play a match at once", self._play_copies, needs=alone)
            await self._step("seats", "it plays a match from every seat", self._play_seats, needs=("copies",))
            if self._opponents:
                await self._step("opponents", "it plays the sample bots", self._play_opponents, needs=("copies",))
            await self._step("time", "it has time to spare", self._judge_time, needs=("start",))
            await self._step("memory", "it has memory to spare", self._judge_memory, needs=("start",))
        # Its last words are there once the processes are gone.
        await self._step("output", "it prints in moderation", self._judge_output, needs=("start",))
        manifest = getattr(self, "_manifest", None)
        return Report(
            folder=self._folder.absolute(),
            name=manifest.name if manifest else "",
            language=manifest.language if manifest else "",
            isolation=self._isolation.tier,
            steps=tuple(self._steps.values()),
            measured=self._measured(),
        )

    async def _step(self, key: str, title: str, examine: Examine, *, needs: Iterable[str] = ()) -> None:
        began = time.monotonic()
        missing = [self._steps[need].number for need in needs if _is_open(self._steps[need])]
        if missing:
            verdict = Verdict(outcome=Outcome.SKIPPED, summary=f"not tried: step {missing[0]} has to pass first")
        else:
            self._on_begin(title)
            verdict = await examine()
        step = Step(
            number=len(self._steps) + 1,
            key=key,
            title=title,
            verdict=verdict,
            seconds=round(time.monotonic() - began, 3),
        )
        self._steps[key] = step
        self._on_step(step)

    async def _read_manifest(self) -> Verdict:
        try:
            self._manifest = load_manifest(self._folder)
        except ConfigError as error:
            advice = "The table of docs/writing-a-bot.md has every key of bot.yaml."
            return failed(Problem(reason=str(error), advice=advice))
        language = f", {self._manifest.language}" if self._manifest.language else ""
        return passed(f"{self._manifest.name}{language}")

    async def _build(self) -> Verdict:
        if not self._manifest.build:
            verdict = passed("there is nothing to build")
        else:
            began = time.monotonic()
            if failure := await run_build(self._manifest, limit_seconds=self._terms.build_seconds):
                return failed(Problem(reason=failure.reason, advice=failure.advice, output=failure.output))
            verdict = passed(f"{time.monotonic() - began:.1f} s")
        try:
            await check_folders(self._isolation, [self._manifest.folder])
        except UserError as error:
            return failed(Problem(reason=str(error), advice="Then check it again."))
        return verdict

    async def _start(self) -> Verdict:
        memory = MemoryMeter()
        chair = await self._open("alone", self._manifest, SEAT)
        self._memory = memory
        self._alone = Alone(
            chair, logs=self._logs[0], time=self._time, startup_ms=self._terms.startup_ms, watch=self._watch, memory=memory
        )
        return await self._alone.start()

    async def _play_tables(self) -> Verdict:
        return await self._alone.play_tables()

    async def _answer_late(self) -> Verdict:
        return await self._alone.answer_late()

    async def _restart(self) -> Verdict:
        return await self._alone.restart()

    async def _play_copies(self) -> Verdict:
        await self._alone.end()
        self._own = [await self._open(f"copy{seat}", self._manifest, seat) for seat in SEATS]
        began = time.monotonic()
        troubles = await asyncio.gather(*(chair.start() for chair in self._own))
        start_ms = round((time.monotonic() - began) * 1000)
        self._watch.starts_ms.append(start_ms)
        for seat, trouble in zip(SEATS, troubles, strict=True):
            if trouble is not None:
                when = "four copies were started at the same time"
                return failed(after(when, trouble_problem(trouble, seat=seat)))
        played = await self._match(self._own, SEATS, name="copies", rules=Rules())
        if played.problem:
            return failed(played.problem)
        start = judge_start(start_ms, limit_ms=self._terms.startup_ms)
        return Verdict(outcome=start.outcome, summary=f"{len(played.record.games)} games; started in {start.summary}")

    async def _play_seats(self) -> Verdict:
        self._others = [await self._open(f"other{seat}", self._companion.manifest, seat, is_own=False) for seat in SEATS]
        for seat in SEATS:
            chairs = [self._own[place] if place == seat else self._others[place] for place in SEATS]
            played = await self._match(chairs, (seat,), name=f"seat {seat}", rules=SHORT)
            if played.problem:
                return failed(after(f"in seat {seat}", played.problem))
            if played.others:
                raise HostError(f"the bot {self._companion.name}, which comes with the arena, failed: {played.others}")
        return passed("seats 0, 1, 2, 3")

    async def _play_opponents(self) -> Verdict:
        results, broken = [], []
        for number, opponent in enumerate(self._opponents):
            seats = (SEATS[1], SEATS[3])
            sitting = [await self._open(f"o{number}-{seat}", opponent.manifest, seat, is_own=False) for seat in seats]
            chairs = [self._own[0], sitting[0], self._own[2], sitting[1]]
            played = await self._match(chairs, (SEATS[0], SEATS[2]), name=f"against {opponent.name}", rules=Rules())
            await asyncio.gather(*(chair.end() for chair in sitting))
            if played.problem:
                return failed(after(f"against {opponent.name}", played.problem))
            if played.others:
                broken.append(f"{opponent.name} failed: {played.others}")
                continue
            loser = played.record.loser
            word = "drew with" if loser is None else ("lost to" if loser == TEAMS[0] else "beat")
            points = played.record.defeat_points
            results.append(f"{word} {opponent.name} {points[0]}:{points[1]}")
        summary = ", ".join(results) + (" (defeat points)" if results else "")
        return Verdict(outcome=Outcome.WARNED if broken else Outcome.PASSED, summary="; ".join([*broken, summary]).rstrip("; "))

    async def _judge_time(self) -> Verdict:
        return judge_time(self._watch, limit_ms=self._terms.move_ms)

    async def _judge_memory(self) -> Verdict:
        failed_at = next((step.number for step in self._steps.values() if step.is_failed), None)
        return judge_memory(self._memory.peak_kib, limit_mib=self._isolation.limits.memory_mib, failed_at=failed_at)

    async def _judge_output(self) -> Verdict:
        return judge_output(self._logs, cap_bytes=self._terms.log_bytes)

    async def _open(self, name: str, manifest: Manifest, seat: Seat, *, is_own: bool = True) -> Chair:
        """A chair with folders of its own, closed at the end."""
        folder, logs = self._scratch / name, self._scratch / f"{name}-logs"
        folder.mkdir()
        make_reachable(folder)
        logs.mkdir()
        if is_own:
            self._logs.append(logs)
        terms = self._terms
        options = ChairOptions(
            startup_ms=terms.startup_ms,
            first_turn_ms=terms.first_turn_ms,
            log_bytes=terms.log_bytes,
            isolation=self._isolation,
        )
        return await self._chairs.enter_async_context(Chair(seat, manifest=manifest, folder=folder, logs=logs, options=options))

    async def _match(self, chairs: Sequence[Chair], examined: Sequence[Seat], *, name: str, rules: Rules) -> matches.Played:
        played = await matches.play(
            chairs, examined=examined, name=name, rules=rules, time=self._time, isolation=self._isolation.tier
        )
        answers = matches.answer_times_us(played.record, examined)
        # The copies are new: the first answers of all four have more time.
        self._watch.answers_us += answers[len(SEATS) :] if name == "copies" else answers
        return played

    async def _end_all(self) -> None:
        """End the bots at the same time, since each may take its time to go."""
        ends = [chair.end() for chair in (*self._own, *self._others)]
        if hasattr(self, "_alone"):
            ends.append(self._alone.end())
        await asyncio.gather(*ends, return_exceptions=True)

    def _measured(self) -> Measured:
        watch = self._watch
        peak = self._memory.peak_kib if hasattr(self, "_memory") else None
        cap = self._terms.log_bytes
        return Measured(
            start_ms=max(watch.starts_ms, default=None),
            turns=len(watch.answers_us),
            median_ms=watch.median_ms,
            p95_ms=watch.p95_ms,
            worst_ms=watch.worst_ms,
            memory_mib=None if peak is None else round(peak / 1024, 1),
            stdout_bytes=printed_bytes(self._logs, "stdout", cap_bytes=cap)[0],
            stderr_bytes=printed_bytes(self._logs, "stderr", cap_bytes=cap)[0],
        )


def _is_open(step: Step) -> bool:
    return step.verdict.outcome in (Outcome.FAILED, Outcome.SKIPPED)
