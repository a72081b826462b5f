"""The report as files: what is written, what it says, and that names are names."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner

from arena.cli.replay import replay
from arena.cli.report import report as command
from arena.errors import HostError, UserError
from arena.records.model import FaultKind
from arena.records.store import Store
from arena.show.leaderboard import read_leaderboard
from arena.show.web.report import team_links, write_report
from tests.builders import key, play_match
from tests.show.web.conftest import report
from tests.show.web.runs import SCRIPT, TEAMS, make_run
from tests.tournament.played import write_run


class Reader(HTMLParser):
    """Collects what is asked about a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.scripts: list[dict[str, str | None]] = []
        self.ids: list[str] = []
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.links += [value for name, value in attributes if name in ("href", "src") and value]
        if values.get("id"):
            self.ids.append(str(values["id"]))
        if tag == "script":
            self.scripts.append(values)

    def handle_data(self, data: str) -> None:
        self.text += data


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_team_and_every_match_has_its_pages(site: Path, run: Path) -> None:
    with Store.open(run) as store:
        count = store.match_count()
    assert {path.name for path in (site / "teams").iterdir()} == {f"{number}.html" for number in range(1, len(TEAMS) + 1)}
    wanted = {f"{number}{end}.html" for number in range(1, count + 1) for end in ("", *(f"-seat{seat}" for seat in range(4)))}
    assert {path.name for path in (site / "matches").iterdir()} == wanted


def test_every_link_leads_to_a_file_of_the_report_or_a_place_in_the_page(site: Path) -> None:
    for path in pages(site):
        reader = Reader(path)
        for link in reader.links:
            parts = urlsplit(link)
            if parts.scheme == "data":
                continue
            assert not parts.scheme, link
            assert not parts.netloc, link
            if parts.path:
                assert (path.parent / unquote(parts.path)).is_file(), f"{path}: {link}"
            else:
                assert parts.fragment in reader.ids


def test_every_match_is_linked_from_the_list_and_from_both_teams(site: Path, run: Path) -> None:
    links = team_links(TEAMS)
    listed = Reader(site / "matches.html").links
    with Store.open(run) as store:
        for number, record in store.iter_matches():
            assert f"matches/{number}.html" in listed
            for team in record.key.seated:
                assert f"../matches/{number}.html" in Reader(site / links[team]).links


def test_a_team_called_script_is_a_name(site: Path) -> None:
    own = {"../assets/stage.js", "../assets/replay.js"}
    for path in pages(site):
        reader = Reader(path)
        assert all(it.get("src") in own or it.get("type") == "application/json" for it in reader.scripts)
        assert "<script>alert" not in path.read_text(encoding="utf-8")
    assert SCRIPT in Reader(site / "index.html").text
    assert SCRIPT in Reader(site / team_links(TEAMS)[SCRIPT]).text


def test_what_a_bot_wrote_cannot_act(site: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in pages(site)]
    assert any("\\x1b[31mred" in text for text in texts)
    assert all("\x1b" not in text for text in texts)


def test_faults_of_a_team_stand_on_its_page_with_their_reasons(site: Path, run: Path) -> None:
    links = team_links(TEAMS)
    counts = dict.fromkeys(TEAMS, 0)
    with Store.open(run) as store:
        for _, record in store.iter_matches():
            for fault in record.faults:
                counts[record.key.seated[fault.seat % 2]] += 1
    assert sum(counts.values()) > 10
    for team, count in counts.items():
        text = Reader(site / links[team]).text
        reasons = text.count("no answer within 1000 ms") + text.count("the answer is not one of the legal moves")
        assert reasons == min(count, 50)


def test_matches_that_a_benched_team_did_not_play_have_pages(tmp_path: Path) -> None:
    run = write_run(tmp_path, teams=("A", "B"), faulty="B", fault_share=1.0, matches=4, faults={"bench_after": 3})
    with Store.open(run) as store:
        write_report(store, tmp_path / "site", viewpoints=(None,))
        assert store.match(8).faults[0].kind is FaultKind.BENCHED
    assert "Seat 1: benched, benched: its team forfeited 3 matches" in Reader(tmp_path / "site/matches/4.html").text


@pytest.mark.parametrize(
    "keys",
    [
        {"schedule": {"kind": "knockout"}},
        {"schedule": {"kind": "swiss", "rounds": 3}},
        {"pairs": "all", "teams": (), "bots": ("p", "q", "r", "s", "t")},
    ],
    ids=str,
)
def test_the_table_of_every_kind_of_run_is_that_of_standings(tmp_path: Path, keys: dict[str, Any]) -> None:
    run = write_run(tmp_path, **{"teams": ("A", "B", "C", "D", "E"), "faulty": "C", "rules": {"match_target": 2}} | keys)
    with Store.open(run) as store:
        write_report(store, tmp_path / "site", viewpoints=(None,))
        board = read_leaderboard(store)
        matches = store.match_count()
    links = team_links([row.team for row in board.standings.rows])
    index = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    table = index.split("<tbody>")[1]
    places = [table.index(f'href="{links[row.team]}"') for row in board.standings.rows]
    assert places == sorted(places)
    assert board.ranking in index
    for row in board.standings.rows:
        team = Reader(tmp_path / "site" / links[row.team])
        linked = {link.partition("#")[0] for link in team.links if link.startswith("../matches/")}
        assert len(linked) == row.total.matches <= matches


