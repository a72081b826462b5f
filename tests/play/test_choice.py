"""Whatever cards somebody picks in whatever order, nothing but a legal move can come of it, and every legal move can."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from arena.play.choice import Choice
from arena.rules.cards import Cards, Suit, cards_of, iter_cards, parse_cards
from arena.rules.moves import Move, MoveKind, answers, iter_moves, leads

CARDS = st.lists(st.integers(0, 35), min_size=1, max_size=8, unique=True)


def turn(cards: list[int]) -> tuple[Cards, tuple[Move, ...]]:
    """A hand and its legal moves: a lead, or an answer to the cards that are not in the hand."""
    hand, rest = cards[:4], cards[4:]
    suit = rest[0] // 9 if rest else 0
    winning = cards_of(card for card in rest if card // 9 == suit)
    if not winning or winning.bit_count() > len(hand):
        return cards_of(hand), tuple(iter_moves(leads(cards_of(hand), 4)))
    return cards_of(hand), tuple(iter_moves(answers(cards_of(hand), winning, trump_of(cards))))


def trump_of(cards: list[int]) -> Suit:
    return Suit(cards[0] % 4)


@given(CARDS, st.lists(st.integers(0, 35), max_size=12))
def test_no_order_of_picks_leads_to_anything_but_a_legal_move(cards: list[int], picks: list[int]) -> None:
    hand, legal = turn(cards)
    choice = Choice(legal)
    for pick in picks:
        choice = choice.toggled(pick)
        assert not choice.chosen & ~hand
        assert any(not choice.chosen & ~move.cards for move in legal)
        assert set(choice.moves) == {move for move in legal if move.cards == choice.chosen}


@given(CARDS)
def test_every_legal_move_can_be_put_together_in_any_order(cards: list[int]) -> None:
    _, legal = turn(cards)
    for move in legal:
        for order in permutations(iter_cards(move.cards)):
            choice = Choice(legal)
            for card in order:
                assert choice.open_cards >> card & 1
                choice = choice.toggled(card)
            assert choice.move(move.kind) == move


def test_a_card_of_another_suit_begins_a_new_lead() -> None:
    choice = Choice(tuple(iter_moves(leads(parse_cards("6H 7H AS KC"), 4))))
    for name in ("6H", "7H", "AS"):
        (card,) = iter_cards(parse_cards(name))
        choice = choice.toggled(card)
    assert choice.chosen == parse_cards("AS")
    assert choice.cleared().chosen == 0


def test_marked_cards_are_those_of_beats_that_can_still_come() -> None:
    # Led 7H 9H with spades as trump: worked position 1 of the rules.
    choice = Choice(tuple(iter_moves(answers(parse_cards("8H 6S 6C AC"), parse_cards("7H 9H"), Suit.SPADES))))
    assert choice.beating_cards == parse_cards("8H 6S")
    (club,) = iter_cards(parse_cards("6C"))
    assert choice.toggled(club).beating_cards == 0
    assert choice.count == 2


def test_an_offer_is_answered_and_not_put_together() -> None:
    four = parse_cards("6C 9C QC 10C")
    choice = Choice((Move(MoveKind.PULL, four), Move(MoveKind.PASS)))
    assert choice.is_offer
    assert all(choice.toggled(card) == choice for card in iter_cards(four))
    assert choice.move(MoveKind.PULL) == Move(MoveKind.PULL, four)
    assert choice.move(MoveKind.DISCARD) is None
