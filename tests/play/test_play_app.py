"""A person at the screen: every move by keys and by mouse, and nothing else than moves."""

import asyncio
from itertools import count

import pytest
from rich.cells import cell_len
from textual.widgets import Button, Static

from arena.play.hand import HandCard
from arena.play.screens import Confirm, Help, Notice
from arena.rules.cards import SEATS, iter_cards
from arena.rules.deal import draw_first_dealer, make_deal
from arena.rules.game import Game
from arena.rules.moves import Move, MoveKind
from arena.rules.options import Rules
from arena.rules.view import PlayView
from tests.play.tables import ME, Puppet, Table, cards_in, first, key, opened
from tests.seat_tools import SECRET

ROUNDS = 400
"""More than a match has turns."""


def first_game(number: int) -> Game:
    """The first game of a match, before anything is played."""
    dealer = draw_first_dealer(SECRET, key(number).deals)
    return Game.from_deal(
        Rules(), make_deal(SECRET, key(number).deals, 0), dealer=dealer, leader=SEATS[(dealer + 1) % len(SEATS)]
    )


def offered(*, laid: int) -> int:
    """A match in which I alone am offered a pull before the lead, and after `laid` plays once more."""
    for number in count():
        game = first_game(number)
        if game.asked != (ME,) or not game.is_offer:
            continue
        place = (ME - game.turn) % len(SEATS)
        if place > laid:
            return number
    raise AssertionError


def my_turn_to(kind: MoveKind, *, cards: int = 1) -> int:
    """A match in which my first turn, when all others play `first`, has such a move, with so many cards."""
    for number in count():
        game = first_game(number)
        while game.to_move != ME:
            game.apply(game.to_move, first(game.legal_moves()))
        if not game.is_offer and any(move.kind is kind and move.count == cards for move in game.legal_moves()):
            return number
    raise AssertionError


def test_a_whole_match_by_keys_and_then_another_one() -> None:
    async def test() -> None:
        async with opened(rules=Rules(match_target=4)) as table:
            played: list[Move] = []
            for _ in range(ROUNDS):
                await table.until(lambda: table.legal or table.shows(Notice))
                if table.legal:
                    move = table.legal[len(played) % len(table.legal)]
                    await table.lay(move)
                    played.append(move)
                    continue
                await table.pilot.pause()
                if "the match" in str(table.app.screen.query(Static).first().render()):
                    break
                await table.pilot.press("enter")
            (record,) = table.app.records
            mine = [it.move for game in record.games for it in game.decisions if it.seat == ME]
            assert mine == played
            assert record.faults == ()
            assert max(record.defeat_points) >= 4
            screen = table.text()
            assert ("You lost the match" if record.loser == 0 else "You won the match") in screen
            assert f"We {record.defeat_points[0]} : {record.defeat_points[1]} They" in screen
            await table.pilot.press("enter")
            await table.asked()
            assert "Defeat points We 0 : 0 They" in table.lines()[0]

    asyncio.run(test())


def test_cards_are_clicked_and_buttons_too() -> None:
    async def test() -> None:
        async with opened(number=my_turn_to(MoveKind.BEAT)) as table:
            legal = await table.asked()
            move = next(move for move in legal if move.kind is MoveKind.BEAT)
            (card,) = iter_cards(move.cards)
            widget = next(it for it in table.app.query(HandCard) if it.card == card)
            before = widget.region.y
            assert table.app.query_one("#beat", Button).disabled
            await table.pilot.click(widget)
            assert table.play_app.choice is not None
            assert table.play_app.choice.chosen == move.cards
            assert widget.region.y == before - 1, "a chosen card is raised"
            await table.pilot.click(widget)
            assert table.play_app.choice.chosen == 0, "a second click takes it back"
            await table.pilot.click(widget)
            assert not table.app.query_one("#beat", Button).disabled
            await table.pilot.click("#beat")
            await table.until(lambda: any(it.kind is MoveKind.BEAT and it.seat == ME for it in _plays(table)))

    asyncio.run(test())


def _plays(table: Table) -> list[PlayView]:
    """Everything that was laid in this game."""
    scene = table.app.scene
    return [play for trick in scene.sight.tricks for play in trick.plays] if scene is not None else []


