import hashlib
import math
import random
import sys
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))

from arena.rules.cards import FULL_DECK, RANKS, SUIT_MASKS, TEAM_OF_SEAT, iter_cards, points_of
from arena.rules.moves import is_beaten_by
from arena.rules.options import Pull, PullSuits
from arena.rules.worlds import Knowledge, World
from hands import Hands
import hands as H

BUDGET = 320
MIN_WORLDS = 12
BEAT = (0, 10, 20, 30, 40)
LASTB = 6
SIGMA = (10, 24, 30, 35, 38, 42)
TASTE = 1
SIGK = 0.5
REJECT = 3
BEATC = 1 << 36
DISC = 2 << 36

class Player:
    def __init__(self, **over):
        self.hands = [Hands(t) for t in range(4)]
        self.low = []
        self.high = []
        for trump in range(4):
            self.low.append([points_of(1 << c) + (12 + c % 9 if c // 9 == trump else c % 9 / 10) for c in range(36)])
            self.high.append([-points_of(1 << c) + (12 + c % 9 if c // 9 == trump else c % 9 / 10) for c in range(36)])

    def choose(self, view, legal, rules):
        if len(legal) == 1:
            return legal[0]
        digest = hashlib.sha256(repr((view, legal)).encode()).digest()
        rng = random.Random(int.from_bytes(digest[:8], "big"))
        know = Knowledge.of(view)
        codes = [m.code for m in legal]
        is_offer = legal[0].kind == 3
        team = TEAM_OF_SEAT[view.seat]
        totals = [0.0] * len(codes)
        alive = list(range(len(codes)))
        worlds = max(MIN_WORLDS, BUDGET // len(codes))
        hands = self.hands[view.trump]
        for n in range(worlds):
            world = self.believable(know, rng, rules)
            if view.stock_count:
                world = World(world.view, world.hands, (), world.discards)
            game = world.game(rules, rng, is_offer=is_offer)
            for i in alive:
                totals[i] += self.outcome(game, codes[i], team, view.stock_count, hands)
            if n == worlds // 3 and len(alive) > 3:
                alive.sort(key=lambda i: -totals[i])
                alive = sorted(alive[: (len(alive) + 1) // 2])
        return legal[max(alive, key=lambda i: totals[i])]

    def believable(self, know, rng, rules):
        view = know.view
        taste = None
        if TASTE:
            trump = view.trump
            taste = lambda place: self.high[trump] if place.is_winning else self.low[trump]
        for _ in range(REJECT):
            world = know.guess(rng, taste)
            if rules.pull is Pull.OFF or not any(self.could_pull(world, s, rules) for s in range(4)):
                break
        return world

    def could_pull(self, world, seat, rules):
        if seat == world.view.seat or seat == world.view.trick.leader:
            return False
        hand = world.hands[seat]
        if hand.bit_count() < 4:
            return False
        suits = [m for m in SUIT_MASKS if not hand & ~m]
        return bool(suits) and (rules.pull_suits is PullSuits.ANY or hand & SUIT_MASKS[world.view.trump])

    def outcome(self, base, code, team, stock, val):
        game = base.clone()
        tricks = len(game.tricks)
        game.advance(code)
        while not game.is_over and (len(game.tricks) == tricks or not stock):
            game.advance(self.reply(game, val))
        diff = game.card_points[team] - game.card_points[1 - team]
        if not stock:
            x = 60 + diff / 2
            sig = 0.5
        else:
            hands = game.hands
            t = game.turn
            v = 0
            if hands[0]:
              for s in range(4):
                h = val.lead(hands[s]) if s == t else val.keep(hands[s])
                v += h if s % 2 == team else -h
            x = 60 + (diff + v) / 2
            sig = SIGMA[stock // 4] * SIGK
        z = 1 / (sig * 1.4142)
        return 2 * math.erf((x - 60) * z) + math.erf((x - 90) * z) - math.erf((30 - x) * z)

    def reply(self, game, val):
        if game._order:
            return game.legal_codes()[0]
        seat = game.turn
        hand = game.hands[seat]
        winning = game.winning_cards
        if not winning:
            return val.best_lead(hand, game.rules.max_lead)
        n = winning.bit_count()
        beats, lose, win, mid = val.answers(hand, n)
        trick = game.tricks[-1]
        last = len(trick.codes) - trick.pulled_at == 3
        partner = game.winning_seat ^ seat == 2
        if partner:
            score, discard = win if last else mid
            more = 0
        else:
            score, discard = lose
            table = 0
            for c in trick.codes[trick.pulled_at:]:
                if c >> 36 != 2:
                    table += val.points(c & FULL_DECK)
            more = 2 * table + (LASTB if last else BEAT[1]) * n
        trump = game.trump
        for s, cards in beats:
            if s + more <= score:
                break
            if is_beaten_by(winning, cards, trump):
                return BEATC | cards
        return DISC | discard
