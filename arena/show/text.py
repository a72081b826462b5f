"""Text that others wrote, made fit to be printed: names of teams and bots, what a bot answered, what it wrote to stderr.

`harmless` is the one door: nothing that came from a file or a bot is printed without it. Widths are counted in cells of
the terminal, not in characters: a Hebrew point has none, an emoji has two.
"""

import re
import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len, split_graphemes

ELLIPSIS = "…"
_JOINER = "\u200d"
_DOTTED_CIRCLE = "\u25cc"
_LEFT_TO_RIGHT_MARK = "\u200e"
_MAX_MARKS = 4
"""Combining marks on one character: enough for pointed Hebrew, too few to paint over the lines above."""
_MAX_JOINERS = 4
"""Joiners in one emoji: enough for every family."""
_HARMFUL = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
"""Controls, formats, half surrogates, private use, line and paragraph separators."""
_NON_JOINER = "\u200c"
"""Persian is written with it."""
_FLAG_LETTERS = re.compile("[\U000e0020-\U000e007f]")
"""What follows a black flag and makes it another one."""
_BLACK_FLAG = "\U0001f3f4"
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_RIGHT_TO_LEFT = {"R", "AL", "AN"}


def harmless(text: str, *, encoding: str = "utf-8") -> str:
    """The text on one line, without anything that could move, recolour, reorder or hide what is printed around it.

    Controls, terminal escapes, direction overrides and other characters that are not seen come out as `\\x1b` or `\\u202e`;
    so does what `encoding` does not have. Letters of every script stay, and so do emoji with their joiners.
    """
    found: list[str] = []
    marks = joiners = 0
    for index, character in enumerate(text):
        category = unicodedata.category(character)
        if character == _JOINER:
            joiners += 1
            if joiners <= _MAX_JOINERS and _joins_emoji(text, index):
                found.append(character)
        elif category in _HARMFUL and character != _NON_JOINER and not _is_in_flag(character, found):
            found.append(character.encode("unicode-escape", "backslashreplace").decode("ascii"))
        elif category in ("Mn", "Me"):
            marks += 1
            if not found:
                found.append(_DOTTED_CIRCLE)
            if marks <= _MAX_MARKS:
                found.append(character)
            continue
        else:
            found.append(" " if category == "Zs" else character)
            if text[index - 1 : index] != _JOINER and not _SKIN_TONES.match(character):
                joiners = 0
        marks = 0
    return "".join(found).encode(encoding, "backslashreplace").decode(encoding)


def is_right_to_left(text: str) -> bool:
    """Whether some of it is written from right to left."""
    return any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text)


def fenced(text: str) -> str:
    """The text with marks around it where it runs from right to left, so that the numbers beside it stay where they are."""
    return f"{_LEFT_TO_RIGHT_MARK}{text}{_LEFT_TO_RIGHT_MARK}" if is_right_to_left(text) else text


def shortened(text: str, cells: int, *, ellipsis: str = ELLIPSIS) -> str:
    """The text, cut at the end to at most this many cells, with an ellipsis where something was cut."""
    if cell_len(text) <= cells:
        return text
    return next(_iter_chopped(text, cells - cell_len(ellipsis))).rstrip() + ellipsis


def folded(text: str, cells: int, *, lines: int, ellipsis: str = ELLIPSIS) -> list[str]:
    """The text on at most so many lines of so many cells, broken between words where possible; the last one is shortened."""
    found: list[str] = []
    words = text.split()
    while words and len(found) < lines - 1:
        line = words.pop(0)
        if cell_len(line) > cells:
            line, *rest = _iter_chopped(line, cells)
            words[:0] = ["".join(rest)]
        while words and cell_len(f"{line} {words[0]}") <= cells:
            line = f"{line} {words.pop(0)}"
        found.append(line)
    if words:
        found.append(shortened(" ".join(words), cells, ellipsis=ellipsis))
    return found or [""]


def _iter_chopped(text: str, cells: int) -> Iterator[str]:
    """Pieces of at most this many cells, or of one character where that alone is wider."""
    start = width = 0
    for begin, _, size in split_graphemes(text)[0]:
        if width + size > cells and begin > start:
            yield text[start:begin]
            start, width = begin, 0
        width += size
    yield text[start:]


def _is_in_flag(character: str, before: list[str]) -> bool:
    return bool(_FLAG_LETTERS.match(character) and before and (before[-1] == _BLACK_FLAG or _FLAG_LETTERS.match(before[-1])))


def _joins_emoji(text: str, index: int) -> bool:
    """Whether the joiner at this place stands between two emoji."""
    before = text[index - 1] if index else ""
    after = text[index + 1 : index + 2]
    return bool(after) and unicodedata.category(after) == "So" and bool(before) and _ends_emoji(before)


def _ends_emoji(character: str) -> bool:
    return unicodedata.category(character) == "So" or character == "\ufe0f" or bool(_SKIN_TONES.match(character))
