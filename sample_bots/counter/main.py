"""A bot that remembers what was played, guesses what it cannot see, and tries its moves out on the guesses."""

from strategy import Player

from arena.bot import Bot, Turn, serve
from arena.rules.moves import Move


class Counter(Bot):
    """Counts cards. All that it remembers is in the view of each turn, so it may be started again in mid-match."""

    def __init__(self) -> None:
        self._player = Player()

    def choose(self, turn: Turn) -> Move:
        return self._player.choose_move(turn.view, turn.legal, turn.rules)


if __name__ == "__main__":
    serve(Counter())
