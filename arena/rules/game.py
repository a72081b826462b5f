"""One game: the whole state, and the only code that changes it.

The state interface, which `tests/rules/test_invariants.py` enforces:

- Until `is_over`, exactly one seat is `to_move`, and `legal_codes()` are its moves: not empty, sorted, unique.
- `apply(seat, move)` checks and raises; `advance(code)` does not check and is for search and for moves that are known legal.
- A pull is offered to all eligible seats at once. `asked` are the seats that have to answer now, in the order of their right
  to pull: the first of them that says yes pulls and the others are not heard. To play that, collect all their answers, then
  apply them in that order until one is a pull.
- Passes are answers to an offer; nobody else ever sees them.
- Nothing here depends on anything but the arguments.
"""

from collections.abc import Iterator, Sequence

from arena.errors import IllegalMoveError, RulesError
from arena.rules.cards import (
    DECK_SIZE,
    FULL_DECK,
    HAND_SIZE,
    NEXT_SEAT,
    SUIT_MASKS,
    TEAM_OF_SEAT,
    Card,
    Cards,
    Seat,
    Suit,
    is_one_suit,
    points_of,
    suit_of,
)
from arena.rules.deal import Deal
from arena.rules.moves import PASS_CODE, PULL_CODE, Move, MoveCode, MoveKind, answers, leads
from arena.rules.options import Pull, PullSuits, Rules
from arena.rules.view import TrickView, View, view_of

_DISCARD = int(MoveKind.DISCARD)
_PULL = int(MoveKind.PULL)


class Trick:
    """The plays of one trick in order; those before index `pulled_at` were returned by a pull."""

    __slots__ = ("codes", "leader", "pulled_at", "seats", "taker")

    def __init__(self, leader: Seat) -> None:
        self.leader = leader
        self.seats: list[Seat] = []
        self.codes: list[MoveCode] = []
        self.pulled_at = 0
        self.taker: Seat | None = None

    def moves(self) -> Iterator[tuple[Seat, Move]]:
        """Each play with its seat."""
        return zip(self.seats, map(Move.from_code, self.codes), strict=True)

    def clone(self) -> "Trick":
        """An independent copy."""
        copy = Trick(self.leader)
        copy.seats = self.seats[:]
        copy.codes = self.codes[:]
        copy.pulled_at = self.pulled_at
        copy.taker = self.taker
        return copy


