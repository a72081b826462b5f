"""The live page as a web application: one page, its style and script, and a stream of events.

A moment is all that the page shows at one time, so every event makes the page whole: a browser that comes late, missed events
or reads slowly shows the same as one that was there. Nothing is kept for a browser.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from arena.show.leaderboard import Leaderboard
from arena.show.web.live_run import Stage
from arena.show.web.rendering import asset_text, render
from arena.show.web.standings import render_board
from arena.tournament.pairings import Pairing

LIVE_ASSETS: Mapping[str, str] = {"arena.css": "text/css", "live.css": "text/css", "live.js": "text/javascript"}
HEADERS = [
    (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'",
    ),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
]
"""Of every answer. No other site may read the page, frame it or load from it, and it loads nothing from elsewhere."""
_RETRY_MS = 2000
_PING_SECONDS = 15.0
"""Proxies cut what says nothing for a minute, some for half a minute."""
_MAX_PAIRINGS = 12
_ID_DIGITS = 16
_WORDS = {
    Stage.PREPARING: "The bots are being prepared.",
    Stage.PLAYING: "The tournament goes on.",
    Stage.FINISHED: "The tournament is finished. This is its table.",
    Stage.STOPPED: "The tournament was stopped before its end. What was played is kept, and it can go on.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What the page shows at one time: as a page, and as an event that turns any other one into it.

    id: the same for all that look the same, whichever server made them.
    """

    id: str
    page: str
    event: bytes
    is_last: bool


def make_moment(board: Leaderboard, *, stage: Stage, playing: Sequence[Pairing]) -> Moment:
    """The moment of this board, without the secret of the deals, whatever the stage."""
    table = Markup(render_board(replace(board, secret=None)))
    progress = Markup(
        render(
            "progress.html",
            played=board.standings.matches,
            planned=board.planned or 0,
            playing=playing[:_MAX_PAIRINGS],
            more=len(playing[_MAX_PAIRINGS:]),
        )
    )
    data = {"stage": stage, "words": _WORDS[stage], "progress": progress, "board": table}
    # JSON on one line and in ASCII: no name can end the line, which would end the event.
    text = json.dumps(data)
    moment_id = hashlib.sha256(text.encode()).hexdigest()[:_ID_DIGITS]
    event = f"id: {moment_id}\ndata: {text}\n\n".encode()
    page = render("live.html", run=board.title, assets="", home=None, **data)
    return Moment(id=moment_id, page=page, event=event, is_last=stage in (Stage.FINISHED, Stage.STOPPED))


class LivePage:
    """The application, with the moment that it shows; everything happens in one event loop.

    hosts: the names under which it may be asked for, None for all. A page of another site whose name somebody points to this
    machine comes with its own name, and is refused.
    """

    def __init__(self, moment: Moment, *, hosts: Sequence[str] | None) -> None:
        self._moment = moment
        self._changed = asyncio.Event()
        self._assets = {name: asset_text(name) for name in LIVE_ASSETS}
        self.app = Starlette(
            routes=[Route("/", self._page), Route("/events", self._events), Route("/assets/{name}", self._asset)],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts or ["*"], www_redirect=False)],
        )

    def show(self, moment: Moment) -> None:
        """Turn all pages to this moment."""
        self._moment = moment
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _page(self, request: Request) -> Response:
        return Response(self._moment.page, media_type="text/html")

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._assets:
            return PlainTextResponse("Not Found", status_code=404)
        return Response(self._assets[name], media_type=LIVE_ASSETS[name])

    async def _events(self, request: Request) -> Response:
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        events = self._iter_events(request.headers.get("last-event-id"))
        # Some proxies would keep events until there are many.
        return StreamingResponse(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    async def _iter_events(self, last_id: str | None) -> AsyncIterator[bytes]:
        """All moments from now on to the last one; those that pass while the browser does not read are left out."""
        yield f"retry: {_RETRY_MS}\n\n".encode()
        while True:
            # Taken together: a change while the browser is sent something is found at once afterwards.
            moment, changed = self._moment, self._changed
            if moment.id != last_id:
                yield moment.event
                last_id = moment.id
            if moment.is_last:
                return
            try:
                await asyncio.wait_for(changed.wait(), _PING_SECONDS)
            except TimeoutError:
                yield b": still here\n\n"
