"""Somebody watches: all hands are open, and the speed is the watcher's."""

import asyncio
import re

from textual.widgets import Static

from arena.play.screens import Confirm, Notice
from arena.rules.cards import FULL_DECK, SEATS, iter_cards
from arena.rules.options import Rules
from tests.play.tables import Table, cards_in, opened


def plays(table: Table) -> int:
    """How many plays of this game are shown."""
    scene = table.app.scene
    return sum(len(trick.plays) for trick in scene.sight.tricks) if scene is not None else 0


def test_a_match_is_watched_to_its_end() -> None:
    async def test() -> None:
        async with opened(viewer=None, seconds=0.001, rules=Rules(match_target=4)) as table:
            await table.until(lambda: table.shows(Notice))
            (record,) = table.app.records
            words = str(table.app.screen.query(Static).first().render())
            assert f"Even {record.defeat_points[0]} : {record.defeat_points[1]} Odd" in words
            await table.pilot.press("enter")
            await table.until(lambda: not table.app.is_running)

    asyncio.run(test())


def test_paused_it_goes_on_one_play_at_a_time_and_shows_all_hands() -> None:
    async def test() -> None:
        async with opened(viewer=None, seconds=30) as table:
            await table.until(lambda: table.app.scene)
            await table.pilot.press("space")
            for wanted in range(1, 4):
                await table.pilot.press("right")
                await table.until(lambda wanted=wanted: plays(table) == wanted)
                scene = table.app.scene
                assert scene is not None
                table_cards = cards_in("\n".join(line[:52] for line in table.lines()[:20]))
                hands = {card for seat in SEATS for card in iter_cards(scene.hand(seat) or 0)}
                assert len(hands) == sum(scene.sight.hand_counts)
                assert table_cards >= hands
            # It is the watcher who waits: the match was over long ago.
            await table.until(lambda: table.app.records)
            assert plays(table) == 3
            assert "Paused" in table.text()
            await table.pilot.press("space")
            assert "Paused" not in table.text()

    asyncio.run(test())


def test_the_speed_changes_while_it_runs() -> None:
    def speed(table: Table) -> float:
        (words,) = re.findall(r"([\d.]+) plays a second", "\n".join(table.lines()))
        return float(words)

    async def test() -> None:
        async with opened(viewer=None, seconds=2) as table:
            await table.until(lambda: table.app.scene)
            assert speed(table) == 0.5
            await table.pilot.press("plus", "plus")
            assert speed(table) > 1
            await table.pilot.press(*["minus"] * 12)
            assert speed(table) < 0.1
            await table.pilot.press(*["plus"] * 20, "right")
            assert speed(table) == 20
            await table.until(lambda: plays(table) >= 4)

    asyncio.run(test())


def test_leaving_in_the_middle_is_confirmed() -> None:
    async def test() -> None:
        async with opened(viewer=None, seconds=30) as table:
            await table.until(lambda: table.app.scene)
            await table.pilot.press("q")
            await table.until(lambda: table.shows(Confirm))
            await table.pilot.click("#yes")
            await table.until(lambda: not table.app.is_running)

    asyncio.run(test())


def test_the_deck_is_read_from_the_screen() -> None:
    """The other tests look for cards in text: they would find any."""
    signs = "♣♦♥♠"
    names = " ".join(f"{rank}{sign}" for sign in signs for rank in ("6", "7", "8", "9", "J", "Q", "K", "10", "A"))
    assert cards_in(names) == set(iter_cards(FULL_DECK))
