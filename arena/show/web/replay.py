"""The replay page: one match from one viewpoint, in a page that holds that viewpoint's data and no other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import UserError
from arena.records.model import MatchRecord
from arena.show.replay import changed_options
from arena.show.web.positions import VIEWPOINTS, Viewpoint, match_data
from arena.show.web.rendering import render


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a replay page in a report links to.

    run: the name of the run. links: by team, where its page is, from the report's top. twins: numbers of the matches with the
    same deals. viewpoints: those that have a page.
    """

    run: str
    links: Mapping[str, str]
    twins: Sequence[int] = ()
    viewpoints: Sequence[Viewpoint] = VIEWPOINTS


def render_match(record: MatchRecord, *, number: int, viewer: Viewpoint = None) -> str:
    """One match on a page of its own that needs no other file.

    number: of the match, for people. viewer: the seat that looks; None for a spectator. Raises StoreError where the record
    does not follow the rules.
    """
    data = match_data(record, number=number, viewpoints=(viewer,))[viewer]
    return _render(data, record, viewer, None)


def write_match(path: Path, record: MatchRecord, *, number: int, viewer: Viewpoint = None) -> None:
    """Write that page to a file of the user's. Raises UserError when it cannot be written; otherwise as `render_match`."""
    page = render_match(record, number=number, viewer=viewer)
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}") from error


def render_pages(record: MatchRecord, surroundings: Surroundings, *, number: int) -> dict[str, str]:
    """The pages of a match in a report, by the name of their file in the folder of the matches. Raises as `render_match`."""
    pages = match_data(record, number=number, viewpoints=surroundings.viewpoints)
    return {page_name(number, viewer): _render(data, record, viewer, surroundings) for viewer, data in pages.items()}


def page_name(number: int, viewer: Viewpoint = None) -> str:
    """The file of a match and a viewpoint."""
    return f"{number}.html" if viewer is None else f"{number}-seat{viewer}.html"


def _render(data: dict[str, Any], record: MatchRecord, viewer: Viewpoint, surroundings: Surroundings | None) -> str:
    number = data["number"]
    is_alone = surroundings is None
    viewpoints = [] if surroundings is None or len(surroundings.viewpoints) < 2 else surroundings.viewpoints
    return render(
        "replay.html",
        data=data,
        run="Kozel on 4 cards" if surroundings is None else surroundings.run,
        assets=None if is_alone else "../",
        home=None if is_alone else "../",
        root="../",
        links={} if surroundings is None else surroundings.links,
        twins=() if surroundings is None else surroundings.twins,
        viewpoints=[
            {
                "href": page_name(number, it),
                "label": "Spectator" if it is None else f"Seat {it}",
                "current": it == viewer,
            }
            for it in viewpoints
        ],
        verdict=_verdict(record),
        rules=changed_options(record.rules),
        time=record.time,
        # What was never told to a seat.
        facts=None
        if viewer is not None
        else {
            "started_at": record.started_at,
            "seconds": record.seconds,
            "isolation": record.isolation,
        },
    )


def _verdict(record: MatchRecord) -> str:
    """How it ended, without names."""
    first, second = record.defeat_points
    score = f"{first}\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}{second} defeat points"
    if record.forfeited:
        who = " and ".join("seats 0 and 2" if team == 0 else "seats 1 and 3" for team in record.forfeited)
        return f"It ended {score}; {who} forfeited."
    if record.loser is None:
        return f"It was drawn, {score}."
    losers = "Seats 0 and 2" if record.loser == 0 else "Seats 1 and 3"
    return f"{losers} lost it, {score}{f': {record.goats}' if record.goats else ''}."
