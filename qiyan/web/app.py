"""The application: routes of the public, the arbiter and the set-up behind one gate."""

import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.types import ASGIApp

from qiyan.web import console_routes, login_routes, public_routes, setup_routes
from qiyan.web.errors import PageError
from qiyan.web.gate import Gate
from qiyan.web.hall import Hall
from qiyan.web.replies import on_page_error


def build(hall: Hall, loopback: bool = True) -> ASGIApp:
    """The ASGI application that serves `hall`."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        hall.start()
        yield
        await hall.stop()

    app = Starlette(
        routes=[
            *public_routes.routes(hall),
            *login_routes.routes(hall),
            *console_routes.routes(hall),
            *setup_routes.routes(hall),
        ],
        exception_handlers={PageError: on_page_error},
        lifespan=lifespan,
    )
    return Gate(app, hall, loopback)
