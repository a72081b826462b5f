"""How many games independent deals need against duplicate boards, for the same confidence about who is better and by how much.

    python benchmarks/variance.py --boards 600 counter greedy

A board is one game with a given deal, dealer and leader, played from both sides. What counts of a game is the advantage of the
first team: defeat points that the second got, less those that it got itself.

One board tells the mean of its two games; independent deals tell two games that know nothing of each other, half of them from
each side. So the ratio is (the variance of a game, sides apart) / (2 x the variance of a board's mean): so many games of
independent deals are worth one game of a duplicate board. It is 1 / (1 + r) where r is how the two games of a board go
together: -1 when luck is all that there is, 0 when the deal explains nothing. Both variances are taken from the same games, as
a game by itself does not know whether its deal is played again. The interval is BCa, from resamples of whole boards.

`--rotate` also plays every board turned by two seats, so that partners change places. A bot that is a function of what it sees
and no more would play the same game again; what differs is chance of the bots' own, which no plan of seats removes.
`--series` plays matches to the target in place of single games: only their first games surely start alike.
`--lapses` makes the first team play some of its moves at random: a pair of bots that are as near each other as one likes.
A team is two times the same bot, `counter`, or two, `counter+greedy`; bots are named as for benchmarks/strength.py.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap
from strength import BANK_MS, MOVE_MS, LocalTurn, load_bot, play_game

from arena.bot import Bot
from arena.rules.cards import SEATS, TEAM_OF_SEAT, Seat
from arena.rules.deal import make_deal
from arena.rules.game import Game
from arena.rules.match import Match
from arena.rules.moves import Move
from arena.rules.notation import parse_rules
from arena.rules.options import Rules

SECRET = b"the deals of benchmarks/variance"
CHUNK = 5
"""Boards a worker process takes at a time."""
RESAMPLES = 9999
Floats = NDArray[np.float64]
Team = tuple[str, str]
Points = tuple[int, int]
"""Defeat points of the first team and of the second."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played of every board.

    teams: two bots each. is_series: a match on it, and not one game. lapses: share of the first team's moves that are random.
    """

    teams: tuple[Team, Team]
    rules: Rules
    is_series: bool
    is_rotated: bool
    lapses: float = 0.0


def play_board(number: int, plan: Plan) -> list[Points]:
    """Both teams' defeat points in every game of a board: the first team on seats 0 and 2, then 1 and 3; rotated ones after."""
    random.seed(number)  # for bots that use the module's own generator
    classes = {name: load_bot(name) for team in plan.teams for name in team}
    return [
        _play(number, plan, classes, is_swapped=is_swapped, turned=turned)
        for turned in (0, 2)[: 1 + plan.is_rotated]
        for is_swapped in (False, True)
    ]


