"""Logging in and out, and opening an account with a one-time token."""

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from qiyan.web.errors import PageError
from qiyan.web.gate import cookie_of
from qiyan.web.hall import Hall
from qiyan.web.replies import json_of, page, session_of
from qiyan.web.sessions import COOKIE, LASTS_S


def routes(hall: Hall) -> list[Route]:
    """The routes of the login."""
    # Each check takes memory and a tenth of a second: a flood of logins must not take more than this.
    checking = asyncio.Semaphore(2)

    async def login_page(_: Request) -> Response:
        return page("login.html")

    async def first_page(_: Request) -> Response:
        return page("first.html")

    async def login(request: Request) -> Response:
        data = await json_of(request)
        name, password = _text(data, "name"), _text(data, "password")
        keys = (f"address {_address(request)}", f"name {name}")
        hall.throttle.check(*keys)
        async with checking:
            hall.throttle.check(*keys)
            right = await asyncio.to_thread(hall.accounts.check, name, password)
            if not right:
                hall.throttle.failed(*keys)
                return JSONResponse({"error": "wrong_login"}, 401)
        hall.throttle.succeeded(*keys)
        return _logged_in(request, hall, " ".join(name.split()))

    async def first(request: Request) -> Response:
        data = await json_of(request)
        key = f"address {_address(request)}"
        hall.throttle.check(key)
        name = " ".join(_text(data, "name").split())
        try:
            async with checking:
                token, password = _text(data, "token"), _text(data, "password")
                await asyncio.to_thread(hall.accounts.open, token, name, password)
        except PageError as error:
            if error.code == "bad_token":
                hall.throttle.failed(key)
            raise
        hall.sessions.end_all_of(name)
        return _logged_in(request, hall, name)

    async def logout(request: Request) -> Response:
        hall.sessions.end(cookie_of(request.headers))
        response = JSONResponse({})
        response.delete_cookie(COOKIE)
        return response

    async def who(request: Request) -> Response:
        session = session_of(request)
        return JSONResponse({"name": session.name, "csrf": session.csrf, "accounts": hall.accounts.names})

    async def invite(request: Request) -> Response:
        return JSONResponse({"token": hall.accounts.invite(), "by": session_of(request).name})

    return [
        Route("/login", login_page),
        Route("/login", login, methods=["POST"]),
        Route("/first", first_page),
        Route("/first", first, methods=["POST"]),
        Route("/arbiter/session", who),
        Route("/arbiter/logout", logout, methods=["POST"]),
        Route("/arbiter/invite", invite, methods=["POST"]),
    ]


def _logged_in(request: Request, hall: Hall, name: str) -> Response:
    cookie, _ = hall.sessions.begin(name)
    response = JSONResponse({"name": name})
    response.set_cookie(
        COOKIE, cookie, max_age=int(LASTS_S), httponly=True, samesite="strict", secure=request.url.scheme == "https"
    )
    return response


def _address(request: Request) -> str:
    return request.client.host if request.client else "?"


def _text(data: dict[str, object], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or len(value) > 1000:
        raise PageError("bad_request", key)
    return value
