"""The pull: who is offered it, when, in which order, what it gives back, and the options that change it."""

import pytest

from arena.errors import IllegalMoveError
from arena.rules.cards import SEATS, format_cards, parse_cards
from arena.rules.game import Game
from arena.rules.moves import MoveKind
from arena.rules.options import Discards, Pull, PullSuits, Rules
from tests.rules.play import do, position, written_moves

LEADER = "6D 7D 8H 9H"
CLUBS = "6C 7C 8C 9C"
SPADES = "6S 7S 8S 9S"
MIXED = "10H AH QD KD"


def start(*hands: str, leader: int = 0, **options: object) -> Game:
    return position(*hands, leader=leader, rules=Rules(**options))  # type: ignore[arg-type]


def test_the_offer_is_pull_or_pass_and_nothing_else() -> None:
    game = start(LEADER, CLUBS, MIXED, SPADES)
    assert game.is_offer
    assert game.asked == (1, 3)
    assert game.turn == 0, "the lead is still seat 0's"
    assert written_moves(game, 1) == [f"pull {CLUBS}", "pass"]
    assert written_moves(game, 3) == [f"pull {SPADES}", "pass"]


def test_who_has_the_lead_is_not_offered_a_pull() -> None:
    game = start(SPADES, MIXED, LEADER, CLUBS)
    assert game.asked == (3,)
    game = start(SPADES, MIXED, LEADER, "6C 7C 8C QS")
    assert not game.is_offer
    assert game.asked == (0,)


@pytest.mark.parametrize(
    ("leader", "order"),
    [(0, (1, 2, 3)), (1, (2, 3, 0)), (2, (3, 0, 1)), (3, (0, 1, 2))],
)
def test_the_seat_nearest_to_the_lead_comes_first(leader: int, order: tuple[int, ...]) -> None:
    hands = (CLUBS, SPADES, "6H 7H 8H 9H", "6D 7D 8D 9D")
    game = start(*hands, leader=leader)
    assert game.asked == order
    do(game, f"{order[0]} pass", f"{order[1]} pull {hands[order[1]]}")
    assert game.winning_seat == order[1]
    assert game.asked == ((order[1] + 1) % 4,), "the third seat's answer is not heard"
    assert not game.is_offer


def test_priority_is_counted_from_the_seat_that_first_had_the_lead() -> None:
    """After plays of seats 0 and 1 the order is still 2, 3: from seat 0, not from the last that played."""
    game = start(LEADER, MIXED, SPADES, CLUBS)
    do(game, "2 pass", "3 pass", "0 lead 8H 9H", "2 pass", "3 pass", "1 beat 10H AH")
    assert game.asked == (2, 3)
    with pytest.raises(IllegalMoveError, match="seat 2 is to move"):
        do(game, f"3 pull {CLUBS}")


def test_the_offer_is_made_again_after_each_play_and_may_be_taken_late() -> None:
    game = start("6D 8D AC KC", "JD KD 7D AS", "7C 8C 7H 8H", SPADES)
    for step in ("0 lead 6D", "1 beat JD", "2 discard 7C"):
        assert game.asked == (3,)
        assert game.is_offer
        do(game, "3 pass", step)
    do(game, f"3 pull {SPADES}")
    assert [hand.bit_count() for hand in game.hands] == [4, 4, 4, 0]
    do(game, "0 discard 6D 8D AC KC", "1 discard JD KD 7D AS", "2 discard 7C 8C 7H 8H")
    assert game.is_over
    assert game.tricks[-1].taker == 3


def test_a_seat_that_has_played_is_not_offered_a_pull_again() -> None:
    game = start(LEADER, CLUBS, MIXED, SPADES)
    do(game, "1 pass", "3 pass", "0 lead 6D", "1 pass", "3 pass", "1 discard 6C")
    assert game.asked == (3,)
    do(game, "3 pass", "2 beat QD")
    assert game.asked == (3,)
    do(game, "3 pass")
    assert not game.is_offer
    assert game.asked == (3,), "now it is its turn to answer"


def test_the_seat_whose_turn_it_is_to_answer_may_pull() -> None:
    game = start(LEADER, CLUBS, MIXED, "KS QS KH JH")
    do(game, "1 pass", "0 lead 6D 7D")
    assert game.turn == 1
    assert game.asked == (1,)
    assert game.is_offer
    do(game, f"1 pull {CLUBS}")
    assert format_cards(game.hands[0]) == LEADER
    assert game.turn == 2


def test_a_complete_trick_is_not_pulled_and_the_next_one_asks_anew() -> None:
    game = position(LEADER, "10D AD QC KC", "JD QD 9S KS", CLUBS, stock="6H 6S 7H JC")
    do(game, "3 pass", "0 lead 6D", "3 pass", "1 beat 10D", "3 pass", "2 discard 9S", "3 pass", "3 discard 6C")
    assert game.tricks[-2].taker == 1
    # Seat 1 drew 6H, seat 2 6S, seat 3 7H, seat 0 JC.
    assert not game.is_offer
    game = position(LEADER, "10D AD QC KC", "JD QD 9S KS", CLUBS, stock="6H 6S JC 7H")
    do(game, "3 pass", "0 lead 6D", "3 pass", "1 beat 10D", "3 pass", "2 discard 9S", "3 pass", "3 discard 6C")
    assert game.asked == (3,)
    assert written_moves(game) == ["pull 7C 8C 9C JC", "pass"]


