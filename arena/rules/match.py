"""One match: games until a team has lost, who deals, who leads, and the score."""

from dataclasses import dataclass
from enum import StrEnum

from arena.errors import RulesError
from arena.rules.cards import DECK_POINTS, NEXT_SEAT, TEAMS, Seat, Team
from arena.rules.deal import Deal
from arena.rules.game import Game
from arena.rules.options import Eggs, Rules

LOST_SOME = 2
LOST_FEW = 4
LOST_ALL = 6
"""Defeat points for 31..59 card points, for fewer with a trick taken, for no trick."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended; the pairs are by team.

    number: from 0 in its match. card_points: sum 120. tricks: 3..9 in all. defeat_points: what the game gave, doubled by
    eggs before it where the rules say so; both 0 for eggs. taker: the seat that took the last trick.
    """

    number: int
    dealer: Seat
    leader: Seat
    card_points: tuple[int, int]
    tricks: tuple[int, int]
    defeat_points: tuple[int, int]
    taker: Seat

    @property
    def is_eggs(self) -> bool:
        """Whether it was 60 to 60."""
        return self.card_points[0] == self.card_points[1]

    @property
    def winner(self) -> Team | None:
        """The team with more than 60 points; None for eggs."""
        if self.is_eggs:
            return None
        return TEAMS[0] if self.card_points[0] > self.card_points[1] else TEAMS[1]


@dataclass(frozen=True, slots=True)
class MatchScore:
    """How a match stands before a game: everything a seat may know of the games before it, in sum.

    game: number of the current game, from 0. defeat_points and games_won: by team. eggs: games that were 60 to 60.
    stake: what the next defeat points are multiplied with, 1 or 2.
    """

    game: int
    defeat_points: tuple[int, int]
    games_won: tuple[int, int]
    eggs: int
    stake: int


class Goats(StrEnum):
    """What a team that lost a match is called."""

    GOATS = "goats"
    GOATS_WITH_EGGS = "goats with eggs"


class Match:
    """The state of a match between games and during one.

    dealer: of the current or next game. leader: of the current or next game. games: results so far. game: the one being
    played, None between games. Use: `start_game(deal)`, play `game` to its end, `finish_game()`, until `is_over`.
    """

    def __init__(self, rules: Rules, *, dealer: Seat) -> None:
        self.rules = rules
        self.dealer = dealer
        self.leader = NEXT_SEAT[dealer]
        self.games: list[GameResult] = []
        self.game: Game | None = None
        self.defeat_points = [0, 0]

    @property
    def is_over(self) -> bool:
        """Whether a team has reached the target or the cap of games is reached."""
        return max(self.defeat_points) >= self.rules.match_target or len(self.games) >= self.rules.max_games

    @property
    def loser(self) -> Team | None:
        """The team with more defeat points once the match is over; None when level (drawn at the cap)."""
        if not self.is_over or self.defeat_points[0] == self.defeat_points[1]:
            return None
        return TEAMS[0] if self.defeat_points[0] > self.defeat_points[1] else TEAMS[1]

    @property
    def goats(self) -> Goats | None:
        """What the loser is called; None without a loser."""
        return None if self.loser is None else self.loser_name

    @property
    def loser_name(self) -> Goats:
        """What a team is called that loses this match now, also by forfeit."""
        return Goats.GOATS_WITH_EGGS if any(game.is_eggs for game in self.games) else Goats.GOATS

    @property
    def score(self) -> MatchScore:
        """How the match stands before the current or next game."""
        winners = [game.winner for game in self.games]
        return MatchScore(
            game=len(self.games),
            defeat_points=(self.defeat_points[0], self.defeat_points[1]),
            games_won=(winners.count(TEAMS[0]), winners.count(TEAMS[1])),
            eggs=winners.count(None),
            stake=self._stake(),
        )

    def start_game(self, deal: Deal) -> Game:
        """Deal the next game. Raises RulesError when a game is being played or the match is over."""
        if self.game is not None or self.is_over:
            raise RulesError("a game can start only between the games of a match that is not over")
        self.game = Game.from_deal(self.rules, deal, dealer=self.dealer, leader=self.leader)
        return self.game

    def finish_game(self) -> GameResult:
        """Score the game that has ended and pass the deal on. Raises RulesError when none has."""
        game = self.game
        if game is None or not game.is_over:
            raise RulesError("no game has ended")
        given = score_game(game.card_points, game.tricks_taken)
        stake = self._stake()
        result = GameResult(
            number=len(self.games),
            dealer=self.dealer,
            leader=self.leader,
            card_points=(game.card_points[0], game.card_points[1]),
            tricks=(game.tricks_taken[0], game.tricks_taken[1]),
            defeat_points=(given[0] * stake, given[1] * stake),
            taker=game.turn,
        )
        self.games.append(result)
        for team in TEAMS:
            self.defeat_points[team] += result.defeat_points[team]
        self.dealer = NEXT_SEAT[self.dealer]
        self.leader = result.taker
        self.game = None
        return result

    def _stake(self) -> int:
        doubled = self.rules.eggs is Eggs.DOUBLE_NEXT and self.games and self.games[-1].is_eggs
        return 2 if doubled else 1


def score_game(card_points: list[int], tricks: list[int]) -> tuple[int, int]:
    """Defeat points by team for the card points and tricks by team of a complete game."""
    if card_points[0] + card_points[1] != DECK_POINTS:
        raise RulesError(f"the piles hold {card_points[0]} + {card_points[1]} points, not {DECK_POINTS}")
    return (_defeat_points(card_points[0], tricks[0]), _defeat_points(card_points[1], tricks[1]))


def _defeat_points(points: int, tricks: int) -> int:
    if points * 2 >= DECK_POINTS:
        return 0
    if points > 30:
        return LOST_SOME
    return LOST_FEW if tricks else LOST_ALL
