"""Where the marks of a plot stand; the templates draw them as SVG."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from arena.show.web.rendering import duration

_TICKS = 4
_WIDTH, _TOP, _BASE = 640.0, 24.0, 190.0
_BINS_A_DECADE = 8
_EDGE_US = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A linear axis from low to high with a few round ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def around(cls, values: Sequence[float]) -> Self:
        """The smallest round axis that has all the values; at least one value."""
        low, high = min(values), max(values)
        step = _round_step((high - low) / _TICKS)
        first, last = math.floor(low / step), math.ceil(high / step)
        last = max(last, first + 1)
        return cls(low=first * step, high=last * step, ticks=tuple(place * step for place in range(first, last + 1)))

    def at(self, value: float) -> float:
        """Where a value stands, in percent of the axis."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the histogram, with what it stands for."""

    x: float
    y: float
    width: float
    height: float
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on an axis and its name."""

    at: float
    label: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """How long answers took, in a picture 640 wide and 220 high; times in milliseconds."""

    count: int
    median: float
    late: float
    slowest: float
    bars: tuple[Bar, ...]
    lines: tuple[Mark, ...]
    ticks: tuple[Mark, ...]
    marks: tuple[Mark, ...]


def histogram(thinks_us: Sequence[int], *, limit_ms: int) -> Histogram | None:
    """The histogram of these times, in microseconds; None without any. limit_ms: the time for a move, marked."""
    if not thinks_us:
        return None
    times = sorted(thinks_us)
    first = math.floor(math.log10(max(_EDGE_US, times[0])))
    last = math.ceil(math.log10(max(times[-1], 10 * 10**first)))
    edges = [10 ** (first + place / _BINS_A_DECADE) for place in range((last - first) * _BINS_A_DECADE + 1)]
    bounds = [0, *(bisect_left(times, edge) for edge in edges[1:-1]), len(times)]
    counts = [high - low for low, high in pairwise(bounds)]
    vertical = Scale.around([0, max(counts)])
    height = _BASE - _TOP
    width = _WIDTH / len(counts)

    def across(us: float) -> float:
        return round(_WIDTH * (math.log10(us) - first) / (last - first), 1)

    def up(count: float) -> float:
        return round(_BASE - height * vertical.at(count) / 100, 1)

    bars = [
        Bar(
            x=round(place * width + 1, 1),
            y=up(count),
            width=round(width - 2, 1),
            height=round(_BASE - up(count), 1),
            label=f"{duration(edges[place] / 1000)} to {duration(edges[place + 1] / 1000)}: {count}",
        )
        for place, count in enumerate(counts)
        if count
    ]
    limit_us = limit_ms * 1000
    marks = [_mark(across(limit_us), "time for a move")] if 10**first <= limit_us <= 10**last else []
    return Histogram(
        count=len(times),
        median=_share(times, 0.5) / 1000,
        late=_share(times, 0.95) / 1000,
        slowest=times[-1] / 1000,
        bars=tuple(bars),
        lines=tuple(Mark(up(tick), f"{tick:,.0f}") for tick in vertical.ticks if tick and tick == int(tick)),
        ticks=tuple(
            Mark(across(10**power), _power(power), "start" if power == first else "end" if power == last else "middle")
            for power in range(first, last + 1)
        ),
        marks=tuple(marks),
    )


def _mark(at: float, label: str) -> Mark:
    return Mark(at, label, "end" if at > _WIDTH * 0.8 else "start" if at < _WIDTH * 0.2 else "middle")


def _power(power: int) -> str:
    us = 10**power
    return f"{us} µs" if us < 1000 else f"{us // 1000} ms" if us < 1_000_000 else f"{us // 1_000_000} s"


def _share(times: Sequence[int], share: float) -> int:
    """The time within which this share of the answers came."""
    return times[max(0, math.ceil(share * len(times)) - 1)]


def _round_step(step: float) -> float:
    """The next of 1, 2, 5, 10, 20… from `step` up; also 0.1, 0.2 and so on."""
    if step <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(step))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= step * (1 - 1e-9))
