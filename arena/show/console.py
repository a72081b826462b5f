"""Where things are printed: a terminal, a pipe or a file, in whatever encoding it has."""

from dataclasses import dataclass
from typing import IO

from rich.console import Console
from rich.text import Text

from arena.show.text import ELLIPSIS, fenced, folded, harmless, shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyphs:
    """The signs that not every encoding has. suits: in the order of the cards' numbers. hidden: a card laid face down."""

    suits: str
    hidden: str
    rule: str
    dash: str
    arrow: str
    ellipsis: str


FULL_GLYPHS = Glyphs(suits="♣♦♥♠", hidden="▒▒", rule="─", dash="–", arrow="→", ellipsis=ELLIPSIS)  # noqa: RUF001
ASCII_GLYPHS = Glyphs(suits="CDHS", hidden="##", rule="-", dash="-", arrow="=>", ellipsis="...")


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which knows the exit codes; called while the error is handled."""
        raise  # noqa: PLE0704


def open_console(stream: IO[str]) -> Console:
    """A console that prints text as it stands: no markup, no emoji codes, no colours of its own finding."""
    return _Console(file=stream, markup=False, emoji=False, highlight=False)


@dataclass(frozen=True, slots=True)
class Printer:
    """What a console's encoding can show, and text of others in it."""

    encoding: str

    @property
    def glyphs(self) -> Glyphs:
        """The full set where all of it can be encoded."""
        every = "".join((FULL_GLYPHS.suits, FULL_GLYPHS.hidden, FULL_GLYPHS.rule, FULL_GLYPHS.dash))
        try:
            (every + FULL_GLYPHS.arrow + FULL_GLYPHS.ellipsis).encode(self.encoding)
        except UnicodeEncodeError:
            return ASCII_GLYPHS
        return FULL_GLYPHS

    def whole(self, text: str) -> str:
        """Text of others, in full."""
        return self._fenced(harmless(text, encoding=self.encoding))

    def short(self, text: str, cells: int) -> str:
        """Text of others, at most this many cells wide."""
        return self._fenced(shortened(harmless(text, encoding=self.encoding), cells, ellipsis=self.glyphs.ellipsis))

    def lines(self, text: str, cells: int, *, lines: int) -> Text:
        """Text of others on at most so many lines of so many cells."""
        pieces = folded(harmless(text, encoding=self.encoding), cells, lines=lines, ellipsis=self.glyphs.ellipsis)
        return Text("\n".join(map(self._fenced, pieces)))

    def _fenced(self, text: str) -> str:
        # An encoding that has Hebrew but not the mark (ISO 8859-8 has both) does without.
        return fenced(text).encode(self.encoding, "ignore").decode(self.encoding)
