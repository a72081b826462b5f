"""A record that follows from the deals and the moves passes; one changed value is found, and its place is named."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.records.model import Decision, GameRecord, MatchRecord
from arena.records.seal import StoredText, checksum, commitment_of, parse_hash
from arena.records.summary import summarize
from arena.records.tables import SUMMARY_COLUMNS, summary_row
from arena.records.verify import Difference, iter_column_differences, iter_match_differences
from arena.rules.cards import SEATS, TEAMS
from arena.rules.match import Goats
from arena.rules.moves import Move, MoveKind, parse_move
from arena.rules.options import Discards, Eggs, Pull, PullSuits, Rules
from tests.builders import SECRET, find_match, has_eggs, has_unheard, key, play_match

OTHER_SECRET = bytes(32)


def first(record: MatchRecord, secret: bytes = SECRET) -> Difference:
    return next(iter_match_differences(record, secret))


def in_game(record: MatchRecord, index: int, **changes: object) -> MatchRecord:
    games = list(record.games)
    games[index] = replace(games[index], **changes)  # type: ignore[arg-type]
    return replace(record, games=tuple(games))


def with_decision(record: MatchRecord, index: int, place: int, **changes: object) -> MatchRecord:
    decisions = list(record.games[index].decisions)
    decisions[place] = replace(decisions[place], **changes)  # type: ignore[arg-type]
    return in_game(record, index, decisions=tuple(decisions))


def place_of(game: GameRecord, wanted: Callable[[Decision], bool]) -> int:
    return next(place for place, decision in enumerate(game.decisions) if wanted(decision))


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(match_target=2, max_lead=1),
        Rules(match_target=48, max_games=3),
        Rules(pull=Pull.BEFORE_LEAD, pull_suits=PullSuits.TRUMP),
        Rules(pull=Pull.OFF, discards=Discards.OPEN),
        Rules(eggs=Eggs.DOUBLE_NEXT),
    ],
)
def test_what_was_played_by_the_rules_is_right(rules: Rules) -> None:
    for seed in range(10):
        record = play_match(key(number=seed, swapped=bool(seed % 2)), seed=seed, rules=rules)
        assert list(iter_match_differences(record, SECRET)) == []
        assert list(iter_column_differences(summary_row(summarize(record)), summarize(record))) == []


def test_rare_matches_are_right() -> None:
    assert list(iter_match_differences(find_match(has_unheard), SECRET)) == []
    eggs = find_match(has_eggs, seeds=range(2000))
    assert list(iter_match_differences(eggs, SECRET)) == []
    assert first(replace(eggs, goats=Goats.GOATS)).what == "what the loser is called"


def test_eggs_double_the_next_game() -> None:
    def is_doubled(record: MatchRecord) -> bool:
        return any(game.result and max(game.result.defeat_points) in (8, 12) for game in record.games)

    record = find_match(is_doubled, seeds=range(3000), rules=Rules(eggs=Eggs.DOUBLE_NEXT))
    assert list(iter_match_differences(record, SECRET)) == []
    once = replace(record, rules=Rules())
    assert first(once).what == "result, defeat_points"


def test_other_secret_has_other_deals() -> None:
    difference = first(play_match(), OTHER_SECRET)
    assert difference.game == 1
    assert "card 1 of the deck" in difference.what or "card 2 of the deck" in difference.what


def test_deal_of_another_game_or_match_is_found() -> None:
    record = play_match()
    difference = first(in_game(record, 1, deal=record.games[0].deal))
    assert difference.game == 2
    assert "of the deck" in difference.what
    # The other seating of the same duplicate set has the same deals; another set has not.
    assert list(iter_match_differences(replace(record, key=key(swapped=True)), SECRET)) == []
    assert "of the deck" in first(replace(record, key=key(number=1))).what


def test_move_that_is_not_legal_is_named_with_those_that_are() -> None:
    record = play_match()
    game = record.games[2]
    place = place_of(game, lambda it: it.move.kind is MoveKind.LEAD)
    stranger = next(card for card in range(36) if not game.deal.hands(game.dealer)[game.decisions[place].seat] >> card & 1)
    difference = first(with_decision(record, 2, place, move=Move(MoveKind.LEAD, 1 << stranger)))
    assert (difference.game, difference.decision, difference.what) == (3, place + 1, "move")
    assert difference.stored == f"seat {game.decisions[place].seat} {Move(MoveKind.LEAD, 1 << stranger)}"
    assert difference.right.startswith("a legal one: lead ")


def test_moves_of_another_kind_are_found() -> None:
    record = play_match()
    for move in ("pass", "pull 6C 7C 8C 9C", "lead 6C 7C"):
        for index, game in enumerate(record.games):
            place = place_of(game, lambda it: it.move.kind is MoveKind.DISCARD)
            difference = first(with_decision(record, index, place, move=parse_move(move)))
            assert (difference.game, difference.decision) == (index + 1, place + 1)


def test_legal_move_that_was_not_played_shows_later() -> None:
    """Some other legal move, so that the rest does not follow: something after it cannot be as stored."""
    record = play_match()
    game = record.games[0]
    last = len(game.decisions) - 1
    changed = 0
    for place, decision in enumerate(game.decisions):
        if decision.move.kind is MoveKind.BEAT:
            discarded = with_decision(record, 0, place, move=Move(MoveKind.DISCARD, decision.move.cards))
            difference = first(discarded)
            assert (difference.game or 9) >= 1
            assert difference.decision is None or place < difference.decision <= last + 1
            changed += 1
    assert changed


def test_seat_order_and_hearing_are_checked() -> None:
    record = play_match()
    difference = first(with_decision(record, 0, 3, seat=SEATS[(record.games[0].decisions[3].seat + 1) % 4]))
    assert (difference.game, difference.decision, difference.what) == (1, 4, "seat that answers")
    assert first(with_decision(record, 0, 3, is_heard=False)).decision == 4
    unheard = find_match(has_unheard)
    index = next(i for i, game in enumerate(unheard.games) if not all(it.is_heard for it in game.decisions))
    place = place_of(unheard.games[index], lambda it: not it.is_heard)
    difference = first(with_decision(unheard, index, place, is_heard=True))
    assert (difference.game, difference.decision, difference.stored) == (index + 1, place + 1, "heard")


def test_unheard_answer_must_be_one_to_an_offer() -> None:
    record = find_match(has_unheard)
    index = next(i for i, game in enumerate(record.games) if not all(it.is_heard for it in game.decisions))
    place = place_of(record.games[index], lambda it: not it.is_heard)
    other = "pull 6C 7C 8C 9C" if str(record.games[index].decisions[place].move) != "pull 6C 7C 8C 9C" else "pull 6D 7D 8D 9D"
    assert first(with_decision(record, index, place, move=parse_move(other))).decision == place + 1
    decisions = record.games[index].decisions
    missing = in_game(record, index, decisions=(*decisions[:place], *decisions[place + 1 :]))
    assert first(missing).game == index + 1


def test_decisions_too_many_or_too_few() -> None:
    record = play_match()
    decisions = record.games[1].decisions
    assert first(in_game(record, 1, decisions=decisions[:-1])).what == "result"
    assert first(in_game(record, 1, decisions=decisions[:-1], result=None)).what == "decisions"
    difference = first(in_game(record, 1, decisions=(*decisions, decisions[-1])))
    assert (difference.decision, difference.right) == (len(decisions) + 1, "none: the game was over")


@pytest.mark.parametrize("name", ["number", "dealer", "leader", "card_points", "tricks", "defeat_points", "taker"])
def test_every_part_of_a_result_is_checked(name: str) -> None:
    record = play_match()
    result = record.games[1].result
    assert result is not None
    value = getattr(result, name)
    wrong = (value[1] + 1, value[0] + 1) if isinstance(value, tuple) else (value + 1) % 4
    difference = first(in_game(record, 1, result=replace(result, **{name: wrong})))
    assert (difference.game, difference.what) == (2, f"result, {name}")
    assert (difference.stored, difference.right) == (str(wrong), str(value))


@pytest.mark.parametrize("name", ["dealer", "leader"])
@pytest.mark.parametrize("index", [0, 1])
def test_dealer_and_leader_of_a_game(name: str, index: int) -> None:
    record = play_match()
    value = getattr(record.games[index], name)
    assert first(in_game(record, index, **{name: SEATS[(value + 2) % 4]})).what == name


def test_verdict_is_worked_out_again() -> None:
    record = play_match()
    assert record.loser is not None
    points = record.defeat_points
    assert first(replace(record, defeat_points=(points[0] + 2, points[1]))).what == "defeat points"
    assert first(replace(record, defeat_points=points[::-1])).what == "defeat points"
    assert first(replace(record, loser=TEAMS[1 - record.loser])).what == "loser"
    assert first(replace(record, loser=None)).what == "loser"
    assert first(replace(record, goats=Goats.GOATS_WITH_EGGS)).what == "what the loser is called"
    assert first(replace(record, games=record.games[:-1])).what == "games"
    assert first(replace(record, games=(*record.games, record.games[-1]))).what == "a game"
    assert first(replace(record, forfeited=(record.loser,))).what == "end"


def test_forfeit_counts_as_lost_at_the_target() -> None:
    record = find_match(lambda it: it.forfeited, seeds=range(100), faulty=SEATS[0], fault_share=0.2, max_faults=2)
    assert list(iter_match_differences(record, SECRET)) == []
    first_points, second_points = record.defeat_points
    assert first_points == 12
    assert first(replace(record, defeat_points=(10, second_points))).what == "defeat points"
    assert first(replace(record, forfeited=())).what in ("decisions", "games")
    assert first(replace(record, forfeited=(TEAMS[0], TEAMS[1]))).what == "defeat points"
    assert first(replace(record, forfeited=(TEAMS[0], TEAMS[0]))).what == "teams that forfeited"


@pytest.mark.parametrize("place", range(len(SUMMARY_COLUMNS)))
def test_every_column_is_compared(place: int) -> None:
    record = find_match(lambda it: it.forfeited, seeds=range(100), faulty=SEATS[0], fault_share=0.2, max_faults=2)
    row = list(summary_row(summarize(record)))
    row[place] = "x" if isinstance(row[place], str) else (row[place] or 0) + 1
    assert [it.what for it in iter_column_differences(row, summarize(record))] == [f"column {SUMMARY_COLUMNS[place]}"]


def test_checksums_tell_values_apart() -> None:
    """Also where the same bytes stand in other columns, or as another type."""
    single = [(None,), ("",), (b"",), (0,), (1,), ("0",), (b"0",), (0.5,), ("0.5",)]
    rows = [(), *single, ("a", "b"), ("ab", ""), ("", "ab"), ("ab",), (1, 2), (12, None)]
    assert len({checksum(row) for row in rows}) == len(rows)


def test_checksum_is_of_what_sqlite_gives_back() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE it (a INTEGER, b REAL, c TEXT, d BLOB, e INTEGER)")
    for row in ((True, 2, "é", b"x", None), (-7, 0.1, "", b"", 2**62), (0, 1e300, "\0", b"\0", False)):
        connection.execute("DELETE FROM it")
        connection.execute("INSERT INTO it VALUES (?, ?, ?, ?, ?)", row)
        for text in (str, StoredText):
            connection.text_factory = text
            assert checksum(connection.execute("SELECT * FROM it").fetchone()) == checksum(row)


def test_commitment_is_the_sha256_of_the_secret() -> None:
    # From coreutils: python3 -c 'print("".join(map(chr, range(32))), end="")' | sha256sum
    known = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert commitment_of(SECRET) == f"sha256:{known}"
    for noted in (known, known.upper(), f"sha256:{known}", f" SHA256:{known}\n"):
        assert parse_hash(noted) == f"sha256:{known}"
    for wrong in ("", known[1:], known + "0", "sha1:" + known, "g" + known[1:]):
        with pytest.raises(ValueError, match="64 hexadecimal digits"):
            parse_hash(wrong)
