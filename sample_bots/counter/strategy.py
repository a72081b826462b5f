"""Counter's decision: guess the unseen cards many times, play every move to the end of the trick, keep the best on average.

The trick is played on by the bot greedy's policy (`hands.py`), the guesses come from what has been seen (`beliefs.py`).
Where the stock lasts, the cards that are kept after the trick are valued by a table; where it is empty, the game is played
to its end. Both give our card points at the end, and those give what a match is about: defeat points.
"""

import hashlib
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from beliefs import Beliefs
from hands import Hands

from arena.rules.cards import FULL_DECK, NEXT_SEAT, SEATS, TEAM_OF_SEAT, Cards, Seat, Suit
from arena.rules.moves import DISCARD_CODE, Move, MoveCode, MoveKind
from arena.rules.options import Discards, Rules
from arena.rules.view import View
from arena.rules.worlds import Knowledge, World

PLAYOUTS = 400
"""Tricks played for one decision, over all moves and guesses: what sets the time that it takes."""
MIN_GUESSES = 16
MAX_GUESSES = 64
LOOK_EVERY = 8
BEHIND = 1.2
"""Every so many guesses the moves are dropped whose sum is behind the best by this, times the square root of the guesses:
about two standard errors."""
SPREAD = (0.5, 13, 17, 20, 21, 24)
"""Standard error of our card points as foreseen after a trick, by tricks' worth of stock (stock_count // 4)."""


class Player:
    """Chooses moves. It keeps nothing between two turns but tables of what hands are worth."""

    def __init__(self) -> None:
        self._hands = [Hands(suit) for suit in Suit]

    def choose_move(self, view: View, legal: Sequence[Move], rules: Rules) -> Move:
        """The legal move that does best over many guesses; always the same for the same turn."""
        if len(legal) == 1:
            return legal[0]
        rng = _rng_of(view, legal)
        hands = self._hands[view.trump]
        beliefs = Beliefs(Knowledge.of(view), hands, rules)
        totals = dict.fromkeys(legal, 0.0)
        guesses = min(max(PLAYOUTS // len(legal), MIN_GUESSES), MAX_GUESSES)
        for number in range(1, guesses + 1):
            trial = Trial(beliefs.guess(rng), rules, hands)
            for move in totals:
                totals[move] += trial.outcome(move)
            if number % LOOK_EVERY == 0:
                best = max(totals.values())
                totals = {move: total for move, total in totals.items() if best - total <= BEHIND * math.sqrt(number)}
                if len(totals) == 1:
                    break
        return max(totals, key=lambda move: totals[move])  # of equals the first


@dataclass(slots=True)
class Table:
    """A trick that is being played: what the policy has to know of it.

    turn: who plays next. winner and winning: who wins so far and with what, 0 before the lead. laid: plays so far. pile: all
    card points that lie there, shown: those that lie face up.
    """

    turn: Seat
    winner: Seat
    winning: Cards = 0
    laid: int = 0
    pile: int = 0
    shown: int = 0


class Trial:
    """Tries the moves of one turn in one guessed world."""

    def __init__(self, world: World, rules: Rules, hands: Hands) -> None:
        self._world = world
        self._view = world.view
        self._team = TEAM_OF_SEAT[world.view.seat]
        self._hands = hands
        self._most = rules.max_lead
        self._is_open = rules.discards is Discards.OPEN
        self._table = Table(turn=world.view.turn or SEATS[0], winner=world.view.trick.leader)
        self._gained = 0
        """Card points that our team has taken before the current trick, less those of the others."""
        for number, trick in enumerate(world.view.tricks):
            pile = 0
            for play in trick.plays:
                if not play.returned:
                    pile += hands.points(play.cards or world.discards[number, play.seat])
            if trick.taker is not None:
                self._gained += self._sign(trick.taker) * pile
            else:
                self._table.pile = pile
        for play in world.view.trick.plays:
            if not play.returned:
                self._table.laid += 1
                self._table.shown += hands.points(play.cards)
                if play.kind is not MoveKind.DISCARD:
                    self._table.winner, self._table.winning = play.seat, play.cards

    def outcome(self, move: Move) -> float:
        """Defeat points that the others get more than we, as expected after this move."""
        hands = list(self._world.hands)
        start = self._table
        table = Table(start.turn, start.winner, start.winning, start.laid, start.pile, start.shown)  # faster than copy()
        code = move.code
        if move.kind is MoveKind.PULL:
            self._take_back(hands)
            table = Table(turn=self._view.seat, winner=self._view.seat)
            code = move.cards  # the code of a lead
        elif move.kind is MoveKind.PASS:
            code = self._policy(hands, table)
        gained: float = self._gained + self._play_out(hands, table, code)
        if self._view.stock_count:
            for seat, hand in enumerate(hands):
                value = self._hands.future_of_taker(hand) if seat == table.winner else self._hands.future(hand)
                gained += value if seat % 2 == self._team else -value
        return _defeat_points(60 + gained / 2, SPREAD[self._view.stock_count // 4])

    def _play_out(self, hands: list[Cards], table: Table, code: MoveCode) -> int:
        """Play `code` and go on by the policy: to the end of the trick, or of the game if nothing is left to draw.

        Gives the card points that our team takes, less those of the others. Changes `hands` and `table`.
        """
        gained = 0
        while True:
            cards = code & FULL_DECK
            points = self._hands.points(cards)
            hands[table.turn] ^= cards
            table.pile += points
            table.laid += 1
            if code < DISCARD_CODE:
                table.winner, table.winning = table.turn, cards
                table.shown += points
            elif self._is_open:
                table.shown += points
            table.turn = NEXT_SEAT[table.turn]
            if table.laid == 4:
                gained += self._sign(table.winner) * table.pile
                if self._view.stock_count or not hands[table.winner]:
                    return gained
                table.turn = table.winner
                table.winning = table.laid = table.pile = table.shown = 0
            code = self._policy(hands, table)

    def _policy(self, hands: list[Cards], table: Table) -> MoveCode:
        hand = hands[table.turn]
        if not table.winning:
            return self._hands.lead(hand, self._most)
        return self._hands.reply(
            hand,
            table.winning,
            is_partner_winning=table.winner ^ table.turn == 2,
            is_last=table.laid == 3,
            shown=table.shown,
        )

    def _take_back(self, hands: list[Cards]) -> None:
        number = len(self._view.tricks) - 1
        for play in self._view.trick.plays:
            hands[play.seat] |= play.cards or self._world.discards[number, play.seat]

    def _sign(self, seat: Seat) -> int:
        return 1 if TEAM_OF_SEAT[seat] == self._team else -1


def _defeat_points(points: float, spread: float) -> float:
    """What a game is worth in defeat points if our card points at its end are about `points`, in a normal distribution."""
    scale = 1 / (spread * math.sqrt(2))
    lost_or_won = 2 * math.erf((points - 60) * scale)
    return lost_or_won + math.erf((points - 89.5) * scale) - math.erf((30.5 - points) * scale)


def _rng_of(view: View, legal: Sequence[Move]) -> random.Random:
    """Randomness that depends on what is seen and on nothing else: the same turn is always answered alike."""
    return random.Random(hashlib.sha256(repr((view, legal)).encode()).digest())
