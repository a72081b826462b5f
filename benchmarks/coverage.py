"""How often the statistics beside a table are right: runs are drawn from results of real play whose truth is known.

    python benchmarks/coverage.py --runs 2000

A kind of pairing is a few hundred sets of real play (benchmarks/set_results, each with the command that made it); a pairing
draws its sets from them with replacement, so the mean of all of them is its truth. For every plan of a tournament it prints how
often the 95 % intervals of the teams and of the pairings cover their truth, and how many runs have a band that leaves out a
rank which a team deserves: as when two equal teams are told apart. The rest is about `stop_when: decided`: runs in which equal
teams are ever told apart when one looks after every set, and after how many sets two unequal ones are.
"""

import argparse
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, cycle, product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.records.model import MatchKey
from arena.records.summary import MatchSummary
from arena.tournament.standings import compute_standings
from arena.tournament.statistics import SetTally, Statistics, compute_statistics
from arena.tournament.stopping import separation, set_differences

FOLDER = Path(__file__).resolve().parent / "set_results"
SEED = 7
Results = NDArray[np.int64]
"""By set: defeat points of the first team and of the second in the first match, then the same of the second match."""

Members: TypeAlias = Mapping[str, tuple[str, ...]]
"""Who is ranked, by team."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament. kinds: of the pairings, in turn; a kind with = is made equal: either team may be the one on the left.

    are_bots: whether those are bots who are ranked, and every pair of them is a team.
    """

    teams: int
    sets: int
    kinds: tuple[str, ...]
    are_bots: bool = False


