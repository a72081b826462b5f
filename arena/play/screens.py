"""What comes up before the table: the rules in short, a question, the end of a game."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static
from textual.widgets.button import ButtonVariant

_CSS = """
    {name} {{
        align: center middle;
        .box {{ width: auto; max-width: 76; height: auto; max-height: 22; }}
        .box {{ padding: 1 2; background: $panel; border: round $accent; }}
        .words {{ width: auto; max-width: 70; height: auto; }}
        .buttons {{ height: 1; margin-top: 1; width: auto; }}
        Button {{ margin-right: 2; }}
    }}
"""


class Confirm(ModalScreen[bool]):
    """A question with yes and no."""

    DEFAULT_CSS = _CSS.format(name="Confirm")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "dismiss(True)", "Yes"),
        Binding("n,escape,q", "dismiss(False)", "No"),
    ]

    def __init__(self, words: str, *, yes: str, no: str) -> None:
        super().__init__()
        self._words = words
        self._yes = yes
        self._no = no

    def compose(self) -> ComposeResult:
        """The words and two buttons."""
        with Vertical(classes="box"):
            yield Static(Content(self._words), classes="words")
            with Horizontal(classes="buttons"):
                yield plain_button(f"{self._yes} (y)", "yes", variant="warning")
                yield plain_button(f"{self._no} (n)", "no")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The same as the keys."""
        self.dismiss(event.button.id == "yes")


class Notice(ModalScreen[bool]):
    """Words, and one or two ways to go on: with True for the first."""

    DEFAULT_CSS = _CSS.format(name="Notice")
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "dismiss(True)", "Go on"), Binding("q", "leave", "Leave")]

    def __init__(self, words: Content, *, go_on: str, leave: str = "") -> None:
        super().__init__()
        self._words = words
        self._go_on = go_on
        self._leave = leave

    def compose(self) -> ComposeResult:
        """The words and the buttons."""
        with Vertical(classes="box"):
            yield Static(self._words, classes="words")
            with Horizontal(classes="buttons"):
                yield plain_button(f"{self._go_on} ⏎", "yes", variant="success")
                if self._leave:
                    yield plain_button(f"{self._leave} (q)", "no")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The same as the keys."""
        self.dismiss(event.button.id == "yes")

    def action_leave(self) -> None:
        """Only where that is offered."""
        if self._leave:
            self.dismiss(False)


class Help(ModalScreen[None]):
    """The keys and the rules in short."""

    DEFAULT_CSS = """
    Help {
        align: center middle;
        #help { width: 76; height: auto; max-height: 22; padding: 0 2; background: $panel; border: round $accent; }
        Static { height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q,question_mark", "dismiss(None)", "Close")]

    def __init__(self, words: Content) -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        """All of it in a box that scrolls where the screen is small."""
        with VerticalScroll(id="help"):
            yield Static(self._words)

    def on_click(self) -> None:
        """Close it."""
        self.dismiss(None)


def plain_button(label: str, name: str, *, variant: ButtonVariant = "default") -> Button:
    """A button on one line that never has the focus: all keys belong to the table."""
    button = Button(Content(label), id=name, variant=variant, compact=True)
    button.can_focus = False
    return button


def help_words(keys: tuple[tuple[str, str], ...]) -> Content:
    """keys: with what they do."""
    lines = [Content.styled("Keys", "bold $accent")]
    lines += [Content.assemble((f"{key:>10}  ", "bold"), what) for key, what in keys]
    lines += [Content(""), Content.styled("Kozel on 4 cards", "bold $accent"), *map(Content, _RULES)]
    return Content("\n").join(lines)


_RULES = (
    "Ranks from low to high: 6 7 8 9 J Q K 10 A. J counts 2, Q 3, K 4, 10 ten, A 11.",
    "The leader leads one to four cards of one suit. Clockwise, everybody beats all of them, each by a higher card of its suit "
    "or by a trump, or discards as many, face down. Nobody has to follow suit or to beat. Who beat last takes the trick, all "
    "draw back to four, and the taker leads.",
    "Pull: with four cards of one suit you may enter a trick out of turn. What was laid goes back, and you lead your four.",
    "Of 120 points, under 60 give 2 defeat points, under 31 4, no trick 6; 60 to 60 is eggs: none. Who has 12 has lost.",
)
