"""The gate before every route: nothing but what is named public is reached without a session; headers on everything.

It denies by default: a route that somebody adds later is closed until it is named here.
"""

from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qiyan.web.hall import Hall
from qiyan.web.sessions import COOKIE, Session

PUBLIC_PREFIXES = ("/overlay/", "/feed/", "/state/", "/pgn/", "/static/")
PUBLIC_PATHS = ("/", "/login", "/first", "/favicon.ico")
PAGE_PREFIXES = ("/arbiter", "/setup/")
"""Paths that a person opens: without a session they lead to the login."""
SAFE_METHODS = ("GET", "HEAD")
LARGEST_BODY_BYTES = 64 * 1024
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Gate:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, hall: Hall, loopback: bool) -> None:
        """`loopback`: the server listens on this machine only, so that any other host name is a trick (rebinding)."""
        self._app = app
        self._hall = hall
        self._loopback = loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        session = self._hall.sessions.find(cookie_of(headers))
        scope["state"] = {**scope.get("state", {}), "session": session}
        refusal = self._refusal(scope, headers, session)
        app = self._app if refusal is None else refusal
        await app(scope, _limited(receive), _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers, session: Session | None) -> Response | None:
        path, method = scope["path"], scope["method"]
        if self._loopback and host_name(headers.get("host", "")) not in LOOPBACK_NAMES:
            return _refuse(403, "wrong_host")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY_BYTES:
            return _refuse(413, "too_large")
        is_public = path in PUBLIC_PATHS or path.startswith(PUBLIC_PREFIXES)
        if method in SAFE_METHODS:
            if is_public or session is not None:
                return None
            if path.startswith(PAGE_PREFIXES) and "text/html" in headers.get("accept", ""):
                return RedirectResponse(f"/login?next={quote(quote(path))}", 303)
            return _refuse(401, "not_logged_in")
        if method != "POST":
            return _refuse(405, "bad_request")
        if not _same_origin(headers):
            return _refuse(403, "wrong_origin")
        if path in ("/login", "/first"):
            return None
        if session is None:
            return _refuse(401, "not_logged_in")
        if not session.allows(headers.get("x-csrf-token", "")):
            return _refuse(403, "no_csrf_token")
        return None


def cookie_of(headers: Headers) -> str | None:
    """The session's cookie; None where the browser sends none."""
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return None
    return cookies[COOKIE].value if COOKIE in cookies else None


def host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    return (urlsplit(f"//{host}").hostname or "") if host.count("@") == 0 else ""


def _same_origin(headers: Headers) -> bool:
    """Browsers name where a POST comes from; programs that are no browser need not."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") == "same-origin"
    return urlsplit(origin).netloc == headers.get("host", "")


def _refuse(status: int, code: str) -> JSONResponse:
    return JSONResponse({"error": code}, status, {"cache-control": "no-store"})


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending


def _limited(receive: Receive) -> Receive:
    """Bodies without a stated length are cut off as well."""
    taken = 0

    async def receiving() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > LARGEST_BODY_BYTES:
                return {"type": "http.disconnect"}
        return message

    return receiving
