"""Who deals first."""

from collections import Counter

from arena.records.dealer import first_dealer
from arena.rules.options import Rules
from tests.builders import SECRET, key

BOARDS = Rules(match_target=6, max_games=1)


def test_four_boards_have_every_dealer_once_whoever_plays_them() -> None:
    for first in (0, 4, 8):
        numbers = range(first, first + 4)
        assert sorted(first_dealer(key(number=number), BOARDS, SECRET) for number in numbers) == [0, 1, 2, 3]
    dealers = {
        first_dealer(key(*teams, number=5, swapped=swapped), BOARDS, secret)
        for teams in (("A", "B"), ("C", "D"))
        for swapped in (False, True)
        for secret in (SECRET, bytes(32))
    }
    assert len(dealers) == 1


def test_the_dealer_of_a_series_is_drawn_by_lot_and_the_same_from_both_sides() -> None:
    dealers = [first_dealer(key(number=number), Rules(), SECRET) for number in range(400)]
    assert all(70 <= count <= 130 for count in Counter(dealers).values())
    assert dealers == [first_dealer(key(number=number, swapped=True), Rules(), SECRET) for number in range(400)]
    assert dealers != [first_dealer(key("C", "D", number=number), Rules(), SECRET) for number in range(400)]
