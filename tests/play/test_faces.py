"""Cards can be told apart and read, on whatever they lie."""

from itertools import combinations

import pytest
from textual.color import Color

from arena.play.faces import BACK, INKS, PAPER, PAPER_CHOSEN, PAPER_SHADED, card_name, chips
from arena.play.themes import DARK, LIGHT
from arena.rules.cards import CARD_NAMES, SUIT_LETTERS
from arena.rules.moves import MoveKind
from arena.rules.options import Discards, Rules
from arena.rules.view import PlayView

READABLE = 4.5
"""Contrast that the web's accessibility guidelines ask for of text."""


def luminance(colour: Color) -> float:
    """Relative luminance, by the formula of those guidelines."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(Color.parse(one)), luminance(Color.parse(two))))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("paper", [PAPER, PAPER_CHOSEN, PAPER_SHADED])
@pytest.mark.parametrize("ink", INKS)
def test_every_ink_is_readable_on_every_paper(ink: str, paper: str) -> None:
    assert contrast(ink, paper) >= READABLE


def test_words_are_readable_on_both_tables() -> None:
    assert contrast(*BACK.split(" on ")) >= READABLE
    for theme in (DARK, LIGHT):
        for words in (theme.foreground, theme.accent, theme.warning, theme.error, theme.success):
            for ground in (theme.background, theme.surface, theme.panel):
                assert words is not None
                assert ground is not None
                assert contrast(words, ground) >= READABLE, (theme.name, words, ground)


def test_a_suit_has_a_sign_and_a_letter_besides_its_ink() -> None:
    """A play that lies face up names each card once, with the letter of its suit below the sign."""
    for one, two in combinations(range(36), 2):
        assert card_name(one) != card_name(two)
    for card, name in enumerate(CARD_NAMES):
        text = chips(PlayView(seat=0, kind=MoveKind.LEAD, count=1, cards=1 << card, returned=False), Rules()).plain
        top, bottom = text.split("\n")
        assert top.strip() == card_name(card)
        assert bottom.strip() == name[-1] == SUIT_LETTERS[card // 9]


def test_a_discard_is_on_its_back_unless_the_rules_have_it_open() -> None:
    hidden = PlayView(seat=1, kind=MoveKind.DISCARD, count=2, cards=0, returned=False)
    shown = PlayView(seat=1, kind=MoveKind.DISCARD, count=1, cards=1, returned=False)
    assert not any(letter in chips(hidden, Rules()).plain for letter in SUIT_LETTERS)
    assert [line.split() for line in chips(hidden, Rules()).plain.split("\n")] == [["░░░░░"] * 2] * 2
    styles = [chips(shown, Rules(discards=discards)).spans[0].style for discards in (Discards.HIDDEN, Discards.OPEN)]
    assert BACK in str(styles[0])
    assert PAPER in str(styles[1])
