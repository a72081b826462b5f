"""Text of others: nothing in it may act on the terminal, and everything people write names with stays."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.show.text import fenced, folded, harmless, is_right_to_left, shortened

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
KISS = "\U0001f469\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3fd"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
RAINBOW = "\U0001f3f3\ufe0f\u200d\U0001f308"


@pytest.mark.parametrize(
    "text",
    [
        "Wild Goats",
        "Козлы и бараны",
        "עִזִּים פְּרָאִיּוֹת",  # with points
        "ماعز",
        "نمی\u200cخواهم",  # with a non-joiner  # noqa: RUF001
        "야생 염소",
        "山羊",
        "Zoe\u0308",
        "Việt e\u0302\u0301",  # two marks on one letter
        f"{FAMILY} {KISS} {ENGLAND} {RAINBOW} \U0001f1ee\U0001f1f1 1\ufe0f\u20e3 \U0001f410",
        "[red]not markup[/red] :goat: {x} %s",
        "",
    ],
)
def test_names_in_every_script_stay_as_they_are(text: str) -> None:
    assert harmless(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("two\nlines\r\tand\0", "two\\nlines\\r\\tand\\x00"),
        ("\x9b31m", "\\x9b31m"),
        ("\x7f\x85", "\\x7f\\x85"),
        ("a\u202eb", "a\\u202eb"),
        ("\u2066a\u2069", "\\u2066a\\u2069"),
        ("a\u200fb", "a\\u200fb"),
        ("a\u2028b\u2029", "a\\u2028b\\u2029"),
        ("a\u200bb\u2060c\ufeff\u00ad", "a\\u200bb\\u2060c\\ufeff\\xad"),
        ("\ud800", "\\ud800"),
        ("\ue000", "\\ue000"),
        ("a\U000e0041b", "a\\U000e0041b"),
        ("a\u200db\u200d", "ab"),  # joins nothing that can be joined
        ("\u0301a", "\u25cc\u0301a"),  # would sit on what stands before the name
        ("a" + "\u0301" * 30, "a" + "\u0301" * 4),  # would paint over the lines above
        ("a\u00a0b\u3000c", "a b c"),
    ],
)
def test_what_could_do_harm_is_shown_or_gone(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_endless_joining_ends() -> None:
    """A terminal may show a thousand joined emoji as a thousand; they must not be counted as one."""
    goats = "\u200d".join(["\U0001f410"] * 1000)
    toned = "\u200d".join(["\U0001f469\U0001f3fd"] * 1000)
    for text in (goats, toned):
        assert harmless(text).count("\u200d") <= 4


def test_unknown_letters_of_the_encoding_are_spelled() -> None:
    assert harmless("Zoë Козлы", encoding="ascii") == "Zo\\xeb \\u041a\\u043e\\u0437\\u043b\\u044b"
    assert harmless("Zoë Козлы", encoding="cp1251") == "Zo\\xeb Козлы"


@given(st.text())
def test_no_text_at_all_has_controls_or_leads_with_a_mark(text: str) -> None:
    shown = harmless(text)
    for index, character in enumerate(shown):
        category = unicodedata.category(character)
        assert category not in ("Cc", "Cs", "Zl", "Zp", "Co")
        assert unicodedata.bidirectional(character) not in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        assert index or category not in ("Mn", "Me")
    assert len(shown.splitlines()) <= 1
    shown.encode()


@given(st.text(), st.sampled_from(["ascii", "cp1251", "iso8859-8", "utf-8"]))
def test_every_text_can_be_written_in_its_encoding(text: str, encoding: str) -> None:
    harmless(text, encoding=encoding).encode(encoding)


@given(st.text(), st.integers(4, 30))
def test_shortened_text_fits(text: str, cells: int) -> None:
    text = harmless(text)
    short = shortened(text, cells)
    assert cell_len(short) <= cells
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))


@given(st.text(alphabet=st.sampled_from("ab Козה山🐐\u0301")), st.integers(4, 20), st.integers(1, 4))
def test_folded_text_fits_and_loses_nothing_but_its_end(text: str, cells: int, lines: int) -> None:
    text = harmless(text)
    pieces = folded(text, cells, lines=lines)
    assert 1 <= len(pieces) <= lines
    assert all(cell_len(piece) <= cells for piece in pieces)
    letters = "".join(pieces).replace(" ", "")
    whole = text.replace(" ", "")
    assert letters == whole or (letters.endswith("…") and whole.startswith(letters[:-1]))


def test_folds_between_words() -> None:
    assert folded("Wild Goats of the hills", 11, lines=3) == ["Wild Goats", "of the", "hills"]
    assert folded("Wild Goats of the hills", 11, lines=2) == ["Wild Goats", "of the hil…"]


def test_never_cuts_an_emoji_or_a_letter_in_two() -> None:
    assert shortened(FAMILY * 3, 5) == FAMILY * 2 + "…"
    assert shortened("e\u0301" * 9, 4) == "e\u0301" * 3 + "…"
    assert folded(FAMILY * 3, 4, lines=2) == [FAMILY * 2, FAMILY]


def test_right_to_left_names_are_fenced_and_no_others() -> None:
    assert is_right_to_left("a עז")
    assert is_right_to_left("ماعز")
    assert fenced("עז") == "\u200eעז\u200e"
    assert fenced("Козлы 🐐 12") == "Козлы 🐐 12"
    assert cell_len(fenced("עז")) == 2
