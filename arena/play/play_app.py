"""The screen of a person who plays."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from arena.play.app import PlayMatch, TableApp
from arena.play.choice import Choice
from arena.play.faces import names
from arena.play.feed import Feed, GameEnded, MatchEnded, Question
from arena.play.hand import BEATS, Hand, HandCard
from arena.play.players import Players
from arena.play.result import game_result, match_result
from arena.play.scene import Scene
from arena.play.screens import Notice, plain_button
from arena.rules.moves import MoveKind
from arena.rules.options import Rules

_KEYS = {
    MoveKind.LEAD: ("Lead", "l"),
    MoveKind.BEAT: ("Beat", "b"),
    MoveKind.DISCARD: ("Discard", "d"),
    MoveKind.PULL: ("Yes, pull", "y"),
    MoveKind.PASS: ("No", "n"),
}
"""What is on the button of a move, and its key."""
_FIRST = (MoveKind.LEAD, MoveKind.BEAT, MoveKind.DISCARD)
"""What Enter means, in this order. It never answers an offer: a key that was meant to go on must not pull."""
_GO_ON = "go-on"


class PlayApp(TableApp):
    """Shows what one seat sees, and has its person answer.

    is_fast: nothing waits, neither after plays nor after tricks. choice: the legal moves and what is chosen of them; None when
    nothing is asked.
    """

    TITLE = "arena play"
    DEFAULT_CSS = """
    #panel { height: 6; background: $surface; }
    #doing { width: 1fr; padding: 0 1; }
    #doing.offer { background: $warning 25%; }
    #prompt { height: 1fr; }
    #buttons { height: 1; }
    #buttons Button { margin-right: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"pick({number})", show=False) for number in range(1, 5)),
        *(Binding(key, f"answer('{kind.name}')", show=False) for kind, (_, key) in _KEYS.items()),
        Binding("enter,space", "first", show=False),
        Binding("escape", "clear", show=False),
    ]
    KEYS = (
        ("1 2 3 4", "choose cards, as a click does; Esc takes them back"),
        ("Enter", "lead; beat if the cards do, else discard; go on"),
        ("b  d", "beat, or discard the same cards face down"),
        ("y  n", "pull or not, when that is offered"),
    )

    def __init__(
        self, *, play: PlayMatch, feed: Feed, players: Players, rules: Rules, seconds: float, is_fast: bool = False
    ) -> None:
        super().__init__(play=play, feed=feed, players=players, rules=rules, seconds=seconds)
        self._is_fast = is_fast
        self._question: Question | None = None
        self.choice: Choice | None = None

    def compose_panel(self) -> ComposeResult:
        """The hand, what is asked, and the answers."""
        with Horizontal(id="panel"):
            yield Hand()
            with Vertical(id="doing"):
                yield Static(id="prompt")
                with Horizontal(id="buttons"):
                    for kind, (word, key) in _KEYS.items():
                        yield plain_button(f"{word} ({key})", kind.name.lower(), variant="primary")
                    yield plain_button("Go on ⏎", _GO_ON, variant="primary")

    def on_mount(self) -> None:
        """No button has a meaning yet."""
        self._show_buttons()

    def show_prompt(self, words: Content) -> None:
        """Beside the hand."""
        self.query_one("#prompt", Static).update(words)

    def draw_hand(self, scene: Scene) -> None:
        """The cards that the viewer holds."""
        seat = self._players.viewer
        self.query_one(Hand).show((scene.hand(seat) or 0) if seat is not None else 0, self.choice)

    async def hold(self, seconds: float) -> None:
        """Enter goes on sooner."""
        if seconds > 0 and not self._is_fast:
            await self.wait_for_key(seconds)

    async def hold_trick(self) -> None:
        """Until the person goes on."""
        if self._is_fast:
            return
        self._show_buttons(is_waiting=True)
        await self.wait_for_key(None)
        self._show_buttons()

    async def show_game_end(self, event: GameEnded) -> None:
        """Until the person goes on."""
        words = game_result(event.result, event.score, players=self._players, rules=self._rules)
        await self.push_screen_wait(Notice(words, go_on="Go on"))

    async def show_match_end(self, event: MatchEnded) -> bool:
        """Until the person wants another match, or leaves."""
        words = match_result(event.record, players=self._players)
        return await self.push_screen_wait(Notice(words, go_on="Another match", leave="Leave"))

    def show_question(self, question: Question) -> None:
        """Ask the person; the screen goes on, and `_answer` ends it."""
        self._question = question
        self._choose(Choice(question.legal))

    def action_pick(self, number: int) -> None:
        """Choose the card with this number, or take it back."""
        card = self.query_one(Hand).card_at(number)
        if card is not None:
            self.on_hand_card_picked(HandCard.Picked(card))

    def on_hand_card_picked(self, picked: HandCard.Picked) -> None:
        """The same with the mouse."""
        if self.choice is not None and not self.choice.is_offer:
            self._choose(self.choice.toggled(picked.card))

    def action_clear(self) -> None:
        """Take all cards back."""
        if self.choice is not None:
            self._choose(self.choice.cleared())

    def action_answer(self, kind: str) -> None:
        """Make the move of this kind, if that is legal with the cards that are chosen."""
        self._answer(MoveKind[kind])

    def action_first(self) -> None:
        """Make the first move that is legal with the chosen cards, or go on when nothing is asked."""
        if self.choice is None:
            self.action_go_on()
            return
        for kind in _FIRST:
            if self.choice.move(kind) is not None:
                self._answer(kind)
                return

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The same as the keys."""
        if event.button.id == _GO_ON:
            self.action_go_on()
        else:
            self.action_answer((event.button.id or "").upper())

    def _answer(self, kind: MoveKind) -> None:
        move = self.choice.move(kind) if self.choice is not None else None
        if self._question is None or move is None or self._question.answer.done():
            return
        self._question.answer.set_result(move)
        self._question = self.choice = None
        self.show_prompt(Content(""))
        self._show_buttons()
        if self.scene is not None:
            self.draw_hand(self.scene)

    def _choose(self, choice: Choice) -> None:
        self.choice = choice
        if self.scene is not None:
            self.draw_hand(self.scene)
            self.show_prompt(_offer_in_words(choice, self.scene) if choice.is_offer else _turn_in_words(choice, self.scene))
        self._show_buttons()

    def _show_buttons(self, *, is_waiting: bool = False) -> None:
        """Those of the moves that the turn has; those that the chosen cards do not make are off."""
        choice = self.choice
        kinds = {move.kind for move in choice.legal} if choice is not None else set()
        for kind in _KEYS:
            button = self.query_one(f"#{kind.name.lower()}", Button)
            button.display = kind in kinds
            button.disabled = choice is None or choice.move(kind) is None
        self.query_one(f"#{_GO_ON}", Button).display = is_waiting
        self.query_one("#doing").set_class(choice is not None and choice.is_offer, "offer")


def _turn_in_words(choice: Choice, scene: Scene) -> Content:
    winning = scene.trick.winning_play
    if winning is None:
        return Content.assemble(("You lead: ", "bold"), "one or more cards of one suit.")
    count = choice.count
    cards = "a card" if count == 1 else f"{count} cards"
    if not choice.can_beat:
        return Content.assemble(("You cannot beat ", "bold"), names(winning.cards), f".\nDiscard {cards}, face down.")
    return Content.assemble(
        ("Your turn: beat ", "bold"),
        names(winning.cards),
        f",\nor discard {cards}, face down.\n",
        (f"{BEATS} can be part of a beat.", "$text-muted"),
    )


def _offer_in_words(choice: Choice, scene: Scene) -> Content:
    cards = next(move.cards for move in choice.legal if move.kind is MoveKind.PULL)
    laid = sum(play.count for play in scene.trick.plays)
    if laid:
        back = "the card that was laid goes" if laid == 1 else f"the {laid} cards that were laid go"
        consequence = f"Yes: {back} back, and you lead your four."
    else:
        consequence = "Yes: you lead your four, out of turn."
    return Content.assemble(
        ("Pull with ", "bold"), names(cards), ("?\n", "bold"), f"{consequence}\n", "No: the trick goes on without it."
    )
