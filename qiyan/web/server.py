"""The server process: the application on a port, and what the person who started it needs to know."""

import asyncio
import socket
from collections.abc import Callable
from urllib.parse import quote

import uvicorn

from qiyan.errors import ConfigError
from qiyan.web.app import build
from qiyan.web.hall import Hall
from qiyan.web.tables import HallSpec

DEFAULT_PORT = 8640
LOOPBACK = ("127.0.0.1", "::1", "localhost")
SEND_BUFFER_BYTES = 64 * 1024
"""What the kernel keeps for a page that does not read."""


def serve(
    spec: HallSpec, host: str, port: int, delay_min: float | None, invite: bool, tell: Callable[[str], None]
) -> None:
    """Serve until stopped; `tell` gets lines for the terminal. ConfigError where the port is taken."""
    hall = Hall.of(spec)
    if delay_min is not None:
        hall.set_delay(delay_min * 60.0)
    listening = _listen(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
    for line in (*greeting(hall, address, invite), ""):
        tell(line)
    config = uvicorn.Config(
        build(hall, loopback=host in LOOPBACK),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=15,
        h11_max_incomplete_event_size=32 * 1024,
        lifespan="on",
        ws="none",
    )
    asyncio.run(PagesServer(config, hall).serve(sockets=[listening]))


class PagesServer(uvicorn.Server):
    """Ends the streams before it waits for the connections to end."""

    def __init__(self, config: uvicorn.Config, hall: Hall) -> None:
        super().__init__(config)
        self._hall = hall

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's, with the streams let go first."""
        self._hall.end_streams()
        await super().shutdown(sockets)


def greeting(hall: Hall, address: str, invite: bool) -> list[str]:
    """Where everything is."""
    lines = [f"Overlay of table {name}: {address}/overlay/{quote(name)}" for name in hall.tables]
    lines.append(f"Arbiter's console: {address}/arbiter    all tables: {address}/")
    if hall.settings.delay_s:
        lines.append(f"Public pages are {hall.settings.delay_s / 60:g} min behind.")
    if invite or not hall.accounts.names:
        # In the fragment, which a browser sends to nobody and no log keeps.
        lines.append(f"Open an account (once, within a day): {address}/first#{hall.accounts.invite()}")
    return lines


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        why = f"cannot listen on {host} port {port} ({error.strerror}): choose another with --port"
        raise ConfigError(why) from error
    listening.listen(512)
    listening.set_inheritable(False)
    return listening
