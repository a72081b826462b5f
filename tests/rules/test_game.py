"""The state of one game at its edges: what is refused, how cards are drawn, and when it ends."""

import pytest

from arena.errors import IllegalMoveError, RulesError
from arena.rules.cards import SEATS, Seat, format_cards, parse_card, parse_cards
from arena.rules.game import Game
from arena.rules.moves import Move, MoveKind, parse_move
from arena.rules.options import Rules
from tests.rules.play import do, position, written_moves

HANDS = ("6D 7D 8H", "10D AD QC", "6C 9D AS", "JC KC 9C")


@pytest.mark.parametrize(
    ("seat", "move"),
    [
        (1, "lead 10D"),
        (0, "lead 9H"),
        (0, "lead 7D 8H"),
        (0, "beat 6D"),
        (0, "discard 6D"),
        (0, "pass"),
        (0, "pull 6D 7D 8H 9H"),
        (0, "lead 6D 7D 8D"),
    ],
)
def test_illegal_before_the_lead(seat: int, move: str) -> None:
    refuse(position(*HANDS), seat, move)


@pytest.mark.parametrize(
    ("seat", "move"),
    [
        (0, "lead 7D"),
        (2, "beat 9D"),
        (1, "lead 10D"),
        (1, "beat QC"),
        (1, "beat KD"),
        (1, "beat 10D AD"),
        (1, "discard 10D AD"),
        (1, "discard 6C"),
        (1, "pass"),
        (1, "pull 10D AD QC KC"),
    ],
)
def test_illegal_after_the_lead(seat: int, move: str) -> None:
    game = position(*HANDS)
    do(game, "0 lead 6D")
    refuse(game, seat, move)


def refuse(game: Game, seat: int, move: str) -> None:
    before = fingerprint(game)
    with pytest.raises(IllegalMoveError, match=f"seat {seat} cannot"):
        game.apply(Seat(seat), parse_move(move))
    assert fingerprint(game) == before, "a refused move changed something"


def fingerprint(game: Game) -> object:
    return game.hands[:], game.stock, game.asked, game.turn, [(t.seats[:], t.codes[:], t.taker) for t in game.tricks]


def test_an_illegal_move_is_a_rules_error() -> None:
    assert issubclass(IllegalMoveError, RulesError)


@pytest.mark.parametrize("move", ["lead 6D", "pull 6C 7C 8C 9C", "discard 6D"])
def test_an_offer_takes_the_hand_or_a_pass(move: str) -> None:
    game = position("6D 7D 8H 9H", "6C 7C 8C JC", "6H AH AS AD", "10D 10C 10H KH")
    assert game.is_offer
    refuse(game, 1, move)


def test_nothing_is_legal_after_the_game() -> None:
    game = position("6D", "7D", "8D", "9D")
    do(game, "0 lead 6D", "1 beat 7D", "2 beat 8D", "3 beat 9D")
    assert game.is_over
    assert game.asked == ()
    assert game.legal_codes() == []
    assert game.legal_moves() == ()
    assert game.turn == 3, "who took the last trick"
    for move in (Move(MoveKind.PASS), parse_move("lead 6D")):
        with pytest.raises(IllegalMoveError, match="over"):
            game.apply(SEATS[3], move)


def test_the_legal_moves_before_a_lead_are_sets_of_one_suit() -> None:
    game = position("6D 7D 8H", *HANDS[1:])
    assert written_moves(game) == ["lead 6D", "lead 7D", "lead 6D 7D", "lead 8H"]
    game = position("6D 7D 8H", *HANDS[1:], rules=Rules(max_lead=1))
    assert written_moves(game) == ["lead 6D", "lead 7D", "lead 8H"]


@pytest.mark.parametrize(("max_lead", "leads"), [(1, 4), (2, 10), (3, 14), (4, 15)])
def test_max_lead(max_lead: int, leads: int) -> None:
    game = position("6D 7D 8D 9D", "10D AD QC KC", "6C AH AS AC", "JC KH 9C 9S", rules=Rules(max_lead=max_lead))
    moves = game.legal_moves()
    assert len(moves) == leads
    assert max(move.count for move in moves) == max_lead


