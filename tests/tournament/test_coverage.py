"""The statistics against a known truth, over many runs that are drawn from results of real play.

With ARENA_LONG=1 there are enough runs for tight bounds; `python benchmarks/coverage.py` prints the figures.
"""

import importlib.util
import math
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
IS_LONG = bool(os.environ.get("ARENA_LONG"))
# Bounds leave three standard errors of the number of runs for chance. The seeds are fixed: what passes once does always.
RUNS = 3000 if IS_LONG else 250
SLACK = 0.012 if IS_LONG else 0.042


def load_benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_of_coverage", ROOT / "benchmarks" / "coverage.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


BENCHMARK = load_benchmark()
FEW = {"2 teams, 5 sets, weak against strong", "2 teams, 50 sets, hopeless"}
"""So few sets, or one result so rare, that no method was found to cover as often as it says: docs/statistics.md."""
THREE_PAIRINGS = {"3 equal teams, 3 sets", "4 equal bots with all partners, 3 sets"}
"""Of whose bands rather more are wrong than promised: docs/statistics.md."""
MOST_SETS = math.inf if IS_LONG else 60


def is_short(plan: Any) -> bool:
    """Whether there are few enough sets to draw."""
    pairings = math.comb(plan.teams, 4) * 3 if plan.are_bots else math.comb(plan.teams, 2)
    return pairings * plan.sets <= MOST_SETS


PLANS = sorted(name for name, plan in BENCHMARK.PLANS.items() if is_short(plan) and name not in FEW)
EQUAL_PLANS = sorted(name for name, plan in BENCHMARK.EQUAL_PLANS.items() if is_short(plan))


@pytest.mark.parametrize("name", PLANS)
def test_intervals_cover_the_truth(name: str) -> None:
    found = BENCHMARK.simulate(BENCHMARK.PLANS[name], runs=RUNS)
    # Single sets: what strengths that do not add up leave over is taken for chance as well.
    assert 0.92 <= found.teams.share <= (1 if BENCHMARK.PLANS[name].sets == 1 else 0.985)
    if found.pairs.all:
        assert 0.92 <= found.pairs.share <= 0.985
    assert found.wrong.share <= 0.05 + SLACK


@pytest.mark.parametrize("name", sorted(FEW))
def test_intervals_from_hardly_enough_cover_it_mostly(name: str) -> None:
    found = BENCHMARK.simulate(BENCHMARK.PLANS[name], runs=RUNS)
    assert 0.85 <= found.teams.share <= 0.98
    assert 0.85 <= found.pairs.share <= 0.98


@pytest.mark.parametrize("name", EQUAL_PLANS)
def test_equal_teams_share_their_bands(name: str) -> None:
    found = BENCHMARK.simulate(BENCHMARK.EQUAL_PLANS[name], runs=RUNS)
    if BENCHMARK.EQUAL_PLANS[name].sets == 1:
        assert found.teams.share >= 0.92
    assert found.wrong.share <= (0.07 if name in THREE_PAIRINGS else 0.05) + SLACK


@pytest.mark.parametrize(
    ("teams", "sets", "kind"), [(2, 300, "random-random="), (2, 300, "boards-random-random="), (5, 40, "random-random=")]
)
def test_equal_teams_are_not_told_apart_by_looking_often(teams: int, sets: int, kind: str) -> None:
    found = BENCHMARK.stop_wrongly(teams, sets=sets, runs=RUNS, kind=kind)
    assert found.share <= 0.05 + SLACK


def test_unequal_teams_are_told_apart() -> None:
    runs = 100
    strong = BENCHMARK.sets_to_decide(0.8, pairs=1, runs=runs)
    weak = BENCHMARK.sets_to_decide(0.3, pairs=45, runs=runs, most=500)
    assert strong[runs // 2] <= 25
    assert strong[-1] <= 100
    assert weak[runs * 9 // 10] <= 500
