"""The replay page as a person uses it: keys, addresses, and what each seat is shown."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.records.model import GameRecord, MatchRecord
from arena.records.store import Store
from arena.rules.cards import NEXT_SEAT, RANK_NAMES, SEATS, Seat
from arena.rules.game import Game
from arena.rules.moves import MoveKind
from arena.rules.options import Rules
from arena.show.web.replay import render_match
from tests.builders import find_match
from tests.show.test_replay import short_match
from tests.show.web.known import known_cards
from tests.show.web.looking import PHONE, Looker, step_through

RANK_WORDS = ("6", "7", "8", "9", "jack", "queen", "king", "10", "ace")
SUITS = ("clubs", "diamonds", "hearts", "spades")
PLACES = ("bottom", "left", "top", "right")


def names(cards: int) -> list[str]:
    return [f"{RANK_WORDS[card % 9]} of {SUITS[card // 9]}" for card in range(36) if cards >> card & 1]


def iter_hands(record: GameRecord, rules: Rules) -> Iterator[list[int]]:
    """The hands after the deal, after every answer that was heard, and after every trick, straight from the engine."""
    game = Game.from_deal(rules, record.deal, dealer=record.dealer, leader=record.leader)
    yield list(game.hands)
    for decision in record.decisions:
        before, tricks = list(game.hands), sum(game.tricks_taken)
        if decision.is_heard:
            game.apply(decision.seat, decision.move)
        if sum(game.tricks_taken) > tricks:
            before[decision.seat] &= ~decision.move.cards
            yield before
        yield list(game.hands)
    yield list(game.hands)  # the end


def record_of(run: Path, number: int) -> MatchRecord:
    with Store.open(run) as store:
        return store.match(number)


def test_a_spectator_sees_the_hands_of_the_engine_at_every_step(site: Path, run: Path, look: Looker) -> None:
    for number in (1, 3, 41):
        record = record_of(run, number)
        shown = step_through(look.at(site / "matches" / f"{number}.html"))
        expected = [hands for game in record.games for hands in iter_hands(game, record.rules)]
        assert len(shown) == len(expected)
        for step, hands in zip(shown, expected, strict=True):
            for seat in SEATS:
                assert step["hands"][PLACES[seat]] == names(hands[seat]), step["status"]


@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_sees_its_hand_and_never_a_card_that_it_did_not_know(site: Path, run: Path, look: Looker, seat: Seat) -> None:
    record = record_of(run, 41)
    page = look.at(site / "matches" / f"41-seat{seat}.html")
    steps = step_through(page)
    for index, game in enumerate(record.games):
        known = {names(1 << card)[0] for card in known_cards(game, record.rules, seat)}
        hidden = {name for card in range(36) for name in names(1 << card)} - known
        own = [step for step in steps if step["game"] == index]
        assert len(own) > 20
        for step in own:
            assert not {label.split(",")[0] for label in step["shown"]} & hidden
            assert not {RANK_WORDS[RANK_NAMES.index(it.split()[0])] + it[it.index(" of") :] for it in step["minis"]} & hidden
            assert all("hidden card" in name for place in PLACES[1:] for name in step["hands"][place])
        allowed = [names(hands[seat]) for hands in iter_hands(game, record.rules)]
        assert all(step["hands"]["bottom"] in allowed for step in own)
    # Nothing is fetched later either: the page is all there is, and its data is that of the seat.
    data = json.loads(page.locator("#match").text_content() or "")
    assert data["seat"] == seat
    assert "bots" not in data
    assert [url for url in look.requests if url.endswith((".html", ".json"))] == [page.url.split("#")[0]]


def test_keys(site: Path, look: Looker) -> None:
    page = look.at(site / "matches" / "1.html")
    expect(page.locator("#status")).to_contain_text("Game 1 is dealt")
    press(page, "ArrowRight", "#g1m1")
    expect(page.locator("#status")).to_contain_text("leads")
    press(page, "ArrowRight", "#g1m2")
    press(page, "ArrowLeft", "#g1m1")
    press(page, "ArrowDown", "#g1m5")  # the first play of the second trick
    press(page, "ArrowDown", "#g1m9")
    press(page, "ArrowUp", "#g1m5")
    page.keyboard.press("End")
    expect(page.locator("#status")).to_contain_text(re.compile("wins the game|Eggs"))
    press(page, "ArrowRight", "#g2m0")
    press(page, "PageDown", "#g3m0")
    press(page, "PageUp", "#g2m0")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#status")).to_contain_text(re.compile("wins the game|Eggs"))
    press(page, "Home", "#g1m0")


def test_space_plays_and_stops(site: Path, look: Looker) -> None:
    page = look.at(site / "matches" / "1.html")
    page.locator("#speed").select_option("very fast")
    page.locator("#status").click()  # away from the list of speeds
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.locator("#jump")).to_have_value("2")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    # A key that steps stops it as well.
    page.keyboard.press("Space")
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_mouse(site: Path, look: Looker) -> None:
    page = look.at(site / "matches" / "1.html")
    page.get_by_role("button", name="Step on").click()
    expect(page.locator("#status")).to_contain_text("leads")
    page.locator("#jump").select_option("3")
    expect(page).to_have_url(re.compile("#g1m9$"))
    page.locator("#game").select_option("1")
    expect(page.locator("#status")).to_contain_text("Game 2 is dealt")
    page.locator("#moves").get_by_role("button").nth(3).click()
    expect(page.locator('#moves [aria-current="step"]')).to_have_attribute("data-step", "3")


def test_an_address_leads_to_its_move_and_to_the_same_moment_from_every_seat(site: Path, run: Path, look: Looker) -> None:
    record = record_of(run, 1)
    plays = [it for it in record.games[1].decisions if it.is_heard and it.move.kind is not MoveKind.PASS]
    wanted = plays[16]
    page = look.at(site / "matches" / "1.html", "#g2m17")
    expect(page.locator("#status")).to_contain_text(f"Seat {wanted.seat} ")
    status = page.locator("#status").text_content()
    for card in (RANK_NAMES[card % 9] for card in range(36) if wanted.move.cards >> card & 1):
        assert card in (status or "")
    page.get_by_role("link", name=f"Seat {wanted.seat}").click()
    expect(page).to_have_url(re.compile(f"1-seat{wanted.seat}.html#g2m17$"))
    expect(page.locator("#status")).to_contain_text(f"Seat {wanted.seat} ")
    other = NEXT_SEAT[wanted.seat]
    page.get_by_role("link", name=f"Seat {other}").click()
    expect(page.locator("#status")).to_contain_text(f"Seat {wanted.seat} ")
    page.evaluate("location.hash = '#g1m4'")
    expect(page.locator("#game")).to_have_value("0")
    expect(page.locator("#jump")).to_have_value("1")


@pytest.mark.parametrize("anchor", ["#g99m1", "#g1m999", "#nonsense", "#g0m0", "#g1m3.7", "#main"])
def test_an_address_that_leads_nowhere_does_no_harm(site: Path, look: Looker, anchor: str) -> None:
    page = look.at(site / "matches" / "1.html", anchor)
    expect(page.locator("#status")).not_to_be_empty()


def test_a_pull_shows_what_goes_back(look: Looker, tmp_path: Path) -> None:
    record = find_match(_pulled_after_a_discard, pull_share=0.3)
    (tmp_path / "match.html").write_text(render_match(record, number=5), encoding="utf-8")
    game, before, pull = next(_iter_late_pulls(record))
    page = look.at(tmp_path / "match.html", f"#g{game + 1}m{pull}")
    expect(page.locator("#status")).to_contain_text("pulls with")
    expect(page.locator("#news")).to_contain_text("sends back to their owners")
    ghosts = page.locator(".card.ghost")
    expect(ghosts).to_have_count(sum(it.move.count for it in before))
    expect(page.locator(".back-to")).to_have_count(len(before))
    for decision in before:
        hand = page.locator(f'[data-seat="{PLACES[decision.seat]}"] .card')
        expect(hand).to_have_count(4)
        for name in names(decision.move.cards):
            expect(page.locator(f'[data-seat="{PLACES[decision.seat]}"]').get_by_label(name, exact=True)).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(ghosts).to_have_count(0)


def test_faults_and_times_stand_with_their_moves(look: Looker, tmp_path: Path) -> None:
    record = short_match()
    (tmp_path / "match.html").write_text(render_match(record, number=5), encoding="utf-8")
    page = look.at(tmp_path / "match.html")
    found = [
        step for step in step_through(page) if "no answer within" in step["status"] or "not one of the legal" in step["status"]
    ]
    assert len(found) == len(record.faults)
    substitutes = [it for game in record.games for it in game.decisions if it.is_substitute]
    assert sum("The referee moved instead." in step["status"] and "1.00 s" in step["status"] for step in found) == len(
        substitutes
    )
    expect(page.locator("#status")).to_contain_text("Cut short by a forfeit")
    assert page.locator("#moves .think").count() > 1


def test_one_file_for_one_seat_needs_no_other_file(look: Looker, tmp_path: Path, run: Path) -> None:
    (tmp_path / "match.html").write_text(render_match(record_of(run, 2), number=2, viewer=SEATS[3]), encoding="utf-8")
    page = look.at(tmp_path / "match.html", size=PHONE)
    expect(page.locator(".board")).to_be_visible()
    expect(page.locator('[data-seat="bottom"]')).to_contain_text("Seat 3 (you)")
    assert len([url for url in look.requests if url.startswith("file:")]) == 1


def press(page: Page, key: str, anchor: str) -> None:
    """Press a key and wait for the address."""
    page.keyboard.press(key)
    expect(page).to_have_url(re.compile(re.escape(anchor) + "$"))


def _iter_late_pulls(record: MatchRecord) -> Iterator[tuple[int, list, int]]:  # type: ignore[type-arg]
    """Pulls after a lead: the game, what was laid in the trick before, and the number of the play."""
    for index, game in enumerate(record.games):
        plays = [it for it in game.decisions if it.is_heard and it.move.kind is not MoveKind.PASS]
        trick: list = []  # type: ignore[type-arg]
        for number, it in enumerate(plays, start=1):
            if it.move.kind is MoveKind.PULL:
                if len(trick) >= 2 and trick[-1].move.kind is MoveKind.DISCARD:
                    yield index, trick, number
                trick = [it]
                continue
            trick = [it] if len(trick) == 4 else [*trick, it]


def _pulled_after_a_discard(record: MatchRecord) -> bool:
    return any(True for _ in _iter_late_pulls(record))
