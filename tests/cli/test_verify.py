"""`arena verify`: what it prints and with which code it ends; and what a tournament prints so that its deals can be checked."""

import hashlib
import json
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from arena.records.store import Store
from tests.cli.running import PLANNED, Contest, Result, until

# The seed 7 of the contest as a secret: printf 7 | sha256sum
SECRET = "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451"


@pytest.fixture(name="finished")
def finished_fixture(undisturbed: tuple[Contest, Result]) -> Contest:
    return undisturbed[0]


@pytest.fixture(name="copied")
def copied_fixture(contest: Contest, finished: Contest) -> Contest:
    """A contest with a copy of the finished run, which may be damaged."""
    shutil.copytree(finished.run, contest.run)
    return contest


def change(run: Path, statement: str) -> None:
    connection = sqlite3.connect(run / "arena.db")
    with connection:
        connection.execute(statement)
    connection.close()


def commitment() -> str:
    return "sha256:" + hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()


def test_real_run_verifies(finished: Contest) -> None:
    result = finished.call("verify", "runs/contest")
    assert (result.code, result.stderr) == (0, ""), result
    first, *others = result.stdout.splitlines()
    assert re.fullmatch(rf"runs/contest: all is right: {PLANNED} matches, \d+ games, \d+ decisions in \d+\.\d s\.", first)
    assert f"Deals: committed to {commitment()}" in others
    assert f"Secret of the deals: {SECRET}" in others
    assert re.search("^Fingerprint of the run: sha256:[0-9a-f]{64}$", result.stdout, re.MULTILINE)


def test_commitment_is_printed_before_the_first_deal_and_the_secret_after_the_last(contest: Contest) -> None:
    contest.hold(after=0)
    log = contest.folder / "stderr"
    with log.open("w") as stderr, contest.playing(stderr=stderr) as process:
        until(lambda: "Deals: " in log.read_text())
        assert contest.stored() == 0
        assert f"Deals: committed to {commitment()}\n" in log.read_text()
        with Store.open(contest.run) as store:
            assert store.info.commitment == commitment()
        shown = contest.call("standings", contest.run, "--json").stdout
        assert json.loads(shown)["deals"] == {"commitment": commitment(), "secret": None}
        verified = contest.call("verify", contest.run)
        assert verified.code == 0
        assert SECRET not in shown + verified.stdout + log.read_text()
        contest.release()
        result = process.result()
    assert result.code == 0
    assert f"Secret of the deals: {SECRET}." in log.read_text()
    deals = json.loads(contest.call("standings", contest.run, "--json").stdout)["deals"]
    assert deals == {"commitment": commitment(), "secret": SECRET}


def test_noted_hashes(finished: Contest) -> None:
    fingerprint = finished.call("verify", "runs/contest").stdout.split("Fingerprint of the run: ")[1].split()[0]
    noted = ("--commitment", commitment().removeprefix("sha256:").upper(), "--fingerprint", fingerprint)
    assert finished.call("verify", "runs/contest", *noted).code == 0
    for option in ("--commitment", "--fingerprint"):
        result = finished.call("verify", "runs/contest", option, "0" * 64)
        assert (result.code, result.stderr) == (1, "")
        assert "not what was noted" in result.stdout
        assert f"right   sha256:{'0' * 64}" in result.stdout
        assert finished.call("verify", "runs/contest", option, "abc").code == 2


def test_first_difference(copied: Contest) -> None:
    change(copied.run, "UPDATE match SET record = replace(record, '\"beat ', '\"lead ') WHERE number >= 2")
    result = copied.call("verify", "runs/contest")
    assert (result.code, result.stderr) == (1, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "runs/contest does not verify. The first difference, in match 2:"
    assert [line.split()[0] for line in lines[1:]] == ["what", "stored", "right"]


def test_missing_match(copied: Contest) -> None:
    change(copied.run, "DELETE FROM match WHERE number = 3")
    result = copied.call("verify", "runs/contest")
    assert result.code == 1
    assert "in match 3:\n  what    match\n  stored  nothing\n" in result.stdout


def test_names_cannot_paint_the_terminal(copied: Contest) -> None:
    change(copied.run, "UPDATE run SET config = replace(config, 'A contest', 'A' || char(27) || '[31m')")
    result = copied.call("verify", "runs/contest")
    assert result.code == 1
    assert "\x1b" not in result.stdout


def test_damaged_file(copied: Contest) -> None:
    file = copied.run / "arena.db"
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    result = copied.call("verify", "runs/contest")
    assert result.code == 1
    assert "does not verify" in result.stdout
    assert result.stderr == ""


def test_what_is_no_run(contest: Contest) -> None:
    result = contest.call("verify", "runs")
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr == "arena: no run at runs: no such folder\n"


def test_codes_are_in_the_help(contest: Contest) -> None:
    text = " ".join(contest.call("verify", "--help").stdout.split())
    assert "0 all is right; 1 something is not" in text
