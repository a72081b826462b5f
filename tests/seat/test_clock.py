"""The time of one seat in one match."""

import random

import pytest

from arena.rules.options import TimeControl
from arena.seat.clock import Clock


def clock(move_ms: int, bank_ms: int) -> Clock:
    return Clock(TimeControl(move_ms=move_ms, bank_ms=bank_ms, max_faults=1))


def test_a_turn_within_its_time_leaves_the_bank_alone() -> None:
    own = clock(100, 50)
    for think_us in (0, 1, 99_999, 100_000):
        own.take(think_us)
        assert own.bank_ms == 50
        assert own.allowance_seconds == pytest.approx(0.150)


def test_what_goes_beyond_comes_out_of_the_bank_to_the_microsecond() -> None:
    own = clock(100, 50)
    own.take(100_001)
    assert own.bank_ms == 49  # rounded down: nobody is promised what is not there
    assert own.allowance_seconds == pytest.approx(0.149999)
    own.take(120_000)
    assert own.allowance_seconds == pytest.approx(0.129999)
    own.take(129_999)
    assert own.bank_ms == 0
    assert own.allowance_seconds == pytest.approx(0.1)


def test_the_bank_never_goes_below_nothing() -> None:
    own = clock(100, 50)
    own.take(10_000_000)
    assert own.bank_ms == 0
    own.take(10_000_000)
    assert own.allowance_seconds == pytest.approx(0.1)


def test_a_seat_never_gets_more_than_its_turns_and_its_bank() -> None:
    rng = random.Random(4)
    for _ in range(200):
        move_ms, bank_ms, turns = rng.randint(1, 50), rng.randint(0, 500), rng.randint(1, 60)
        own = clock(move_ms, bank_ms)
        beyond = 0
        for _ in range(turns):
            think_us = min(rng.randint(0, 200_000), round(own.allowance_seconds * 1_000_000))
            own.take(think_us)
            beyond += max(0, think_us - move_ms * 1000)
        assert beyond <= bank_ms * 1000
        assert own.bank_ms == (bank_ms * 1000 - beyond) // 1000