def test_cards_are_drawn_one_at_a_time_from_the_taker_on() -> None:
    game = position("6D 7D 8H 9H", "10D AD QC KC", "6C 9D AS AC", "JC KH 9C 9S", stock="6H 7H 10H AH QS KS 10S 7C")
    do(game, "0 lead 6D 7D", "1 discard QC KC", "2 discard 6C 9D", "3 discard JC KH")
    assert game.tricks[-2].taker == 0
    assert [format_cards(hand) for hand in game.hands] == ["6H 8H 9H QS", "10D AD 7H KS", "AC 10H 10S AS", "7C 9C AH 9S"]
    game = position("6D 7D 8H 9H", "10D AD QC KC", "6C 9D AS AC", "JC KH 9C 9S", stock="6H 7H 10H AH QS KS 10S 7C")
    do(game, "0 lead 6D 7D", "1 discard QC KC", "2 beat 9D AS", "3 discard JC KH")
    assert game.turn == 2
    assert [format_cards(hand) for hand in game.hands] == ["8H 9H 10H 10S", "7C 10D AD AH", "6C AC 6H QS", "9C 7H 9S KS"]


def test_a_stock_that_runs_out_leaves_equal_hands() -> None:
    game = position("6D 7D 8H 9H", "10D AD QC KC", "6C 9D AS AC", "JC KH 9C 9S", stock="6H 7H 10H AH")
    do(game, "0 lead 8H 9H", "1 discard QC KC", "2 discard 6C 9D", "3 discard JC KH")
    assert game.stock_count == 0
    assert [format_cards(hand) for hand in game.hands] == ["6D 7D 6H", "10D AD 7H", "AC 10H AS", "9C AH 9S"]
    assert not game.is_over


BAD_POSITIONS = {
    "two hands with one card": (("6D", "6D", "7D", "8D"), ""),
    "different sizes": (("6D", "7D", "8D", "9D JD"), ""),
    "no cards": (("", "", "", ""), ""),
    "five cards": (("6D 7D 8D 9D JD", "6C 7C 8C 9C JC", "6H 7H 8H 9H JH", "6S 7S 8S 9S JS"), ""),
    "a stock beside short hands": (("6D", "7D", "8D", "9D"), "6C 7C 8C 9C"),
    "a stock of three": (("6D 7D 8D 9D", "6C 7C 8C 9C", "6H 7H 8H 9H", "6S 7S 8S 9S"), "JC QC KC"),
    "a card of a hand in the stock": (("6D 7D 8D 9D", "6C 7C 8C 9C", "6H 7H 8H 9H", "6S 7S 8S 9S"), "JC QC KC 6D"),
    "a card twice in the stock": (("6D 7D 8D 9D", "6C 7C 8C 9C", "6H 7H 8H 9H", "6S 7S 8S 9S"), "JC QC KC JC"),
}


@pytest.mark.parametrize("name", BAD_POSITIONS)
def test_positions_that_cannot_be(name: str) -> None:
    hands, stock = BAD_POSITIONS[name]
    with pytest.raises(RulesError):
        Game(
            Rules(),
            indicator=35,
            hands=[parse_cards(hand) for hand in hands],
            stock=[parse_card(card) for card in stock.split()],
            dealer=SEATS[3],
            leader=SEATS[0],
        )


@pytest.mark.parametrize("hands", [[1, 2, 4], [1, 2, 4, 8, 16], [1, 2, 4, 1 << 36], []])
def test_hands_must_be_four_and_of_the_deck(hands: list[int]) -> None:
    with pytest.raises(RulesError):
        Game(Rules(), indicator=35, hands=hands, stock=(), dealer=SEATS[3], leader=SEATS[0])


def test_a_stock_has_cards_of_the_deck() -> None:
    with pytest.raises(RulesError):
        Game(
            Rules(),
            indicator=35,
            hands=[15, 15 << 4, 15 << 8, 15 << 12],
            stock=[36, 37, 38, 39],
            dealer=SEATS[3],
            leader=SEATS[0],
        )
