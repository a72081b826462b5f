"""Who deals first in a match."""

from arena.records.model import MatchKey
from arena.rules.cards import SEATS, Seat
from arena.rules.deal import draw_first_dealer
from arena.rules.options import Rules


def first_dealer(key: MatchKey, rules: Rules, secret: bytes) -> Seat:
    """Drawn by lot for a series; a match of a single game is a board, and the deal goes round with the number of the set.

    Four boards that follow each other have every dealer once, and the same for all seatings.
    """
    if rules.max_games == 1:
        return SEATS[key.number % len(SEATS)]
    return draw_first_dealer(secret, key.deals)
