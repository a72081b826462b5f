"""What the machine owes a bot: by made-up figures, by a loop that stands still, and what a chair makes of it."""

import asyncio
import time
from collections.abc import Callable, Iterator
from itertools import count, repeat
from pathlib import Path

import pytest

from arena.errors import OverloadError
from arena.rules.cards import SEATS
from arena.rules.options import TimeControl
from arena.seat.attached import AttachedChair
from arena.seat.chair import Chair
from arena.seat.isolation.usage import Thread, Usage
from arena.seat.trouble import Reply, Trouble, TroubleKind
from arena.seat.watch import Delay, Watch, waited_seconds
from tests.seat_tools import PATIENCE, ask, started, write_raw_bot

MS = 1_000_000
LIMIT = TimeControl(move_ms=400, bank_ms=0, max_faults=3)


def waited_ms(
    *threads: tuple[int, int], cpu_ms: int | None = None, others_ms: int = 0, throttled_ms: int = 0, cores: float = 1.0
) -> int:
    """Of a bot whose threads ran and waited so many milliseconds; cpu_ms: when it had more than these."""
    ran = sum(ran for ran, _ in threads) if cpu_ms is None else cpu_ms
    earlier = {number: Thread(7 * MS, 9 * MS) for number in range(len(threads))}
    later = {number: Thread((7 + ran) * MS, (9 + waited) * MS) for number, (ran, waited) in enumerate(threads)}
    before = Usage(cpu_ns=100 * MS, threads=earlier, throttled_ns=5 * MS)
    after = Usage(cpu_ns=(100 + ran) * MS, threads=later, throttled_ns=(5 + throttled_ms) * MS)
    return round(1000 * waited_seconds(before, after, others_ns=others_ms * MS, cores=cores))


# Each is a second on one core.
FIGURES = {
    "one thread beside a stranger": (waited_ms((500, 500)), 500),
    "one thread that has the core": (waited_ms((990, 10)), 10),
    "one that sleeps, on whatever machine": (waited_ms((1, 3)), 3),
    "one that has all of a core, and eight threads that want more": (waited_ms(*[(125, 875)] * 8), 0),
    "the same, beside strangers that have half of the core": (waited_ms(*[(62, 938)] * 8), 504),
    "32 threads that wake up together, each for 2 ms in 100": (waited_ms(*[(20, 20 * place) for place in range(32)]), 0),
    "children that are counted and have no thread to be seen": (waited_ms((100, 900), cpu_ms=1000), 0),
    "one that keeps us busy": (waited_ms((450, 550), others_ms=550), 0),
    "one whose partner has the core": (waited_ms((300, 700), others_ms=690), 10),
    "one that is held at a tenth of a core": (waited_ms((100, 900), throttled_ms=900), 0),
    "the same beside strangers": (waited_ms((50, 950), throttled_ms=400), 550),
    "four threads on one core, of four that it is owed": (waited_ms(*[(250, 750)] * 4, cores=4), 562),
    "eight threads on four cores of its own": (waited_ms(*[(500, 500)] * 8, cores=4), 0),
    "a bot without threads": (waited_ms(cpu_ms=10), 0),
}


@pytest.mark.parametrize("name", FIGURES)
def test_what_a_bot_waited_by_figures(name: str) -> None:
    found, expected = FIGURES[name]
    assert found == expected


def test_a_thread_that_began_meanwhile_has_waited_since_then() -> None:
    before = Usage(cpu_ns=0, threads={})
    after = Usage(cpu_ns=50 * MS, threads={3: Thread(50 * MS, 400 * MS)})
    assert waited_seconds(before, after, others_ns=0, cores=1) == pytest.approx(0.4)


def test_little_is_not_owed() -> None:
    assert Delay(lasted=10, stalled=0.5, waited=0.9).owed == 0
    assert Delay(lasted=10, stalled=0.5, waited=1.1).owed == pytest.approx(1.1)
    assert Delay(lasted=10, stalled=3.5, waited=None).owed == pytest.approx(3.5)
    # A move of a few milliseconds is late on every busy machine; that is for whoever gave so little time.
    assert Delay(lasted=0.02, waited=0.015).owed == 0
    assert Delay(lasted=0.02, waited=0.06).owed == pytest.approx(0.06)


def test_figures_in_words() -> None:
    delay = Delay(lasted=1.23, stalled=0.31, waited=0.9, cpu=0.2, pressure=0.96)
    assert str(delay) == (
        "in 1.2 s arena itself did not get to run for 0.3 s, and it waited 0.9 s for a processor and had one for 0.2 s; "
        "CPU pressure was 96%"
    )
    assert str(Delay(lasted=1.0)) == "in 1.0 s nothing was measured"


