"""Deals: who gets which card, where the indicator may be, and that luck is uniform and a function of its name."""

import random
from collections import Counter

import pytest

from arena.errors import RulesError
from arena.rules.cards import CARD_NAMES, DECK_SIZE, SEATS, Suit, format_cards, parse_card
from arena.rules.deal import Deal, deal_from, draw_first_dealer, make_deal
from arena.rules.game import Game
from arena.rules.options import Rules

IN_ORDER = tuple(range(DECK_SIZE))
SECRET = bytes(range(32))
DEALS = 6_000


@pytest.mark.parametrize(
    ("dealer", "hands"),
    [
        (3, ["6C JC AC 9D", "7C QC 6D JD", "8C KC 7D QD", "9C 10C 8D KD"]),
        (0, ["9C 10C 8D KD", "6C JC AC 9D", "7C QC 6D JD", "8C KC 7D QD"]),
        (2, ["7C QC 6D JD", "8C KC 7D QD", "9C 10C 8D KD", "6C JC AC 9D"]),
    ],
)
def test_one_card_at_a_time_from_the_seat_after_the_dealer(dealer: int, hands: list[str]) -> None:
    assert [format_cards(hand) for hand in Deal(IN_ORDER, 1).hands(SEATS[dealer])] == hands


def test_the_stock_is_what_is_left_top_first() -> None:
    deal = Deal(IN_ORDER, 7)
    assert deal.stock == tuple(range(16, 36))
    assert deal.indicator == 23
    assert deal.trump is Suit.HEARTS
    game = Game.from_deal(Rules(), deal, dealer=SEATS[1], leader=SEATS[2])
    assert game.stock == deal.stock
    assert game.trump is Suit.HEARTS
    assert game.indicator in game.stock, "it stays where it is"


@pytest.mark.parametrize("place", [-1, 0, 19, 20])
def test_the_indicator_is_neither_the_top_card_nor_the_bottom_one(place: int) -> None:
    with pytest.raises(RulesError, match="1 to 18"):
        Deal(IN_ORDER, place)


@pytest.mark.parametrize(
    "deck",
    [IN_ORDER[:-1], (*IN_ORDER, 0), (0, *IN_ORDER[:-1]), (*IN_ORDER[:-1], 36), ()],
)
def test_a_deck_has_each_card_once(deck: tuple[int, ...]) -> None:
    with pytest.raises(RulesError, match="each of the 36 cards once"):
        Deal(deck, 5)


def test_a_deal_from_a_deck_and_an_indicator() -> None:
    assert deal_from(IN_ORDER, 20) == Deal(IN_ORDER, 4)
    assert deal_from(list(IN_ORDER), 34) == Deal(IN_ORDER, 18)
    for card in (0, 15, 16, 35):
        with pytest.raises(RulesError, match="inside the stock"):
            deal_from(IN_ORDER, card)
    with pytest.raises(RulesError, match="not in the deck"):
        deal_from(IN_ORDER, 36)


def test_the_same_names_give_the_same_deal_for_ever() -> None:
    """A fixed vector: stored runs are replayed from their secret, so this must never change."""
    deal = make_deal(SECRET, "'Old Goats' 'Wild Goats' 0", 3)
    assert " ".join(CARD_NAMES[card] for card in deal.deck) == (
        "10H JS 7C QC 8D 9H KS 7D JH 8H AS 6S 7H 6H 8S KD 10D 6D QS 7S 10S JC 10C KH QH 9C 9D AD AC KC 9S JD QD 8C AH 6C"
    )
    assert CARD_NAMES[deal.indicator] == "9C"
    assert [draw_first_dealer(SECRET, f"match {number}") for number in range(12)] == [0, 0, 0, 1, 1, 2, 1, 0, 1, 3, 0, 0]


def test_each_part_of_the_name_matters() -> None:
    other = bytes(31) + b"\x01"
    names = [(SECRET, "a", 0), (SECRET, "a", 1), (SECRET, "b", 0), (other, "a", 0), (SECRET, "a/1", 0), (SECRET, "a", 10)]
    deals = [make_deal(*name) for name in names]
    assert len(set(deals)) == len(names)
    assert [make_deal(*name) for name in names] == deals
    assert make_deal(SECRET, "Козлы 🐐", 0) != make_deal(SECRET, "Козлы", 0)


@pytest.mark.parametrize("secret", [b"", b"short", bytes(31)])
def test_a_short_secret_is_refused(secret: bytes) -> None:
    with pytest.raises(RulesError, match="at least 32 bytes"):
        make_deal(secret, "a", 0)
    with pytest.raises(RulesError, match="at least 32 bytes"):
        draw_first_dealer(secret, "a")


@pytest.fixture(scope="module")
def deals() -> list[Deal]:
    return [make_deal(SECRET, f"match {number // 10}", number % 10) for number in range(DEALS)]


def chi_square(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def test_every_card_is_everywhere_equally_often(deals: list[Deal]) -> None:
    """36 places times 36 cards: about 35 * 35 = 1225 degrees of freedom, so a standard deviation of about 50."""
    counts = Counter((place, card) for deal in deals for place, card in enumerate(deal.deck))
    statistic = chi_square([counts[place, card] for place in range(36) for card in range(36)], DEALS / 36)
    assert 1225 - 5 * 50 < statistic < 1225 + 5 * 50


def test_neighbours_are_independent(deals: list[Deal]) -> None:
    """A shuffle that keeps cards together, as a bad one does, shows here: 35 differences between neighbours."""
    counts = Counter((deal.deck[place + 1] - deal.deck[place]) % 36 for deal in deals for place in range(35))
    assert counts[0] == 0
    statistic = chi_square([counts[step] for step in range(1, 36)], DEALS)
    assert statistic < 34 + 6 * 8.3


def test_the_indicator_is_uniform_over_18_places_and_36_cards(deals: list[Deal]) -> None:
    places = Counter(deal.indicator_place for deal in deals)
    assert set(places) == set(range(1, 19))
    assert chi_square([places[place] for place in range(1, 19)], DEALS / 18) < 17 + 5 * 5.9
    cards = Counter(deal.indicator for deal in deals)
    assert chi_square([cards[card] for card in range(36)], DEALS / 36) < 35 + 5 * 8.4


def test_the_first_dealer_is_uniform() -> None:
    dealers = Counter(draw_first_dealer(SECRET, f"match {number}") for number in range(2_000))
    assert set(dealers) == set(SEATS)
    assert chi_square([dealers[seat] for seat in SEATS], 500) < 3 + 5 * 2.5


def test_the_uniformity_tests_can_fail() -> None:
    """A shuffle with the classic mistake, every place swapped with any other, is caught by the first of them."""
    rng = random.Random(3)
    counts: Counter[tuple[int, int]] = Counter()
    for _ in range(DEALS):
        deck = list(IN_ORDER)
        for place in range(36):
            other = rng.randrange(36)
            deck[place], deck[other] = deck[other], deck[place]
        counts.update(enumerate(deck))
    assert chi_square([counts[place, card] for place in range(36) for card in range(36)], DEALS / 36) > 1225 + 5 * 50


def test_the_indicator_never_changes_hands_of_the_deal() -> None:
    one, other = Deal(IN_ORDER, 1), Deal(IN_ORDER, 18)
    assert one.hands(SEATS[0]) == other.hands(SEATS[0])
    assert one.stock == other.stock
    assert parse_card(CARD_NAMES[one.indicator]) == 17
