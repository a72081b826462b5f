"""A match on the screen: takes what happens from a feed and shows it at a speed that people can follow."""

import asyncio
import signal
import sys
from abc import abstractmethod
from collections.abc import Awaitable, Callable
from typing import ClassVar, TypeAlias

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Footer, Static
from textual.worker import Worker, WorkerCancelled

from arena.errors import HostError
from arena.play.feed import Event, Failed, Feed, FeedObserver, GameBegan, GameEnded, MatchEnded, Played, Question
from arena.play.history import Place, history, note, place_of
from arena.play.players import Players
from arena.play.scene import Scene, end_of_trick
from arena.play.screens import Confirm, Help, help_words
from arena.play.table import Table
from arena.play.themes import DARK, LIGHT
from arena.records.model import Fault, MatchRecord
from arena.referee.observer import Observer
from arena.rules.cards import Seat
from arena.rules.match import MatchScore
from arena.rules.moves import MoveKind
from arena.rules.options import Rules
from arena.show.console import Printer
from arena.show.text import shortened

PlayMatch: TypeAlias = Callable[[int, Observer], Awaitable[MatchRecord]]
"""Plays the match with this number, from 0, and tells the observer of it."""
_REASON_CELLS = 60


class TableApp(App[None]):
    """The screen around a table. `run_to_end` is the way to start it.

    play: is called in the event loop of the screen. feed: where its questions come, if a person sits at the table. seconds: how
    long a play stays before the next is shown. scene: what is on the table. records: of the matches that are over. error: what
    a match raised.
    """

    CSS = """
    #score { height: 1; padding: 0 1; background: $panel; color: $foreground; text-wrap: nowrap; text-overflow: ellipsis; }
    #middle { height: 1fr; }
    #history { width: 28; padding: 0 1; background: $surface; scrollbar-size: 1 1; }
    Screen.-narrow #history { display: none; }
    Screen.-wide #history { width: 40; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-usual"), (110, "-wide")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "Leave"),
        Binding("ctrl+q,ctrl+c", "leave", show=False),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("t", "toggle_theme", "Light/dark"),
        Binding("pageup", "scroll_history(-1)", show=False),
        Binding("pagedown", "scroll_history(1)", show=False),
    ]
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = ()
    """For the help: each key with what it does."""

    def __init__(self, *, play: PlayMatch, feed: Feed, players: Players, rules: Rules, seconds: float) -> None:
        super().__init__()
        self._play = play
        self._players = players
        self._rules = rules
        self._seconds = seconds
        self._feed = feed
        self._observer = FeedObserver(feed, viewer=players.viewer)
        self._go_on = asyncio.Event()
        self._shown_at = 0.0
        self.scene: Scene | None = None
        self._game = 0
        self._score: MatchScore | None = None
        self._notes: dict[Place, list[Content]] = {}
        self._work: list[Worker[None]] = []
        self._is_playing = True
        self._is_interrupted = False
        self.records: list[MatchRecord] = []
        self.error: Exception | None = None

    async def run_to_end(self) -> None:
        """Show the table until the person leaves; afterwards no match is being played.

        Raises what a match raised, HostError when the screen failed, and KeyboardInterrupt when a signal ended it; in all cases
        the terminal is as it was before.
        """
        loop = asyncio.get_running_loop()
        signals = () if sys.platform == "win32" else (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = [signal.getsignal(number) for number in signals]
        for number in signals:
            loop.add_signal_handler(number, self._interrupt)
        try:
            await self.run_async()
        finally:
            await self.end_match()
            for number, handler in zip(signals, before, strict=True):
                loop.remove_signal_handler(number)
                signal.signal(number, handler)
        if self._is_interrupted:
            raise KeyboardInterrupt
        if self.error is not None:
            raise self.error
        if self.return_code:
            raise HostError("the screen broke down by a bug of ours; what is printed above says where")

    def _interrupt(self) -> None:
        self._is_interrupted = True
        if self._work:  # otherwise the screen is still being made, which has to come to its end
            self.exit()

    async def end_match(self) -> None:
        """Break off what is being played, and wait until that is over; Textual cancels its workers and goes."""
        for worker in self._work:
            worker.cancel()
        for worker in self._work:
            try:
                await worker.wait()
            except WorkerCancelled:
                continue

    def compose(self) -> ComposeResult:
        """The score, the table, what was played, what the person can do, and the keys."""
        yield Static(id="score")
        with Horizontal(id="middle"):
            yield Table(players=self._players, rules=self._rules)
            with VerticalScroll(id="history", can_focus=False):
                yield Static(id="plays")
        yield from self.compose_panel()
        yield Footer()

    @abstractmethod
    def compose_panel(self) -> ComposeResult:
        """What is below the table."""

    @abstractmethod
    def show_prompt(self, words: Content) -> None:
        """Show what is going on."""

    @abstractmethod
    async def hold(self, seconds: float) -> None:
        """Leave what is on the table there for so long, or for as long as the person wants."""

    @abstractmethod
    async def hold_trick(self) -> None:
        """The same when a trick is complete, or was pulled."""

    @abstractmethod
    async def show_game_end(self, event: GameEnded) -> None:
        """Show how a game ended, until that was read."""

    @abstractmethod
    async def show_match_end(self, event: MatchEnded) -> bool:
        """Show how the match ended; whether there is another one."""

    def on_mount(self) -> None:
        """Begin to play, and to show it."""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = DARK.name
        self.show_prompt(Content("The bots are being started."))
        self._work = [
            self.run_worker(self._guarded(self._play_matches), exit_on_error=False),
            self.run_worker(self._guarded(self._show_all), exit_on_error=False),
        ]
        if self._is_interrupted:
            self.exit()

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """What goes wrong in a worker ends the screen, and is raised where the command line deals with it."""
        try:
            await work()
        except Exception as error:
            self.error = self.error or error
            self.exit()

    async def _play_matches(self) -> None:
        record = await self._play(len(self.records), self._observer)
        self.records.append(record)
        self._feed.put_nowait(MatchEnded(record))

    async def _show_all(self) -> None:
        while True:
            event = await self._feed.get()
            await self._show(event)
            if isinstance(event, MatchEnded):
                self._is_playing = False
                if not await self.show_match_end(event):
                    self.exit()
                    return
                self._is_playing = True
                self.show_prompt(Content("The next match begins."))
                self._work.append(self.run_worker(self._guarded(self._play_matches), exit_on_error=False))

    async def _show(self, event: Event) -> None:
        match event:
            case GameBegan(scene, score):
                self._score = score
                self._game = score.game + 1
                self._notes.clear()
                self._draw(scene)
                self.show_prompt(Content(f"Game {self._game}. {self._turn_in_words(scene)}"))
            case Played(scene):
                await self._show_play(scene)
            case GameEnded():
                self._score = event.score
                self._show_score()
                await self.show_game_end(event)
            case Failed(fault):
                self._note_fault(fault)
            case Question():
                self.show_question(event)
            case MatchEnded():
                pass

    def show_question(self, question: Question) -> None:
        """Have a person answer; without one nobody is asked."""

    async def _show_play(self, scene: Scene) -> None:
        before = self.scene
        last = _last_seat(before, scene)
        if not self._players.is_viewer(last):
            await self.hold(self._shown_at + self._seconds - self._time())
        end = end_of_trick(before, scene) if before is not None else None
        if end is not None and end.trick.taker is not None:
            self._draw(end)
            self.show_prompt(Content(f"{self._players.verb(end.trick.taker, 'take')} the trick."))
            await self.hold_trick()
            self._draw(scene)
            self.show_prompt(Content(self._turn_in_words(scene)))
            return
        self._draw(scene)
        if scene.trick.plays[-1].kind is not MoveKind.PULL:
            self.show_prompt(Content(self._turn_in_words(scene)))
            return
        is_first = len(scene.trick.plays) == 1
        what = "leads out of turn" if is_first else "what was laid goes back to its owners"
        self.show_prompt(Content(f"{self._players.verb(last, 'pull')}: {what}."))
        await self.hold_trick()
        self.show_prompt(Content(self._turn_in_words(scene)))

    def _draw(self, scene: Scene) -> None:
        self.scene = scene
        self._shown_at = self._time()
        self.query_one(Table).show(scene)
        plays = history(scene, players=self._players, rules=self._rules, notes=self._notes)
        self.query_one("#plays", Static).update(plays)
        self.query_one("#history", VerticalScroll).scroll_end(animate=False)
        self._show_score()
        self.draw_hand(scene)

    def draw_hand(self, scene: Scene) -> None:
        """Show the hand of the viewer below the table; a spectator has none."""

    def _show_score(self) -> None:
        score, scene = self._score, self.scene
        if score is None or scene is None:
            return
        words = Content.assemble(
            (f"Game {self._game}", "bold"),
            f"   {self._players.verb(scene.dealer, 'deal')}   Defeat points ",
            (self._players.score(score.defeat_points), "bold"),
            f", {self._rules.match_target} lose",
            (f"   stake ×{score.stake}", "bold $warning") if score.stake > 1 else "",  # noqa: RUF001
            f"   eggs {score.eggs}" if score.eggs else "",
        )
        self.query_one("#score", Static).update(words)

    def _turn_in_words(self, scene: Scene) -> str:
        if scene.turn is None or self._players.is_viewer(scene.turn):
            return ""
        verb = "lead" if scene.trick.winning_play is None else "answer"
        return f"{self._players.label(scene.turn)} is to {verb}."

    def _note_fault(self, fault: Fault) -> None:
        """Only our own words of it: the others may tell a player what a bot holds."""
        words = shortened(Printer("utf-8").whole(fault.detail), _REASON_CELLS)
        text = f"{self._players.label(fault.seat)}: {fault.kind.replace('_', ' ')}, {words}"
        scene = self.scene
        if scene is not None:
            self._notes.setdefault(place_of(scene), []).append(note(text))
            self._draw(scene)
        self.notify(text, title="A bot failed", severity="warning", markup=False)

    def _time(self) -> float:
        return asyncio.get_running_loop().time()

    async def wait_for_key(self, seconds: float | None) -> None:
        """Wait until the person wants to go on, or for so long."""
        self._go_on.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._go_on.wait()
        except TimeoutError:
            return

    def action_go_on(self) -> None:
        """Go on at once."""
        self._go_on.set()

    def action_help(self) -> None:
        """Show the keys and the rules."""
        keys = (*self.KEYS, ("PgUp  PgDn", "scroll what was played"), ("t  q", "light or dark; leave"))
        self.push_screen(Help(help_words(keys)))

    def action_toggle_theme(self) -> None:
        """Light or dark."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def action_scroll_history(self, pages: int) -> None:
        """Scroll what was played."""
        box: Widget = self.query_one("#history")
        if pages < 0:
            box.scroll_page_up()
        else:
            box.scroll_page_down()

    def action_leave(self) -> None:
        """Leave; in the middle of a match only when that is meant."""
        if not self._is_playing:
            self.exit()
            return

        def leave(is_meant: bool | None) -> None:
            if is_meant:
                self.exit()

        self.push_screen(Confirm("Leave in the middle of the match? It is not kept.", yes="Leave", no="Stay"), leave)


def _last_seat(before: Scene | None, after: Scene) -> Seat:
    """Who played between two scenes."""
    trick = after.sight.tricks[len(before.sight.tricks) - 1] if before is not None else after.trick
    return trick.plays[-1].seat
