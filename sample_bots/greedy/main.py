"""A bot that looks at the table, at its hand and no further. POLICY.md says what it does, step by step."""

from strategy import choose_move

from arena.bot import Bot, Turn, serve
from arena.rules.moves import Move


class Greedy(Bot):
    """Plays by the policy; keeps nothing in mind between two turns."""

    def choose(self, turn: Turn) -> Move:
        return choose_move(turn.view, turn.legal)


if __name__ == "__main__":
    serve(Greedy())
