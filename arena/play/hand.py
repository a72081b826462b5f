"""The viewer's own hand: four cards to be chosen from with the mouse."""

from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from arena.play.choice import Choice
from arena.play.faces import PAPER, PAPER_CHOSEN, PAPER_SHADED, ink, suit_index, suit_letter, suit_sign
from arena.rules.cards import HAND_SIZE, RANK_NAMES, RANKS, Card, Cards, iter_cards

BEATS = "▲"
"""On a card that can be part of a beat."""
_WIDTH = 7


class HandCard(Static):
    """One card; it is empty when the hand has fewer."""

    @dataclass
    class Picked(Message):
        """The card was clicked."""

        card: Card

    def __init__(self, number: int) -> None:
        super().__init__(id=f"card{number}", classes="card")
        self._number = number
        self.card: Card | None = None

    def show(self, card: Card | None, choice: Choice | None) -> None:
        """Show a card, as it stands in a choice."""
        self.card = card
        self.display = card is not None
        if card is None:
            return
        bit = 1 << card
        is_chosen = choice is not None and bool(choice.chosen & bit)
        self.set_class(is_chosen, "chosen")
        self.update(card_face(card, number=self._number, choice=choice))

    def on_click(self, event: events.Click) -> None:
        """Pick it."""
        event.stop()
        if self.card is not None:
            self.post_message(self.Picked(self.card))


class Hand(Horizontal):
    """All cards of the viewer, in the order of the deck."""

    DEFAULT_CSS = """
    Hand {
        width: 34;
        height: 6;
        padding: 0 0 0 2;
        .card { width: 7; height: 4; margin: 1 1 0 0; }
        .card.chosen { margin: 0 1 0 0; }
    }
    """

    def compose(self) -> ComposeResult:
        """Four places."""
        for number in range(1, HAND_SIZE + 1):
            yield HandCard(number)

    def show(self, hand: Cards, choice: Choice | None) -> None:
        """Show a hand; choice: what the viewer puts together from it, None when it is not asked."""
        cards = list(iter_cards(hand))
        for place, widget in enumerate(self.query(HandCard)):
            widget.show(cards[place] if place < len(cards) else None, choice)

    def card_at(self, number: int) -> Card | None:
        """The card with this number, from 1."""
        return self.query_one(f"#card{number}", HandCard).card


def card_face(card: Card, *, number: int, choice: Choice | None) -> Content:
    """Three lines of a card, and its number below."""
    bit = 1 << card
    mark, paper = " ", PAPER
    if choice is not None and not choice.is_offer:
        if choice.chosen & bit:
            paper = PAPER_CHOSEN
        elif not choice.open_cards & bit:
            paper = PAPER_SHADED
        if choice.beating_cards & bit:
            mark = BEATS
    suit = suit_index(card)
    rank = RANK_NAMES[card % RANKS]
    style = ink(card, paper)
    lines = [f" {rank:<4}{mark} ", f"{suit_sign(suit) + ' ' + suit_letter(suit):^{_WIDTH}}", f"  {rank:>4} "]
    below = f"[{number}]"
    return Content("\n").join(
        [*(Content.styled(line, style) for line in lines), Content.styled(f"{below:^{_WIDTH}}", "$text-muted")]
    )