@pytest.mark.parametrize("opening", [f"0 lead {SPADES}", f"1 pull {CLUBS}"])
def test_a_trick_opened_with_four_cards_is_not_pulled(opening: str) -> None:
    hands = [SPADES, CLUBS, MIXED, "6H 7H 8H 9H"]
    game = start(*hands)
    do(game, *(["1 pass", "3 pass"] if opening.startswith("0") else []), opening)
    while not game.is_over:
        assert not game.is_offer
        assert game.asked == (game.turn,)
        do(game, f"{game.turn} discard {hands[game.turn]}")
    assert game.tricks[-1].taker == int(opening[0])


def test_three_or_fewer_cards_of_one_suit_give_no_right() -> None:
    game = position("6D 7D 8H", "6C 7C 8C", "6S 7S 8S", "6H 7H 9H")
    assert not game.is_offer
    do(game, "0 lead 6D")
    assert not game.is_offer


def test_everything_laid_goes_back_to_its_owner() -> None:
    game = start(LEADER, "10D AD QC KC", "JD 9D AS KS", CLUBS)
    before = list(game.hands)
    do(game, "3 pass", "0 lead 6D 7D", "3 pass", "1 beat 10D AD", "3 pass", "2 discard 9D AS", f"3 pull {CLUBS}")
    assert game.hands == [*before[:3], 0]
    assert game.winning_cards == parse_cards(CLUBS)
    assert game.turn == 0
    assert game.card_points == [0, 0]
    assert game.tricks_taken == [0, 0]


def test_returned_plays_stay_in_the_view_and_returned_discards_unseen() -> None:
    game = start(LEADER, "10D AD QC KC", "JD 9D AS KS", CLUBS)
    do(game, "3 pass", "0 lead 6D 7D", "3 pass", "1 beat 10D AD", "3 pass", "2 discard 9D AS", f"3 pull {CLUBS}")
    for seat in SEATS:
        trick = game.view(seat).trick
        shown = [(play.seat, play.kind.name, play.count, format_cards(play.cards), play.returned) for play in trick.plays]
        assert shown == [
            (0, "LEAD", 2, "6D 7D", True),
            (1, "BEAT", 2, "10D AD", True),
            (2, "DISCARD", 2, "9D AS" if seat == 2 else "", True),
            (3, "PULL", 4, CLUBS, False),
        ]
        assert trick.leader == 0
        assert trick.winning_play is not None
        assert trick.winning_play.kind is MoveKind.PULL
        assert game.view(seat).seen == parse_cards(CLUBS), "what went back is not gone"
        assert game.view(seat).own_discards == 0


def test_returned_open_discards_were_seen() -> None:
    game = start(LEADER, "10D AD QC KC", "JD 9D AS KS", CLUBS, discards=Discards.OPEN)
    do(game, "3 pass", "0 lead 6D 7D", "3 pass", "1 beat 10D AD", "3 pass", "2 discard 9D AS", f"3 pull {CLUBS}")
    assert [format_cards(play.cards) for play in game.view(SEATS[0]).trick.plays] == ["6D 7D", "10D AD", "9D AS", CLUBS]


def test_before_lead_is_offered_once_a_trick() -> None:
    game = start(LEADER, CLUBS, MIXED, SPADES, pull=Pull.BEFORE_LEAD)
    assert game.asked == (1, 3)
    do(game, "1 pass", "3 pass", "0 lead 6D")
    assert not game.is_offer
    do(game, "1 discard 6C", "2 beat QD")
    assert not game.is_offer
    game = start(LEADER, CLUBS, MIXED, SPADES, pull=Pull.BEFORE_LEAD)
    do(game, "1 pass", f"3 pull {SPADES}")
    assert game.winning_seat == 3


def test_off_offers_nothing() -> None:
    game = start(LEADER, CLUBS, MIXED, SPADES, pull=Pull.OFF)
    assert not game.is_offer
    assert game.asked == (0,)
    do(game, "0 lead 6D")
    assert game.asked == (1,)
    assert all(move.startswith("discard") for move in written_moves(game))
    with pytest.raises(IllegalMoveError):
        do(game, f"1 pull {CLUBS}")


def test_trump_only() -> None:
    hands = (LEADER, CLUBS, MIXED, SPADES)
    assert position(*hands, trump="S", rules=Rules(pull_suits=PullSuits.TRUMP)).asked == (3,)
    assert position(*hands, trump="C", rules=Rules(pull_suits=PullSuits.TRUMP)).asked == (1,)
    assert position(*hands, trump="H", rules=Rules(pull_suits=PullSuits.TRUMP)).asked == (0,)
    assert position(*hands, trump="S").asked == position(*hands, trump="H").asked == (1, 3)


@pytest.mark.parametrize("max_lead", [1, 2, 3])
def test_a_pull_leads_four_whatever_may_be_led(max_lead: int) -> None:
    game = start(LEADER, CLUBS, MIXED, "JS QS KS 10S", max_lead=max_lead)
    do(game, f"1 pull {CLUBS}")
    assert written_moves(game) == [f"discard {format_cards(game.hands[2])}"]
    do(game, f"2 discard {MIXED}", "3 beat JS QS KS 10S", f"0 discard {LEADER}")
    assert game.is_over
    assert game.tricks[-1].taker == 3
