"""What everybody may see: the overlay, its feed, the state and the PGN, all behind the delay."""

import math
import time
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from qiyan.game_so_far import GameSoFar
from qiyan.web.errors import PageError
from qiyan.web.hall import Hall, Table
from qiyan.web.public_stream import Reader, follow, follow_many
from qiyan.web.pulse import pulse
from qiyan.web.replies import page, static_file
from qiyan.web.settings import LONGEST_DELAY_S
from qiyan.web.stream import EventStream
from rules.notations import NOTATIONS
from rules.pgn import format_pgn

ANY_ORIGIN = {"access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin"}
"""Feed, state and PGN are for other programs' pages as well; they hold nothing that is not public."""
MOST_FOLLOWED = 100
"""Tables in one stream."""


def routes(hall: Hall) -> list[Route]:
    """The public routes."""

    def delay_of(request: Request) -> float:
        """The delay of the stage, or what the address asks for where that is longer."""
        return max(hall.settings.delay_s, _asked_delay_s(request.query_params.get("delay", "0")))

    async def index(_: Request) -> Response:
        return page("index.html")

    async def tables(_: Request) -> Response:
        return JSONResponse({"tables": [_listed(hall, table) for table in hall.tables.values()]})

    async def overlay(request: Request) -> Response:
        known = request.path_params["table"] in hall.tables
        return page("overlay.html", 200 if known else 404)

    async def only_overlay(_: Request) -> Response:
        first = next(iter(hall.tables))
        return RedirectResponse(f"/overlay/{quote(first)}", 307)

    def reader(table: Table, asked_s: float, last_seq: int | None = None) -> Reader:
        return Reader(table.feed, lambda: max(hall.settings.delay_s, asked_s), lambda: hall.about(table), last_seq)

    async def feed(request: Request) -> Response:
        table = hall.table(request.path_params["table"])
        messages = follow(
            reader(table, _asked_delay_s(request.query_params.get("delay", "0")), _last_event_id(request)),
            lambda: hall.closing,
        )
        return EventStream(messages, ANY_ORIGIN)  # type: ignore[return-value]

    async def feeds(request: Request) -> Response:
        """Many tables in one stream, for browsers, which keep no more than six connections to a server."""
        readers: dict[str, Reader | None] = {}
        for asked in request.query_params.getlist("follow")[:MOST_FOLLOWED]:
            delay, _, name = asked.partition(":")
            table = hall.tables.get(name)
            readers[asked] = None if table is None else reader(table, _asked_delay_s(delay))
        return EventStream(follow_many(readers, lambda: hall.closing))  # type: ignore[return-value]

    async def state(request: Request) -> Response:
        table = hall.table(request.path_params["table"])
        delay_s = delay_of(request)
        shown = table.feed.state(table.feed.public_count(delay_s))
        body = {**hall.about(table), **shown, "now_s": time.time(), "pulse": pulse(table.feed, delay_s)}
        return JSONResponse(body, headers=ANY_ORIGIN)

    async def pgn(request: Request) -> Response:
        name = request.path_params["table"]
        notation = request.query_params.get("notation", "iccs")
        if notation not in NOTATIONS:
            raise PageError("bad_request", f"notation: {', '.join(NOTATIONS)}")
        table = hall.table(name)
        text = public_pgn(table, delay_of(request), notation)
        return Response(text, media_type="application/x-chess-pgn; charset=utf-8", headers=ANY_ORIGIN)

    async def static(request: Request) -> Response:
        return static_file(request.path_params["path"])

    async def icon(_: Request) -> Response:
        return static_file("icon.svg")

    return [
        Route("/", index),
        Route("/state/", tables),
        Route("/overlay/", only_overlay),
        Route("/overlay/{table:path}", overlay),
        Route("/feed/", feeds),
        Route("/feed/{table:path}", feed),
        Route("/state/{table:path}", state),
        Route("/pgn/{table:path}.pgn", pgn),
        Route("/static/{path:path}", static),
        Route("/favicon.ico", icon),
    ]


def public_pgn(table: Table, delay_s: float, notation: str = "iccs") -> str:
    """The game as far as it is public, as the recorder's own game.pgn has it."""
    game = GameSoFar()
    for entry in table.feed.entries_older_than(delay_s):
        game.apply(entry)
    game.headers |= table.names()
    return format_pgn(game.game(), notation)


def _listed(hall: Hall, table: Table) -> dict[str, Any]:
    state = table.feed.state(table.feed.public_count(hall.settings.delay_s))
    names = table.names()
    return {
        "table": table.spec.name,
        "red": names.get("Red"),
        "black": names.get("Black"),
        "plies": len(state["moves"]),
        "result": state["result"],
        "pulse": pulse(table.feed, hall.settings.delay_s),
    }


def _asked_delay_s(text: str) -> float:
    """The delay that the address asks for, in minutes there; what is no number asks for none."""
    try:
        minutes = float(text)
    except ValueError:
        return 0.0
    return min(LONGEST_DELAY_S, max(0.0, minutes * 60.0)) if math.isfinite(minutes) else 0.0


def _last_event_id(request: Request) -> int | None:
    text = request.headers.get("last-event-id") or request.query_params.get("after") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
