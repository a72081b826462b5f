"""The rules a second time, written from the rules page with words for cards, slow and plain: the oracle of the tests.

Nothing here uses the engine: cards are their names, hands are sets of names, a move is a kind and a set of names.
The numbers in the comments are those of the rules page.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations

RANKS = ("6", "7", "8", "9", "J", "Q", "K", "10", "A")
SUITS = ("C", "D", "H", "S")
POINTS = {"J": 2, "Q": 3, "K": 4, "10": 10, "A": 11}
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)

Names = frozenset[str]
Step = tuple[str, Names]
"""A kind in small letters and the names of the cards."""


def suit(card: str) -> str:
    """The letter of a card's suit."""
    return card[-1]


def strength(card: str) -> int:
    """The place of a card's rank, low to high."""
    return RANKS.index(card[:-1])


def points(cards: Names) -> int:
    """3: card points."""
    return sum(POINTS.get(card[:-1], 0) for card in cards)


def is_higher(card: str, other: str, *, trump: str) -> bool:
    """9: same suit and a higher rank, or a trump over a card that is none."""
    if suit(card) == suit(other):
        return strength(card) > strength(other)
    return suit(card) == trump


def is_beat(answer: Names, winning: Names, *, trump: str) -> bool:
    """10: some pairing one to one has each card of the answer above its partner."""
    if len(answer) != len(winning):
        return False
    fixed = sorted(winning)
    return any(
        all(is_higher(card, other, trump=trump) for card, other in zip(order, fixed, strict=True))
        for order in permutations(answer)
    )


def write(seat: int, step: Step) -> str:
    """A step as the notation of the engine writes it."""
    kind, cards = step
    return " ".join([str(seat), kind, *sorted(cards, key=DECK.index)])


@dataclass
class Table:
    """A game at some moment. laid: the trick since the last pull. asked: who has yet to answer an offer, in order."""

    hands: list[set[str]]
    stock: list[str]
    trump: str
    first: int
    max_lead: int = 4
    pull: str = "any_time"
    pull_suits: str = "any"
    points: list[int] = field(default_factory=lambda: [0, 0])
    tricks: list[int] = field(default_factory=lambda: [0, 0])
    laid: list[tuple[int, Step]] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    turn: int = 0

    def __post_init__(self) -> None:
        self.begin(self.first)

    def copy(self) -> "Table":
        """An independent copy."""
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.hands = [set(hand) for hand in self.hands]
        twin.stock, twin.points, twin.tricks = self.stock[:], self.points[:], self.tricks[:]
        twin.laid, twin.asked = self.laid[:], self.asked[:]
        return twin

    @property
    def is_over(self) -> bool:
        """18: the stock is empty and all hands are played."""
        return not self.stock and not self.laid and not any(self.hands)

    @property
    def actor(self) -> int:
        """Who answers next: the first that is offered a pull, or the one to play."""
        return self.asked[0] if self.asked else self.turn

    @property
    def winner(self) -> tuple[int, Names]:
        """12: the seat and the cards of the last beat, or of the lead."""
        return [(seat, cards) for seat, (kind, cards) in self.laid if kind != "discard"][-1]

    def begin(self, seat: int) -> None:
        """Start a trick: `seat` has the lead."""
        self.first = self.turn = seat
        self.laid = []
        self.asked = self.offers()

    def offers(self) -> list[int]:
        """13, 14, 15: who may pull now, the one nearest to the seat that first had the lead at the front."""
        if self.pull == "off" or (self.laid and (self.pull == "before_lead" or len(self.laid[0][1][1]) == 4)):
            return []
        played = {seat for seat, _ in self.laid}
        found = []
        for distance in (1, 2, 3):
            seat = (self.first + distance) % 4
            suits = {suit(card) for card in self.hands[seat]}
            is_allowed = self.pull_suits == "any" or suits == {self.trump}
            if len(self.hands[seat]) == 4 and len(suits) == 1 and seat not in played and is_allowed:
                found.append(seat)
        return found

    def steps(self) -> list[Step]:
        """7, 8, 13: everything that the actor may do."""
        hand = self.hands[self.actor]
        if self.asked:
            return [("pull", frozenset(hand)), ("pass", frozenset())]
        if not self.laid:
            sets = [frozenset(cards) for count in range(1, self.max_lead + 1) for cards in combinations(sorted(hand), count)]
            return [("lead", cards) for cards in sets if len({suit(card) for card in cards}) == 1]
        _, winning = self.winner
        sets = [frozenset(cards) for cards in combinations(sorted(hand), len(winning))]
        beats = [("beat", cards) for cards in sets if is_beat(cards, winning, trump=self.trump)]
        return beats + [("discard", cards) for cards in sets]

    def play(self, step: Step) -> None:
        """Do one of `steps`."""
        kind, cards = step
        seat = self.actor
        if kind == "pass":
            self.asked.pop(0)
            return
        if kind == "pull":
            for owner, (_, theirs) in self.laid:
                self.hands[owner] |= theirs
            self.laid, self.asked = [], []
        self.laid.append((seat, step))
        self.hands[seat] -= cards
        self.turn = (seat + 1) % 4
        if len(self.laid) < 4:
            if kind != "pull":
                self.asked = self.offers()
            return
        taker, _ = self.winner
        self.points[taker % 2] += sum(points(laid) for _, (_, laid) in self.laid)
        self.tricks[taker % 2] += 1
        self.laid = []
        self.draw(taker)
        if any(self.hands):
            self.begin(taker)

    def draw(self, taker: int) -> None:
        """16: one card at a time, the taker first, until each holds four or the stock is empty."""
        seat = taker
        while self.stock and any(len(hand) < 4 for hand in self.hands):
            self.hands[seat].add(self.stock.pop(0))
            seat = (seat + 1) % 4


def iter_courses(table: Table, depth: int) -> Iterator[tuple[tuple[str, ...], Table]]:
    """Every sequence of at most `depth` steps, ended by the depth or by the end of the game, with the table after it."""
    if depth == 0 or table.is_over:
        yield (), table
        return
    seat = table.actor
    for step in table.steps():
        after = table.copy()
        after.play(step)
        for rest, last in iter_courses(after, depth - 1):
            yield (write(seat, step), *rest), last
