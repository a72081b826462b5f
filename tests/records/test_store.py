"""The journal of a run: what is in is in, what is not is not, and every trouble has a name."""

import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

import arena
from arena.errors import ArenaError, RunError, StoreError
from arena.records.codec import encode_match
from arena.records.model import Fault, FaultKind, MatchRecord
from arena.records.store import Store
from arena.records.summary import summarize
from arena.rules.cards import SEATS
from tests.builders import SECRET, find_match, has_eggs, key, play_match

CONFIG = '{"name":"Козлы"}'
SOURCE = "name: Козлы  # as written\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path / "run", config=CONFIG, source=SOURCE, secret=SECRET)


def matches(count: int) -> list[MatchRecord]:
    return [
        play_match(key(number=number), seed=number, faulty=SEATS[number % 4], fault_share=0.1, max_faults=3)
        for number in range(count)
    ]


def test_run_comes_back(store: Store) -> None:
    store.close()
    with Store.open(store.path.parent) as again:
        assert again.config == CONFIG
        assert again.info.source == SOURCE
        assert again.secret == SECRET
        assert again.info.arena_version == arena.__version__
        assert again.info.python_version == sys.version.split()[0]
        assert again.info == store.info
        assert not again.is_finished
        assert again.match_count() == 0


def test_matches_come_back_by_number_and_by_key(store: Store) -> None:
    records = matches(5)
    for number in (4, 1, 5, 2, 3):
        store.add_match(records[number - 1], number=number)
    store.close()
    with Store.open(store.path.parent) as again:
        assert [again.match(number) for number in range(1, 6)] == records
        assert again.match(records[2].key) == records[2]
        assert list(again.iter_matches()) == list(enumerate(records, start=1))
        assert again.match_keys() == {record.key: number for number, record in enumerate(records, start=1)}
        assert again.match_count() == 5


def test_summaries_are_those_of_the_records(store: Store) -> None:
    records = [
        *matches(100),  # more than one page
        find_match(has_eggs, seeds=range(1000, 2000)),
        find_match(lambda it: it.forfeited, seeds=range(2000, 3000), faulty=SEATS[0], fault_share=0.2, max_faults=1),
    ]
    for number, record in enumerate(records, start=1):
        store.add_match(record, number=number)
    assert list(store.iter_summaries()) == list(map(summarize, records))


def test_finished_is_remembered(store: Store) -> None:
    store.finish()
    first = store.finished_at
    store.finish()
    with Store.open(store.path.parent) as again:
        assert again.is_finished
        assert again.finished_at == first


def test_same_key_is_never_counted_twice(store: Store) -> None:
    record = play_match()
    store.add_match(record, number=1)
    with pytest.raises(StoreError, match="same key"):
        store.add_match(replace(record, seconds=9.0), number=2)
    with pytest.raises(StoreError, match="same number"):
        store.add_match(play_match(key(number=7)), number=1)
    assert list(store.iter_matches()) == [(1, record)]


def test_no_such_match(store: Store) -> None:
    with pytest.raises(RunError, match=r"no match 3.*none yet"):
        store.match(3)
    store.add_match(play_match(), number=8)
    for wrong in (0, -1, 3, 2**63, 2**80):
        with pytest.raises(RunError, match="the last is number 8"):
            store.match(wrong)
    with pytest.raises(RunError, match="no match"):
        store.match(key(number=5))


def test_only_the_owner_may_read_it(store: Store, tmp_path: Path) -> None:
    store.add_match(play_match(), number=1)
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "arena.db").touch(mode=0o666)
    (folder / "arena.db").chmod(0o666)
    with Store.create(folder, config=CONFIG, source=SOURCE, secret=SECRET) as other:
        assert stat.S_IMODE(other.path.stat().st_mode) == 0o600


def test_secret_is_not_printed_by_accident(store: Store) -> None:
    assert repr(SECRET) not in repr(store.info)
    assert repr(SECRET)[2:20] not in repr(store.info)


