"""`arena report`: a folder of pages that a browser opens without a server.

    index.html  matches.html  teams/N.html  matches/N.html  matches/N-seatM.html  assets/

Every page of a match holds the data of one viewpoint. A second report into the same folder takes the place of the first.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import HostError, UserError
from arena.records.store import Store
from arena.records.summary import MatchSummary, summarize
from arena.show.leaderboard import read_leaderboard
from arena.show.web.positions import VIEWPOINTS, Viewpoint
from arena.show.web.rendering import asset_text, render
from arena.show.web.replay import Surroundings, render_pages
from arena.show.web.standings import render_standings
from arena.show.web.teams import MatchLine, TeamDiary, render_team

ASSETS = ("arena.css", "replay.css", "replay.js", "stage.js")
_FOLDERS = ("assets", "matches", "teams")
_MARK = '<meta name="generator" content="arena '
_MARK_WITHIN = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a report came to. index: its first page. pages: how many. size: bytes of all its files."""

    index: Path
    pages: int
    size: int


def write_report(
    store: Store,
    folder: Path,
    *,
    viewpoints: Sequence[Viewpoint] = VIEWPOINTS,
    observe: Callable[[int], object] = lambda number: None,
) -> Written:
    """Write the report of a run, as far as it has been played, into `folder`, which is made if it is not there.

    viewpoints: those that each match gets a page for; the spectator's is always among them. observe: is called after each
    match with how many are done. Raises UserError when the folder holds anything but a report, HostError when it cannot be
    written, StoreError when a record is damaged.
    """
    _check_folder(folder)
    board = read_leaderboard(store)
    links = team_links([row.team for row in board.standings.rows])
    writer = _Writer(folder)
    writer.make_folders()
    for name in ASSETS:
        writer.write(f"assets/{name}", asset_text(name))
    diaries = {team: TeamDiary() for team in links}
    lines: list[MatchLine] = []
    summaries: list[MatchSummary] = []
    twins = _twins(store)
    for done, (number, record) in enumerate(store.iter_matches(), start=1):
        surroundings = Surroundings(
            run=board.title,
            links=links,
            twins=[it for it in twins.get((record.key.teams, record.key.number), ()) if it != number],
            viewpoints=viewpoints,
        )
        for name, page in render_pages(record, surroundings, number=number).items():
            writer.write(f"matches/{name}", page)
        summaries.append(summarize(record))
        lines.append(MatchLine.of(summaries[-1], number=number, games=len(record.games)))
        for team in record.key.seated:
            for ranked in board.members[team]:
                diaries[ranked].add(record, team=team, number=number)
        observe(done)
    # Matches may have been added meanwhile: all pages are of the same ones.
    board = read_leaderboard(store, matches=summaries)
    for row in board.standings.rows:
        page = render_team(row.team, board, diary=diaries[row.team], matches=lines, links=links)
        writer.write(links[row.team], page)
    writer.write("matches.html", render("matches.html", run=board.title, assets="", home="", matches=lines, links=links))
    # Last, so that a report that was cut off has no first page, or the old one.
    writer.write("index.html", render_standings(board, links=links, assets="", home=""))
    writer.remove_others()
    return Written(index=folder / "index.html", pages=writer.pages, size=writer.size)


def team_links(teams: Sequence[str]) -> dict[str, str]:
    """Where every team's page is in a report: numbered by name, so that it does not move with the ranks."""
    return {team: f"teams/{number}.html" for number, team in enumerate(sorted(teams), start=1)}


def _twins(store: Store) -> Mapping[tuple[tuple[str, str], int], list[int]]:
    """The numbers of the matches with the same deals, by pairing and set."""
    found: dict[tuple[tuple[str, str], int], list[int]] = {}
    for key, number in store.match_keys().items():
        found.setdefault((key.teams, key.number), []).append(number)
    return found


def _check_folder(folder: Path) -> None:
    """Nothing of anybody else's is ever written over."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file: name a folder for the report")
    if not folder.is_dir() or not any(folder.iterdir()) or _is_report(folder):
        return
    raise UserError(f"{folder} is not empty and holds no report: name a new folder, or an earlier report that may be replaced")


def _is_report(folder: Path) -> bool:
    # A report that was cut off has style sheets, and no first page yet.
    for name in ("index.html", "assets/arena.css"):
        try:
            with (folder / name).open(encoding="utf-8") as file:
                head = file.read(_MARK_WITHIN)
        except (OSError, UnicodeDecodeError):
            continue
        if _MARK in head or asset_text("arena.css").startswith(head):
            return True
    return False


class _Writer:
    """Writes files below a folder and remembers which."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.size = 0
        self._names: set[str] = set()

    @property
    def pages(self) -> int:
        return sum(name.endswith(".html") for name in self._names)

    def make_folders(self) -> None:
        try:
            for name in _FOLDERS:
                (self.folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise HostError(f"{self.folder}: the report cannot be written: {error.strerror}") from error

    def write(self, name: str, text: str) -> None:
        data = text.encode()
        try:
            (self.folder / name).write_bytes(data)
        except OSError as error:
            raise HostError(f"{self.folder / name} cannot be written: {error.strerror}") from error
        self.size += len(data)
        self._names.add(name)

    def remove_others(self) -> None:
        """Pages of an earlier report that this one has not."""
        for name in ("teams", "matches"):
            for path in (self.folder / name).glob("*.html"):
                if f"{name}/{path.name}" not in self._names:
                    path.unlink(missing_ok=True)
