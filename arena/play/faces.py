"""Cards as text for the screen: on paper of their own, so that they look the same on a dark and on a light table.

A suit is told by its sign, by its letter, and by one of four inks that people with any kind of colour vision tell apart.
"""

from textual.content import Content

from arena.rules.cards import RANK_NAMES, RANKS, SUIT_LETTERS, Card, Cards, Suit, iter_cards
from arena.rules.moves import MoveKind
from arena.rules.options import Discards, Rules
from arena.rules.view import PlayView
from arena.show.console import FULL_GLYPHS

PAPER = "#f7f3e6"
PAPER_CHOSEN = "#ffd75e"
PAPER_SHADED = "#dad6c8"
INKS = ("#005f46", "#0b4f96", "#a81c14", "#141418")
"""By suit: bluish green, blue, vermilion, black."""
BACK = "#eef3fa on #2c4f7c"
"""The back of a card, and the face of one that lies face down and that the viewer knows."""
_HIDDEN = "░"


def card_name(card: Card) -> str:
    """A card as it is printed: `10♥`."""
    return RANK_NAMES[card % RANKS] + suit_sign(suit_index(card))


def suit_index(card: Card) -> Suit:
    """The suit of a card."""
    return Suit(card // RANKS)


def suit_sign(suit: Suit) -> str:
    """One of ♣♦♥♠."""
    return FULL_GLYPHS.suits[suit]


def suit_letter(suit: Suit) -> str:
    """One of CDHS."""
    return SUIT_LETTERS[suit]


def ink(card: Card, paper: str = PAPER) -> str:
    """The style of a card's print."""
    return f"bold {INKS[suit_index(card)]} on {paper}"


def names(cards: Cards) -> Content:
    """The cards on one line: `10♥ A♠`."""
    return Content(" ").join(Content.styled(card_name(card), ink(card)) for card in iter_cards(cards))


def backs(count: int) -> Content:
    """So many cards from behind, on one line."""
    return Content(" ").join([Content.styled(_HIDDEN * 2, BACK)] * count)


def played(play: PlayView, rules: Rules) -> Content:
    """What was laid, on one line; cards that lie face down are on their backs."""
    if not is_face_down(play, rules):
        return names(play.cards)
    if not play.cards:
        return backs(play.count)
    return Content(" ").join(Content.styled(card_name(card), f"bold {BACK}") for card in iter_cards(play.cards))


def chips(play: PlayView, rules: Rules) -> Content:
    """What was laid, on two lines, as small cards with their suit's letter."""
    if is_face_down(play, rules):
        if not play.cards:
            line = Content(" ").join([Content.styled(_HIDDEN * 5, BACK)] * play.count)
            return Content("\n").join([line, line])
        return _two_lines(play.cards, face_down=True)
    return _two_lines(play.cards, face_down=False)


def is_face_down(play: PlayView, rules: Rules) -> bool:
    """Whether a play lies face down."""
    return play.kind is MoveKind.DISCARD and rules.discards is Discards.HIDDEN


def _two_lines(cards: Cards, *, face_down: bool) -> Content:
    top, bottom = [], []
    for card in iter_cards(cards):
        style = f"bold {BACK}" if face_down else ink(card)
        top.append(Content.styled(f"{card_name(card):^5}", style))
        bottom.append(Content.styled(f"{suit_letter(suit_index(card)):^5}", style))
    return Content("\n").join([Content(" ").join(top), Content(" ").join(bottom)])