def _play(number: int, plan: Plan, classes: dict[str, type[Bot]], *, is_swapped: bool, turned: int) -> Points:
    # Each member of a team keeps its place beside the dealer when the board is turned: the bots turn with it.
    places = [SEATS[(seat - turned) % 4] for seat in SEATS]
    players = [classes[plan.teams[TEAM_OF_SEAT[place] ^ is_swapped][place // 2]]() for place in places]
    match = Match(plan.rules, dealer=SEATS[(number + turned) % 4])
    numbers = [0, 0, 0, 0]

    def choose(seat: Seat, game: Game) -> Move:
        numbers[seat] += 1
        turn = LocalTurn(
            numbers[seat], seat, game.legal_moves(seat), game.view(seat), match.score, plan.rules, ("0", "1"), MOVE_MS, BANK_MS
        )
        is_first = TEAM_OF_SEAT[seat] ^ is_swapped == 0
        if is_first and random.random() < plan.lapses:
            return random.choice(turn.legal)
        return players[seat].choose(turn)  # type: ignore[arg-type]

    while not match.is_over:
        play_game(match.start_game(make_deal(SECRET, f"board {number}", len(match.games))), [choose] * 4)
        match.finish_game()
        if not plan.is_series:
            break
    return match.defeat_points[0 ^ is_swapped], match.defeat_points[1 ^ is_swapped]


def play_boards(plan: Plan, boards: int, *, jobs: int = 1) -> Floats:
    """Defeat points by board, game and team; jobs: processes, 1 for this one alone."""
    task: Callable[[int], list[Points]] = partial(play_board, plan=plan)
    if jobs == 1:
        return np.array([task(number) for number in range(boards)], dtype=float)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return np.array(list(pool.map(task, range(boards), chunksize=CHUNK)), dtype=float)


def ratio(first: Floats, second: Floats, axis: int = -1) -> Floats:
    """Games of independent deals for one of a duplicate board, from the two games of each board; infinite for pure luck."""
    game = (first.var(axis=axis, ddof=1) + second.var(axis=axis, ddof=1)) / 2
    board = ((first + second) / 2).var(axis=axis, ddof=1)
    with np.errstate(divide="ignore"):
        return np.asarray(game / (2 * board))


def interval(first: Floats, second: Floats) -> tuple[float, float]:
    """95 % for the ratio."""
    found = bootstrap(
        (first, second),
        ratio,
        paired=True,
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=500,
        method="BCa",
        rng=np.random.default_rng(2024),
    ).confidence_interval
    return float(found.low), float(found.high)


def report(plan: Plan, points: Floats) -> str:
    """The figures as text of a few lines. points: as from `play_boards`."""
    games = points[..., 1] - points[..., 0]
    first, second = games[:, 0], games[:, 1]
    boards = (first + second) / 2
    error = boards.std(ddof=1) / np.sqrt(len(boards))
    names = ["+".join(dict.fromkeys(team)) for team in plan.teams]
    lines = [
        f"{names[0]} against {names[1]}: {len(games)} duplicate {'pairs of matches' if plan.is_series else 'boards'}",
        f"  advantage {boards.mean():+.3f} defeat points (standard error {error:.3f})",
        f"  variance of a game {(first.var(ddof=1) + second.var(ddof=1)) / 2:.3f}, of a board's mean {boards.var(ddof=1):.3f}, "
        f"correlation of a board's games {np.corrcoef(first, second)[0, 1]:+.3f}",
    ]
    if boards.std() == 0:
        lines.append("  every board came out level: no number of independent deals is as good")
        return "\n".join(lines)
    low, high = interval(first, second)
    worth = ratio(first, second)
    lines.append(f"  games of independent deals for one of a duplicate board: {worth:.2f}, 95 % from {low:.2f} to {high:.2f}")
    if plan.is_rotated:
        lines += _iter_chance(games)
    return "\n".join(lines)


def _iter_chance(games: Floats) -> Iterator[str]:
    """What the games say that were played again, turned by two seats."""
    boards = games.reshape(len(games), 2, 2).mean(axis=2)
    game = games.var(axis=0, ddof=1).mean()
    of_game = ((games[:, :2] - games[:, 2:]) ** 2).mean() / 2
    of_board = ((boards[:, 0] - boards[:, 1]) ** 2).mean() / 2
    board = boards.var(axis=0, ddof=1).mean()
    yield f"  the bots' own chance: {of_game / game:.0%} of the variance of a game, {of_board / board:.0%} of a board's mean"
    yield f"  without it the ratio would be {(game - of_game) / (2 * (board - of_board)):.2f}"
    yield f"  for all four games of a board it is {game / (4 * games.mean(axis=1).var(ddof=1)):.2f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure what duplicate boards are worth against independent deals.")
    parser.add_argument("first", nargs="?", default="counter", help="a team: a bot, or two joined by + (default: counter)")
    parser.add_argument("second", nargs="?", default="greedy", help="the same for its opponent (default: greedy)")
    parser.add_argument("--boards", type=int, default=600, help="duplicate boards (default: 600)")
    parser.add_argument("--jobs", type=int, default=1, help="processes to play in (default: 1)")
    parser.add_argument("--series", action="store_true", help="play matches in place of single games")
    parser.add_argument("--rotate", action="store_true", help="play every board turned by two seats as well")
    parser.add_argument("--lapses", type=float, default=0, help="share of the first team's moves that are random (default: 0)")
    parser.add_argument("--rules", default="", help="house rules, such as 'pull=off max_lead=2' (default: the usual ones)")
    parser.add_argument("--save", help="write to this file: a line a board, both teams' defeat points of every game")
    options: Any = parser.parse_args(arguments)
    plan = Plan(
        teams=(_team(options.first), _team(options.second)),
        rules=parse_rules(options.rules),
        is_series=options.series,
        is_rotated=options.rotate,
        lapses=options.lapses,
    )
    begin = time.perf_counter()
    points = play_boards(plan, options.boards, jobs=options.jobs)
    if options.save:
        np.savetxt(options.save, points.reshape(len(points), -1), fmt="%d")
    print(report(plan, points))
    print(f"  {time.perf_counter() - begin:.0f} s in all")


def _team(text: str) -> Team:
    first, _, second = text.partition("+")
    return first, second or first


if __name__ == "__main__":
    main()
