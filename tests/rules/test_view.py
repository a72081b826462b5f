"""What a view says, and that it is the same however and whenever it is asked for."""

import random
from dataclasses import FrozenInstanceError, replace

import pytest

from arena.rules.cards import SEATS, Seat, Suit, format_cards, parse_card, parse_cards
from arena.rules.game import Game
from arena.rules.moves import MoveKind
from arena.rules.options import Discards, Rules
from arena.rules.view import PlayView, View
from tests.rules.play import PASS, do, iter_rule_sets, patient_move, position, random_game, random_start

HANDS = ("6D 7D 8H", "10D AD QC", "6C 9D AS", "JC KC 9C")


def played(**options: object) -> Game:
    """One trick of four plays, and the next one begun."""
    game = position(*HANDS, rules=Rules(**options))  # type: ignore[arg-type]
    do(game, "0 lead 6D", "1 beat 10D", "2 discard AS", "3 discard KC", "1 lead AD", "2 discard 6C")
    return game


def test_what_a_seat_sees_in_the_middle_of_a_trick() -> None:
    game = played()
    view = game.view(SEATS[2])
    assert view.seat == 2
    assert view.dealer == 3
    assert view.indicator == game.indicator
    assert view.trump is Suit.SPADES
    assert format_cards(view.hand) == "9D"
    assert view.hand_counts == (2, 1, 1, 2)
    assert view.stock_count == 0
    assert view.turn == 3
    first, second = view.tricks
    assert view.trick is second
    assert (first.leader, first.taker) == (0, 1)
    assert (second.leader, second.taker) == (1, None)
    assert first.plays == (
        PlayView(SEATS[0], MoveKind.LEAD, 1, parse_cards("6D"), False),
        PlayView(SEATS[1], MoveKind.BEAT, 1, parse_cards("10D"), False),
        PlayView(SEATS[2], MoveKind.DISCARD, 1, parse_cards("AS"), False),
        PlayView(SEATS[3], MoveKind.DISCARD, 1, 0, False),
    )
    assert first.winning_play == first.plays[1]
    assert second.winning_play == PlayView(SEATS[1], MoveKind.LEAD, 1, parse_cards("AD"), False)
    assert view.own_discards == parse_cards("6C AS")
    assert view.seen == parse_cards("6D 10D AS AD 6C")


def test_nobody_else_learns_a_discard_the_taker_and_the_partner_included() -> None:
    game = played()
    for seat in (0, 1, 3):
        plays = game.view(SEATS[seat]).tricks[0].plays
        assert [format_cards(play.cards) for play in plays] == ["6D", "10D", "", "KC" if seat == 3 else ""]
        assert [play.count for play in plays] == [1, 1, 1, 1]


def test_nothing_more_is_shown_after_the_last_trick() -> None:
    game = position("6D", "10D", "AS", "KC")
    do(game, "0 lead 6D", "1 beat 10D", "2 discard AS", "3 discard KC")
    view = game.view(SEATS[1])
    assert view.turn is None
    assert view.hand == 0
    assert [format_cards(play.cards) for play in view.trick.plays] == ["6D", "10D", "", ""]
    assert view.trick.taker == 1


def test_open_discards_are_shown_to_all_and_do_not_win() -> None:
    game = played(discards=Discards.OPEN)
    for seat in SEATS:
        plays = game.view(seat).tricks[0].plays
        assert [format_cards(play.cards) for play in plays] == ["6D", "10D", "AS", "KC"]
        assert [play.kind.name for play in plays] == ["LEAD", "BEAT", "DISCARD", "DISCARD"]
        assert game.view(seat).seen == parse_cards("6D 10D AS KC AD 6C")
    assert game.view(SEATS[3]).own_discards == parse_cards("KC")
    assert game.tricks[0].taker == 1


def test_before_the_lead_the_trick_is_empty() -> None:
    view = position(*HANDS, leader=2).view(SEATS[0])
    assert view.turn == 2
    assert view.trick.leader == 2
    assert view.trick.plays == ()
    assert view.trick.winning_play is None
    assert view.seen == view.own_discards == 0


def test_a_view_cannot_be_changed() -> None:
    view = position(*HANDS).view(SEATS[0])
    with pytest.raises(FrozenInstanceError):
        view.hand = 0  # type: ignore[misc]
    assert isinstance(view.tricks, tuple)
    assert hash(view) == hash(position(*HANDS).view(SEATS[0]))


def test_a_pass_and_an_open_offer_are_not_seen() -> None:
    rng = random.Random(21)
    passes = 0
    for _ in range(150):
        game = random_start(rng, Rules()).replay()
        while not game.is_over:
            if game.is_offer:
                before = [game.view(seat) for seat in SEATS]
                game.apply(game.to_move, PASS)
                assert [game.view(seat) for seat in SEATS] == before
                assert all(view.turn == game.turn for view in before)
                passes += 1
            else:
                game.advance(patient_move(rng, game).code)
    assert passes > 200


def views_of(game: Game) -> list[View]:
    return [game.view(seat) for seat in SEATS]


def test_views_do_not_depend_on_when_they_were_asked_for() -> None:
    """Views of complete tricks are kept; asked for at every step, now and then, or once, they are the same."""
    rng = random.Random(22)
    for rules in iter_rule_sets():
        whole = random_game(rng, rules)
        often = replace(whole, moves=()).replay()
        sometimes = often.clone()
        for at, (seat, move) in enumerate(whole.moves):
            often.apply(seat, move)
            sometimes.apply(seat, move)
            if rng.random() < 0.2:
                sometimes.view(rng.choice(SEATS))
            once = replace(whole, moves=whole.moves[: at + 1]).replay()
            assert views_of(often) == views_of(once) == views_of(once.clone())
        assert views_of(sometimes) == views_of(often)


def test_views_agree_with_the_game_and_with_each_other() -> None:
    rng = random.Random(23)
    for rules in iter_rule_sets():
        game = random_start(rng, rules).replay()
        while True:
            views = views_of(game)
            for seat, view in enumerate(views):
                assert view.hand == game.hands[seat]
                assert view.hand_counts == tuple(hand.bit_count() for hand in game.hands)
                assert view.stock_count == len(game.stock)
                assert view.seat == seat
            check_plays(game, views)
            if game.is_over:
                break
            game.advance(patient_move(rng, game).code)


def check_plays(game: Game, views: list[View]) -> None:
    """Face-up plays are the same to all, a discard is known to its owner, and to others when discards are open."""
    is_open = game.rules.discards is Discards.OPEN
    for number, trick in enumerate(game.tricks):
        shown = [view.tricks[number] for view in views]
        assert {(view.leader, view.taker) for view in shown} == {(trick.leader, trick.taker)}
        for at, (seat, move) in enumerate(trick.moves()):
            for viewer in SEATS:
                play = shown[viewer].plays[at]
                is_known = move.kind is not MoveKind.DISCARD or viewer == seat or is_open
                assert (play.seat, play.kind, play.count) == (seat, move.kind, move.count)
                assert play.cards == (move.cards if is_known else 0)


def test_the_indicator_stays_in_the_view_after_it_was_drawn() -> None:
    game = position("6D 7D 8H 9H", "10D AD QC KC", "6C 9D AS AC", "JC KH 9C 9S", stock="6H 7H 10H AH")
    indicator = game.indicator
    do(game, "0 lead 8H 9H", "1 discard QC KC", "2 discard 6C 9D", "3 discard JC KH")
    assert game.view(Seat(0)).indicator == indicator
    assert parse_card("6S") == indicator
