"""Tables on a screen of 80 by 24 cells for tests: a person, and bots that are played right here or as processes."""

import asyncio
import contextlib
import html
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from textual.pilot import Pilot
from textual.screen import Screen

from arena.play.app import TableApp
from arena.play.choice import LAID
from arena.play.feed import Feed
from arena.play.hand import HandCard
from arena.play.person import Person
from arena.play.play_app import PlayApp
from arena.play.players import Players
from arena.play.watch_app import WatchApp
from arena.records.model import MatchKey, MatchRecord
from arena.referee.observer import Observer
from arena.referee.policy import FaultPolicy
from arena.referee.referee import MatchTerms, play_match
from arena.rules.cards import RANK_NAMES, SEATS, SUIT_LETTERS, Cards, Seat, parse_card
from arena.rules.match import MatchScore
from arena.rules.moves import Move, MoveCode, MoveKind
from arena.rules.options import Rules, TimeControl
from arena.rules.view import View
from arena.seat.dialogue import Dialogue
from arena.seat.trouble import Reply, Trouble
from tests.seat_tools import PATIENCE, SECRET

ME = SEATS[0]
NAMES = ("me", "lefty", "mate", "righty")
TEAMS = ("Even seats", "Odd seats")
Strategy = Callable[[tuple[Move, ...]], Move]
_CELL = 12.2
"""Width of a cell in Textual's pictures."""


class Puppet(Person):
    """A bot without a process."""

    def __init__(self, seat: Seat, choose: Strategy) -> None:
        super().__init__(seat, feed=asyncio.Queue())
        self._choose = choose

    async def ask(self, legal: Sequence[MoveCode], *, view: View, score: MatchScore) -> Reply | Trouble:
        move = self._choose(tuple(map(Move.from_code, legal)))
        return Reply(move=move, turn=0, think_us=1)


class Watched(Person):
    """A person of whom a test knows what the referee sent."""

    views: tuple[View, ...] = ()

    async def ask(self, legal: Sequence[MoveCode], *, view: View, score: MatchScore) -> Reply | Trouble:
        self.views = (*self.views, view)
        return await super().ask(legal, view=view, score=score)


def first(legal: tuple[Move, ...]) -> Move:
    """The first move that lays cards, and no pull."""
    return next((move for move in legal if move.kind in LAID), legal[-1])


@dataclass
class Table:
    """A table that is shown."""

    app: TableApp
    pilot: Pilot[None]
    person: Watched | None

    @property
    def play_app(self) -> PlayApp:
        assert isinstance(self.app, PlayApp)
        return self.app

    async def until(self, condition: Callable[[], object]) -> None:
        """Let the screen go on until something is so."""
        async with asyncio.timeout(PATIENCE * 3):
            while not condition():
                await self.pilot.pause(0.005)

    def shows(self, kind: type[Screen[Any]]) -> bool:
        """Whether such a screen lies above the table, with all that is on it."""
        screen = self.app.screen
        return isinstance(screen, kind) and screen.is_mounted

    async def asked(self) -> tuple[Move, ...]:
        """The legal moves, when it is the person's turn."""
        await self.until(lambda: self.legal)
        await self.pilot.pause()
        return self.legal

    @property
    def legal(self) -> tuple[Move, ...]:
        choice = self.play_app.choice
        return choice.legal if choice is not None else ()

    async def choose(self, cards: Cards) -> None:
        """Choose these cards by their numbers."""
        for number in range(1, 5):
            card = self.app.query_one(f"#card{number}", HandCard).card
            if card is not None and cards >> card & 1:
                await self.pilot.press(str(number))

    async def lay(self, move: Move) -> None:
        """Make a move with keys."""
        keys = {MoveKind.LEAD: "l", MoveKind.BEAT: "b", MoveKind.DISCARD: "d", MoveKind.PULL: "y", MoveKind.PASS: "n"}
        if move.kind in LAID:
            await self.choose(move.cards)
        await self.pilot.press(keys[move.kind])

    def lines(self) -> list[str]:
        """The screen as text, line by line, blanks at the end left out."""
        return screen_lines(self.app)

    def text(self) -> str:
        """All of it, and all that is in widgets which are covered or scrolled away."""
        hidden = [str(widget.render()) for screen in self.app.screen_stack for widget in screen.walk_children()]
        return "\n".join([*self.lines(), *hidden])


def screen_lines(app: TableApp) -> list[str]:
    """Read back from Textual's own picture of the screen."""
    rows: dict[float, list[str]] = {}
    pattern = r'<text [^>]*?x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>'
    for x, y, words in re.findall(pattern, app.export_screenshot().partition('-matrix">')[2], re.DOTALL):
        line = rows.setdefault(float(y), [])
        column = round(float(x) / _CELL)
        line.append(" " * (column - cell_len("".join(line))) + html.unescape(words).replace("\xa0", " "))
    return ["".join(line).rstrip() for _, line in sorted(rows.items())]


def cards_in(text: str) -> set[int]:
    """The cards that are named in a text by rank and sign."""
    signs = dict(zip("♣♦♥♠", SUIT_LETTERS, strict=True))
    ranks = "|".join(RANK_NAMES)
    return {parse_card(rank + signs[sign]) for rank, sign in re.findall(rf"({ranks})([♣♦♥♠])", text)}


@contextlib.asynccontextmanager
async def opened(
    others: Mapping[Seat, Dialogue] | None = None,
    *,
    number: int = 0,
    names: tuple[str, str, str, str] = NAMES,
    rules: Rules | None = None,
    is_fast: bool = True,
    viewer: Seat | None = ME,
    seconds: float = 0.0,
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[Table]:
    """A table that is played at; who is not said otherwise is a puppet that plays `first`."""
    rules = rules or Rules(match_target=2)
    feed: Feed = asyncio.Queue()
    person = Watched(ME, feed=feed) if viewer is not None else None
    seats: dict[Seat, Dialogue] = {seat: Puppet(seat, first) for seat in SEATS} | dict(others or {})
    if person is not None:
        seats[ME] = person
    terms = MatchTerms(
        rules=rules,
        time=TimeControl(move_ms=20_000, bank_ms=0, max_faults=3),
        policy=FaultPolicy(max_faults=3, restarts=1),
        isolation="none",
    )

    async def play(offset: int, observer: Observer) -> MatchRecord:
        return await play_match(
            [seats[seat] for seat in SEATS],
            key=key(number + offset),
            bots=names,
            terms=terms,
            secret=SECRET,
            observer=observer,
        )

    players = Players(names, viewer)
    app: TableApp
    if viewer is None:
        app = WatchApp(play=play, feed=feed, players=players, rules=rules, seconds=seconds)
    else:
        app = PlayApp(play=play, feed=feed, players=players, rules=rules, seconds=seconds, is_fast=is_fast)
    async with app.run_test(size=size) as pilot:
        try:
            yield Table(app, pilot, person)
        finally:
            await app.end_match()  # or it would be shown while the screen is taken down
    if app.error is not None:
        raise app.error


def key(number: int) -> MatchKey:
    """The matches of these tests."""
    return MatchKey(TEAMS, number, swapped=False)