def test_run_is_one_file_between_matches(store: Store) -> None:
    store.add_match(play_match(), number=1)
    assert [path.name for path in store.path.parent.iterdir()] == ["arena.db"]
    copy = store.path.parent.parent / "copy"
    copy.mkdir()
    (copy / "arena.db").write_bytes(store.path.read_bytes())
    with Store.open(copy) as other:
        assert other.match(1) == store.match(1)


def test_run_is_not_begun_twice(store: Store) -> None:
    store.add_match(play_match(), number=1)
    with pytest.raises(RunError, match="a run already"):
        Store.create(store.path.parent, config="{}", source="", secret=bytes(32))
    assert store.match_count() == 1
    with Store.open(store.path.parent) as again:
        assert again.config == CONFIG


@pytest.mark.parametrize("length", [0, 31, 33])
def test_secret_has_its_length(tmp_path: Path, length: int) -> None:
    with pytest.raises(StoreError, match="32 bytes"):
        Store.create(tmp_path / "run", config=CONFIG, source=SOURCE, secret=bytes(length))


def test_what_is_no_run(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    with sqlite3.connect(foreign / "arena.db") as connection:
        connection.execute("CREATE TABLE run (config)")
    connection.close()
    text = tmp_path / "text"
    text.mkdir()
    (text / "arena.db").write_text("this is not a database\n" * 100)
    for folder, said in (
        (tmp_path / "missing", "no such folder"),
        (tmp_path, "holds no arena.db"),
        (file, "is a file"),
        (foreign, "arena did not write it"),
        (text, "not a SQLite database"),
    ):
        with pytest.raises(RunError, match=said):
            Store.open(folder)
    with pytest.raises(RunError, match="not a folder"):
        Store.create(file, config=CONFIG, source=SOURCE, secret=SECRET)


def test_start_that_was_cut_off_is_no_run_and_can_be_made_again(tmp_path: Path) -> None:
    (tmp_path / "arena.db").touch()
    with pytest.raises(RunError, match="start was cut off"):
        Store.open(tmp_path)
    with Store.create(tmp_path, config=CONFIG, source=SOURCE, secret=SECRET) as store:
        store.add_match(play_match(), number=1)
    with Store.open(tmp_path) as again:
        assert again.match_count() == 1


def test_other_schema_is_refused_with_its_number(store: Store) -> None:
    store.close()
    connection = sqlite3.connect(store.path)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(RunError, match="schema 7"):
        Store.open(store.path.parent)


def test_full_disk_loses_nothing_and_can_be_gone_on_from(store: Store) -> None:
    records = matches(2)
    talk = Fault(kind=FaultKind.CRASH, seat=SEATS[0], detail="", stderr_tail="no end of talk " * 10_000)
    records[1] = replace(records[1], faults=(talk,))
    store.add_match(records[0], number=1)
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    with pytest.raises(StoreError, match="match 2 cannot be stored: the disk is full"):
        store.add_match(records[1], number=2)
    assert list(store.iter_matches()) == [(1, records[0])]
    store._connection.execute("PRAGMA max_page_count = 1000000")
    store.add_match(records[1], number=2)
    with Store.open(store.path.parent) as again:
        assert list(again.iter_matches()) == [(1, records[0]), (2, records[1])]


def test_read_only_store_can_be_read_and_says_why_it_cannot_be_written(store: Store) -> None:
    store._connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match="match 1 cannot be stored: it may not be written"):
        store.add_match(play_match(), number=1)
    assert store.match_count() == 0


def test_whatever_sqlite_raises_is_a_store_error(store: Store) -> None:
    store.add_match(play_match(), number=1)
    with pytest.raises(StoreError, match="cannot hold"):  # text that is no UTF-8
        store.add_match(play_match(key("\ud800", "B")), number=2)
    with pytest.raises(StoreError, match="cannot hold"):  # an integer of more than 64 bits
        store.add_match(play_match(key(number=3)), number=2**70)
    with pytest.raises(StoreError):
        store.add_match(play_match(key(number=3)), number=0)
    connection = sqlite3.connect(store.path)
    connection.execute("DROP TABLE match")
    connection.close()
    with pytest.raises(StoreError, match="cannot be read: no such table"):
        store.match_count()
    store.close()
    for use in (store.match_count, store.finish, lambda: list(store.iter_matches())):
        with pytest.raises(StoreError, match="closed"):
            use()


