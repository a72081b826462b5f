"""Rules values to protobuf messages.

Enums go by number: a card is its number plus one, and so are seats' move kinds, since protobuf keeps 0 for "unspecified".
Complete tricks never change and `rules.view` hands out the same value again, so a seat's encoder keeps their messages.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from arena.rules.cards import DECK_SIZE, FULL_DECK, Cards, Seat, Team, iter_cards
from arena.rules.match import GameResult, MatchScore
from arena.rules.moves import Move, MoveCode
from arena.rules.options import Discards, Eggs, Pull, PullSuits, Rules, TimeControl
from arena.rules.view import PlayView, TrickView, View
from arena.v1 import bot_pb2 as pb

PROTOCOL_VERSIONS = (1,)
"""The protocol versions that this side speaks, ascending."""

PULL_TO_WIRE = {
    Pull.ANY_TIME: pb.PULL_RULE_ANY_TIME,
    Pull.BEFORE_LEAD: pb.PULL_RULE_BEFORE_LEAD,
    Pull.OFF: pb.PULL_RULE_OFF,
}
PULL_SUITS_TO_WIRE = {PullSuits.ANY: pb.PULL_SUITS_ANY, PullSuits.TRUMP: pb.PULL_SUITS_TRUMP}
DISCARDS_TO_WIRE = {Discards.HIDDEN: pb.DISCARD_RULE_HIDDEN, Discards.OPEN: pb.DISCARD_RULE_OPEN}
EGGS_TO_WIRE = {Eggs.NOTHING: pb.EGGS_RULE_NOTHING, Eggs.DOUBLE_NEXT: pb.EGGS_RULE_DOUBLE_NEXT}


@lru_cache(maxsize=16384)
def encode_cards(cards: Cards) -> tuple[pb.Card, ...]:
    """The members of a set as wire cards, ascending."""
    return tuple(card + 1 for card in iter_cards(cards))  # type: ignore[misc]


@lru_cache(maxsize=16384)
def encode_move(code: MoveCode) -> pb.Move:
    """A move, from its code; the message is shared and must not be changed."""
    return pb.Move(kind=(code >> DECK_SIZE) + 1, cards=encode_cards(code & FULL_DECK))  # type: ignore[arg-type]


def encode_answer(turn: int, move: Move) -> pb.BotMessage:
    """A bot's answer to the turn of that number."""
    return pb.BotMessage(answer=pb.Answer(turn=turn, move=encode_move(move.code)))


def encode_welcome(version: int) -> pb.RefereeMessage:
    """The answer to a greeting; version: the one in use."""
    return pb.RefereeMessage(welcome=pb.Welcome(version=version))


def encode_match_start(seat: Seat, *, teams: Sequence[str], rules: Rules, time: TimeControl) -> pb.RefereeMessage:
    """The start of a match, for one seat."""
    return pb.RefereeMessage(
        match_start=pb.MatchStart(
            seat=seat,
            teams=teams,
            rules=pb.Rules(
                match_target=rules.match_target,
                max_lead=rules.max_lead,
                pull=PULL_TO_WIRE[rules.pull],
                pull_suits=PULL_SUITS_TO_WIRE[rules.pull_suits],
                discards=DISCARDS_TO_WIRE[rules.discards],
                eggs=EGGS_TO_WIRE[rules.eggs],
                max_games=rules.max_games,
            ),
            time=pb.TimeControl(move_ms=time.move_ms, bank_ms=time.bank_ms, max_faults=time.max_faults),
        )
    )


def encode_game_result(result: GameResult) -> pb.RefereeMessage:
    """The end of a game."""
    return pb.RefereeMessage(
        game_result=pb.GameResult(
            game=result.number,
            card_points=result.card_points,
            tricks=result.tricks,
            defeat_points=result.defeat_points,
            dealer=result.dealer,
            leader=result.leader,
            taker=result.taker,
        )
    )


def encode_match_result(defeat_points: tuple[int, int], *, loser: Team | None, forfeited: Iterable[Team]) -> pb.RefereeMessage:
    """The end of a match."""
    return pb.RefereeMessage(match_result=pb.MatchResult(defeat_points=defeat_points, loser=loser, forfeited=forfeited))


def encode_fault(turn: int, *, reason: str, played: Move, faults: int, max_faults: int) -> pb.RefereeMessage:
    """What was wrong with an answer, and the move that was played in its place."""
    return pb.RefereeMessage(
        fault=pb.FaultNotice(turn=turn, reason=reason, played=encode_move(played.code), faults=faults, max_faults=max_faults)
    )


class TurnEncoder:
    """Encodes the turns of one seat."""

    def __init__(self) -> None:
        self._tricks: list[pb.Trick] = []
        self._encoded: tuple[TrickView, ...] = ()

    def encode(
        self, number: int, *, legal: Sequence[MoveCode], view: View, score: MatchScore, move_ms: int, bank_ms: int
    ) -> pb.RefereeMessage:
        """The turn called `number`, which the seat has to answer; times in milliseconds."""
        message = pb.RefereeMessage()
        turn = message.turn
        turn.number = number
        turn.legal.extend(map(encode_move, legal))
        turn.move_ms = move_ms
        turn.bank_ms = bank_ms
        self._fill_view(turn.view, view)
        wire_score = turn.score
        wire_score.game = score.game
        wire_score.defeat_points.extend(score.defeat_points)
        wire_score.games_won.extend(score.games_won)
        wire_score.eggs = score.eggs
        wire_score.stake = score.stake
        return message

    def _fill_view(self, message: pb.View, view: View) -> None:
        message.seat = view.seat
        message.dealer = view.dealer
        message.indicator = view.indicator + 1  # type: ignore[assignment]
        message.hand.extend(encode_cards(view.hand))
        message.hand_counts.extend(view.hand_counts)
        message.stock_count = view.stock_count
        if view.turn is not None:
            message.turn = view.turn
        message.tricks.extend(self._complete_tricks(view.tricks))
        message.tricks.append(_encode_trick(view.tricks[-1]))

    def _complete_tricks(self, tricks: tuple[TrickView, ...]) -> list[pb.Trick]:
        """The messages of all tricks but the last; those that were encoded before are taken again."""
        complete = tricks[:-1]
        known = len(self._encoded)
        if complete[:known] != self._encoded:
            known = 0
            self._tricks = []
        self._tricks += map(_encode_trick, complete[known:])
        self._encoded = complete
        return self._tricks


def _encode_trick(trick: TrickView) -> pb.Trick:
    return pb.Trick(leader=trick.leader, plays=map(_encode_play, trick.plays), taker=trick.taker)


@lru_cache(maxsize=16384)
def _encode_play(play: PlayView) -> pb.Play:
    """A play; the message is shared and must not be changed."""
    return pb.Play(
        seat=play.seat,
        kind=play.kind + 1,  # type: ignore[arg-type]
        count=play.count,
        cards=encode_cards(play.cards),
        returned=play.returned,
    )
