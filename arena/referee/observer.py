"""What the referee tells of a match while it is played."""

from arena.records.model import Decision, Fault
from arena.rules.game import Game
from arena.rules.match import GameResult, MatchScore


class Observer:
    """Told of everything that happens in a match, at once and in order; this one looks away.

    The referee does not wait for it. Games are given as the referee has them, with all hands, and go on: whoever keeps one
    clones it, and whoever shows it to a person looks at it from the seat of that person.
    """

    def game_began(self, game: Game, *, score: MatchScore) -> None:
        """The cards are dealt. score: how the match stands."""

    def moved(self, game: Game, decision: Decision) -> None:
        """A decision was played; the game stands behind it. Those that are not heard are not told."""

    def game_ended(self, result: GameResult, *, score: MatchScore) -> None:
        """A game was played to its end. score: how the match stands now."""

    def failed(self, fault: Fault) -> None:
        """A fault was booked; what came from the bot in it is hostile text."""