def test_damaged_file_is_a_store_error(store: Store) -> None:
    for number, record in enumerate(matches(10), start=1):
        store.add_match(record, number=number)
    store.close()
    content = bytearray(store.path.read_bytes())
    for at in range(4096, len(content), 4096):
        content[at : at + 200] = b"\xff" * 200
    store.path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        _read_all(store.path.parent)


def _read_all(folder: Path) -> None:
    with Store.open(folder) as store:
        list(store.iter_matches())


def test_reader_keeps_no_writer_waiting(store: Store) -> None:
    for number, record in enumerate(matches(70), start=1):
        store.add_match(record, number=number)
    with Store.open(store.path.parent) as reader:
        numbers = (number for number, _ in reader.iter_matches())
        seen = list(islice(numbers, 3))
        store._connection.execute("PRAGMA busy_timeout = 0")  # a lock would be an error at once
        store.add_match(play_match(key(number=500)), number=500)
        assert [*seen, *numbers] == [*range(1, 71), 500]


def test_matches_are_read_a_page_at_a_time(store: Store) -> None:
    """What changes after a page was read is seen on the next page, so no more than a page is ever held."""
    for number, record in enumerate(matches(70), start=1):
        store.add_match(record, number=number)
    stream = store.iter_matches()
    next(stream)
    store._connection.execute("UPDATE match SET record = (SELECT record FROM match WHERE number = 1) WHERE number = 70")
    *_, (number, last) = stream
    assert (number, last) == (70, store.match(1))


def test_commits_are_synced_to_the_disk(store: Store) -> None:
    with Store.open(store.path.parent) as again:
        for it in (store, again):
            assert it._connection.execute("PRAGMA synchronous").fetchone()[0] >= 2
            assert it._connection.execute("PRAGMA journal_mode").fetchone()[0] == "delete"


def test_locked_store_is_waited_for_and_then_named(store: Store) -> None:
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store._connection.execute("PRAGMA busy_timeout = 0")
    with pytest.raises(StoreError, match="another program has held it"):
        store.add_match(play_match(), number=1)
    other.execute("ROLLBACK")
    other.close()
    store.add_match(play_match(), number=1)


def test_failing_create_leaves_no_run(tmp_path: Path) -> None:
    with pytest.raises(ArenaError):
        Store.create(tmp_path, config="\ud800", source=SOURCE, secret=SECRET)
    with pytest.raises(RunError):
        Store.open(tmp_path)
    Store.create(tmp_path, config=CONFIG, source=SOURCE, secret=SECRET).close()


def test_killed_writer_loses_no_match_that_was_stored(tmp_path: Path) -> None:
    """SIGKILL at any time: every match that was reported as stored is there, whole, and at most the next one besides."""
    writer = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from arena.records.codec import decode_match
        from arena.records.store import Store
        from dataclasses import replace
        record = decode_match(Path(sys.argv[2]).read_text(encoding="utf-8"))
        store = Store.create(Path(sys.argv[1]), config="{}", source="", secret=bytes(32))
        number = 0
        while True:
            number += 1
            store.add_match(replace(record, key=replace(record.key, number=number)), number=number)
            print(number, flush=True)
        """
    )
    record = play_match()
    (tmp_path / "record.json").write_text(encode_match(record), encoding="utf-8")
    for wanted in (1, 7, 20):
        folder = tmp_path / f"run{wanted}"
        command = [sys.executable, "-c", writer, str(folder), str(tmp_path / "record.json")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(wanted):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
            reported = wanted + len(process.stdout.read().split("\n")) - 1
        with Store.open(folder) as store:
            stored = list(store.iter_matches())
        assert [number for number, _ in stored] == list(range(1, len(stored) + 1))
        assert len(stored) in (reported, reported + 1)
        assert all(replace(match, key=record.key) == record for _, match in stored)
