"""A view is a function of what its seat may know: re-deal all the rest and nothing changes.

Random games under several rule options are stopped at random moments. For each seat `tests.worlds` makes other worlds that the
seat cannot tell from the real one; its view, whether it is asked, and its legal moves must be the same in all of them. Two
tests of the test follow: the worlds really differ in everything that is hidden, and views that leak on purpose are caught.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import pytest

from arena.rules.cards import SEATS, Cards, Seat, cards_of, is_one_suit
from arena.rules.game import Trick
from arena.rules.moves import Move, MoveKind
from arena.rules.notation import Transcript, format_game
from arena.rules.options import Discards, Pull, PullSuits, Rules
from tests.rules.play import random_game
from tests.worlds import World, actual_world, iter_worlds, slots_of

RULE_SETS = {
    "default": Rules(),
    "open": Rules(discards=Discards.OPEN),
    "before_lead": Rules(pull=Pull.BEFORE_LEAD),
    "off": Rules(pull=Pull.OFF),
    "trump": Rules(pull_suits=PullSuits.TRUMP),
    "singles": Rules(max_lead=1),
    "pairs, open": Rules(max_lead=2, discards=Discards.OPEN),
}
GAMES = 20
WORLDS = 5
Show = Callable[[World, Seat], object]


def iter_histories(rng: random.Random, rules: Rules, games: int) -> Iterator[Transcript]:
    """Random games, each stopped at random moments, after a pull if there is one, and at the end."""
    for _ in range(games):
        whole = random_game(rng, rules)
        pulls = [at + 1 for at, (_, move) in enumerate(whole.moves) if move.kind is MoveKind.PULL]
        stops = {rng.randrange(len(whole.moves)), rng.randrange(len(whole.moves)), len(whole.moves)}
        stops |= {min(rng.choice(pulls) + rng.randrange(5), len(whole.moves))} if pulls else set()
        for stop in sorted(stops):
            yield replace(whole, moves=whole.moves[:stop])


def iter_cases(rng: random.Random, rules: Rules, *, games: int, worlds: int) -> Iterator[tuple[World, Seat, list[World]]]:
    """The real world, a seat, and worlds that the seat cannot tell from it."""
    for history in iter_histories(rng, rules, games):
        for seat in SEATS:
            actual = actual_world(history, seat=seat)
            yield actual, seat, list(islice(iter_worlds(rng, history, seat=seat), worlds))


def shown_by_the_engine(world: World, seat: Seat) -> object:
    """All that a seat is told by the engine: its view, whether it is asked, and what it may do."""
    is_asked = seat in world.game.asked
    return world.game.view(seat), is_asked, world.game.legal_codes(seat) if is_asked else None


def known_to(world: World, seat: Seat) -> object:
    """What a seat knows, taken from the moves by the words of the rules page and without any view."""
    rules = world.transcript.rules
    lines: list[tuple[object, ...]] = []
    for who, move in world.transcript.moves:
        if who == seat or (move.kind is MoveKind.DISCARD and rules.discards is Discards.OPEN):
            lines.append((who, move))
        elif move.kind is MoveKind.DISCARD:
            lines.append((who, move.kind, move.count))
        elif move.kind is not MoveKind.PASS:
            lines.append((who, move))
    own: dict[int, Cards] = {}
    for card, (who, draw) in zip(world.transcript.deal.deck, slots_of(world.transcript), strict=True):
        if who == seat:
            own[draw] = own.get(draw, 0) | 1 << card
    return lines, own, world.transcript.deal.indicator, world.transcript.dealer, world.transcript.leader


def hidden_discards(world: World, seat: Seat) -> list[Cards]:
    return [move.cards for who, move in world.transcript.moves if who != seat and move.kind is MoveKind.DISCARD]


def offers(world: World, seat: Seat) -> list[tuple[int, Seat]]:
    """Which other seats passed, and after how many plays."""
    found: list[tuple[int, Seat]] = []
    plays = 0
    for who, move in world.transcript.moves:
        plays += move.kind is not MoveKind.PASS
        if move.kind is MoveKind.PASS and who != seat:
            found.append((plays, who))
    return found


def face_up_places(world: World, seat: Seat) -> list[int]:
    """Where in the deck the cards were that the other seats played face up."""
    kinds = (MoveKind.LEAD, MoveKind.BEAT, MoveKind.PULL)
    face_up = [move.cards for who, move in world.transcript.moves if who != seat and move.kind in kinds]
    return [place for cards in face_up for place, card in enumerate(world.transcript.deal.deck) if cards >> card & 1]


HIDDEN: dict[str, Show] = {
    "other hands": lambda world, seat: [world.game.hands[other] for other in SEATS if other != seat],
    "stock": lambda world, _: world.game.stock,
    "hidden discards": hidden_discards,
    "card points in the piles": lambda world, _: world.game.card_points,
    "offers to others": offers,
    "place of the indicator": lambda world, _: world.transcript.deal.indicator_place,
    "draw of a face-up card": face_up_places,
}


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_seat_is_shown_the_same_in_all_worlds_it_cannot_tell_apart(name: str) -> None:
    rng = random.Random(f"noninterference {name}")
    seen = 0
    differing: Counter[str] = Counter()
    for actual, seat, worlds in iter_cases(rng, RULE_SETS[name], games=GAMES, worlds=WORLDS):
        shown = shown_by_the_engine(actual, seat)
        known = known_to(actual, seat)
        hidden = {what: look(actual, seat) for what, look in HIDDEN.items()}
        for world in worlds:
            assert known_to(world, seat) == known, "the generator of worlds is wrong"
            assert shown_by_the_engine(world, seat) == shown, (
                f"seat {seat} can tell these apart:\n{format_game(actual.transcript)}\nand\n{format_game(world.transcript)}"
            )
            seen += 1
            differing.update(what for what, look in HIDDEN.items() if look(world, seat) != hidden[what])
    assert seen > GAMES * 4 * WORLDS * 2
    too_rare = {
        what: differing[what] for what, share in least_shares(RULE_SETS[name]).items() if differing[what] < share * seen
    }
    assert not too_rare, f"of {seen} worlds too few differ in these, so that the test means little"


def least_shares(rules: Rules) -> dict[str, float]:
    """The share of the worlds that must differ, about half of what was counted; some cannot differ under some rules."""
    shares = {
        "other hands": 0.3,
        "stock": 0.2,
        "place of the indicator": 0.2,
        "draw of a face-up card": 0.08,
        "hidden discards": 0.4,
        "card points in the piles": 0.35,
        "offers to others": 0.03,
    }
    if rules.discards is Discards.OPEN:
        del shares["hidden discards"], shares["card points in the piles"]
    if rules.pull is Pull.OFF:
        del shares["offers to others"]
    return shares


def plays(world: World) -> Iterator[tuple[Trick, int, Seat, Move]]:
    """Every play of a game with its trick and its place in it, for the leaks below."""
    for trick in world.game.tricks:
        for at, (who, move) in enumerate(trick.moves()):
            yield trick, at, who, move


def discards_that(world: World, is_shown: Callable[[Trick, int], bool]) -> list[Move]:
    return [move for trick, at, _, move in plays(world) if move.kind is MoveKind.DISCARD and is_shown(trick, at)]


LEAKS: dict[str, Show] = {
    **HIDDEN,
    "discards of the trick that lies": lambda world, _: discards_that(world, lambda trick, _: trick.taker is None),
    "discards to the seat that took them": lambda world, seat: discards_that(world, lambda trick, _: trick.taker == seat),
    "discards that were returned": lambda world, _: discards_that(world, lambda trick, at: at < trick.pulled_at),
    "discards after the game": lambda world, _: world.game.is_over and discards_that(world, lambda *_: True),
    "partner's hand": lambda world, seat: world.game.hands[(seat + 2) % 4],
    "next card": lambda world, _: world.game.stock[:1],
    "whether the indicator was drawn": lambda world, _: world.game.indicator in world.game.stock,
    "who holds four of a suit": lambda world, _: [hand.bit_count() == 4 and is_one_suit(hand) for hand in world.game.hands],
    "who else is asked": lambda world, seat: seat in world.game.asked and world.game.asked,
    "a number that counts everybody's turns": lambda world, _: len(world.transcript.moves),
    "how many legal moves the next seat has": lambda world, _: len(world.game.legal_codes()),
}
"""Views that say too much, by what they say."""


@pytest.fixture(scope="module")
def cases() -> list[tuple[World, Seat, list[World]]]:
    rng = random.Random("leaks")
    return list(iter_cases(rng, Rules(), games=45, worlds=WORLDS))


@pytest.mark.parametrize("leak", LEAKS)
def test_a_view_that_leaks_is_caught(leak: str, cases: list[tuple[World, Seat, list[World]]]) -> None:
    show = LEAKS[leak]
    caught = sum(show(world, seat) != show(actual, seat) for actual, seat, worlds in cases for world in worlds)
    assert caught > 5, "one is enough to see it; a few more make sure that it is not by luck"


def test_the_generator_moves_a_card_of_the_first_hands_into_the_stock() -> None:
    """One fixed case by hand: of a face-up card that a seat played late nobody knows when it was drawn."""
    rng = random.Random(1)
    rules = Rules(pull=Pull.OFF)
    whole = random_game(rng, rules)
    leads = [move for who, move in whole.moves if who != 0 and move.kind is MoveKind.LEAD]
    dealt = set()
    for world in islice(iter_worlds(rng, whole, seat=SEATS[0]), 300):
        dealt.add(cards_of(world.transcript.deal.deck[:16]) & leads[-1].cards)
    assert len(dealt) > 1
