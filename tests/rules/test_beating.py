"""Which cards beat which: the worked positions of the rules page, and the permutation oracle on random cases."""

import random
from collections.abc import Iterable

import pytest

from arena.rules.cards import CARD_NAMES, Suit, iter_cards, parse_cards
from arena.rules.moves import answers, is_beaten_by, parse_move, subsets
from tests.rules.reference import DECK, SUITS, is_beat, suit

OF_SUIT = {letter: tuple(card for card in DECK if suit(card) == letter) for letter in SUITS}
MASK = {card: 1 << number for number, card in enumerate(DECK)}
CASES = 40_000


@pytest.mark.parametrize(
    ("winning", "answer", "trump", "expected"),
    [
        # Position 1: suits may be mixed.
        ("7H 9H", "8H 6S", "S", True),
        # Position 2: the last beat is what has to be beaten.
        ("8H 6S", "AH 10H", "S", False),
        ("8H 6S", "AH 7S", "S", True),
        ("8H 6S", "9C 7S", "S", False),
        # Position 3: neither the order given nor first fit decides.
        ("7H 9H", "10H 8H", "S", True),
        # Position 4: the ten is above the king, the nine below the jack.
        ("KH", "10H", "S", True),
        ("10H", "KH", "S", False),
        ("10H", "AH", "S", True),
        ("10H", "6S", "S", True),
        ("10H", "AS", "S", True),
        ("JH", "9H", "S", False),
        # Position 5: trump hearts.
        ("AS", "6H", "H", True),
        ("AS", "10D", "H", False),
        # Position 8: trumps led.
        ("9S KS", "10S QS", "S", True),
        ("9S JS", "AS 8S", "S", False),
        # One of the set is enough to fail, and a card never beats itself or fewer cards.
        ("6H 7H 8H", "9H JH 6D", "S", False),
        ("6H 7H 8H", "9H JH 6S", "S", True),
        ("6H 7H 8H AH", "9H JH QH 6S", "S", True),
        ("6H 7H KH AH", "9H JH 10H QH", "S", False),
        ("6H", "6H", "S", False),
        ("6H", "7H 8H", "S", False),
        ("6H 7H", "8H", "S", False),
        ("AH 6S", "7S 8S", "S", True),
        ("AH 7S", "6S 8S", "S", True),
        ("AH 8S", "6S 7S", "S", False),
    ],
)
def test_fixed_cases(winning: str, answer: str, trump: str, expected: bool) -> None:
    assert is_beaten_by(parse_cards(winning), parse_cards(answer), Suit("CDHS".index(trump))) is expected


def test_the_order_in_which_cards_are_written_means_nothing() -> None:
    assert parse_move("beat 10H 8H") == parse_move("beat 8H 10H")


def mask_of(names: Iterable[str]) -> int:
    """The set of cards with these names; that the engine numbers cards in this order is tested in `test_cards`."""
    return sum(MASK[name] for name in names)


def random_winning(rng: random.Random, trump: str) -> list[str]:
    """A lead of one to four cards of one suit, half of the time beaten by random cards once or twice."""
    led = rng.choice(SUITS)
    winning = rng.sample(OF_SUIT[led], rng.randint(1, 4))
    for _ in range(rng.choice((0, 0, 1, 2))):
        answer = rng.sample(sorted({*OF_SUIT[led], *OF_SUIT[trump]} - set(winning)), len(winning))
        if is_beat(frozenset(answer), frozenset(winning), trump=trump):
            winning = answer
    return winning


def test_beating_agrees_with_the_permutation_oracle() -> None:
    """40 000 random plays and answers, two thirds of them from the suits that matter, so that many do beat."""
    rng = random.Random(4)
    beaten = mixed = 0
    for _ in range(CASES):
        trump = rng.choice(SUITS)
        winning = random_winning(rng, trump)
        suits = {suit(card) for card in winning} | {trump} if rng.random() < 2 / 3 else set(SUITS)
        pool = [card for letter in sorted(suits) for card in OF_SUIT[letter] if card not in winning]
        answer = rng.sample(pool, len(winning))
        expected = is_beat(frozenset(answer), frozenset(winning), trump=trump)
        found = is_beaten_by(mask_of(winning), mask_of(answer), Suit(SUITS.index(trump)))
        assert found is expected, f"{winning} answered by {answer}, trump {trump}"
        beaten += expected
        mixed += expected and len({suit(card) for card in answer}) > 1
    assert 0.2 < beaten / CASES < 0.8, "the cases are too one-sided to mean anything"
    assert mixed > 1_000


def test_answers_agree_with_the_permutation_oracle() -> None:
    """All answers of random hands: every beat of the oracle once, every subset of the right size as a discard."""
    rng = random.Random(5)
    for _ in range(5_000):
        trump = rng.choice(SUITS)
        winning = random_winning(rng, trump)
        hand = rng.sample([card for card in DECK if card not in winning], rng.randint(len(winning), 4))
        codes = answers(mask_of(hand), mask_of(winning), Suit(SUITS.index(trump)))
        masks = subsets(mask_of(hand), len(winning))
        names = {mask: frozenset(CARD_NAMES[card] for card in iter_cards(mask)) for mask in masks}
        beats = [mask for mask in masks if is_beat(names[mask], frozenset(winning), trump=trump)]
        assert codes == [1 << 36 | mask for mask in sorted(beats)] + [2 << 36 | mask for mask in sorted(masks)]
