"""What a fault leads to: the fallback move on hands that were worked out by hand, and who forfeits when."""

import random

import pytest

from arena.records.model import Fault, FaultKind
from arena.referee.policy import FaultBook, FaultPolicy, fallback_move
from arena.rules.cards import CARD_NAMES, SEATS, TEAMS, Seat
from arena.rules.game import Game
from arena.rules.moves import Move, MoveKind, parse_move
from arena.rules.options import Pull, Rules
from tests.rules.play import do, iter_rule_sets, position, random_game, random_move


def others(taken: str) -> tuple[str, str, str]:
    """Three hands of cards that are not taken and no aces: one of them shows the trump."""
    free = [name for name in CARD_NAMES if name[0] != "A" and name not in taken.split()]
    return " ".join(free[0:12:3]), " ".join(free[1:12:3]), " ".join(free[2:12:3])


def fallback(game: Game) -> str:
    return str(fallback_move(game, game.to_move))


@pytest.mark.parametrize(
    ("hand", "trump", "lead"),
    [
        ("AS KS QS JS", "H", "JS"),  # fewest points
        ("9C 7D AH 10H", "S", "7D"),  # no points both: the lower rank
        ("6D 6C 6S 6H", "S", "6C"),  # the lower suit
        ("6S 6H 6D AC", "D", "6H"),  # a plain card before a trump, and hearts before spades
        ("6S 9H AD AC", "S", "9H"),  # also a higher one
        ("6S 9S AD AC", "S", "6S"),  # a trump without points before a plain ace
        ("KC QS 10C AC", "S", "QS"),  # points come first, trump or not
        ("JC JD JH JS", "C", "JD"),
        ("10C KD AH AS", "C", "KD"),
    ],
)
def test_the_cheapest_lead(hand: str, trump: str, lead: str) -> None:
    game = position(hand, *others(hand), trump=trump, rules=Rules(pull=Pull.OFF))
    assert fallback(game) == f"lead {lead}"


@pytest.mark.parametrize(
    ("lead", "hand", "trump", "discard"),
    [
        ("7H", "8H AH 6S 9C", "S", "8H"),  # though it could beat
        ("7H 9H", "10H JH AC KC", "D", "JH KC"),
        ("7H 9H", "6S 6C 8H AH", "S", "6C 8H"),
        ("7H 9H 8H", "AS 10S KS QS", "S", "QS KS 10S"),
        ("7H 9H 8H 6H", "AS 10S KS QS", "S", "QS KS 10S AS"),
        ("7H", "6C 6D 6S 10C", "C", "6D"),
    ],
)
def test_the_cheapest_discard(lead: str, hand: str, trump: str, discard: str) -> None:
    first, second, third = others(f"{lead} {hand}")
    leader = " ".join([*lead.split(), *first.split()][:4])
    game = position(leader, hand, second, third, trump=trump, rules=Rules(pull=Pull.OFF))
    do(game, f"0 lead {lead}")
    assert fallback_move(game, SEATS[1]) == parse_move(f"discard {discard}")


def test_an_offer_is_passed() -> None:
    game = position("6C 7D 8H 9S", "6D 8D 9D JD", "7C 8C 9H JH", "6H 7H QH KH", trump="S")
    assert game.asked == (SEATS[1], SEATS[3])
    for seat in game.asked:
        assert fallback_move(game, seat) == Move(MoveKind.PASS)


def test_the_fallback_is_legal_and_gives_away_least_in_every_position() -> None:
    rng = random.Random(5)
    seen = set()
    for rules in iter_rule_sets():
        game = random_game(rng, rules)
        replayed = Game.from_deal(rules, game.deal, dealer=game.dealer, leader=game.leader)
        while not replayed.is_over:
            for seat in replayed.asked:
                move = fallback_move(replayed, seat)
                legal = replayed.legal_moves(seat)
                assert move in legal
                same = [other for other in legal if (other.kind, other.count) == (move.kind, move.count)]
                assert points(move) == min(map(points, same))
                seen.add(move.kind)
            replayed.advance(random_move(rng, replayed).code)
    assert seen == {MoveKind.PASS, MoveKind.LEAD, MoveKind.DISCARD}


def points(move: Move) -> int:
    worth = {"J": 2, "Q": 3, "K": 4, "10": 10, "A": 11}
    return sum(worth.get(card[:-1], 0) for card in str(move).split()[1:])


def fault(kind: FaultKind, seat: Seat) -> Fault:
    return Fault(kind=kind, seat=seat, detail="")


def test_counted_faults_are_the_teams_together() -> None:
    book = FaultBook(FaultPolicy(max_faults=3, restarts=0))
    for seat in (SEATS[0], SEATS[1], SEATS[2]):
        book.add(fault(FaultKind.TIMEOUT, seat))
    assert (book.count(TEAMS[0]), book.count(TEAMS[1])) == (2, 1)
    assert book.forfeited == ()
    book.add(fault(FaultKind.ILLEGAL, SEATS[2]))
    assert book.forfeited == (TEAMS[0],)


def test_a_crash_does_not_count_but_takes_a_restart_of_its_bot() -> None:
    book = FaultBook(FaultPolicy(max_faults=1, restarts=2))
    for kind in (FaultKind.CRASH, FaultKind.PROTOCOL, FaultKind.NO_START):
        book.add(fault(kind, SEATS[3]))
    assert book.forfeited == ()
    assert [book.may_restart(SEATS[3]) for _ in range(3)] == [True, True, False]
    assert book.forfeited == (TEAMS[1],)
    assert book.may_restart(SEATS[1]), "each bot has its own restarts"
    assert len(book.faults) == 3


def test_both_may_forfeit_and_the_order_of_the_faults_does_not_matter() -> None:
    for order in (SEATS, tuple(reversed(SEATS))):
        book = FaultBook(FaultPolicy(max_faults=2, restarts=0))
        for seat in order:
            book.add(fault(FaultKind.TIMEOUT, seat))
        assert book.forfeited == TEAMS


def test_the_faults_of_one_round_stand_in_the_order_of_the_seats_that_were_asked() -> None:
    book = FaultBook(FaultPolicy(max_faults=9, restarts=0))
    arrived = [
        (FaultKind.ILLEGAL, SEATS[3]),
        (FaultKind.TIMEOUT, SEATS[0]),
        (FaultKind.CRASH, SEATS[3]),
        (FaultKind.TIMEOUT, SEATS[3]),
        (FaultKind.TIMEOUT, SEATS[2]),
    ]
    for kind, seat in arrived:
        book.add(fault(kind, seat))
    book.order_faults(1, (SEATS[2], SEATS[3], SEATS[0]))
    assert [(each.kind, each.seat) for each in book.faults] == [arrived[at] for at in (0, 4, 2, 3, 1)]
