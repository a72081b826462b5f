"""A stored game played again through the rules: the one way from a record back to positions."""

from collections.abc import Iterator

from arena.errors import RulesError, StoreError
from arena.records.model import Decision, GameRecord
from arena.rules.cards import Seat
from arena.rules.game import Game
from arena.rules.moves import MoveKind
from arena.rules.options import Rules


def iter_positions(record: GameRecord, rules: Rules) -> Iterator[tuple[Game, Decision]]:
    """Each decision in the order of the record, with the game as it stood when the seat was asked.

    The game is one object that moves on with the iteration: clone it to keep a position; after the last item it stands
    where the record ends. Decisions that were not heard come with the position of their offer, as the pull before them does.
    Raises StoreError where the record does not follow the rules, and at its end when the result is not that of the game.
    """
    try:
        game = Game.from_deal(rules, record.deal, dealer=record.dealer, leader=record.leader)
    except RulesError as error:
        raise StoreError(f"the record does not replay: {error}") from error
    decisions = record.decisions
    at = 0
    while at < len(decisions):
        decision = decisions[at]
        end = at + 1
        others: list[Seat] = []
        if not decision.is_heard:
            others = list(game.asked) if game.is_offer else []
            _check_cut_short(record, at)
            _check_unheard(game, decision, at, others)
        elif decision.move.kind is MoveKind.PULL:
            others = list(game.asked[1:])
        yield game, decision
        while others and end < len(decisions) and not decisions[end].is_heard:
            _check_unheard(game, decisions[end], end, others)
            yield game, decisions[end]
            end += 1
        if decision.is_heard:
            try:
                game.apply(decision.seat, decision.move)
            except RulesError as error:
                raise _mismatch(at, decision, str(error)) from error
        at = end
    _check_result(game, record)


def replay_game(record: GameRecord, rules: Rules) -> Game:
    """The game where its record ends. Raises StoreError as `iter_positions` does."""
    game = Game.from_deal(rules, record.deal, dealer=record.dealer, leader=record.leader)
    for position, _ in iter_positions(record, rules):
        game = position
    return game


def _check_cut_short(record: GameRecord, place: int) -> None:
    """Without a pull before it an unheard answer can only stand where a forfeit ended the match during the offer."""
    if record.result is not None or any(decision.is_heard for decision in record.decisions[place:]):
        raise _mismatch(place, record.decisions[place], "it was not heard though nobody pulled")


def _check_unheard(game: Game, decision: Decision, place: int, asked: list[Seat]) -> None:
    """The seat must be one of `asked`, and is taken off it."""
    if decision.seat not in asked:
        raise _mismatch(place, decision, "it was not heard, but no pull was offered to this seat")
    asked.remove(decision.seat)
    if decision.move not in game.legal_moves(decision.seat):
        raise _mismatch(place, decision, "it is not legal here")


def _check_result(game: Game, record: GameRecord) -> None:
    result = record.result
    if result is None:
        if game.is_over:
            raise StoreError("the record does not replay: the game was played to its end, but has no result")
        return
    if not game.is_over:
        raise StoreError("the record does not replay: it has a result, but the game was not played to its end")
    played = (tuple(game.card_points), tuple(game.tricks_taken), game.turn, record.dealer, record.leader)
    stored = (result.card_points, result.tricks, result.taker, result.dealer, result.leader)
    if played != stored:
        names = "card points, tricks, taker, dealer, leader"
        raise StoreError(f"the record does not replay: {names} are {stored} in the record and {played} in the game")


def _mismatch(place: int, decision: Decision, why: str) -> StoreError:
    return StoreError(f"the record does not replay: decision {place + 1}, seat {decision.seat} {decision.move}: {why}")
