"""Random deals and random play for the tests: everything is a function of the generator that is handed in."""

import random
from collections.abc import Iterator
from itertools import product

from arena.rules.cards import DECK_SIZE, SEATS, Card, Seat, cards_of, parse_card, parse_cards
from arena.rules.deal import Deal
from arena.rules.game import Game
from arena.rules.moves import Move, MoveKind, parse_move
from arena.rules.notation import Transcript
from arena.rules.options import Discards, Pull, PullSuits, Rules

PASS = Move(MoveKind.PASS)


def iter_rule_sets() -> Iterator[Rules]:
    """All combinations of the options that change the play of one game: 48."""
    for max_lead, pull, suits, discards in product((4, 3, 2, 1), Pull, PullSuits, Discards):
        yield Rules(max_lead=max_lead, pull=pull, pull_suits=suits, discards=discards)


def random_deal(rng: random.Random) -> Deal:
    """A uniform deal."""
    deck = list(range(DECK_SIZE))
    rng.shuffle(deck)
    return Deal(tuple(deck), rng.randint(1, 18))


def stacked_deal(rng: random.Random) -> Deal:
    """A deal in which hands of one suit are frequent: each seat is served from one suit, then a few cards change places."""
    columns = [rng.sample(range(suit * 9, suit * 9 + 9), 9) for suit in rng.sample(range(4), 4)]
    deck = [card for row in zip(*columns, strict=True) for card in row]
    for _ in range(rng.randint(0, 12)):
        one, other = rng.sample(range(DECK_SIZE), 2)
        deck[one], deck[other] = deck[other], deck[one]
    return Deal(tuple(deck), rng.randint(1, 18))


def random_move(rng: random.Random, game: Game) -> Move:
    """One of the legal moves of the seat to move, each with the same chance."""
    return Move.from_code(rng.choice(game.legal_codes()))


def patient_move(rng: random.Random, game: Game) -> Move:
    """A random move, but of four offers of a pull only one is taken, so that many pulls come late in a trick."""
    if game.is_offer and rng.random() < 0.5:
        return PASS
    return random_move(rng, game)


def random_start(rng: random.Random, rules: Rules) -> Transcript:
    """A game before its first move, one in two of a stacked deal."""
    deal = stacked_deal(rng) if rng.random() < 0.5 else random_deal(rng)
    return Transcript(rules, deal, rng.choice(SEATS), rng.choice(SEATS), ())


def random_game(rng: random.Random, rules: Rules) -> Transcript:
    """A whole game of patient random moves."""
    start = random_start(rng, rules)
    game = start.replay()
    moves = []
    while not game.is_over:
        seat, move = game.to_move, patient_move(rng, game)
        game.advance(move.code)
        moves.append((seat, move))
    return Transcript(rules, start.deal, start.dealer, start.leader, tuple(moves))


def position(*hands: str, trump: str = "S", leader: int = 0, stock: str = "", rules: Rules | None = None) -> Game:
    """A game at the start of a trick with these hands, dealt by the seat before the leader; nobody holds the indicator."""
    held = [parse_cards(hand) for hand in hands]
    rest: list[Card] = [parse_card(name) for name in stock.split()]
    taken = held[0] | held[1] | held[2] | held[3] | cards_of(rest)
    free = [card for card in range(DECK_SIZE) if not taken >> card & 1]
    indicator = next(card for card in free if card // 9 == "CDHS".index(trump))
    return Game(rules or Rules(), indicator=indicator, hands=held, stock=rest, dealer=SEATS[leader - 1], leader=SEATS[leader])


def do(game: Game, *steps: str) -> None:
    """Apply steps that are written as in a game's notation, such as `0 lead 9D`."""
    for step in steps:
        seat, _, move = step.partition(" ")
        game.apply(Seat(int(seat)), parse_move(move))


def written_moves(game: Game, seat: int | None = None) -> list[str]:
    """The legal moves of a seat, or of the seat to move, in notation."""
    return [str(move) for move in game.legal_moves(None if seat is None else Seat(seat))]
