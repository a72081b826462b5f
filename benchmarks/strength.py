"""How strong one sample bot is against another: duplicate pairs of matches, played in this process.

    python benchmarks/strength.py --pairs 200 counter greedy

Both matches of a pair have the same deals, with the seats swapped. No process is started for a bot and no clock runs, so this
is quick, and the figures are about play only; times are processor times. A bot is named by its folder in `sample_bots`, or by
the path of a folder.
"""

import argparse
import importlib.util
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from arena.bot import Bot
from arena.rules.cards import SEATS, TEAM_OF_SEAT, TEAMS, Seat
from arena.rules.deal import draw_first_dealer, make_deal
from arena.rules.game import Game
from arena.rules.match import Match, MatchScore
from arena.rules.moves import Move, MoveKind
from arena.rules.notation import parse_rules
from arena.rules.options import Rules
from arena.rules.view import View

SAMPLE_BOTS = Path(__file__).resolve().parent.parent / "sample_bots"
SECRET = b"the deals of benchmarks/strength"
MOVE_MS = 1000
BANK_MS = 20_000
RESAMPLES = 5000
CHUNK = 5
"""Pairs a worker process takes at a time."""


@dataclass(frozen=True, slots=True)
class LocalTurn:
    """What a bot reads of a turn, made without the wire."""

    number: int
    seat: Seat
    legal: tuple[Move, ...]
    view: View
    score: MatchScore
    rules: Rules
    teams: tuple[str, str]
    move_ms: int = MOVE_MS
    bank_ms: int = BANK_MS


@dataclass(slots=True)
class Tally:
    """What was counted of one bot: processor time of each decision in milliseconds, and matches won."""

    think_ms: list[float] = field(default_factory=list)
    won: int = 0


@dataclass(frozen=True, slots=True)
class PairResult:
    """Defeat points of the first and of the second bot in each of the two matches, and what each bot's games counted."""

    points: tuple[tuple[int, int], tuple[int, int]]
    tallies: tuple[Tally, Tally]

    @property
    def advantage(self) -> float:
        """Defeat points a match that the second bot got more than the first."""
        return statistics.fmean(second - first for first, second in self.points)


def load_bot(name: str) -> type[Bot]:
    """The class of the bot in this folder: the one subclass of Bot that its main.py has."""
    folder = SAMPLE_BOTS / name if (SAMPLE_BOTS / name).is_dir() else Path(name).resolve()
    spec = importlib.util.spec_from_file_location(f"bot_{folder.name}", folder / "main.py")
    if spec is None or spec.loader is None or not (folder / "main.py").is_file():
        raise SystemExit(f"{folder} is not a bot's folder: it has no main.py")
    module = importlib.util.module_from_spec(spec)
    before = set(sys.modules)
    sys.path.insert(0, str(folder))  # as when Python starts main.py
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
        for added in set(sys.modules) - before:  # two bots may each have a module of the same name
            origin = getattr(sys.modules[added], "__file__", None)
            if origin and Path(origin).parent == folder:
                del sys.modules[added]
    found = [
        thing for thing in vars(module).values() if isinstance(thing, type) and issubclass(thing, Bot) and thing is not Bot
    ]
    if len(found) != 1:
        raise SystemExit(f"{folder / 'main.py'} must have one subclass of Bot, it has {len(found)}")
    return found[0]


def play_game(game: Game, choose: Sequence[Callable[[Seat, Game], Move]]) -> None:
    """Play a game to its end; `choose` by seat. All seats that are offered a pull answer before any of them is heard."""
    while not game.is_over:
        answers = [(seat, choose[seat](seat, game)) for seat in game.asked]
        for seat, move in answers:
            game.apply(seat, move)
            if move.kind is MoveKind.PULL:
                break


