"""Small pieces of every route: static files, JSON in and out."""

import json
import mimetypes
from importlib import resources
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from qiyan.web.errors import NotFound, PageError, TooFast
from qiyan.web.sessions import Session

_STATIC = resources.files("qiyan.web") / "static"
_TYPES = {".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml"}


def static_text(name: str) -> str:
    """A file of ours, as text."""
    return (_STATIC / name).read_text(encoding="utf-8")


def page(name: str, status: int = 200) -> Response:
    """One of our pages."""
    return Response(static_text(name), status, media_type="text/html; charset=utf-8")


def static_file(path: str) -> Response:
    """A script, style or message file; NotFound for anything that is not ours."""
    parts = path.split("/")
    if len(parts) > 2 or not all(part and part[0] != "." and "\\" not in part for part in parts):
        raise NotFound("not_found")
    file = _STATIC
    for part in parts:
        file = file / part
    suffix = path[path.rfind(".") :]
    if not file.is_file() or suffix == ".html":
        raise NotFound("not_found")
    kind = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    text = "; charset=utf-8" if kind.startswith("text/") else ""
    # Never kept: a new version must not meet an old script, and Chromium lets a page wait for 20 s for the cache entry
    # of a file that the page before it was still busy with.
    return Response(file.read_bytes(), media_type=kind + text, headers={"cache-control": "no-store"})


async def json_of(request: Request) -> dict[str, Any]:
    """The JSON object of a request's body; PageError where there is none."""
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise PageError("bad_request", "application/json expected")
    try:
        data = json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise PageError("bad_request", "not JSON") from error
    if not isinstance(data, dict):
        raise PageError("bad_request", "not an object")
    return data


def session_of(request: Request) -> Session:
    """Who asks; the gate lets nobody without a session come here."""
    session = request.scope["state"]["session"]
    assert isinstance(session, Session)
    return session


def on_page_error(_: Request, error: Exception) -> Response:
    """The error as JSON; the page has the words for its code."""
    assert isinstance(error, PageError)
    headers = {"retry-after": str(int(error.retry_s) + 1)} if isinstance(error, TooFast) else None
    return JSONResponse({"error": error.code, "detail": error.detail}, error.status, headers)
