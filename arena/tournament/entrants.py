"""Who takes part: the bots and teams of a tournament file, and those of the contest that it names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from arena.contest.store import current_submissions, list_submissions
from arena.contest.submission import BUILT_NAME, Submission
from arena.errors import ConfigError, UserError
from arena.seat.content import content_hash
from arena.seat.manifest import FILE_NAME, Manifest, load_manifest
from arena.seat.yaml_file import MAX_PROBLEMS, Document, Problem, printable, quoted
from arena.seat.yaml_model import folded_name, nearest, shown, suggestion
from arena.tournament.file import FROM, LEAST_TEAMS, MOST_TEAMS, TEAMS_IN_WORDS, TournamentFile
from arena.tournament.kinds import Pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class BotEntry:
    """A bot of the tournament.

    bot_id: as teams call it. path: as the file has it, relative to the file. content: the hash of its source. submission:
    what it was taken from when the file did not name it itself.
    """

    bot_id: str
    path: str
    manifest: Manifest
    content: str = ""
    submission: Submission | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamEntry:
    """A team. name: normalised, unique. bots: two bot ids, the one on the lower seat first.

    players: what its bots are ranked as, when it is a pair out of all bots.
    """

    name: str
    bots: tuple[str, str]
    players: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrants:
    """What was found. bots, teams: without those in which something is wrong; of teams, only those of the contest."""

    bots: tuple[BotEntry, ...]
    teams: tuple[TeamEntry, ...]
    problems: tuple[Problem, ...]


def load_entrants(document: Document) -> Entrants:
    """Read the bots' folders and the contest, and check the teams; the document may not be what `TournamentFile` wants."""
    value = document.at(("bots",))
    paths = {key: path for key, path in value.items() if isinstance(path, str) and path} if isinstance(value, dict) else {}
    problems: list[Problem] = []
    bots, teams = [], []
    try:
        for bot in _iter_contest_bots(document, paths.get(FROM)):
            bots.append(bot)
            if bot.submission is not None:
                teams.append(TeamEntry(name=bot.submission.team, bots=(bot.bot_id, bot.bot_id)))
    except UserError as error:
        problems += [document.problem(("bots", FROM), line) for line in str(error).splitlines()]
    own, own_problems = _load_own(document, {key: path for key, path in paths.items() if key != FROM})
    taken = {bot.bot_id for bot in bots}
    for bot in own:
        if bot.bot_id in taken:
            own_problems.append(document.problem(("bots", bot.bot_id), "is what a submission is called; choose another name"))
    has_contest = isinstance(value, dict) and FROM in value
    makes_teams = document.at(("pairs",)) == Pairs.ALL
    if makes_teams:  # bots are ranked there, a submission under its team's name
        names = {folded_name(team.name) for team in teams}
        for bot in own:
            if folded_name(bot.bot_id) in names:
                own_problems.append(
                    document.problem(("bots", bot.bot_id), "is what a submitted team is called; choose another name")
                )
    problems += own_problems
    if FROM in paths and not problems and not makes_teams:
        problems += _iter_contest_problems(document, teams=len(teams))
    problems += _iter_team_problems(document, teams)
    if not has_contest and not makes_teams:
        problems += _iter_count_problems(document)
    return Entrants(bots=(*bots, *own), teams=tuple(teams), problems=tuple(problems))


def _load_own(document: Document, paths: dict[str, str]) -> tuple[list[BotEntry], list[Problem]]:
    """The bots whose folders are right, and what is wrong with the others."""
    bots: list[BotEntry] = []
    problems: list[Problem] = []
    hashes: dict[Path, str] = {}
    for bot_id, path in paths.items():
        try:
            manifest = load_manifest(document.path.parent / path)
            if manifest.folder not in hashes:
                hashes[manifest.folder] = _hash(manifest.folder)
            bots.append(BotEntry(bot_id=bot_id, path=path, manifest=manifest, content=hashes[manifest.folder]))
        except ConfigError as error:
            problems += [document.problem(("bots", bot_id), line) for line in str(error).splitlines()]
    return bots, problems