def play_match(
    bots: tuple[type[Bot], type[Bot]], name: str, *, rules: Rules, is_swapped: bool
) -> tuple[Match, tuple[Tally, Tally]]:
    """A match on the deals of this name; the first bot has seats 0 and 2, or 1 and 3 when swapped. Tallies are by bot."""
    match = Match(rules, dealer=draw_first_dealer(SECRET, name))
    tallies = (Tally(), Tally())
    owner = [TEAM_OF_SEAT[seat] ^ is_swapped for seat in SEATS]
    players = [bots[owner[seat]]() for seat in SEATS]
    numbers = [0, 0, 0, 0]

    def choose(seat: Seat, game: Game) -> Move:
        numbers[seat] += 1
        turn = LocalTurn(numbers[seat], seat, game.legal_moves(seat), game.view(seat), match.score, rules, ("0", "1"))
        begin = time.thread_time()  # what other programs take of the machine does not count
        move = players[seat].choose(turn)  # type: ignore[arg-type]
        tallies[owner[seat]].think_ms.append((time.thread_time() - begin) * 1000)
        return move

    while not match.is_over:
        play_game(match.start_game(make_deal(SECRET, name, len(match.games))), [choose] * 4)
        match.finish_game()
    if match.loser is not None:
        tallies[1 - (match.loser ^ is_swapped)].won += 1
    return match, tallies


def play_pair(number: int, names: tuple[str, str], rules: Rules) -> PairResult:
    """Both matches of the duplicate pair with this number."""
    random.seed(number)  # for bots that use the module's own generator
    bots = (load_bot(names[0]), load_bot(names[1]))
    points = []
    total = (Tally(), Tally())
    for is_swapped in (False, True):
        match, tallies = play_match(bots, f"pair {number}", rules=rules, is_swapped=is_swapped)
        points.append(tuple(match.defeat_points[team ^ is_swapped] for team in TEAMS))
        for mine, more in zip(total, tallies, strict=True):
            mine.think_ms += more.think_ms
            mine.won += more.won
    return PairResult((points[0], points[1]), total)  # type: ignore[arg-type]


def play_pairs(names: tuple[str, str], pairs: int, *, rules: Rules, jobs: int = 1) -> list[PairResult]:
    """The pairs with the numbers 0..pairs - 1, in that order; jobs: processes, 1 for this one alone."""
    task = partial(play_pair, names=names, rules=rules)
    if jobs == 1:
        return [task(number) for number in range(pairs)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return list(pool.map(task, range(pairs), chunksize=CHUNK))


def bootstrap_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % percentile interval of the mean, from resamples of whole pairs; the same for the same values."""
    rng = random.Random(2024)
    means = sorted(statistics.fmean(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return means[RESAMPLES * 25 // 1000], means[RESAMPLES * 975 // 1000 - 1]


def report(names: tuple[str, str], results: Sequence[PairResult]) -> str:
    """The figures as text of a few lines."""
    advantages = [result.advantage for result in results]
    low, high = bootstrap_interval(advantages)
    matches = 2 * len(results)
    lines = [f"{names[0]} against {names[1]}: {len(results)} duplicate pairs, {matches} matches"]
    for side, name in enumerate(names):
        times = sorted(ms for result in results for ms in result.tallies[side].think_ms)
        defeat = sum(points[side] for result in results for points in result.points) / matches
        won = sum(result.tallies[side].won for result in results)
        lines.append(
            f"  {name:<10} won {won:>4} ({won / matches:6.1%})   defeat points a match {defeat:6.2f}   ms a decision: "
            f"mean {statistics.fmean(times):.2f}, 99 % {times[len(times) * 99 // 100]:.2f}, worst {times[-1]:.1f}"
        )
    mean = statistics.fmean(advantages)
    lines.append(f"  advantage of {names[0]}: {mean:+.2f} defeat points a match, 95 % from {low:+.2f} to {high:+.2f}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Play duplicate pairs of matches between two sample bots in this process.")
    parser.add_argument("first", help="a folder in sample_bots, or the path of a bot's folder")
    parser.add_argument("second", help="the same for its opponent")
    parser.add_argument("--pairs", type=int, default=200, help="duplicate pairs of matches (default: 200)")
    parser.add_argument("--jobs", type=int, default=1, help="processes to play in (default: 1)")
    parser.add_argument("--rules", default="", help="house rules, such as 'pull=off max_lead=2' (default: the usual ones)")
    options: Any = parser.parse_args(arguments)
    names = (options.first, options.second)
    begin = time.perf_counter()
    results = play_pairs(names, options.pairs, rules=parse_rules(options.rules), jobs=options.jobs)
    print(report(names, results))
    print(f"  {time.perf_counter() - begin:.0f} s in all")


if __name__ == "__main__":
    main()