def test_figures_are_those_of_the_table(site: Path, run: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    rows = re.findall(r"<tr[^>]*>\s*<td class=\"rank\">(.*?)</tr>", page, re.DOTALL)
    with Store.open(run) as store:
        board = read_leaderboard(store)
    assert len(rows) == len(board.standings.rows)
    for text, row in zip(rows, board.standings.rows, strict=True):
        total = row.total
        assert text.startswith(str(row.rank))
        assert f">{total.matches_won}–{total.matches_lost}" in text  # noqa: RUF001
        assert f">{total.games_won}–{total.games_lost}–{total.eggs}<" in text  # noqa: RUF001
        assert f">{total.defeat_points}<" in text
        assert f">{total.defeat_points / total.matches:.2f}<" in text


def test_the_same_run_gives_the_same_report(run: Path, site: Path, tmp_path: Path) -> None:
    again = report(run, tmp_path / "site")
    names = {path.relative_to(site) for path in site.rglob("*.*")}
    assert names == {path.relative_to(again) for path in again.rglob("*.*")}
    assert all((site / name).read_bytes() == (again / name).read_bytes() for name in names)


def test_a_report_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    long = make_run(tmp_path / "long", TEAMS[:3], matches=4)
    short = make_run(tmp_path / "short", TEAMS[:2], matches=2, name="Second")
    site = report(long, tmp_path / "site")
    (site / "notes.txt").write_text("mine")
    report(short, site)
    assert {path.stem for path in (site / "teams").iterdir()} == {"1", "2"}
    assert {path.stem.split("-")[0] for path in (site / "matches").iterdir()} == {"1", "2"}
    assert "Second" in Reader(site / "index.html").text
    assert (site / "notes.txt").read_text() == "mine"
    (site / "index.html").unlink()  # as a report that was cut off
    report(long, site)
    assert len(list((site / "teams").iterdir())) == 3


def test_nothing_of_anybody_else_is_written_over(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", TEAMS[:2], matches=1)
    other = tmp_path / "other"
    other.mkdir()
    (other / "index.html").write_text("<p>my own page")
    for folder in (other, run):
        before = sorted(folder.rglob("*"))
        with pytest.raises(UserError, match="holds no report"):
            report(run, folder)
        assert sorted(folder.rglob("*")) == before
    with pytest.raises(UserError, match="is a file"):
        report(run, other / "index.html")


def test_a_disk_that_cannot_be_written(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", TEAMS[:2], matches=1)
    with pytest.raises(HostError, match="cannot be written"):
        report(run, Path("/proc/nowhere/site"))


def test_a_run_without_a_match(tmp_path: Path) -> None:
    site = report(make_run(tmp_path / "run", TEAMS[:2], matches=0), tmp_path / "site")
    text = Reader(site / "index.html").text
    assert "0 matches played" in text
    assert "Everyone against everyone" not in text
    assert "No match has been played yet." in Reader(site / "teams" / "1.html").text


def test_the_report_can_be_written_while_the_run_goes_on(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", TEAMS[:2], matches=2)
    with Store.open(run) as store:

        def play_on(done: int) -> None:
            if done == 2:
                with Store.open(run) as other:
                    other.add_match(play_match(key(*TEAMS[:2], number=1), seed=99), number=3)

        write_report(store, tmp_path / "site", observe=play_on)
    listed = [link for link in Reader(tmp_path / "site" / "matches.html").links if link.startswith("matches/")]
    assert f"{len(listed)} matches played" in Reader(tmp_path / "site" / "index.html").text
    assert len(listed) in (2, 3)


def test_command(run: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(run), "--out", str(tmp_path / "site"), "--no-seats"], standalone_mode=False)
    assert result.exception is None
    assert str(tmp_path / "site" / "index.html") in result.stdout
    assert result.stderr == ""
    assert not list((tmp_path / "site" / "matches").glob("*seat*"))
    assert "Seat 0" not in Reader(tmp_path / "site" / "matches" / "1.html").text.split("application/json")[0]


def test_one_match_as_one_file(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    result = CliRunner().invoke(replay, [str(run), "3", "--html", str(file), "--seat", "2"], standalone_mode=False)
    assert result.exception is None
    reader = Reader(file)
    assert all(link.startswith(("data:", "#")) for link in reader.links)
    assert "As seat 2 saw it" in reader.text
    for more in (["--game", "1"], ["--into", "somewhere"]):
        result = CliRunner().invoke(replay, [str(run), "3", "--html", str(file), *more], standalone_mode=False)
        assert "--html takes the whole match" in str(result.exception)
    result = CliRunner().invoke(replay, [str(run), "3", "--html", str(tmp_path)], standalone_mode=False)
    assert isinstance(result.exception, UserError)
