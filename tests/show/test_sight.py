"""`arena replay --seat`: what a seat did not see does not change a letter of what is printed for it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice

import pytest

from arena.errors import StoreError
from arena.records.model import Decision, Fault, FaultKind, GameRecord, MatchRecord
from arena.records.replay import replay_game
from arena.rules.cards import SEATS, Card, Seat
from arena.rules.deal import Deal
from arena.rules.moves import Move, MoveKind
from arena.rules.options import Rules
from arena.show.console import Printer
from arena.show.replay import iter_replay
from tests.builders import find_match, has_unheard, key, play_match


def lines(record: MatchRecord, viewer: Seat | None, *, game: int | None = None) -> list[str]:
    return [line.plain for line in iter_replay(record, number=1, printer=Printer("utf-8"), viewer=viewer, game=game)]


def exchanged(game: GameRecord, one: Card, other: Card) -> GameRecord:
    """The same game with two cards in each other's place, wherever they were."""

    def card(it: Card) -> Card:
        return other if it == one else one if it == other else it

    def move(it: Move) -> Move:
        kept = it.cards & ~(1 << one | 1 << other)
        return Move(it.kind, kept | (it.cards >> one & 1) << other | (it.cards >> other & 1) << one)

    return replace(
        game,
        deal=Deal(tuple(map(card, game.deal.deck)), game.deal.indicator_place),
        decisions=tuple(replace(decision, move=move(decision.move)) for decision in game.decisions),
    )


def iter_unseen_exchanges(game: GameRecord, viewer: Seat, record: MatchRecord) -> Iterator[GameRecord]:
    """Games that differ in two cards which other seats laid face down, and end with the same result."""
    end = replay_game(game, record.rules)
    shown = {
        1 << card for trick in end.tricks for _, it in trick.moves() if it.kind is not MoveKind.DISCARD for card in cards(it)
    }
    unseen = [
        card
        for trick in end.tricks
        for seat, it in list(trick.moves())[trick.pulled_at :]
        if it.kind is MoveKind.DISCARD and seat != viewer
        for card in cards(it)
        if 1 << card not in shown and card != game.deal.indicator
    ]
    for one, other in combinations(unseen, 2):
        changed = exchanged(game, one, other)
        try:
            replay_game(changed, record.rules)
        except StoreError:
            continue  # it would have ended with other points, or a seat would have been offered a pull
        yield changed


def cards(move: Move) -> list[Card]:
    return [card for card in range(36) if move.cards >> card & 1]


@pytest.mark.parametrize("viewer", SEATS)
def test_cards_that_a_seat_never_saw(viewer: Seat) -> None:
    changes = 0
    for seed in range(3):
        record = play_match(key(number=seed), seed=seed, rules=Rules(match_target=4))
        for index, game in enumerate(record.games):
            seen = lines(record, viewer, game=index + 1)
            watched = lines(record, None, game=index + 1)
            for changed in islice(iter_unseen_exchanges(game, viewer, record), 10):
                other = replace(record, games=(*record.games[:index], changed, *record.games[index + 1 :]))
                assert lines(other, viewer, game=index + 1) == seen
                changes += lines(other, None, game=index + 1) != watched
    assert changes > 20  # the others were laid by one seat at one time


@pytest.mark.parametrize("viewer", SEATS)
def test_times_marks_answers_and_faults_of_others(viewer: Seat) -> None:
    record = find_match(has_unheard)

    def other(decision: Decision) -> Decision:
        return decision if decision.seat == viewer else replace(decision, think_us=decision.think_us + 5000, is_substitute=True)

    faults = tuple(
        Fault(kind=FaultKind.TIMEOUT, seat=seat, detail="late", game=0, turn=1, decision=3) for seat in SEATS if seat != viewer
    )
    changed = replace(
        record,
        games=tuple(replace(game, decisions=tuple(map(other, game.decisions))) for game in record.games),
        faults=faults,
        bots=("secret", "secret", "secret", "secret"),
        seconds=99.0,
        isolation="other",
    )
    assert lines(changed, viewer) == lines(record, viewer)
    assert lines(changed, None) != lines(record, None)


def test_declined_pulls_are_seen_by_nobody_else() -> None:
    record = find_match(lambda it: any(decision.move.kind is MoveKind.PASS for game in it.games for decision in game.decisions))
    decliners = {decision.seat for game in record.games for decision in game.decisions if decision.move.kind is MoveKind.PASS}
    assert any("declines" in line for line in lines(record, None))
    for seat in SEATS:
        assert any("declines" in line for line in lines(record, seat)) == (seat in decliners)
        assert all(line.startswith(f"  {seat} ") for line in lines(record, seat) if "declines" in line)
