"""A run as it was played verifies; whatever is changed in its file afterwards, by chance or on purpose, is found and named."""

import contextlib
import json
import random
import shutil
import sqlite3
import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ArenaError
from arena.records.codec import encode_match
from arena.records.model import FaultKind, MatchRecord
from arena.records.seal import StoredText, checksum
from arena.records.store import Store
from arena.records.summary import MatchSummary
from arena.records.tables import SUMMARY_COLUMNS
from arena.records.verify import Difference
from arena.rules.cards import SEATS, TEAM_OF_SEAT, TEAMS
from arena.tournament.plan import Plan, parse_block
from arena.tournament.verify import Noted, Verified, verify_run
from tests.builders import SECRET
from tests.tournament.played import write_run

TINY = {"match_target": 2}


def verify(run: Path, **noted: str) -> Verified | Difference:
    return verify_run(run, Noted(**noted), on_match=lambda done, total: None)


def difference(run: Path) -> Difference:
    found = verify(run)
    assert isinstance(found, Difference)
    return found


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three teams, one of them often late; not to be changed."""
    return write_run(tmp_path_factory.mktemp("played"), faulty="B", fault_share=0.03, matches=2, faults={"max_faults": 8})


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two matches of one or two games; not to be changed."""
    return write_run(tmp_path_factory.mktemp("tiny"), teams=("A", "B"), rules=TINY)


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    return shutil.copytree(played, tmp_path / "run")


