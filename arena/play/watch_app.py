"""The screen of somebody who watches bots play."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from arena.play.app import PlayMatch, TableApp
from arena.play.feed import Feed, GameEnded, MatchEnded
from arena.play.players import Players
from arena.play.result import game_result, match_result
from arena.play.screens import Notice
from arena.rules.options import Rules

_FASTER = 1.5
_FASTEST_SECONDS, _SLOWEST_SECONDS = 0.05, 30.0
_TRICK = 2.0
"""How many times as long as a play a complete trick stays."""


class WatchApp(TableApp):
    """Shows a match with all hands open, at a speed that can be changed. seconds: more than 0."""

    TITLE = "arena watch"
    DEFAULT_CSS = """
    #panel { height: 2; padding: 0 2; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause"),
        Binding("right,enter", "step", "Next"),
        Binding("plus,equals_sign", "speed(1)", "Faster", key_display="+"),
        Binding("minus", "speed(-1)", "Slower", key_display="-"),
    ]
    KEYS = (
        ("Space", "pause, and go on"),
        ("→", "show the next play at once"),
        ("+  -", "faster, slower"),
    )

    def __init__(self, *, play: PlayMatch, feed: Feed, players: Players, rules: Rules, seconds: float) -> None:
        super().__init__(play=play, feed=feed, players=players, rules=rules, seconds=seconds)
        self._is_paused = False
        self._is_step = False
        self._words = Content("")

    def compose_panel(self) -> ComposeResult:
        """Two lines."""
        with Vertical(id="panel"):
            yield Static(id="prompt")
            yield Static(id="speed")

    def on_mount(self) -> None:
        """Show the speed."""
        self._show_speed()

    def show_prompt(self, words: Content) -> None:
        """On the first of the lines."""
        self.query_one("#prompt", Static).update(words)

    async def hold(self, seconds: float) -> None:
        """At the speed that is set; when paused, until the next play is wanted."""
        while True:
            if self._is_paused:
                await self.wait_for_key(None)
            elif seconds > 0:
                await self.wait_for_key(seconds)
            if self._is_step or not self._is_paused:
                self._is_step = False
                return

    async def hold_trick(self) -> None:
        """Longer than a play."""
        await self.hold(self._seconds * _TRICK)

    async def show_game_end(self, event: GameEnded) -> None:
        """In the place of the prompt, as long as a trick."""
        result = event.result
        words = game_result(event.result, event.score, players=self._players, rules=self._rules)
        self.show_prompt(Content.assemble(words.first_line, f"  points {self._players.score(result.card_points)}"))
        await self.hold_trick()

    async def show_match_end(self, event: MatchEnded) -> bool:
        """Until it was read."""
        await self.push_screen_wait(Notice(match_result(event.record, players=self._players), go_on="Close"))
        return False

    def action_pause(self) -> None:
        """Pause, or go on."""
        self._is_paused = not self._is_paused
        self._show_speed()
        self.action_go_on()

    def action_step(self) -> None:
        """Show what comes next at once."""
        self._is_step = True
        self.action_go_on()

    def action_speed(self, direction: int) -> None:
        """Faster or slower."""
        seconds = self._seconds * _FASTER**-direction
        self._seconds = min(max(seconds, _FASTEST_SECONDS), _SLOWEST_SECONDS)
        self._show_speed()

    def _show_speed(self) -> None:
        words = "Paused: → shows the next play, space goes on" if self._is_paused else f"{1 / self._seconds:.1f} plays a second"
        self.query_one("#speed", Static).update(Content.styled(words, "$text-muted"))
