from functools import lru_cache
from arena.rules.cards import RANKS, SUIT_MASKS, iter_cards, points_of
from arena.rules.moves import leads, subsets, is_beaten_by

TRUMP = (6, 6, 6, 6, 7, 9, 13, 18, 24)
PLAIN = (0, 0, 0, 0, 0, 0, 0, 0, 0)
GROUP_LEAD = (0, 0, 8, 22, 40)
GROUP = (0, 0, 3, 10, 20)
LEADP = (0, 0, 15, 50, 100)
WINP = 20
LOSEP = -10
MIDP = 0
SIZE = 60_000

class Hands:
    def __init__(self, trump):
        self.trump = trump
        self.card = [(TRUMP if c // 9 == trump else PLAIN)[c % 9] for c in range(36)]
        self.keep = lru_cache(SIZE)(self._keep)
        self.lead = lru_cache(SIZE)(self._lead)
        self.answers = lru_cache(SIZE)(self._answers)
        self.best_lead = lru_cache(SIZE)(self._best_lead)
        self.points = lru_cache(SIZE)(points_of)

    def _keep(self, hand):
        card = self.card
        return sum([card[c] for c in iter_cards(hand)]) + GROUP[max([(hand & m).bit_count() for m in SUIT_MASKS])]

    def _lead(self, hand):
        card = self.card
        return sum([card[c] for c in iter_cards(hand)]) + GROUP_LEAD[max([(hand & m).bit_count() for m in SUIT_MASKS])]

    def _best_lead(self, hand, most):
        return max(leads(hand, most), key=lambda c: LEADP[c.bit_count()] + self.points(c) + self.keep(hand ^ c))

    def _answers(self, hand, count):
        rows = [(self.keep(hand ^ c), self.points(c), c) for c in subsets(hand, count)]
        beats = sorted([(k + p, c) for k, p, c in rows], reverse=True)
        lose = max([(k + LOSEP * p / 10, c) for k, p, c in rows])
        win = max([(k + WINP * p / 10, c) for k, p, c in rows])
        mid = max([(k + MIDP * p / 10, c) for k, p, c in rows])
        return beats, lose, win, mid
