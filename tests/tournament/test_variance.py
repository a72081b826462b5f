"""The benchmark of duplicate boards: what it plays, and what it makes of it."""

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from arena.rules.options import Rules

ROOT = Path(__file__).parents[2]


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("variance")


def test_ratio_is_what_simulated_tournaments_show(benchmark: ModuleType) -> None:
    """Luck of 2, play of 1: many means of 50 boards against as many of 100 games with deals of their own."""
    rng = np.random.default_rng(1)

    def boards(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        luck = 2 * rng.normal(size=shape)
        return luck + rng.normal(size=shape), -luck + rng.normal(size=shape)

    first, second = boards((4000, 50))
    duplicate = ((first + second) / 2).mean(axis=1).var()
    first, second = boards((4000, 100))
    independent = np.where(np.arange(100) % 2, first, second).mean(axis=1).var()
    first, second = boards((2000,))
    assert benchmark.ratio(first, second) == pytest.approx(independent / duplicate, rel=0.15)
    low, high = benchmark.interval(first, second)
    assert low < 5 < high
    assert high - low < 1


def test_bots_without_chance_play_a_board_again_when_it_is_turned(benchmark: ModuleType) -> None:
    greedy = ("greedy", "greedy")
    plan = benchmark.Plan(teams=(greedy, greedy), rules=Rules(), is_series=False, is_rotated=True)
    points = benchmark.play_boards(plan, 12)
    assert points.shape == (12, 4, 2)
    assert (points[:, 0] == points[:, 2]).all()
    assert (points[:, 1] == points[:, 3]).all()
    # From the other side, the same bots do the same: what one side got, the other does.
    assert (points[:, 0] == points[:, 1, ::-1]).all()
    assert len({tuple(game) for game in points[:, 0].tolist()}) > 1
    assert "no number of independent deals is as good" in benchmark.report(plan, points)


def test_turned_boards_keep_members_of_a_team_at_their_places(benchmark: ModuleType) -> None:
    plan = benchmark.Plan(
        teams=(("greedy", "random"), ("greedy", "greedy")), rules=Rules(), is_series=False, is_rotated=True, lapses=0.0
    )
    report = benchmark.report(plan, benchmark.play_boards(plan, 40))
    assert "the bots' own chance" in report
    assert "greedy+random against greedy: 40 duplicate boards" in report