def test_what_is_not_legal_cannot_be_sent() -> None:
    """A lead of one suit is wanted: cards of two suits are never together, and no key is another move."""

    async def test() -> None:
        async with opened(number=my_turn_to(MoveKind.LEAD)) as table:
            legal = await table.asked()
            hand = {card for move in legal for card in iter_cards(move.cards)}
            assert len({card // 9 for card in hand}) > 1, "this hand has one suit only"
            for keys in ("1234", "4321", "2413", "3142"):
                for picked in keys:
                    await table.pilot.press(picked)
                    choice = table.play_app.choice
                    assert choice is not None
                    assert len({card // 9 for card in iter_cards(choice.chosen)}) <= 1
                    await table.pilot.press("b", "d", "y", "n")
                    assert table.legal == legal, "it was answered"
                await table.pilot.press("escape")
                await table.pilot.press("enter", "l")
                assert table.legal == legal, "there is no move without cards"
            await table.pilot.press("1", "enter")
            await table.until(lambda: _plays(table))
            assert Move(MoveKind.LEAD, _plays(table)[0].cards) in legal

    asyncio.run(test())


def test_the_referee_gets_no_answer_from_keys_when_nothing_is_asked() -> None:
    async def test() -> None:
        blocked = asyncio.Event()

        class Slow(Puppet):
            async def ask(self, *arguments: object, **options: object) -> object:
                await blocked.wait()
                return await super().ask(*arguments, **options)

        others = {seat: Slow(seat, first) for seat in SEATS[1:]}
        number = next(n for n in count() if first_game(n).asked == (SEATS[1],))
        async with opened(others, number=number) as table:
            await table.until(lambda: table.app.scene)
            await table.pilot.press("1", "2", "enter", "l", "b", "d", "y", "n", "escape")
            await table.pilot.click("#card1")
            assert table.play_app.choice is None
            blocked.set()
            legal = await table.asked()
            assert table.play_app.choice is not None
            assert table.play_app.choice.chosen == 0
            assert legal

    asyncio.run(test())


@pytest.mark.parametrize("laid", [0, 1])
def test_a_pull_is_a_question_with_its_consequence(laid: int) -> None:
    async def test() -> None:
        async with opened(number=offered(laid=laid)) as table:
            legal = await table.asked()
            assert {move.kind for move in legal} == {MoveKind.PULL, MoveKind.PASS}
            assert "Yes: you lead your four, out of turn." in table.text()
            await table.pilot.press("enter", "space", "1", "l", "b", "d")
            assert table.legal == legal, "a key that means something else does not answer"
            if laid:
                await table.pilot.press("n")
                await table.until(lambda: _plays(table))
                legal = await table.asked()
                assert "the card that was laid goes back" in table.text()
            pull = next(move for move in legal if move.kind is MoveKind.PULL)
            await table.pilot.press("y")
            await table.until(lambda: len(_plays(table)) > laid)
            await table.until(lambda: "You pull" in table.text())
            back, text = [play.returned for play in _plays(table)[:laid]], table.text()
            assert back == [True] * laid
            assert ("all goes back" in text) == bool(laid)
            assert cards_in(text) >= set(iter_cards(pull.cards))

    asyncio.run(test())


def test_a_pull_is_declined_by_the_button() -> None:
    async def test() -> None:
        async with opened(number=offered(laid=0)) as table:
            await table.asked()
            await table.pilot.click("#pass")
            await table.until(lambda: _plays(table))
            assert not any(play.kind is MoveKind.PULL for play in _plays(table))

    asyncio.run(test())


def test_nothing_on_the_screen_tells_of_a_card_that_i_may_not_know() -> None:
    """Looked for in all text, that of covered and hidden widgets included, in each of my turns of a match."""

    async def test() -> None:
        turns = 0
        async with opened(rules=Rules(match_target=6), number=2) as table:
            while not table.app.records:
                await table.until(lambda: table.legal or table.shows(Notice))
                if not table.legal:
                    await table.pilot.press("enter")
                    await table.pilot.pause()
                    continue
                await table.pilot.pause()
                assert table.person is not None
                view = table.person.views[-1]
                seen = {card for trick in view.tricks for play in trick.plays for card in iter_cards(play.cards)}
                known = seen | set(iter_cards(view.hand)) | {view.indicator}
                shown = cards_in(table.text())
                assert shown <= known
                assert view.indicator in shown
                held = {it.card for it in table.app.query(HandCard) if it.display}
                assert held == set(iter_cards(view.hand))
                turns += 1
                await table.lay(table.legal[-1])
        assert turns > 10

    asyncio.run(test())


def test_a_trick_stays_until_a_key_unless_it_is_fast() -> None:
    async def test() -> None:
        async with opened(is_fast=False, number=my_turn_to(MoveKind.LEAD)) as table:
            await table.lay((await table.asked())[0])
            await table.until(lambda: "the trick." in table.text())
            go_on = table.app.query_one("#go-on", Button)
            assert go_on.display
            scene = table.app.scene
            assert scene is not None
            assert len([seat for seat in SEATS if scene.play_of(seat)]) == len(SEATS)
            assert sum(scene.sight.hand_counts) == 3 * len(SEATS), "nobody has drawn"
            await table.pilot.click("#go-on")
            await table.until(lambda: not go_on.display)

    asyncio.run(test())


def test_names_of_bots_harm_nothing() -> None:
    names = ("me", "[b]\x1b[2Jx", "עִזִּים" * 9, "[red]" + "🐐" * 30)

    async def test() -> None:
        async with opened(names=names, number=my_turn_to(MoveKind.LEAD)) as table:
            await table.asked()
            text = table.text()
            assert "\x1b" not in text
            assert "[b]\\x1b[2Jx" in text, "it is text, and no markup"
            assert "[red]🐐" in text
            _check_fits(table)

    asyncio.run(test())


def test_the_widest_position_fits_eighty_cells() -> None:
    """Four seats with four tens or so each, long names and all tags."""

    async def test() -> None:
        async with opened(names=("w" * 40,) * 4, number=offered(laid=0), is_fast=False) as table:
            await table.asked()
            _check_fits(table)
            await table.pilot.press("y")
            await table.until(lambda: "You pull" in table.text())
            await table.pilot.press("enter")
            await table.until(lambda: "the trick." in table.text())
            scene = table.app.scene
            assert scene is not None
            assert all((play := scene.play_of(seat)) and play.count == 4 for seat in SEATS)
            _check_fits(table)
            await table.pilot.press("question_mark")
            await table.until(lambda: table.shows(Help))
            await table.pilot.pause()
            box = table.app.screen.query_one("#help")
            assert box.max_scroll_y == 0, "the help has to be scrolled"
            _check_fits(table)

    asyncio.run(test())


def _check_fits(table: Table) -> None:
    """24 lines of at most 80 cells, and nothing cut off: each text has all the room that it needs, and breaks where it may."""
    lines = table.lines()
    assert len(lines) <= 24
    assert max(map(cell_len, lines)) <= 80
    for widget in table.app.screen.query(Static):
        if not widget.region or not widget.visible or widget.id == "plays":
            continue
        text, room = str(widget.visual), widget.content_size
        assert widget.visual.get_height(widget.styles, room.width) <= max(1, room.height), (widget.id, text)
        if widget.id and widget.id != "prompt":
            assert max((cell_len(line) for line in text.splitlines()), default=0) <= room.width, (widget.id, text)


def test_leaving_asks_in_the_middle_of_a_match() -> None:
    async def test() -> None:
        async with opened() as table:
            await table.asked()
            await table.pilot.press("q")
            await table.until(lambda: table.shows(Confirm))
            await table.pilot.press("n")
            await table.until(lambda: not table.shows(Confirm))
            assert table.legal
            await table.pilot.press("q", "y")
            await table.until(lambda: not table.app.is_running)
        assert table.app.records == []

    asyncio.run(test())


def test_light_and_dark() -> None:
    async def test() -> None:
        async with opened() as table:
            await table.asked()
            is_dark = table.app.current_theme.dark
            await table.pilot.press("t")
            assert table.app.current_theme.dark is not is_dark

    asyncio.run(test())
