"""The table seen from above: four seats, what lies before them, trump, stock and tricks."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from arena.play.faces import backs, chips, ink, names, suit_letter, suit_sign
from arena.play.history import VERBS
from arena.play.players import Players, Side
from arena.play.scene import Scene
from arena.rules.cards import RANKS, SEATS, Seat
from arena.rules.options import Rules

_TO_MOVE = "▶"
_AHEAD = "★"
"""Beside the play that wins the trick as it stands."""
_NOTHING = "\n"
"""As high as cards."""


class Table(Vertical):
    """Shows one scene after the other. At least 52 cells wide and 14 lines high."""

    DEFAULT_CSS = """
    Table {
        padding: 0 1;
        .row { height: 1fr; }
        .corner { width: 14; }
        .place { width: 1fr; }
        .seat, .laid { height: auto; }
        .gap { height: 1fr; }
        #tricks { text-align: right; }
        #seat-above, #laid-above, #seat-below, #laid-below { text-align: center; }
        #laid-left { text-align: right; padding-right: 1; }
        #laid-right { padding-left: 1; }
        #seat-right { text-align: right; }
        #side-left, #side-right { align: left middle; }
    }
    """

    def __init__(self, *, players: Players, rules: Rules) -> None:
        super().__init__()
        self._players = players
        self._rules = rules

    def compose(self) -> ComposeResult:
        """Three rows: the seat opposite, the seats at the sides, the viewer's; what they lay is towards the middle."""
        with Vertical(classes="row"):
            with Horizontal(classes="gap"):
                yield Static(id="trump", classes="corner")
                yield Static(id="seat-above", classes="place")
                yield Static(id="tricks", classes="corner")
            yield Static(id="laid-above", classes="laid")
        with Horizontal(classes="row"):
            for side in (Side.LEFT, Side.RIGHT):
                name = side.name.lower()
                with Vertical(id=f"side-{name}", classes="place"):
                    yield Static(id=f"seat-{name}", classes="seat")
                    yield Static(id=f"laid-{name}", classes="laid")
        with Vertical(classes="row"):
            yield Static(id="laid-below", classes="laid")
            yield Static(classes="gap")
            yield Static(id="seat-below", classes="seat")

    def show(self, scene: Scene) -> None:
        """Show a scene."""
        self.query_one("#trump", Static).update(trump_corner(scene))
        self.query_one("#tricks", Static).update(tricks_corner(scene, self._players))
        for seat in SEATS:
            name = self._players.side(seat).name.lower()
            play = scene.play_of(seat)
            laid = chips(play, self._rules) if play is not None else Content(_NOTHING)
            self.query_one(f"#laid-{name}", Static).update(laid)
            self.query_one(f"#seat-{name}", Static).update(seat_content(scene, seat, players=self._players))


def trump_corner(scene: Scene) -> Content:
    """Trump, the card that shows it, and the stock."""
    trump = scene.trump
    sign = Content.styled(f" {suit_sign(trump)} {suit_letter(trump)} ", ink(trump * RANKS))
    return Content("\n").join(
        [
            Content("Trump ") + sign,
            Content("shown ") + names(1 << scene.indicator),
            Content(f"Stock {scene.sight.stock_count}"),
        ]
    )


def tricks_corner(scene: Scene, players: Players) -> Content:
    """Tricks by team, and for a spectator the card points."""
    lines = [Content.styled("Tricks", "$text-muted"), Content(players.score(scene.tricks_taken))]
    points = scene.sight.card_points
    if points is not None:
        own, other = players.teams_in_order()
        lines += [Content.styled("Points", "$text-muted"), Content(f"{points[own]} : {points[other]}")]
    return Content("\n").join(lines)


def seat_content(scene: Scene, seat: Seat, *, players: Players) -> Content:
    """One seat on two lines, one for the viewer, whose cards are below: its name, its cards, and what its play is."""
    play = scene.play_of(seat)
    tag = Content("")
    if play is not None:
        word = VERBS[play.kind] if players.is_viewer(seat) else f"{VERBS[play.kind]}s"
        is_ahead = play == scene.trick.winning_play
        tag = Content.styled(f"  {word} {_AHEAD}", "bold $accent") if is_ahead else Content.styled(f"  {word}", "$text-muted")
    name = _name_line(scene, seat, players)
    if players.is_viewer(seat):
        return name + tag
    hand, count = scene.hand(seat), scene.sight.hand_counts[seat]
    held = names(hand) if hand is not None else backs(count) + f" {count}"
    lines = [name, held + tag]
    return Content("\n").join(reversed(lines) if players.side(seat) is Side.BELOW else lines)


def _name_line(scene: Scene, seat: Seat, players: Players) -> Content:
    is_to_move = scene.turn == seat
    line = Content.styled(f"{_TO_MOVE} ", "bold $accent") if is_to_move else Content("")
    line += Content.styled(players.label(seat), "bold underline" if is_to_move else "bold")
    if name := players.name(seat):
        line += Content.styled(f" {name}", "$text-muted")
    return line
