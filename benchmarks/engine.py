"""Random games a second of our engine, beside OpenSpiel's skat, both driven from Python in the same way.

Skat is the nearest game of OpenSpiel: a trick-taking game with hidden hands, dealt card by card, about 30 decisions a game; its
engine is C++. In both, each step asks for the legal moves, draws one uniformly and plays it, and a game starts with its deal.
The two take turns within one run, so that the machine's mood hits both.

    pip install open_spiel
    python benchmarks/engine.py [--rounds 10] [--seconds 1.0]
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable

import pyspiel

from arena.rules.cards import SEATS
from arena.rules.deal import make_deal
from arena.rules.game import Game
from arena.rules.options import Rules

SECRET = bytes(32)


def play_kozel(rng: random.Random, number: int) -> int:
    """One random game of ours, deal included; how many decisions it had."""
    dealer = SEATS[number % 4]
    game = Game.from_deal(Rules(), make_deal(SECRET, "engine", number), dealer=dealer, leader=SEATS[(number + 1) % 4])
    decisions = 0
    while not game.is_over:
        codes = game.legal_codes()
        game.advance(codes[int(rng.random() * len(codes))])
        decisions += 1
    return decisions


def play_skat(rng: random.Random, number: int) -> int:
    """One random game of OpenSpiel's skat, deal included; how many decisions it had."""
    state = SKAT.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        actions = state.legal_actions()
        state.apply_action(actions[int(rng.random() * len(actions))])
    return decisions


def games_a_second(play: Callable[[random.Random, int], int], rng: random.Random, seconds: float) -> tuple[float, float]:
    """Games a second over at least so long, and decisions a game."""
    games = decisions = 0
    started = time.perf_counter()
    while (elapsed := time.perf_counter() - started) < seconds:
        decisions += play(rng, games)
        games += 1
    return games / elapsed, decisions / games


def main() -> None:
    """Both, in turns, and what comes of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1.0)
    arguments = parser.parse_args()
    rng = random.Random(1)
    print("round  kozel, games/s   skat, games/s   kozel/skat")
    ratios = []
    for index in range(arguments.rounds):
        ours, our_decisions = games_a_second(play_kozel, rng, arguments.seconds)
        theirs, their_decisions = games_a_second(play_skat, rng, arguments.seconds)
        ratios.append(ours / theirs)
        print(f"{index + 1:5} {ours:15.0f} {theirs:15.0f} {ours / theirs:12.2f}")
    print(f"decisions a game: kozel {our_decisions:.1f}, skat {their_decisions:.1f}")
    print(f"median kozel/skat: {statistics.median(ratios):.2f}")


SKAT = pyspiel.load_game("skat")

if __name__ == "__main__":
    main()
