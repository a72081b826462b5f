"""The worked positions of the rules page that need a table: 2, 6, 7, 9, 10 and 11; 1, 3, 4, 5 and 8 too, played as tricks."""

import pytest

from arena.errors import IllegalMoveError
from arena.rules.cards import DECK_SIZE, SEATS, TEAMS, format_cards, parse_card, parse_cards
from arena.rules.deal import deal_from
from arena.rules.game import Game
from arena.rules.match import Match, score_game
from arena.rules.moves import MoveKind
from arena.rules.options import Rules
from tests.rules.play import do, position, written_moves


def test_positions_1_and_2_mixed_suits_and_the_last_beat() -> None:
    game = position("7H 9H", "8H 6S", "AH 10H", "9C 7S")
    do(game, "0 lead 7H 9H", "1 beat 8H 6S")
    assert written_moves(game) == ["discard 10H AH"]
    do(game, "2 discard 10H AH")
    assert written_moves(game) == ["discard 9C 7S"]
    game = position("7H 9H", "8H 6S", "AH 7S", "6C 7C")
    do(game, "0 lead 7H 9H", "1 beat 8H 6S", "2 beat AH 7S")
    assert game.winning_seat == 2
    assert format_cards(game.winning_cards) == "AH 7S"


def test_position_3_the_order_of_the_cards() -> None:
    game = position("7H 9H", "8H 10H", "6C 7C", "8C 9C")
    do(game, "0 lead 9H 7H", "1 beat 10H 8H")
    assert game.winning_seat == 1


@pytest.mark.parametrize(
    ("led", "answer", "trump", "beats"),
    [
        ("KH", "10H", "S", True),
        ("10H", "KH", "S", False),
        ("10H", "AH", "S", True),
        ("10H", "6S", "S", True),
        ("JH", "9H", "S", False),
        ("AS", "6H", "H", True),
        ("AS", "10D", "H", False),
    ],
)
def test_positions_4_and_5_single_cards(led: str, answer: str, trump: str, beats: bool) -> None:
    game = position(led, answer, "6C", "7C", trump=trump)
    do(game, f"0 lead {led}")
    assert written_moves(game) == ([f"beat {answer}"] if beats else []) + [f"discard {answer}"]


def test_position_6_a_discard_never_wins_and_its_points_go_with_the_trick() -> None:
    game = position("9D", "6C", "AD", "JD")
    do(game, "0 lead 9D", "1 discard 6C", "2 discard AD")
    assert game.winning_seat == 0
    assert written_moves(game) == ["beat JD", "discard JD"]
    do(game, "3 beat JD")
    assert game.is_over
    assert game.tricks[-1].taker == 3
    assert game.card_points == [0, 11 + 2]
    assert game.tricks_taken == [0, 1]


def test_position_7_the_partner_may_be_beaten() -> None:
    game = position("AC 10C", "6H 7H", "6S 7S", "8H 9H")
    do(game, "0 lead AC 10C", "1 discard 6H 7H", "2 beat 6S 7S", "3 discard 8H 9H")
    assert game.tricks[-1].taker == 2


def test_position_8_trumps_led() -> None:
    game = position("9S KS", "QS 10S", "6C 7C", "8C 9C")
    do(game, "0 lead 9S KS")
    assert "beat QS 10S" in written_moves(game)
    game = position("9S JS", "8S AS", "6C 7C", "8C 9C")
    do(game, "0 lead 9S JS")
    assert written_moves(game) == ["discard 8S AS"]


def test_position_9_a_pull_after_a_lead_and_a_beat() -> None:
    hands = ("6D 8D AC KC", "JD KD 7C 8C", "6S 7S 8S AS", "6C 9C QC 10C")
    game = position(*hands[:2], "6S 7S 8S JC", hands[3])
    assert game.asked == (3,)
    do(game, "3 pass", "0 lead 6D 8D", "3 pass", "1 beat JD KD")
    assert game.asked == (3,), "seat 3 has not played yet, so it is asked again"
    do(game, "3 pull 6C 9C QC 10C")
    assert [format_cards(hand) for hand in game.hands] == ["KC AC 6D 8D", "7C 8C JD KD", "JC 6S 7S 8S", ""]
    assert game.asked == (0,)
    assert not game.is_offer
    assert game.winning_seat == 3
    # Seat 0 has lost its lead and answers like everybody else; it holds no four cards that beat.
    assert written_moves(game) == ["discard KC AC 6D 8D"]
    do(game, "0 discard KC AC 6D 8D", "1 discard JD KD 7C 8C")
    # Three trumps for the ten, the queen and the nine, and the jack for the six.
    assert written_moves(game) == ["beat JC 6S 7S 8S", "discard JC 6S 7S 8S"]
    do(game, "2 beat JC 6S 7S 8S")
    assert game.is_over
    assert game.tricks[-1].taker == 2
    assert game.tricks[-1].leader == 0, "the seat that first had the lead"


