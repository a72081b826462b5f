"""A match move by move, as it is printed."""

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from arena.errors import StoreError, UserError
from arena.records.model import Fault, FaultKind, MatchRecord
from arena.rules.cards import SEATS, TEAMS, Seat
from arena.rules.moves import MoveKind
from arena.rules.options import Discards, Rules
from arena.show.console import Printer, open_console
from arena.show.replay import iter_replay
from tests.builders import find_match, has_eggs, has_pull, has_unheard, key, play_match
from tests.show.golden import check_golden


def text_of(record: MatchRecord, *, viewer: Seat | None = None, game: int | None = None, encoding: str = "utf-8") -> str:
    lines = iter_replay(record, number=12, printer=Printer(encoding), viewer=viewer, game=game)
    return "".join(f"{line.plain.rstrip()}\n" for line in lines)


def short_match() -> MatchRecord:
    """One game cut short and one whole one, with a pull before it and faults."""
    return find_match(
        lambda it: has_pull(it) and it.forfeited and len(it.games) == 2 and it.games[1].decisions,
        faulty=SEATS[1],
        fault_share=0.12,
        max_faults=3,
    )


def test_golden_spectator() -> None:
    check_golden("replay.txt", text_of(short_match()))


def test_golden_seat() -> None:
    check_golden("replay-seat-2.txt", text_of(short_match(), viewer=SEATS[2], game=1))


def test_every_decision_is_printed_once_in_its_order() -> None:
    verbs = {"leads": "lead", "beats": "beat", "discards": "discard", "pulls": "pull", "declines": "pass"}
    for seed in range(10):
        record = play_match(key(number=seed), seed=seed, rules=Rules(match_target=4))
        text = text_of(record, encoding="ascii")
        found = re.findall(r"(?m)^  ([0-3]) (leads|beats|discards|pulls|declines) +\(?(.*?)\)?(?:  .*)?$", text)
        decisions = [decision for game in record.games for decision in game.decisions]
        assert [f"{seat} {verbs[verb]} {cards}" for seat, verb, cards in found] == [
            f"{decision.seat} {decision.move}".replace("pass", "pass the pull") for decision in decisions
        ]


def test_fits_into_80_columns() -> None:
    for seed in range(30):
        record = play_match(key(number=seed), seed=seed, faulty=SEATS[seed % 4], fault_share=0.1, max_faults=3)
        for viewer in (None, *SEATS):
            lines = text_of(record, viewer=viewer).splitlines()
            assert max(cell_len(line) for line in lines if "!" not in line and "stderr" not in line) <= 80


def test_points_and_scores_are_those_of_the_record() -> None:
    record = play_match(seed=8)
    text = text_of(record)
    for index, game in enumerate(record.games):
        assert game.result is not None
        first, second = game.result.card_points
        assert f"Game {index + 1} over   Wild Goats {first} : {second} Old Goats card points" in text
    first, second = record.defeat_points
    assert text.count(f"the match stands {first} : {second}") == 1
    assert f"Match over   Wild Goats {first} : {second} Old Goats defeat points" in text
    assert record.loser is not None
    assert f"{record.key.seated[record.loser]} lost: {record.goats}" in text


def test_points_of_the_tricks_add_up_to_those_of_the_game() -> None:
    record = play_match(seed=8)
    for number, game in enumerate(record.games, start=1):
        text = text_of(record, game=number)
        assert sum(map(int, re.findall(r": (\d+) points,", text))) == 120
        assert game.result is not None
        assert re.findall(r"(\d+ : \d+) so far", text)[-1] == "{} : {}".format(*game.result.card_points)


def test_pull_sends_cards_back() -> None:
    """A pull after the lead lists what was laid; one before the lead says so."""

    def pulled_late(record: MatchRecord) -> bool:
        return any(
            decision.move.kind is MoveKind.PULL and game.decisions[place - 1].move.kind in (MoveKind.BEAT, MoveKind.DISCARD)
            for game in record.games
            for place, decision in enumerate(game.decisions)
            if place
        )

    text = text_of(find_match(pulled_late, pull_share=0.3))
    assert re.search(r"(?m)^  \d pulls     (\S+ ){4} .*\n {14}back to their owners: \d \S+", text)
    text = text_of(find_match(has_unheard))
    assert re.search(r"(?m)^  \d pulls     (\S+ ){4} .*\n {14}before the lead of seat \d", text)
    assert re.search(r"(?m)^  \d (pulls|declines) .*not heard", text)


def test_face_down_cards_are_marked() -> None:
    record = play_match(seed=8)
    assert re.search(r"  \d discards  \(\S+( \S+)*\)  face down", text_of(record))
    hidden = text_of(record, viewer=SEATS[1])
    assert all("▒▒" in line for line in hidden.splitlines() if "discards" in line and not line.startswith("  1 "))
    assert not any("▒▒" in line for line in hidden.splitlines() if line.startswith("  1 "))
    opened = text_of(play_match(seed=8, rules=Rules(discards=Discards.OPEN)), viewer=SEATS[1])
    assert "▒▒" not in opened
    assert "face up" in opened


def test_suits_are_symbols_where_the_encoding_has_them() -> None:
    record = play_match(seed=8)
    assert set("♣♦♥♠") <= set(text_of(record))
    text = text_of(record, encoding="ascii", viewer=SEATS[0])
    assert text.isascii()
    assert "##" in text


