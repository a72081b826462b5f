"""Protobuf messages to rules values.

`decode_answered` is the one function that reads what a bot sent, and it trusts nothing. The others read what a referee sent
and are used by bots; they raise ValueError or KeyError on values that version 1 does not have.
"""

from collections.abc import Iterable

from arena.errors import RulesError
from arena.rules.cards import DECK_SIZE, HAND_SIZE, SEATS, TEAMS, Cards, Seat, Team
from arena.rules.match import GameResult, MatchScore
from arena.rules.moves import Move, MoveKind
from arena.rules.options import Discards, Eggs, Pull, PullSuits, Rules, TimeControl
from arena.rules.view import PlayView, TrickView, View
from arena.v1 import bot_pb2 as pb
from arena.wire.encode import DISCARDS_TO_WIRE, EGGS_TO_WIRE, PULL_SUITS_TO_WIRE, PULL_TO_WIRE

_PULL = {number: value for value, number in PULL_TO_WIRE.items()}
_PULL_SUITS = {number: value for value, number in PULL_SUITS_TO_WIRE.items()}
_DISCARDS = {number: value for value, number in DISCARDS_TO_WIRE.items()}
_EGGS = {number: value for value, number in EGGS_TO_WIRE.items()}
_KINDS = tuple(MoveKind)


def decode_answered(move: pb.Move) -> Move | None:
    """The move that a bot sent; None when it is no move at all (unknown kind or card, a card twice, too many or too few)."""
    kind = move.kind - 1
    sent = move.cards
    if not 0 <= kind < len(_KINDS) or len(sent) > HAND_SIZE:
        return None
    cards = 0
    for number in sent:
        bit = 1 << (number - 1) if 1 <= number <= DECK_SIZE else 0
        if not bit or cards & bit:
            return None
        cards |= bit
    try:
        return Move.from_code(kind << DECK_SIZE | cards)
    except RulesError:
        return None


def decode_cards(numbers: Iterable[int]) -> Cards:
    """A set of wire cards."""
    cards = 0
    for number in numbers:
        cards |= 1 << (number - 1)
    return cards


def decode_move(message: pb.Move) -> Move:
    """A move."""
    return Move.from_code((message.kind - 1) << DECK_SIZE | decode_cards(message.cards))


def decode_rules(message: pb.Rules) -> Rules:
    """The rules in force."""
    return Rules(
        match_target=message.match_target,
        max_lead=message.max_lead,
        pull=Pull(_PULL[message.pull]),
        pull_suits=PullSuits(_PULL_SUITS[message.pull_suits]),
        discards=Discards(_DISCARDS[message.discards]),
        eggs=Eggs(_EGGS[message.eggs]),
        max_games=message.max_games,
    )


def decode_time(message: pb.TimeControl) -> TimeControl:
    """The clock."""
    return TimeControl(move_ms=message.move_ms, bank_ms=message.bank_ms, max_faults=message.max_faults)


def decode_view(message: pb.View) -> View:
    """A game as one seat sees it."""
    first, second, third, fourth = message.hand_counts
    return View(
        seat=SEATS[message.seat],
        dealer=SEATS[message.dealer],
        indicator=message.indicator - 1,
        hand=decode_cards(message.hand),
        hand_counts=(first, second, third, fourth),
        stock_count=message.stock_count,
        turn=SEATS[message.turn],
        tricks=tuple(map(_decode_trick, message.tricks)),
    )


def decode_score(message: pb.Score) -> MatchScore:
    """The match before the current game."""
    return MatchScore(
        game=message.game,
        defeat_points=_pair(message.defeat_points),
        games_won=_pair(message.games_won),
        eggs=message.eggs,
        stake=message.stake,
    )


def decode_game_result(message: pb.GameResult) -> GameResult:
    """How a game ended."""
    return GameResult(
        number=message.game,
        dealer=SEATS[message.dealer],
        leader=SEATS[message.leader],
        card_points=_pair(message.card_points),
        tricks=_pair(message.tricks),
        defeat_points=_pair(message.defeat_points),
        taker=SEATS[message.taker],
    )


def decode_loser(message: pb.MatchResult) -> Team | None:
    """The team that lost a match; None for a draw and when both forfeited."""
    return TEAMS[message.loser] if message.HasField("loser") else None


def _decode_trick(message: pb.Trick) -> TrickView:
    plays = tuple(
        PlayView(SEATS[play.seat], _KINDS[play.kind - 1], play.count, decode_cards(play.cards), play.returned)
        for play in message.plays
    )
    taker: Seat | None = SEATS[message.taker] if message.HasField("taker") else None
    return TrickView(SEATS[message.leader], plays, taker)


def _pair(numbers: Iterable[int]) -> tuple[int, int]:
    first, second = numbers
    return (first, second)
