"""Where the marks of plots stand."""

import random

import pytest

from arena.show.web.plots import Scale, histogram
from arena.show.web.rendering import duration, signed


@pytest.mark.parametrize("values", [[0.0], [3.2, 14.9], [-8.5, 2.0], [5.0, 5.0], [0.0, 0.03], [-0.5, 1234.0]])
def test_a_scale_has_all_its_values_and_a_few_round_ticks(values: list[float]) -> None:
    scale = Scale.around(values)
    assert scale.low <= min(values) <= max(values) <= scale.high
    assert 2 <= len(scale.ticks) <= 7
    steps = {round(high - low, 9) for low, high in zip(scale.ticks, scale.ticks[1:], strict=False)}
    assert len(steps) == 1
    assert f"{steps.pop():e}"[0] in "125"
    assert [scale.at(scale.low), scale.at(scale.high)] == [0, 100]
    assert scale.at((scale.low + scale.high) / 2) == 50


def test_every_answer_is_in_one_bar() -> None:
    rng = random.Random(1)
    times = [int(rng.lognormvariate(7, 2)) + 1 for _ in range(5000)]
    plot = histogram(times, limit_ms=1000)
    assert plot is not None
    assert sum(int(bar.label.rsplit(" ", 1)[1]) for bar in plot.bars) == len(times) == plot.count
    assert all(0 <= bar.x < bar.x + bar.width <= 640 for bar in plot.bars)
    assert all(24 <= bar.y <= bar.y + bar.height <= 190.1 for bar in plot.bars)
    times.sort()
    assert plot.slowest == times[-1] / 1000
    assert times[2499] / 1000 <= plot.median <= times[2500] / 1000
    assert sum(it / 1000 <= plot.late for it in times) >= 4750
    assert sum(it / 1000 < plot.late for it in times) < 4750


def test_the_limit_is_marked_where_it_is() -> None:
    plot = histogram([1_000, 10_000_000], limit_ms=100)
    assert plot is not None
    assert [mark.at for mark in plot.marks] == [320]  # half way between 1 ms and 10 s
    assert [tick.label for tick in plot.ticks] == ["1 ms", "10 ms", "100 ms", "1 s", "10 s"]
    fast = histogram([1_000, 2_000], limit_ms=5000)
    assert fast is not None
    assert fast.marks == ()


def test_one_answer_and_none() -> None:
    plot = histogram([7], limit_ms=1000)
    assert plot is not None
    assert len(plot.bars) == 1
    assert histogram([], limit_ms=1000) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "0"), (-0.04, "0"), (3.25, "+3.2"), (-3.26, "−3.3"), (9.96, "+10"), (-12.4, "−12")],  # noqa: RUF001
)
def test_differences(value: float | None, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(None, "–"), (0.2412, "0.24 ms"), (66.71, "66.7 ms"), (129.4, "129 ms"), (1500, "1.50 s")],  # noqa: RUF001
)
def test_durations(milliseconds: float | None, text: str) -> None:
    assert duration(milliseconds) == text
