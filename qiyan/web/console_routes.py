"""The arbiter's console: incidents with their evidence, and the decisions on them."""

import re
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from qiyan import inbox
from qiyan.evidence import FOLDER as EVIDENCE_FOLDER
from qiyan.evidence_fate import Fate
from qiyan.web.console_stream import follow_all
from qiyan.web.decisions import parse_decision
from qiyan.web.errors import Conflict, Gone, NotFound, PageError
from qiyan.web.gate import cookie_of
from qiyan.web.hall import Hall, Table
from qiyan.web.possible import look_whether_possible
from qiyan.web.public_game import names_of
from qiyan.web.replies import json_of, page, session_of
from qiyan.web.sheet import incident_sheet
from qiyan.web.stream import EventStream
from qiyan.web.undo import undo
from rules.errors import RulesError

_EVIDENCE_NAME = re.compile(r"[\w][\w.-]{0,120}\.(webm|jpg|png|mp4)", re.ASCII)
_TYPES = {"webm": "video/webm", "jpg": "image/jpeg", "png": "image/png", "mp4": "video/mp4"}

_GONE = {Fate.REMOVED: "evidence_removed", Fate.LOST: "evidence_lost"}
"""What the page says of a file that will not come; of any other it may still be written."""


def routes(hall: Hall) -> list[Route]:
    """The routes of the console; the gate lets only sessions come here."""

    async def console(_: Request) -> Response:
        return page("arbiter.html")

    async def feed(request: Request) -> Response:
        cookie = cookie_of(request.headers)
        return EventStream(follow_all(hall, lambda: hall.sessions.find(cookie) is not None))  # type: ignore[return-value]

    async def evidence(request: Request) -> Response:
        table = hall.table(request.path_params["table"])
        name = request.path_params["name"]
        matched = _EVIDENCE_NAME.fullmatch(name)
        folder = (table.spec.folder / EVIDENCE_FOLDER).resolve()
        path = folder / name
        if matched is None or path.resolve().parent != folder:
            raise NotFound("no_such_evidence")
        if not path.is_file():
            fate = table.feed.fate_of(f"{EVIDENCE_FOLDER}/{name}")
            raise Gone(_GONE[fate]) if fate in _GONE else NotFound("no_such_evidence")
        return FileResponse(path, media_type=_TYPES[matched[1]])

    async def decide(request: Request) -> Response:
        table = _fresh(hall, request)
        decision = parse_decision(await json_of(request), _incidents(table))
        look_whether_possible(table.feed.entries, decision)
        _leave(table, decision, session_of(request).name)
        return JSONResponse({})

    async def take_back(request: Request) -> Response:
        table = _fresh(hall, request)
        seq = (await json_of(request)).get("seq")
        if not isinstance(seq, int):
            raise PageError("bad_request", "seq")
        for decision in undo(table.feed.entries, seq):
            _leave(table, decision, session_of(request).name)
        return JSONResponse({})

    async def sheet(request: Request) -> Response:
        table = _fresh(hall, request)
        language = "en" if request.query_params.get("lang") == "en" else "zh"
        seq = int(request.path_params["seq"])
        if seq not in _incidents(table):
            raise NotFound("no_such_incident")
        text = incident_sheet(table, seq, language)
        headers = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:"}
        if request.query_params.get("save"):
            name = quote(f"{table.spec.name}-{seq}.html")
            headers["content-disposition"] = f"attachment; filename*=UTF-8''{name}"
        return Response(text, media_type="text/html; charset=utf-8", headers=headers)

    async def name(request: Request) -> Response:
        asked = request.query_params
        try:
            return JSONResponse(names_of(asked.get("fen", ""), asked.get("iccs", "")))
        except RulesError as error:
            raise PageError("bad_request", str(error)[:200]) from error

    async def delay(request: Request) -> Response:
        minutes = (await json_of(request)).get("minutes")
        if isinstance(minutes, bool) or not isinstance(minutes, int | float):
            raise PageError("bad_delay")
        try:
            hall.set_delay(minutes * 60.0)
        except ValueError as error:
            raise PageError("bad_delay", str(error)) from error
        return JSONResponse({"delay_s": hall.settings.delay_s})

    return [
        Route("/arbiter", console),
        Route("/arbiter/feed", feed),
        Route("/arbiter/name", name),
        Route("/arbiter/delay", delay, methods=["POST"]),
        Route("/arbiter/evidence/{table:path}/{name}", evidence),
        Route("/arbiter/decide/{table:path}", decide, methods=["POST"]),
        Route("/arbiter/undo/{table:path}", take_back, methods=["POST"]),
        Route("/arbiter/sheet/{table:path}/{seq:int}", sheet),
    ]


def _fresh(hall: Hall, request: Request) -> Table:
    """The table of the request, with everything that is in its journal at this moment."""
    table = hall.table(request.path_params["table"])
    if table.feed.look():
        table.feed.wake()
    return table


def _incidents(table: Table) -> set[int]:
    return {entry["seq"] for entry in table.feed.entries if entry["kind"] == "incident"}


def _leave(table: Table, decision: dict[str, object], by: str) -> None:
    if not table.spec.folder.is_dir():
        raise Conflict("nothing_recorded")
    inbox.leave(table.spec.folder, {**decision, "by": by})
