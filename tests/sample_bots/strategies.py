"""The sample bots' modules for the tests, and positions to try them in."""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from arena.rules.cards import Seat, parse_card, parse_cards
from arena.rules.game import Game
from arena.rules.moves import parse_move
from arena.rules.options import Rules

ROOT = Path(__file__).resolve().parents[2]
BOTS = ROOT / "sample_bots"


def import_from(folder: Path, *names: str) -> list[ModuleType]:
    """Modules of a bot's folder, imported as from its main.py, and forgotten: another bot has modules of that name."""
    sys.path.insert(0, str(folder))
    before = set(sys.modules)
    try:
        return [importlib.import_module(name) for name in names]
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]


def import_strength() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_of_strength", ROOT / "benchmarks" / "strength.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


STRENGTH = import_strength()
(GREEDY,) = import_from(BOTS / "greedy", "strategy")
HANDS, BELIEFS, COUNTER = import_from(BOTS / "counter", "hands", "beliefs", "strategy")


PULLABLE = ["AC 9H 9S 8H", "10S JS KS 8C", "7S 8S 10D AD", "6D 7D 8D 9D"]


def pulled_game(stock: str = "") -> Game:
    """Seat 0 leads the ace, seat 1 beats it with the jack, seat 3 pulls diamonds, seat 0 lays down all it has."""
    game = Game(
        Rules(),
        indicator=parse_card("6S"),
        hands=[parse_cards(hand) for hand in PULLABLE],
        stock=[parse_card(card) for card in stock.split()],
        dealer=Seat(3),
        leader=Seat(0),
    )
    moves = ((3, "pass"), (0, "lead AC"), (3, "pass"), (1, "beat JS"), (3, "pull 6D 7D 8D 9D"), (0, "discard AC 9H 9S 8H"))
    for seat, move in moves:
        game.apply(Seat(seat), parse_move(move))
    return game