def change(run: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(run / "arena.db")
    with connection:
        connection.execute(statement, values)
    connection.close()


def read(run: Path, number: int) -> MatchRecord:
    with Store.open(run) as store:
        return store.match(number)


def write(run: Path, number: int, record: MatchRecord) -> None:
    """What somebody would do who wants to change a match and knows of the columns and the checksum."""
    with Store.open(run) as store:
        store.replace_match(record, number=number)


def seal(run: Path, number: int) -> None:
    """Make the checksum fit the row."""
    columns = ", ".join(("number", *SUMMARY_COLUMNS, "record"))
    connection = sqlite3.connect(run / "arena.db")
    row = connection.execute(f"SELECT {columns} FROM match WHERE number = ?", (number,)).fetchone()
    connection.close()
    change(run, "UPDATE match SET checksum = ? WHERE number = ?", checksum(row), number)


def content(run: Path) -> list[tuple[Any, ...]]:
    """Everything that the tables hold, as SQLite itself reads it."""
    connection = sqlite3.connect(run / "arena.db")
    connection.text_factory = bytes
    try:
        return [row for table in ("run", "block", "match") for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1")]
    finally:
        connection.close()


def test_run_as_it_was_played(played: Path) -> None:
    found = verify(played)
    assert isinstance(found, Verified)
    records = [read(played, number) for number in range(1, 13)]
    assert (found.matches, found.matches_planned) == (12, 12)
    assert found.games == sum(len(record.games) for record in records)
    assert found.decisions == sum(len(game.decisions) for record in records for game in record.games)
    assert found.secret == SECRET
    assert any(record.faults for record in records)


@pytest.mark.parametrize("share", [0.0, 0.05, 0.3, 1.0])
def test_faults_forfeits_and_benched_teams(tmp_path: Path, share: float) -> None:
    run = write_run(tmp_path, faulty="B", fault_share=share, matches=4, faults={"bench_after": 3})
    assert isinstance(verify(run), Verified)
    kinds = {fault.kind for number in range(1, 25) for fault in read(run, number).faults}
    assert (FaultKind.BENCHED in kinds) == (share >= 0.3)


def test_full_seatings(tmp_path: Path) -> None:
    run = write_run(tmp_path, seatings="full", rules=TINY)
    assert isinstance(verify(run), Verified)
    record = read(run, 8)
    assert record.key.exchanged
    write(run, 8, replace(record, bots=(record.bots[2], record.bots[1], record.bots[0], record.bots[3])))
    assert difference(run).what == "bots on seats 0 to 3"


@pytest.mark.parametrize(
    "keys",
    [
        {"format": "boards", "matches": 4},
        {"schedule": {"kind": "gauntlet", "team": "C"}},
        {"schedule": {"kind": "swiss", "rounds": 2}},
        {"schedule": {"kind": "knockout"}},
        {"stop_when": "decided", "matches": 12},
        {"pairs": "all", "teams": (), "bots": ("p", "q", "r", "s")},
    ],
    ids=str,
)
def test_schedules_of_every_kind(tmp_path: Path, keys: dict[str, Any]) -> None:
    rules = {} if "format" in keys else {"rules": TINY}
    run = write_run(tmp_path, **{"teams": ("A", "B", "C", "D", "E")} | keys | rules)
    found = verify(run)
    assert isinstance(found, Verified)
    assert found.matches == found.matches_planned > 4
    change(run, "DELETE FROM match WHERE number = ?", found.matches)
    assert difference(run).match == found.matches


def test_table_from_the_records_is_compared(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures of the columns reach the table on another way than those of the records."""

    def wrong(store: Store) -> Iterator[MatchSummary]:
        for _, summary in store.iter_numbered():
            yield replace(summary, card_points=(summary.card_points[0] + 1, summary.card_points[1]))

    monkeypatch.setattr(Store, "iter_summaries", wrong)
    assert difference(played).what.startswith("line of the table for ")


def test_unfinished_run_verifies_and_keeps_its_secret(run: Path) -> None:
    change(run, "DELETE FROM match WHERE number IN (3, 4, 12)")
    assert difference(run).match == 3
    connection = sqlite3.connect(run / "arena.db")
    row = connection.execute("SELECT * FROM run").fetchone()
    connection.close()
    change(run, "UPDATE run SET finished_at = NULL, checksum = ?", checksum((*row[:-2], None)))
    found = verify(run)
    assert isinstance(found, Verified)
    assert (found.matches, found.matches_planned) == (9, 12)
    assert found.secret is None
    assert found.fingerprint is None


def test_run_that_is_being_played(tmp_path: Path) -> None:
    """While its matches are read, the runner stores the one that was missing, plans the next round, and stores one of that."""
    run = write_run(tmp_path, teams="ABCD", rules=TINY, schedule={"kind": "swiss", "rounds": 2}, is_finished=False)
    records = {number: read(run, number) for number in (2, 8)}
    first, second = (json.dumps(block) for block in blocks(run))
    change(run, "DELETE FROM match WHERE number = 2 OR number > 4")
    write_blocks(run, [first])

    def on_match(done: int, total: int) -> None:
        if done == 1:
            with Store.open(run) as store:
                store.add_match(records[2], number=2)
                store.add_block(second)
                store.add_match(records[8], number=8)

    found = verify_run(run, Noted(), on_match=on_match)
    assert isinstance(found, Verified)
    assert (found.matches, found.matches_planned) == (3, 4), "what was there when it began"
    again = verify(run)
    assert isinstance(again, Verified)
    assert (again.matches, again.matches_planned) == (5, 8)


def test_every_byte_of_a_record(tiny: Path, tmp_path: Path) -> None:
    run = shutil.copytree(tiny, tmp_path / "run")
    number = min((1, 2), key=lambda it: len(encode_match(read(run, it))))
    whole = encode_match(read(run, number)).encode()
    chance = random.Random(1)
    connection = sqlite3.connect(run / "arena.db", isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= chance.randrange(1, 256)
        connection.execute("UPDATE match SET record = CAST(? AS TEXT) WHERE number = ?", (bytes(damaged), number))
        found = difference(run)
        assert found.match == number, f"byte {at} of {len(whole)}"
    connection.execute("UPDATE match SET record = CAST(? AS TEXT) WHERE number = ?", (whole, number))
    connection.close()
    assert isinstance(verify(run), Verified)


def test_any_byte_of_the_file(run: Path) -> None:
    """A flipped byte is found, or it stands where nothing is kept: SQLite reads the same content as before."""
    file = run / "arena.db"
    whole = file.read_bytes()
    before = content(run)
    chance = random.Random(2)
    missed = 0
    for at in [chance.randrange(len(whole)) for _ in range(150)]:
        damaged = bytearray(whole)
        damaged[at] ^= chance.randrange(1, 256)
        file.write_bytes(damaged)
        try:
            found = verify(run)
        except ArenaError:
            continue
        if isinstance(found, Verified):
            missed += 1
            assert content(run) == before, f"byte {at}"
    assert missed < 50


@pytest.mark.parametrize("column", ["defeat_points_0", "games_won_1", "eggs", "faults_0", "think_us_1", "seconds", "isolation"])
def test_column_that_is_not_its_records(run: Path, column: str) -> None:
    other = "'strict'" if column == "isolation" else f"{column} + 1"
    change(run, f"UPDATE match SET {column} = {other} WHERE number = 5")
    assert (difference(run).match, difference(run).what) == (5, "stored bytes of the match")
    seal(run, 5)
    assert (difference(run).match, difference(run).what) == (5, f"column {column}")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE run SET config = replace(config, 'Played', 'Flayed')",
        "UPDATE run SET source = source || ' '",
        "UPDATE run SET created_at = '2020-01-01T00:00:00+00:00'",
        "UPDATE run SET finished_at = '2020-01-01T00:00:00+00:00'",
        "UPDATE run SET finished_at = NULL",
        "UPDATE run SET checksum = 7",
        "UPDATE run SET secret = zeroblob(32)",
        "UPDATE run SET commitment = 'sha256:0'",
    ],
)
def test_row_of_the_run(run: Path, statement: str) -> None:
    change(run, statement)
    assert difference(run).what == "row of the run itself"


def test_secret_that_does_not_fit_the_commitment(run: Path) -> None:
    connection = sqlite3.connect(run / "arena.db")
    row = list(connection.execute("SELECT * FROM run").fetchone())[:-1]
    connection.close()
    row[3] = bytes(32)
    change(run, "UPDATE run SET secret = ?, checksum = ?", row[3], checksum(row))
    assert difference(run).what == "commitment to the secret of the deals"


def test_other_secret_with_its_own_commitment_has_other_deals(run: Path) -> None:
    """Whoever exchanges all of it is found by the deals, and by the hash that the class has noted."""
    connection = sqlite3.connect(run / "arena.db")
    row = list(connection.execute("SELECT * FROM run").fetchone())[:-1]
    connection.close()
    noted = row[4]
    # From coreutils: head -c 32 /dev/zero | sha256sum
    row[3:5] = bytes(32), "sha256:66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    change(run, "UPDATE run SET secret = ?, commitment = ?, checksum = ?", *row[3:5], checksum(row))
    found = difference(run)
    assert (found.match, found.game) == (1, 1)
    assert "does not come from the run's secret" in found.what
    other = verify(run, commitment=noted)
    assert isinstance(other, Difference)
    assert (other.stored, other.right) == (row[4], noted)


def test_what_was_noted_is_compared(played: Path) -> None:
    found = verify(played)
    assert isinstance(found, Verified)
    assert found.fingerprint is not None
    assert verify(played, commitment=found.commitment, fingerprint=found.fingerprint) == found
    for name in ("commitment", "fingerprint"):
        wrong = verify(played, **{name: "sha256:" + "0" * 64})
        assert isinstance(wrong, Difference)
        assert name in wrong.what


def test_fingerprint_changes_with_everything(played: Path, run: Path) -> None:
    """Also with what nothing else could find: a time that was thought, with all checksums made to fit."""
    before = verify(played)
    record = read(run, 7)
    game = record.games[0]
    decisions = (replace(game.decisions[0], think_us=game.decisions[0].think_us + 1), *game.decisions[1:])
    write(run, 7, replace(record, games=(replace(game, decisions=decisions), *record.games[1:])))
    after = verify(run)
    assert isinstance(before, Verified)
    assert isinstance(after, Verified)
    assert replace(after, fingerprint=before.fingerprint) == before
    assert after.fingerprint != before.fingerprint


def test_move_that_is_not_legal_is_named_with_its_place(run: Path) -> None:
    record = read(run, 6)
    game = record.games[1]
    place = len(game.decisions) - 1
    wrong = replace(game.decisions[place], move=game.decisions[0].move)
    games = list(record.games)
    games[1] = replace(game, decisions=(*game.decisions[:-1], wrong))
    write(run, 6, replace(record, games=tuple(games)))
    found = difference(run)
    assert (found.match, found.game, found.decision, found.what) == (6, 2, place + 1, "move")
    assert found.stored == f"seat {wrong.seat} {wrong.move}"


def test_verdict_that_the_games_do_not_give(run: Path) -> None:
    record = read(run, 1)
    assert record.loser is not None
    write(run, 1, replace(record, loser=TEAMS[1 - record.loser], defeat_points=record.defeat_points[::-1]))
    found = difference(run)
    assert (found.match, found.game, found.what) == (1, None, "defeat points")


def test_matches_change_places(run: Path) -> None:
    first, second = read(run, 1), read(run, 2)
    change(run, "DELETE FROM match WHERE number IN (1, 2)")
    with Store.open(run) as store:
        store.add_match(second, number=1)
        store.add_match(first, number=2)
    found = difference(run)
    assert (found.match, found.stored, found.right) == (1, "1", "2")


def test_match_that_the_schedule_does_not_have(run: Path) -> None:
    record = read(run, 12)
    with Store.open(run) as store:
        store.add_match(replace(record, key=replace(record.key, number=9)), number=13)
    found = difference(run)
    assert (found.match, found.right) == (13, "a match of the schedule")


@pytest.mark.parametrize("number", [1, 5, 12])
def test_match_that_is_missing(run: Path, number: int) -> None:
    change(run, "DELETE FROM match WHERE number = ?", number)
    found = difference(run)
    assert (found.match, found.stored) == (number, "nothing")


def test_schedule_that_was_changed(run: Path) -> None:
    change(run, "UPDATE block SET content = replace(content, '[0,2]', '[0,1]')")
    assert difference(run).what == "part 1 of the schedule"
    connection = sqlite3.connect(run / "arena.db")
    row = connection.execute("SELECT number, content FROM block").fetchone()
    connection.close()
    change(run, "UPDATE block SET checksum = ?", checksum(row))
    assert difference(run).what == "part 1 of the schedule"


def blocks(run: Path) -> list[dict[str, Any]]:
    with Store.open(run) as store:
        return [json.loads(text) for text in store.blocks()]


def write_blocks(run: Path, contents: Sequence[str]) -> None:
    """What somebody would do who wants another schedule and knows of the checksums."""
    change(run, "DELETE FROM block")
    with Store.open(run) as store:
        for content in contents:
            store.add_block(content)


@pytest.mark.parametrize(
    "keys",
    [
        {"schedule": {"kind": "gauntlet", "team": "C"}},
        {"schedule": {"kind": "swiss", "rounds": 3}},
        {"schedule": {"kind": "knockout"}},
        {"stop_when": "decided", "matches": 12},
        {"pairs": "all", "teams": (), "bots": ("p", "q", "r", "s")},
        {"budget_minutes": 1},
        {"restart": "match"},
    ],
    ids=str,
)
def test_schedule_that_was_made_shorter(tmp_path: Path, keys: dict[str, Any]) -> None:
    """The last matches did not suit somebody, who takes them out of the schedule as well and makes all checksums fit."""
    run = write_run(tmp_path, **{"teams": ("A", "B", "C", "D", "E"), "matches": 2, "rules": TINY} | keys)
    found = verify(run)
    assert isinstance(found, Verified)
    planned = blocks(run)
    if len(planned) > 1:
        with Store.open(run) as store:
            plan = Plan(parse_block(text, "ABCDE") for text in store.blocks()[:-1])
        write_blocks(run, [json.dumps(block) for block in planned[:-1]])
        change(run, "DELETE FROM match WHERE number > ?", plan.match_count)
    else:
        pairs = planned[0]["pairings"]
        shorter = {"sets": [0, 1]} if pairs == "all" or len(pairs) < 4 else {"pairings": pairs[:-1]}
        write_blocks(run, [json.dumps(planned[0] | shorter)])
        teams = [team["name"] for team in json.loads(Store.open(run).config)["teams"]]
        block = parse_block(json.dumps(planned[0] | shorter), teams)
        with Store.open(run) as store:
            records = [record for _, record in store.iter_matches()]
        change(run, "DELETE FROM match")
        kept = []
        for record in records:
            with contextlib.suppress(ValueError):
                kept.append((block.match_number(record.key), record))
        with Store.open(run) as store:
            for number, record in kept:
                store.add_match(record, number=number)
    wrong = verify(run)
    if "budget_minutes" in keys:
        assert isinstance(wrong, Verified), "nobody can tell how much there was time for"
        assert wrong.fingerprint != found.fingerprint
    else:
        assert isinstance(wrong, Difference)
        assert "of the schedule" in wrong.what


@pytest.mark.parametrize(
    "pairings",
    [
        [["A", "C"], ["B", "E"]],
        [["A", "B"]],
        [["A", "B"], ["B", "E"]],
        [["B", "A"], ["C", "D"]],
        [["A", "B"], ["C", "Nobody"]],
        [["A", "D"], ["B", "C"]],
    ],
    ids=("met", "few", "twice", "turned", "unknown", "second bye"),
)
def test_round_of_a_swiss_that_cannot_be_drawn(tmp_path: Path, pairings: list[list[str]]) -> None:
    """In the first round A met C, B met D, and E had the bye; the second has no match yet."""
    run = write_run(tmp_path, teams="ABCDE", rules=TINY, schedule={"kind": "swiss", "rounds": 2}, is_finished=False)
    change(run, "DELETE FROM match WHERE number > 4")
    first, second = blocks(run)
    assert first["pairings"] == [["A", "C"], ["B", "D"]]
    write_blocks(run, [json.dumps(first), json.dumps(second | {"pairings": [["A", "B"], ["D", "E"]]})])
    assert isinstance(verify(run), Verified), "another draw may be as good"
    write_blocks(run, [json.dumps(first), json.dumps(second | {"pairings": pairings})])
    assert difference(run).what == "part 2 of the schedule"


def test_round_that_was_drawn_before_the_one_before_it_was_finished(tmp_path: Path) -> None:
    run = write_run(tmp_path, teams="ABCD", rules=TINY, schedule={"kind": "swiss", "rounds": 2}, is_finished=False)
    change(run, "DELETE FROM match WHERE number IN (2, 6, 8)")
    assert (difference(run).match, difference(run).stored) == (2, "nothing")


@pytest.mark.parametrize("content", ["[", "7", '{"sets": [0, 1e999]}', "[" * 100_000, "{}"], ids=lambda text: text[:30])
def test_schedule_that_is_none(run: Path, content: str) -> None:
    write_blocks(run, [content])
    assert difference(run).what == "file"
    for value in (b"\xff\xfe", b"[0"):
        change(run, "UPDATE block SET content = CAST(? AS TEXT), checksum = ?", value, checksum((1, StoredText(value))))
        assert difference(run).what == "file"


def test_match_under_other_rules(run: Path) -> None:
    record = read(run, 3)
    write(run, 3, replace(record, rules=replace(record.rules, max_lead=3)))
    assert (difference(run).match, difference(run).what) == (3, "rules, max_lead")
    write(run, 3, replace(record, time=replace(record.time, move_ms=999)))
    assert (difference(run).match, difference(run).what) == (3, "time, move_ms")


def test_bots_of_another_team(run: Path) -> None:
    record = read(run, 3)
    write(run, 3, replace(record, bots=("one", "one", "one", "two")))
    assert (difference(run).match, difference(run).what) == (3, "bots on seats 0 to 3")


def late(run: Path) -> tuple[int, MatchRecord]:
    """A match with a fault that was answered by a fallback move."""
    for number in range(1, 13):
        record = read(run, number)
        if record.faults and not record.forfeited:
            return number, record
    raise LookupError


def test_faults_must_explain_what_the_referee_played(run: Path) -> None:
    number, record = late(run)
    index, seat = record.faults[0].game, record.faults[0].seat
    assert index is not None
    write(run, number, replace(record, faults=record.faults[1:]))
    found = difference(run)
    assert (found.match, found.game, found.what) == (
        number,
        index + 1,
        f"moves of the referee for seat {seat}",
    )
    write(run, number, replace(record, faults=record.faults * 8))
    assert difference(run).what == "teams that forfeited, by their faults"
    other = replace(record.faults[0], seat=SEATS[(seat + 1) % 4])
    write(run, number, replace(record, faults=(other, *record.faults[1:])))
    assert difference(run).match == number
    elsewhere = replace(record.faults[0], game=len(record.games))
    write(run, number, replace(record, faults=(elsewhere, *record.faults[1:])))
    assert difference(run).what == "game of a fault"
    claimed = replace(record.faults[0], sent="pass")
    write(run, number, replace(record, faults=(claimed, *record.faults[1:])))
    assert difference(run).what == "legal moves of a fault"


def test_restarts_that_were_used_up_forfeit(run: Path) -> None:
    number, record = late(run)
    crash = replace(record.faults[0], kind=FaultKind.CRASH, game=None, decision=None)
    write(run, number, replace(record, faults=(*record.faults, crash)))
    assert isinstance(verify(run), Verified)  # one restart
    write(run, number, replace(record, faults=(*record.faults, crash, crash)))
    assert difference(run).what == "teams that forfeited, by their faults"


def test_bench_follows_from_the_matches(tmp_path: Path) -> None:
    run = write_run(tmp_path, faulty="B", fault_share=1.0, matches=3, faults={"bench_after": 3})
    numbers = [number for number in range(1, 19) if any(it.kind is FaultKind.BENCHED for it in read(run, number).faults)]
    record = read(run, numbers[0])
    # A match that B forfeits unplayed is forfeited by the others as well.
    both = replace(record, forfeited=TEAMS, defeat_points=(12, 12), loser=None, goats=None)
    every = tuple(replace(record.faults[0], seat=seat) for seat in SEATS)
    write(run, numbers[0], replace(both, faults=every))
    found = difference(run)
    assert (found.match, found.right) == (numbers[0], "forfeited by B, benched")
    write(run, numbers[0], record)
    assert isinstance(verify(run), Verified)
    # A match that B has played is made one that it did not.
    played = next(n for n in range(1, 19) if n not in numbers and "B" in read(run, n).key.teams)
    side = TEAMS[read(run, played).key.seated.index("B")]
    unplayed = replace(
        read(run, played),
        games=(),
        faults=tuple(replace(record.faults[0], seat=seat) for seat in SEATS if TEAM_OF_SEAT[seat] == side),
        forfeited=(side,),
        loser=side,
        defeat_points=(12, 0) if side == TEAMS[0] else (0, 12),
    )
    write(run, played, unplayed)
    found = difference(run)
    assert (found.match, found.stored) == (played, "not played")


def test_record_that_is_none(run: Path) -> None:
    change(run, "UPDATE match SET record = '{}' WHERE number = 4")
    seal(run, 4)
    assert (difference(run).match, difference(run).what) == (4, "record of the match")


def test_index_that_is_damaged(tiny: Path, tmp_path: Path) -> None:
    """Nothing of the matches is changed, but SQLite would not find one by its key."""
    run = shutil.copytree(tiny, tmp_path / "run")
    file = run / "arena.db"
    whole = bytearray(file.read_bytes())
    connection = sqlite3.connect(file)
    page = connection.execute("SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'match'").fetchone()[0]
    connection.close()
    at = whole.index(b"AB", (page - 1) * 4096)
    whole[at] ^= 1
    file.write_bytes(whole)
    assert difference(run).what == "structure of the file"


def test_memory_does_not_grow_with_the_run(tmp_path: Path) -> None:
    # Both have more matches than are read at a time.
    small, large = (write_run(tmp_path / str(sets), teams=("A", "B"), matches=sets, rules=TINY) for sets in (40, 120))
    verify(large)  # fills what is kept for good: moves that were seen, imports
    peaks = []
    for run in (small, large):
        tracemalloc.start()
        assert isinstance(verify(run), Verified)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]