class Figures:
    """A bot of which we say what it used: shares of the time since it was made; processes: at one look after the other."""

    def __init__(self, *, waits: float = 0.0, computes: float = 0.0, processes: Iterator[frozenset[int]] | None = None) -> None:
        self.cores = 1.0
        self._began = time.monotonic()
        self._own_ns = time.process_time_ns()
        self._waits = waits
        self._computes = computes
        self._processes = processes or repeat(frozenset())

    def processes(self) -> frozenset[int]:
        return next(self._processes)

    def cpu_ns(self, processes: frozenset[int]) -> int:
        return int((time.monotonic() - self._began) * self._computes * 1e9)

    def usage(self) -> Usage:
        # What we compute is made up for, so that the figures are exact on whatever machine.
        own_ns = time.process_time_ns() - self._own_ns
        waited = int((time.monotonic() - self._began) * self._waits * 1e9) + own_ns
        return Usage(cpu_ns=self.cpu_ns(frozenset()), threads={1: Thread(0, waited)}, processes=self.processes())


def watched(during: Callable[[], None], bot: Figures, *, seconds: float = 0.8) -> Delay:
    """The delay of a time in which `during` is done by the event loop itself."""

    async def scenario() -> Delay:
        with Watch(seconds, bot=bot, others=[]) as watch:
            await asyncio.sleep(seconds / 2)
            during()
            await asyncio.sleep(seconds / 2)
            return watch.delay()

    return asyncio.run(scenario())


def test_a_standstill_of_ours_is_seen() -> None:
    assert watched(lambda: time.sleep(0.5), Figures()).stalled >= 0.4


def test_a_standstill_while_the_bot_has_the_processor_is_its_own() -> None:
    assert watched(lambda: time.sleep(0.5), Figures(computes=1.0)).stalled < 0.3


def test_what_we_compute_is_no_standstill() -> None:
    def compute() -> None:
        end = time.process_time() + 0.5
        while time.process_time() < end:
            pass

    delay = watched(compute, Figures())
    assert delay.stalled < delay.lasted - 0.5 - 0.3


def test_a_bot_that_starts_processes_is_still_believed() -> None:
    grown = (frozenset(range(number)) for number in count(1))
    delay = watched(lambda: None, Figures(waits=0.5, processes=grown))
    assert delay.waited is not None
    assert delay.waited > 0.25


def test_a_bot_whose_processes_end_meanwhile_is_not_believed() -> None:
    come_and_gone = (frozenset({0, number}) for number in count(1))
    assert watched(lambda: None, Figures(waits=0.5, processes=come_and_gone)).waited == 0


ANSWERS = """
raw = greeted()
turn = raw.turn()
time.sleep({seconds})
raw.answer(turn.number, turn.legal[0])
raw.play()
"""


def outcome_of(root: Path, *, answers_after: float, waits: float) -> tuple[Reply | Trouble, float]:
    """What becomes of a turn of 0.4 s whose bot is said to wait for a processor for such a share of the time; how long it
    was waited for."""
    manifest = write_raw_bot(root / "bot", ANSWERS.format(seconds=answers_after))

    async def test() -> tuple[Reply | Trouble, float]:
        async with started(manifest, root, time_control=LIMIT) as chair:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Chair, "cage", Figures(waits=waits))
                began = time.monotonic()
                return await ask(chair), time.monotonic() - began

    return asyncio.run(test())


def test_a_late_answer_is_the_machines_fault_when_it_comes_within_what_is_owed(root: Path) -> None:
    with pytest.raises(OverloadError, match=r"overloaded, and the bot of seat 0 was late: in .* waited"):
        outcome_of(root, answers_after=0.55, waits=0.7)


def test_a_bot_that_has_had_its_time_has_no_excuse(root: Path) -> None:
    outcome, seconds = outcome_of(root, answers_after=PATIENCE, waits=0.6)
    assert isinstance(outcome, Trouble)
    assert (outcome.kind, outcome.think_us, outcome.detail) == (TroubleKind.LATE, 400_000, "no answer within 0.400 s")
    # 0.4 s of its own, and more than 0.4 s that it was kept waiting.
    assert 0.8 < seconds < PATIENCE


def test_a_machine_that_is_busy_as_usual_is_no_excuse(root: Path) -> None:
    outcome, _ = outcome_of(root, answers_after=1.5, waits=0.05)
    assert isinstance(outcome, Trouble)
    assert outcome.kind is TroubleKind.LATE


def test_who_is_owed_without_end_is_waited_for_no_longer(root: Path) -> None:
    with pytest.raises(OverloadError):
        outcome_of(root, answers_after=PATIENCE, waits=0.99)


def test_an_answer_in_time_counts_on_any_machine(root: Path) -> None:
    outcome, _ = outcome_of(root, answers_after=0.0, waits=0.9)
    assert isinstance(outcome, Reply)


def test_what_the_others_at_the_table_used_is_not_the_machines_fault(root: Path) -> None:
    manifest = write_raw_bot(root / "bot", ANSWERS.format(seconds=0.55))

    class Partner(AttachedChair):
        cage = Figures(computes=0.7)  # type: ignore[assignment]

    async def test() -> Reply | Trouble:
        async with started(manifest, root, time_control=LIMIT) as chair:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Chair, "cage", Figures(waits=0.7))
                chair.sit_with([Partner(SEATS[2], address="", on_wait=lambda address, token: None)])
                return await ask(chair)

    outcome = asyncio.run(test())
    assert isinstance(outcome, Trouble)
    assert outcome.kind is TroubleKind.LATE
