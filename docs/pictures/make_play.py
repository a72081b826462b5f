"""Makes the pictures of docs/play.md from matches with the sample bots, with the system's own Chromium.

    python docs/pictures/make_play.py

Writes docs/pictures/play.webp and watch.webp. The deals come from a seed, and the sample bots that play leave nothing to luck.
"""

import asyncio
from collections.abc import Awaitable, Callable

from chromium import open_browser, save
from textual.pilot import Pilot

from arena.cli.table import deals_secret, find_bot, match_terms, open_chairs
from arena.play.app import TableApp
from arena.play.feed import Feed
from arena.play.hand import HandCard
from arena.play.person import Person
from arena.play.play_app import PlayApp
from arena.play.players import Players
from arena.play.watch_app import WatchApp
from arena.records.model import MatchKey, MatchRecord
from arena.referee.observer import Observer
from arena.referee.referee import play_match
from arena.rules.cards import SEATS, Cards, Seat
from arena.rules.moves import MoveKind
from arena.seat.dialogue import Dialogue
from arena.seat.isolation.cage import Isolation
from arena.seat.isolation.tier import Limits, Tier

ISOLATION = Isolation(tier=Tier.LIMITS, limits=Limits(), freezes=False)
BOTS = ("greedy", "counter", "greedy", "counter")
SEED = "a picture"
PATIENCE_SECONDS = 120
WIDTH = 960

Act = Callable[[TableApp, Pilot[None]], Awaitable[None]]


def main() -> None:
    """Both pictures."""
    pictures = {"play": asyncio.run(picture(SEATS[0], play)), "watch": asyncio.run(picture(None, look_on))}
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": WIDTH})
        for name, svg in pictures.items():
            page.set_content(f'<body style="margin:0">{svg}</body>')
            save(browser, page.locator("svg").first.screenshot(omit_background=True), name)


async def picture(viewer: Seat | None, act: Act) -> str:
    """The screen as SVG, after somebody has acted on it."""
    bots = {seat: find_bot(BOTS[seat]) for seat in SEATS if seat != viewer}
    terms = match_terms(match_target=12, think_seconds=10, isolation=ISOLATION)
    feed: Feed = asyncio.Queue()
    async with open_chairs(bots, isolation=ISOLATION) as chairs:
        seats: list[Dialogue] = [chairs[seat] if seat != viewer else Person(seat, feed=feed) for seat in SEATS]

        async def play_one(number: int, observer: Observer) -> MatchRecord:
            key = MatchKey(teams=("Even seats", "Odd seats"), number=number, swapped=False)
            secret = deals_secret(SEED)
            return await play_match(seats, key=key, bots=BOTS, terms=terms, secret=secret, observer=observer)

        players, rules = Players(BOTS, viewer), terms.rules
        app: TableApp
        if viewer is None:
            app = WatchApp(play=play_one, feed=feed, players=players, rules=rules, seconds=30)
        else:
            app = PlayApp(play=play_one, feed=feed, players=players, rules=rules, seconds=0, is_fast=True)
        async with app.run_test(size=(80, 24)) as pilot:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await act(app, pilot)
            await pilot.pause()
            svg = app.export_screenshot()
        await app.end_match()
    return svg


async def play(app: TableApp, pilot: Pilot[None]) -> None:
    """Play until two cards lie there that I can beat, late enough that there is something to read; choose mine."""
    assert isinstance(app, PlayApp)
    while True:
        await pilot.pause(0.01)
        choice, scene = app.choice, app.scene
        if app.screen.is_modal:
            await pilot.press("enter")
        elif choice is None or scene is None:
            continue
        elif choice.is_offer:
            await pilot.press("n")
        elif choice.can_beat and choice.count == 2 and len(scene.sight.tricks) > 2 and len(scene.trick.plays) > 1:
            beat = next(move for move in choice.legal if move.kind is MoveKind.BEAT)
            await choose(app, pilot, beat.cards)
            return
        else:
            await choose(app, pilot, choice.legal[0].cards)
            await pilot.press("enter")


async def look_on(app: TableApp, pilot: Pilot[None]) -> None:
    """Step until three seats have answered a lead of several cards."""
    await pilot.press("space")
    while True:
        await pilot.pause(0.01)
        scene = app.scene
        if scene is None:
            continue
        plays = scene.trick.plays
        if len(plays) == 3 and plays[0].count > 1 and len(scene.sight.tricks) > 2 and scene.trick.winning_play != plays[0]:
            return
        await pilot.press("right")


async def choose(app: TableApp, pilot: Pilot[None], cards: Cards) -> None:
    """Choose these cards of the hand."""
    for number, widget in enumerate(app.query(HandCard), start=1):
        if widget.card is not None and cards >> widget.card & 1:
            await pilot.press(str(number))


if __name__ == "__main__":
    main()