def _iter_contest_bots(document: Document, path: str | None) -> Iterator[BotEntry]:
    """The newest valid submission of every team. Raises UserError with a line for everything that is wrong."""
    if path is None:
        return
    contest = document.path.parent / path
    if (contest / FILE_NAME).exists():
        raise UserError(f"{printable(path)}: is a bot's folder; {FROM} names the folder that `arena submit` puts bots into")
    listing = list_submissions(contest)
    if listing.damaged:
        raise UserError("\n".join(f"{printable(path)}/{line}; repair it or remove its folder" for line in listing.damaged))
    for submission in current_submissions(listing.submissions):
        name = submission.submission_id
        if _hash(submission.source) != submission.content:
            raise UserError(
                f"{printable(path)}/{name}: the source was changed after the team {quoted(submission.team)} had submitted it; "
                "submit it again"
            )
        # What was built from it may be missing, and is then built before the tournament.
        manifest = replace(load_manifest(submission.source), folder=submission.built.resolve())
        yield BotEntry(
            bot_id=name,
            path=f"{path.rstrip('/')}/{name}/{BUILT_NAME}",
            manifest=manifest,
            content=submission.content,
            submission=submission,
        )


def _iter_contest_problems(document: Document, *, teams: int) -> Iterator[Problem]:
    """Too few or too many teams together with those that are listed, and bots beside the contest that nobody fields."""
    listed, bots = document.at(("teams",)), document.at(("bots",))
    if not listed and isinstance(bots, dict) and len(bots) > 1:
        others = printable(", ".join(key for key in bots if key != FROM))[:200]
        yield document.problem(
            ("bots",), f"no team plays with {others}: list the teams that do under teams, or leave the bots out"
        )
    total = teams + (len(listed) if isinstance(listed, list) else 0)
    if not LEAST_TEAMS <= total <= MOST_TEAMS:
        have = f"{teams} team{'' if teams == 1 else 's'} with a valid submission"
        path = printable(str(document.at(("bots", FROM))))
        yield document.problem(
            ("bots", FROM),
            f"{path} has {have}, which with those under teams makes {total}; there must be {LEAST_TEAMS} to {MOST_TEAMS}. "
            "`arena submissions` shows what is there",
        )


def _iter_count_problems(document: Document) -> Iterator[Problem]:
    """What `TournamentFile` leaves to us: without a contest there must be teams, and two at least."""
    value = document.value
    if not isinstance(value, dict):
        return
    if "teams" not in value:
        known = TournamentFile.model_fields
        if not any(nearest(key, known) == "teams" for key in value if key not in known):
            yield document.problem(("teams",), f"is missing; it must be {TEAMS_IN_WORDS}")
    elif isinstance(teams := value["teams"], list) and len(teams) < LEAST_TEAMS:
        yield document.problem(("teams",), f"must be {TEAMS_IN_WORDS}, not {shown(teams)}")


def _iter_team_problems(document: Document, submitted: Iterable[TeamEntry]) -> Iterator[Problem]:
    """What is wrong between teams, or between teams and bots."""
    entries, bots = document.at(("teams",)), document.at(("bots",))
    own = [key for key in bots if key != FROM] if isinstance(bots, dict) else []
    by_submission = {folded_name(team.name): team for team in submitted}
    first_with: dict[str, int] = {}
    unknown = 0
    for index, team in enumerate(entries if isinstance(entries, list) else ()):
        if not isinstance(team, dict):
            continue
        name, members = team.get("name"), team.get("bots")
        if isinstance(name, str):
            folded = folded_name(name)
            first = first_with.setdefault(folded, index)
            taken = ""
            if first != index:
                taken = f"the team on line {document.place(('teams', first, 'name')).line}"
            elif folded in by_submission:
                taken = f"the submission {by_submission[folded].bots[0]}"
            if taken:
                text = f"the name {quoted(name)} is taken by {taken}; names must differ in more than case and spaces"
                yield document.problem(("teams", index, "name"), text)
        for place, bot in enumerate(members if isinstance(members, list) else ()):
            if isinstance(bot, str) and isinstance(bots, dict) and bot not in own:
                unknown += 1
                # The nearest of many bots is slow to find, and what comes after so many problems is not shown.
                known = _known_bots(bot, own) if unknown <= MAX_PROBLEMS else ""
                yield document.problem(("teams", index, "bots", place), f"there is no bot {quoted(bot)} under bots{known}")


def _known_bots(wrong: str, bots: Iterable[str]) -> str:
    known = printable(", ".join(bots))[:200]
    return suggestion(wrong, bots) or (f"; known: {known}" if known else "")


def _hash(folder: Path) -> str:
    try:
        return content_hash(folder)
    except OSError as error:
        name = printable(str(error.filename or folder))
        raise ConfigError(f"{name}: cannot be read: {error.strerror or error}") from None