def test_faults_stand_under_the_move_that_was_played_instead() -> None:
    record = find_match(lambda it: len({fault.kind for fault in it.faults}) == 2, faulty=SEATS[1], fault_share=0.15)
    lines = text_of(record).splitlines()
    places = [place for place, line in enumerate(lines) if line.startswith("  ! seat 1")]
    assert len(places) == len(record.faults)
    for place in places:
        # Only a substitute has taken a whole second here.
        assert (
            re.match(r"  1 .* 1\.00 s", lines[place - 1]) or "back to" in lines[place - 1] or "before the" in lines[place - 1]
        )
    assert "    stderr: ValueError: \\x1b[31mred\\x1b[0m" in lines
    assert "it answered beat 6C; the referee moved instead" in text_of(record)


def test_crash_stands_before_the_move_that_waited_for_it() -> None:
    record = play_match(seed=8)
    crash = Fault(
        kind=FaultKind.CRASH,
        seat=SEATS[2],
        detail="it ended",
        game=1,
        turn=5,
        decision=6,
        exit_status=-9,
        stderr_tail="a\nb\nc\nd",
    )
    lines = text_of(replace(record, faults=(crash,)), game=2).splitlines()
    place = lines.index("  ! seat 2 crash: it ended; exit status -9")
    assert lines[place + 1 : place + 4] == ["    stderr: b", "    stderr: c", "    stderr: d"]
    before = sum(bool(re.match(r"  \d (leads|beats|discards|pulls|declines)", line)) for line in lines[:place])
    assert before == 6


@pytest.mark.parametrize(
    ("fault", "between"),
    [
        (Fault(kind=FaultKind.NO_START, seat=SEATS[0], detail="no greeting"), ("  rules", "Game 1 ")),
        (Fault(kind=FaultKind.CRASH, seat=SEATS[0], detail="it ended", game=0, turn=3), ("  → seat", "Game 1 over")),
    ],
)
def test_faults_without_a_move_stand_before_the_match_or_after_their_game(fault: Fault, between: tuple[str, str]) -> None:
    text = text_of(replace(play_match(seed=8), faults=(fault,)))
    before, after = text.split(f"  ! seat 0 {fault.kind}: {fault.detail}\n")
    assert any(line.startswith(between[0]) for line in before.splitlines()[-2:])
    assert after.lstrip().startswith(between[1])


def test_forfeit_is_marked_where_it_happened() -> None:
    text = text_of(short_match())
    assert "Game 2 was cut short by a forfeit and has no result" in text
    assert "Old Goats forfeited, which counts as lost at 12 defeat points" in text


def test_forfeit_before_the_first_game() -> None:
    record = replace(play_match(seed=8), games=(), forfeited=(TEAMS[0],), defeat_points=(12, 0))
    text = text_of(record)
    assert "Wild Goats forfeited" in text
    assert "Game" not in text
    with pytest.raises(UserError, match="no game of it was begun"):
        text_of(record, game=1)


def test_draw_and_eggs() -> None:
    record = find_match(has_eggs)
    assert "eggs, no defeat points; the match stands" in text_of(record)
    drawn = replace(record, loser=None, goats=None, defeat_points=(4, 4))
    assert text_of(drawn).endswith("Match over   Wild Goats 4 : 4 Old Goats defeat points\n  drawn\n")


def test_one_game_alone() -> None:
    record = play_match(seed=8)
    text = text_of(record, game=2)
    assert "Game 2 " in text
    assert "Game 1 " not in text
    assert "Match over" not in text
    for wrong in (0, len(record.games) + 1):
        with pytest.raises(UserError, match=f"no game {wrong}: it has {len(record.games)}"):
            text_of(record, game=wrong)


def test_record_that_does_not_replay_is_named() -> None:
    record = play_match(seed=8)
    damaged = replace(record.games[1], decisions=record.games[1].decisions[1:])
    with pytest.raises(StoreError, match=r"match 12, game 2: .*does not replay"):
        text_of(replace(record, games=(record.games[0], damaged)))


def test_names_are_harmless_and_fenced() -> None:
    text = text_of(play_match(key("\x1b[31mred", "עִזִּים"), seed=8))
    assert "\x1b" not in text
    assert "\\x1b[31mred" in text
    assert text.count("עִזִּים") == text.count("\u200eעִזִּים\u200e") > 3  # noqa: RUF001


def test_rules_that_differ_are_named() -> None:
    assert "rules the defaults" in text_of(play_match(seed=8))
    text = text_of(play_match(seed=8, rules=Rules(max_lead=2, discards=Discards.OPEN)))
    assert "rules max_lead 2, discards open" in text


def test_colour_is_the_suits_and_only_on_a_terminal(colour_terminal: None) -> None:
    stream = io.StringIO()
    console = open_console(stream)
    for line in iter_replay(play_match(seed=8), number=1, printer=Printer(console.encoding)):
        console.print(line)
    text = stream.getvalue()
    assert re.search("\x1b\\[31m[0-9JQKA]+♥\x1b\\[0m", text)
    assert re.search("\x1b\\[32m[0-9JQKA]+♣\x1b\\[0m", text)
    assert all(re.fullmatch(r"\[[0-9;]*m", code) for code in re.findall("\x1b(\\[[^m]*m?)", text))
