"""Cards, sets of cards, seats and moves as values."""

import random
from itertools import combinations

import pytest

from arena.errors import RulesError
from arena.rules.cards import (
    CARD_NAMES,
    CARD_POINTS,
    FULL_DECK,
    NEXT_SEAT,
    SEATS,
    SUIT_LETTERS,
    TEAM_OF_SEAT,
    Suit,
    cards_of,
    format_cards,
    is_one_suit,
    iter_cards,
    parse_card,
    parse_cards,
    points_of,
    suit_of,
)
from arena.rules.moves import Move, MoveKind, higher_cards, iter_moves, leads, parse_move, subsets
from tests.rules.reference import DECK, SUITS, is_higher, points, suit


def test_the_deck_is_that_of_the_rules_page() -> None:
    """Four suits of nine ranks, low to high 6 7 8 9 J Q K 10 A; `reference` writes them in that order."""
    assert CARD_NAMES == DECK
    assert len(set(CARD_NAMES)) == 36
    assert FULL_DECK == 2**36 - 1
    assert tuple(SUIT_LETTERS) == SUITS
    assert [suit_of(card) for card in range(36)] == [Suit(SUITS.index(suit(name))) for name in DECK]


def test_card_points() -> None:
    assert [CARD_POINTS[parse_card(rank + "H")] for rank in ("6", "7", "8", "9", "J", "Q", "K", "10", "A")] == [
        0,
        0,
        0,
        0,
        2,
        3,
        4,
        10,
        11,
    ]
    assert sum(CARD_POINTS) == points_of(FULL_DECK) == 120
    assert points_of(0) == 0


def test_points_of_sets_agree_with_the_sum_over_cards() -> None:
    rng = random.Random(6)
    for _ in range(2_000):
        names = rng.sample(DECK, rng.randint(1, 36))
        assert points_of(parse_cards(" ".join(names))) == points(frozenset(names))


def test_seats_go_clockwise_and_partners_sit_opposite() -> None:
    assert [int(NEXT_SEAT[seat]) for seat in SEATS] == [1, 2, 3, 0]
    assert TEAM_OF_SEAT[0] == TEAM_OF_SEAT[2] != TEAM_OF_SEAT[1] == TEAM_OF_SEAT[3]


def test_sets_of_cards() -> None:
    cards = parse_cards("AS 10H 6H")
    assert list(iter_cards(cards)) == [parse_card("6H"), parse_card("10H"), parse_card("AS")]
    assert format_cards(cards) == "6H 10H AS"
    assert cards_of([parse_card("AS"), parse_card("6H"), parse_card("10H")]) == cards
    assert format_cards(0) == ""
    assert list(iter_cards(0)) == []


@pytest.mark.parametrize(
    ("cards", "expected"),
    [("", False), ("6C", True), ("AC 6D", False), ("6C AC", True), ("6S 7S 8S AS", True), ("6C 6D 6H 6S", False)],
)
def test_one_suit(cards: str, expected: bool) -> None:
    assert is_one_suit(parse_cards(cards)) is expected


@pytest.mark.parametrize("trump", Suit)
def test_higher_cards_agree_with_the_words_of_the_rules(trump: Suit) -> None:
    for name in DECK:
        expected = {other for other in DECK if is_higher(other, name, trump=SUITS[trump])}
        assert {CARD_NAMES[card] for card in iter_cards(higher_cards(parse_card(name), trump))} == expected


def test_subsets_are_all_ascending_and_once() -> None:
    rng = random.Random(7)
    for size in range(1, 5):
        for count in range(1, 5):
            members = rng.sample(range(36), size)
            assert subsets(cards_of(members), count) == sorted(cards_of(some) for some in combinations(members, count))


@pytest.mark.parametrize("max_lead", [1, 2, 3, 4])
def test_leads_are_all_sets_of_one_suit(max_lead: int) -> None:
    rng = random.Random(8)
    for _ in range(500):
        hand = rng.sample(DECK, rng.randint(1, 4))
        expected = {
            frozenset(some)
            for count in range(1, max_lead + 1)
            for some in combinations(hand, count)
            if len({suit(name) for name in some}) == 1
        }
        found = leads(parse_cards(" ".join(hand)), max_lead)
        assert {frozenset(format_cards(cards).split()) for cards in found} == expected
        assert found == sorted(set(found))


@pytest.mark.parametrize(
    ("kind", "cards"),
    [
        (MoveKind.LEAD, 0),
        (MoveKind.BEAT, 0),
        (MoveKind.DISCARD, 0b11111),
        (MoveKind.PULL, 0b111),
        (MoveKind.PULL, 0b11111),
        (MoveKind.PASS, 1),
        (MoveKind.LEAD, 1 << 36),
        (MoveKind.LEAD, -1),
    ],
)
def test_moves_that_cannot_be(kind: MoveKind, cards: int) -> None:
    with pytest.raises(RulesError, match=kind.name):
        Move(kind, cards)


def test_moves_are_values_that_sort_as_their_codes() -> None:
    texts = ["pass", "discard 6C", "beat 6C", "lead AS", "lead 6C", "pull 6C 7C 8C 9C", "beat 7C", "discard 6C 7C"]
    moves = [parse_move(text) for text in texts]
    assert sorted(moves) == sorted(moves, key=lambda move: move.code)
    assert [str(move) for move in sorted(moves)] == [
        "lead 6C",
        "lead AS",
        "beat 6C",
        "beat 7C",
        "discard 6C",
        "discard 6C 7C",
        "pull 6C 7C 8C 9C",
        "pass",
    ]
    assert list(iter_moves([move.code for move in moves])) == moves
    assert {parse_move(text) for text in texts} == set(moves)
    assert parse_move("beat 6C") != parse_move("discard 6C"), "the kind is part of the move"
    assert [move.count for move in moves] == [0, 1, 1, 1, 1, 4, 1, 2]
