"""What is shown between two scenes of a game, and what a seat is not shown."""

from random import Random

import pytest

from arena.play.scene import end_of_trick, scene_of
from arena.rules.cards import NEXT_SEAT, SEATS, TEAM_OF_SEAT, Seat
from arena.rules.deal import make_deal
from arena.rules.game import Game
from arena.rules.options import Rules
from tests.seat_tools import SECRET


def new_game(number: int) -> Game:
    return Game.from_deal(Rules(), make_deal(SECRET, "scenes", number), dealer=SEATS[3], leader=NEXT_SEAT[3])


@pytest.mark.parametrize("viewer", [None, *SEATS])
def test_a_complete_trick_lies_there_before_anybody_draws(viewer: Seat | None) -> None:
    tricks = pulls = 0
    for number in range(30):
        rng = Random(number)
        game = new_game(number)
        before = scene_of(game, viewer)
        while not game.is_over:
            held = game.hands[:]
            code = rng.choice(game.legal_codes())
            laid = code & (1 << 36) - 1
            seat = game.to_move
            index, stock = len(game.tricks) - 1, game.stock_count
            game.advance(code)
            after = scene_of(game, viewer)
            end = end_of_trick(before, after)
            taker = game.tricks[index].taker
            assert (end is None) == (taker is None)
            if end is not None and taker is not None:
                tricks += 1
                pulls += any(play.returned for play in end.trick.plays)
                held[seat] &= ~laid
                assert end.sight.hands == tuple(held[s] if viewer in (None, s) else None for s in SEATS)
                assert end.sight.hand_counts == tuple(hand.bit_count() for hand in held)
                assert end.sight.stock_count == stock
                assert end.trick.taker == taker
                # Everybody has laid as many, but those whose cards went back have other ones before them.
                assert {play.count for s in SEATS if (play := end.play_of(s))} == {laid.bit_count()}
                assert sum(end.tricks_taken) == index + 1
                assert end.tricks_taken[TEAM_OF_SEAT[taker]] >= 1
            before = after
    assert tricks > 100
    assert pulls > 0


def test_a_scene_does_not_go_on_with_the_game() -> None:
    game = new_game(0)
    scene = scene_of(game, SEATS[0])
    hand, stock = game.hands[0], game.stock_count
    rng = Random(1)
    while not game.is_over:
        game.advance(rng.choice(game.legal_codes()))
    assert (scene.hand(SEATS[0]), scene.sight.stock_count) == (hand, stock)
    assert scene_of(game, SEATS[0]).turn is None