class Game:
    """One game from the deal to the last trick; `view(seat)` is what a seat may know, all other attributes are the referee's.

    hands: four masks by seat. turn: the seat that has to lead or to answer the lead. tricks: the last one is current.
    card_points and tricks_taken: by team. shown_to: views of complete tricks by seat, kept because they never change.
    """

    __slots__ = (
        "_order",
        "_pullers",
        "_stock",
        "_stock_at",
        "_winner",
        "_winning",
        "card_points",
        "dealer",
        "hands",
        "indicator",
        "is_over",
        "rules",
        "shown_to",
        "tricks",
        "tricks_taken",
        "trump",
        "turn",
    )

    def __init__(
        self, rules: Rules, *, indicator: Card, hands: Sequence[Cards], stock: Sequence[Card], dealer: Seat, leader: Seat
    ) -> None:
        """A position at the start of a trick, as after a deal or late in a game.

        hands: four disjoint sets of equal size, 1..4 cards. stock: the rest from the top, a multiple of 4 cards, empty
        unless all hands have 4. Raises RulesError when they are not so.
        """
        sizes = {hand.bit_count() for hand in hands}
        union = 0
        for hand in hands:
            union |= hand
        total = 4 * max(sizes, default=0)
        if len(hands) != 4 or len(sizes) != 1 or union.bit_count() != total or not 0 < total <= 16 or union & ~FULL_DECK:
            raise RulesError("the four hands must be disjoint and of one size, 1 to 4 cards")
        if (
            len(stock) % 4
            or (stock and total < 4 * HAND_SIZE)
            or any(not 0 <= card < DECK_SIZE or union >> card & 1 for card in stock)
            or len(set(stock)) != len(stock)
        ):
            raise RulesError(
                "the stock must be a multiple of 4 cards, none of them in a hand, and empty when hands are not full"
            )
        self.rules = rules
        self.indicator = indicator
        self.trump: Suit = suit_of(indicator)
        self.dealer = dealer
        self.hands = list(hands)
        self._stock = tuple(stock)
        self._stock_at = 0
        self.card_points = [0, 0]
        self.tricks_taken = [0, 0]
        self.tricks: list[Trick] = []
        self.shown_to: tuple[list[TrickView], ...] = ([], [], [], [])
        self.is_over = False
        self.turn: Seat = leader
        self._order: list[Seat] = []
        self._pullers: tuple[Seat, ...] = ()
        self._winner: Seat = leader
        self._winning: Cards = 0
        self._begin_trick(leader)

    @classmethod
    def from_deal(cls, rules: Rules, deal: Deal, *, dealer: Seat, leader: Seat) -> "Game":
        """A new game. leader: the seat after the dealer in a match's first game, then the taker of the last trick."""
        return cls(rules, indicator=deal.indicator, hands=deal.hands(dealer), stock=deal.stock, dealer=dealer, leader=leader)

    @property
    def to_move(self) -> Seat:
        """The seat whose answer `advance` takes next; when a pull is offered, the first that has not answered."""
        return self._order[0] if self._order else self.turn

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats to be asked at the same time now: those offered a pull, or the one to play; none after the game."""
        if self.is_over:
            return ()
        return tuple(self._order) or (self.turn,)

    @property
    def is_offer(self) -> bool:
        """Whether a pull is being offered."""
        return bool(self._order)

    @property
    def stock_count(self) -> int:
        """Cards left in the stock, 0..20."""
        return len(self._stock) - self._stock_at

    @property
    def stock(self) -> tuple[Card, ...]:
        """The cards left in the stock, top first."""
        return self._stock[self._stock_at :]

    @property
    def winning_cards(self) -> Cards:
        """The cards that have to be beaten in this trick; 0 before the lead."""
        return self._winning

    @property
    def winning_seat(self) -> Seat:
        """Who takes the trick as it stands; before the lead, who has it."""
        return self._winner

    def legal_codes(self, seat: Seat | None = None) -> list[MoveCode]:
        """The legal moves of `seat` (one of `asked`; default: `to_move`) as codes, sorted and unique; empty after the game."""
        if self.is_over:
            return []
        if self._order:
            hand = self.hands[self._order[0] if seat is None else seat]
            return [PULL_CODE | hand, PASS_CODE]
        if not self._winning:
            return leads(self.hands[self.turn], self.rules.max_lead)
        return answers(self.hands[self.turn], self._winning, self.trump)

    def legal_moves(self, seat: Seat | None = None) -> tuple[Move, ...]:
        """The same as moves."""
        return tuple(map(Move.from_code, self.legal_codes(seat)))

    def apply(self, seat: Seat, move: Move) -> None:
        """Play a move after checking it. Raises IllegalMoveError when it is not this seat's turn or the move is not legal."""
        if self.is_over:
            raise IllegalMoveError("the game is over")
        if seat != self.to_move:
            raise IllegalMoveError(f"seat {seat} cannot move: seat {self.to_move} is to move")
        code = move.code
        if code not in self.legal_codes():
            raise IllegalMoveError(f"seat {seat} cannot {move}: it is not legal here")
        self.advance(code)

    def advance(self, code: MoveCode) -> None:
        """Play the move of `to_move` without checking it: `code` must be one of `legal_codes()`."""
        if code == PASS_CODE:
            del self._order[0]
            return
        kind = code >> DECK_SIZE
        cards = code & FULL_DECK
        if kind == _PULL:
            self._pull(cards)
            return
        seat = self.turn
        trick = self.tricks[-1]
        trick.seats.append(seat)
        trick.codes.append(code)
        self.hands[seat] ^= cards
        if kind != _DISCARD:
            self._winning = cards
            self._winner = seat
        self.turn = NEXT_SEAT[seat]
        if len(trick.codes) - trick.pulled_at == 4:
            self._end_trick(trick)
        elif self._pullers and self.rules.pull is Pull.ANY_TIME:
            self._offer(trick)

    def view(self, seat: Seat) -> View:
        """What this seat may know now."""
        return view_of(self, seat)

    def clone(self) -> "Game":
        """An independent copy, for search."""
        copy = Game.__new__(Game)
        copy.rules = self.rules
        copy.indicator = self.indicator
        copy.trump = self.trump
        copy.dealer = self.dealer
        copy.hands = self.hands[:]
        copy._stock = self._stock
        copy._stock_at = self._stock_at
        copy.card_points = self.card_points[:]
        copy.tricks_taken = self.tricks_taken[:]
        copy.tricks = [*self.tricks[:-1], self.tricks[-1].clone()]
        copy.shown_to = ([], [], [], [])
        copy.is_over = self.is_over
        copy._order = self._order[:]
        copy._pullers = self._pullers
        copy._winner = self._winner
        copy._winning = self._winning
        copy.turn = self.turn
        return copy

    def _begin_trick(self, leader: Seat) -> None:
        self.turn = leader
        self._winner = leader
        self._winning = 0
        trick = Trick(leader)
        self.tricks.append(trick)
        self._pullers = ()
        rules = self.rules
        if rules.pull is not Pull.OFF and self.hands[leader].bit_count() == HAND_SIZE:
            self._pullers = self._four_of_a_suit(leader)
            if self._pullers:
                self._order = list(self._pullers)

    def _four_of_a_suit(self, leader: Seat) -> tuple[Seat, ...]:
        """The seats that may pull in this trick, in the order of their right; hands do not change before they play."""
        suits = FULL_DECK if self.rules.pull_suits is PullSuits.ANY else SUIT_MASKS[self.trump]
        found = []
        seat = NEXT_SEAT[leader]
        while seat != leader:
            hand = self.hands[seat]
            if is_one_suit(hand) and not hand & ~suits:
                found.append(seat)
            seat = NEXT_SEAT[seat]
        return tuple(found)

    def _offer(self, trick: Trick) -> None:
        """Offer the pull again after a play, unless the trick was opened with four cards."""
        if (trick.codes[0] & FULL_DECK).bit_count() < HAND_SIZE:
            self._order = [seat for seat in self._pullers if seat not in trick.seats]

    def _pull(self, cards: Cards) -> None:
        seat = self._order[0]
        self._order = []
        self._pullers = ()
        trick = self.tricks[-1]
        for owner, code in zip(trick.seats, trick.codes, strict=True):
            self.hands[owner] |= code & FULL_DECK
        trick.pulled_at = len(trick.codes)
        trick.seats.append(seat)
        trick.codes.append(PULL_CODE | cards)
        self.hands[seat] ^= cards
        self._winning = cards
        self._winner = seat
        self.turn = NEXT_SEAT[seat]

    def _end_trick(self, trick: Trick) -> None:
        taker = self._winner
        trick.taker = taker
        team = TEAM_OF_SEAT[taker]
        pile = 0
        for code in trick.codes[trick.pulled_at :]:
            pile |= code & FULL_DECK
        self.card_points[team] += points_of(pile)
        self.tricks_taken[team] += 1
        hands = self.hands
        at = self._stock_at
        if at < len(self._stock):
            stock = self._stock
            wanted = 4 * (HAND_SIZE - hands[0].bit_count())
            end = min(at + wanted, len(stock))
            seat = taker
            for card in stock[at:end]:
                hands[seat] |= 1 << card
                seat = NEXT_SEAT[seat]
            self._stock_at = end
        if hands[0]:
            self._begin_trick(taker)
        else:
            self.is_over = True
            self.turn = taker