def in_two_classes(teams: int) -> tuple[str, ...]:
    """Of a strong half and a weak half, equal within: the kinds of all pairings."""
    is_same = [(one < teams // 2) == (other < teams // 2) for one, other in combinations(range(teams), 2)]
    return tuple("random-random=" if same else "greedy-random" for same in is_same)


PLANS: Mapping[str, Plan] = {
    "2 teams, 5 sets, weak against strong": Plan(2, 5, ("mixed-greedy",)),
    "2 teams, 10 sets, weak against strong": Plan(2, 10, ("mixed-greedy",)),
    "2 teams, 10 sets, near each other": Plan(2, 10, ("random-random",)),
    "2 teams, 50 sets, hopeless": Plan(2, 50, ("greedy-random",)),
    "2 teams, 20 boards": Plan(2, 20, ("boards-random-random",)),
    "4 teams, 5 sets, all kinds": Plan(4, 5, ("random-random", "mixed-greedy", "greedy-random")),
    "6 teams, 2 sets, all kinds": Plan(6, 2, ("random-random", "mixed-greedy", "greedy-random")),
    "12 teams, 10 sets, all kinds": Plan(12, 10, ("random-random", "mixed-greedy", "greedy-random")),
    "8 teams, 1 set, all kinds": Plan(8, 1, ("random-random", "mixed-greedy", "greedy-random")),
    "16 teams, 1 set, all kinds": Plan(16, 1, ("random-random", "mixed-greedy", "greedy-random")),
    "6 bots with all partners, 2 sets, all kinds": Plan(6, 2, ("random-random", "mixed-greedy", "greedy-random"), True),
    "8 teams in two classes, 1 set": Plan(8, 1, in_two_classes(8)),
    "16 teams in two classes, 1 set": Plan(16, 1, in_two_classes(16)),
}
EQUAL_PLANS: Mapping[str, Plan] = {
    "2 equal teams, 5 sets": Plan(2, 5, ("random-random=",)),
    "2 equal teams, 20 boards": Plan(2, 20, ("boards-random-random=",)),
    "3 equal teams, 3 sets": Plan(3, 3, ("random-random=",)),
    "4 equal bots with all partners, 3 sets": Plan(4, 3, ("random-random=",), True),
    "4 equal teams, 3 sets": Plan(4, 3, ("random-random=",)),
    "6 equal teams, 2 sets": Plan(6, 2, ("random-random=",)),
    "6 equal teams, 10 sets": Plan(6, 10, ("random-random=",)),
    "6 equal bots with all partners, 1 set": Plan(6, 1, ("random-random=",), True),
    "6 equal bots with all partners, 3 sets": Plan(6, 3, ("random-random=",), True),
    "8 equal teams, 1 set": Plan(8, 1, ("random-random=",)),
    "16 equal teams, 1 set": Plan(16, 1, ("random-random=",)),
    "16 equal teams, 1 board": Plan(16, 1, ("boards-random-random=",)),
    "12 equal teams, 5 sets": Plan(12, 5, ("random-random=",)),
    "12 equal teams, 20 boards": Plan(12, 20, ("boards-random-random=",)),
}


@dataclass(slots=True)
class Count:
    """How often something was so."""

    yes: int = 0
    all: int = 0

    def add(self, outcome: bool) -> None:
        """Count one."""
        self.yes += outcome
        self.all += 1

    @property
    def share(self) -> float:
        """Of all; not a number without any."""
        return self.yes / self.all if self.all else math.nan


@dataclass(slots=True)
class Outcome:
    """What was counted over many runs. teams, pairs: intervals that cover. orders: runs with a wrong band."""

    teams: Count
    pairs: Count
    wrong: Count


def load(kind: str) -> Results:
    """The sets of a kind of pairing."""
    found = np.loadtxt(FOLDER / f"{kind.removesuffix('=')}.txt", dtype=np.int64)
    return np.concatenate([found, found[:, [1, 0, 3, 2]]]) if kind.endswith("=") else found


def simulate(plan: Plan, *, runs: int, seed: int = SEED) -> Outcome:
    """Play the plan so often and compare what the statistics say with the truth."""
    rng = np.random.default_rng(seed)
    names = [f"team {number}" for number in range(plan.teams)]
    pairs_of_names = {" + ".join(pair): pair for pair in combinations(names, 2)}
    members: Members = pairs_of_names if plan.are_bots else {name: (name,) for name in names}
    meetings = (pair for pair in combinations(members, 2) if not {*members[pair[0]]} & {*members[pair[1]]})
    pairings = dict(zip(meetings, cycle([load(kind) for kind in plan.kinds]), strict=False))
    truths, means = truths_of(pairings, members)
    outcome = Outcome(Count(), Count(), Count())
    for _ in range(runs):
        drawn = {pair: found[rng.integers(0, len(found), plan.sets)] for pair, found in pairings.items()}
        statistics = statistics_of(members, drawn)
        for name, mean in means.items():
            found_interval = statistics.teams[name].points.interval
            if found_interval is not None:
                outcome.teams.add(found_interval.low <= mean <= found_interval.high)
        for pair, (first, second) in truths.items():
            found_interval = statistics.pairs[pair].difference.interval
            if found_interval is not None:
                outcome.pairs.add(found_interval.low <= first - second <= found_interval.high)
        outcome.wrong.add(is_wrong(statistics, means))
    return outcome


def truths_of(
    pairings: Mapping[tuple[str, str], Results], members: Members
) -> tuple[dict[tuple[str, str], tuple[float, float]], dict[str, float]]:
    """What those who are ranked receive and give, per match, by themselves and an opponent; and what they receive in all.

    Every pairing has as many sets.
    """
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for (first, second), sets in pairings.items():
        received = float(sets[:, [0, 2]].mean()), float(sets[:, [1, 3]].mean())
        for one, other in product(members[first], members[second]):
            found.setdefault((one, other), []).append(received)
            found.setdefault((other, one), []).append(received[::-1])
    truths = {
        pair: (float(np.mean([a for a, _ in all_])), float(np.mean([b for _, b in all_]))) for pair, all_ in found.items()
    }
    names = {name for name, _ in truths}
    return truths, {name: float(np.mean([got for (one, _), (got, _) in truths.items() if one == name])) for name in names}


def is_wrong(statistics: Statistics, means: Mapping[str, float]) -> bool:
    """Whether a team has a band that leaves out a rank which it deserves; equal teams deserve all that they share."""
    for name, mean in means.items():
        band = statistics.teams[name].band
        if band is not None:
            better = sum(other < mean - 1e-9 for other in means.values())
            not_worse = sum(other <= mean + 1e-9 for other in means.values())
            if band[0] > better + 1 or band[1] < not_worse:
                return True
    return False


def statistics_of(members: Members, sets: Mapping[tuple[str, str], Results]) -> Statistics:
    """What the program says of these sets."""
    tally = SetTally()
    standings = compute_standings(members, tally.passing(iter_matches(sets)), players=members)
    return compute_statistics(standings, tally, players=members)


def iter_matches(sets: Mapping[tuple[str, str], Results]) -> Iterator[MatchSummary]:
    """The matches of these sets."""
    for pair, results in sets.items():
        for number, points in enumerate(results.tolist()):
            yield _match(MatchKey(pair, number, swapped=False), (points[0], points[1]))
            yield _match(MatchKey(pair, number, swapped=True), (points[3], points[2]))


def _match(key: MatchKey, defeat_points: tuple[int, int]) -> MatchSummary:
    counts = dict.fromkeys(("games_won", "card_points", "faults", "think_us", "thinks"), (0, 0))
    fields: dict[str, Any] = {**counts, "loser": None, "goats": None, "forfeited": (), "eggs": 0, "isolation": "none"}
    fields |= {name: 0.0 for name in MatchSummary.__dataclass_fields__ if name not in {*fields, "key", "defeat_points"}}
    return MatchSummary(key=key, defeat_points=defeat_points, **fields)


def stop_wrongly(teams: int, *, sets: int, runs: int, kind: str = "random-random=", seed: int = SEED) -> Count:
    """Of equal teams: runs in which any two of them are ever told apart, by somebody who looks after every set.

    Those who are told apart once stay so: it is enough to look at the end.
    """
    rng = np.random.default_rng(seed)
    names = [f"team {number}" for number in range(teams)]
    pairings = list(combinations(names, 2))
    found = load(kind)
    count = Count()
    for _ in range(runs):
        tally = SetTally()
        for pair in pairings:
            drawn = found[rng.integers(0, len(found), sets)].tolist()
            tally.pairings[pair] = {number: [it[0] + it[2], it[1] + it[3], 2] for number, it in enumerate(drawn)}
        count.add(any(separation(set_differences(tally, *pair), pairs=len(pairings)) for pair in pairings))
    return count


def sets_to_decide(effect: float, *, pairs: int, runs: int, most: int = 600, seed: int = SEED) -> list[int]:
    """Sets until two teams are told apart whose differences lie `effect` standard deviations from zero; sorted, by run."""
    rng = np.random.default_rng(seed)
    found = load("random-random=")
    differences = (found[:, 0] + found[:, 2] - found[:, 1] - found[:, 3]) / 2
    differences = differences + effect * differences.std()
    return sorted(_first(rng.choice(differences, most).tolist(), pairs) for _ in range(runs))


def _first(differences: list[float], pairs: int) -> int:
    """The number of sets that decides, one more than there are when none does; told apart is told apart for good."""
    low, high = 0, len(differences) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if separation(differences[:middle], pairs=pairs):
            high = middle
        else:
            low = middle
    return high


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure how often the statistics beside a table are right.")
    parser.add_argument("--runs", type=int, default=2000, help="runs of every plan (default: 2000)")
    options = parser.parse_args(arguments)
    begin = time.perf_counter()
    print("plan                                   teams' intervals   pairs' intervals   runs with a wrong band")
    for name, plan in ({**PLANS, **EQUAL_PLANS}).items():
        found = simulate(plan, runs=options.runs)
        print(f"{name:<38} {found.teams.share:>16.1%} {found.pairs.share:>18.1%} {found.wrong.share:>24.1%}", flush=True)
    print("\nequal teams told apart at any of many looks")
    for teams, sets, kind in ((2, 500, "random-random="), (2, 500, "boards-random-random="), (6, 60, "random-random=")):
        wrong = stop_wrongly(teams, sets=sets, runs=options.runs, kind=kind)
        print(f"{teams} teams, {sets} looks, {kind:<24} {wrong.share:.1%}", flush=True)
    print("\nsets until two teams are told apart: half of the runs, 80 % of them")
    for effect in (0.3, 0.5, 0.8, 1.5, 2.5):
        cells = []
        for pairs in (1, 45, 435):
            needed = sets_to_decide(effect, pairs=pairs, runs=min(options.runs, 200))
            cells.append(f"{pairs} pairs: {needed[len(needed) // 2]:>3}, {needed[len(needed) * 4 // 5]:>3}")
        print(f"{effect} standard deviations   {'    '.join(cells)}", flush=True)
    print(f"{time.perf_counter() - begin:.0f} s in all")


if __name__ == "__main__":
    main()