def test_position_9_with_the_ace_of_the_page() -> None:
    """The page's hand of seat 2; seat 0's leftovers are low cards here because the ace of clubs is seat 2's."""
    game = position("6D 8D 9D KC", "JD KD 7C 8C", "6S 7S 8S AC", "6C 9C QC 10C")
    do(game, "3 pass", "0 lead 6D 8D", "3 pass", "1 beat JD KD", "3 pull 6C 9C QC 10C")
    do(game, "0 discard 6D 8D 9D KC", "1 discard JD KD 7C 8C")
    assert written_moves(game) == ["beat AC 6S 7S 8S", "discard AC 6S 7S 8S"]
    do(game, "2 beat AC 6S 7S 8S")
    assert game.tricks[-1].taker == 2
    assert game.card_points == [4 + 4 + 2 + 3 + 10 + 11, 0], "KC, KD, JD, QC, 10C, AC"


@pytest.mark.parametrize(("one", "three"), [("6C 7C 8C 9C", "6S 7S 8S 9S"), ("6S 7S 8S 9S", "6C 7C 8C 9C")])
def test_position_10_the_nearer_seat_pulls_whatever_the_suits(one: str, three: str) -> None:
    game = position("6D 7D 8D 6H", one, "7H 8H 9H 9D", three)
    assert game.asked == (1, 3)
    with pytest.raises(IllegalMoveError):
        do(game, f"3 pull {three}")
    do(game, f"1 pull {one}")
    assert game.asked == (2,)
    assert game.winning_seat == 1
    assert game.view(SEATS[0]).trick.plays[0].kind is MoveKind.PULL


def test_position_11_points_are_what_counts_for_4_and_tricks_for_6() -> None:
    assert score_game([120, 0], [8, 1]) == (0, 4)
    assert score_game([30, 90], [3, 4]) == (4, 0)
    assert score_game([31, 89], [3, 4]) == (2, 0)
    assert score_game([120, 0], [9, 0]) == (0, 6)


def test_position_11_played_through_a_match() -> None:
    """Seat 1 takes four sixes, loses the lead at once, and its team takes nothing more."""
    rounds = "6C 6S 6D 6H", "7D 7C 8C 7H", "8D 9D JD QD", "KD 10D AD 8H"
    dealt = [parse_card(name) for name in " ".join(rounds).split()]
    rest = [card for card in range(DECK_SIZE) if card not in dealt]
    deal = deal_from(dealt + rest, parse_card("KS"))
    match = Match(Rules(), dealer=SEATS[3])
    game = match.start_game(deal)
    do(game, "0 lead 6C", "1 beat 6S", "2 discard 6D", "3 discard 6H", "1 lead 7C", "2 beat 8C", "3 discard 7H")
    finish_without_beating(game)
    result = match.finish_game()
    assert result.card_points == (120, 0)
    assert result.tricks == (8, 1)
    assert result.defeat_points == (0, 4)


def finish_without_beating(game: Game) -> None:
    """Everybody passes, leads one card and discards."""
    while not game.is_over:
        moves = game.legal_moves()
        kinds = (MoveKind.PASS, MoveKind.LEAD, MoveKind.DISCARD)
        game.apply(game.to_move, next(move for move in moves if move.kind in kinds))


def test_a_set_that_could_beat_may_be_discarded_to_hand_points_over_unseen() -> None:
    game = position("AD", "6C", "10S", "7C")
    do(game, "0 lead AD", "1 discard 6C", "2 discard 10S", "3 discard 7C")
    assert game.tricks[-1].taker == 0
    assert game.card_points[TEAMS[0]] == 21
    assert game.view(SEATS[3]).seen == parse_cards("AD 7C")
