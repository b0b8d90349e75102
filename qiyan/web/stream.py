"""Server-sent events: a response that goes on until the reader leaves or reads no more."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.types import Receive, Scope, Send

STUCK_AFTER_S = 30.0
"""A reader that takes nothing for this long is let go; it comes back by itself if it lives."""


def message(event: str, data: Any, number: int | None = None) -> bytes:
    """One message of the stream."""
    head = "" if number is None else f"id: {number}\n"
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"{head}event: {event}\ndata: {text}\n\n".encode()


class EventStream:
    """Sends messages as they come. What a slow reader has not taken is not kept: its sender waits."""

    def __init__(self, messages: AsyncIterator[bytes], headers: dict[str, str] | None = None) -> None:
        self._messages = messages
        self._headers = {
            "content-type": "text/event-stream; charset=utf-8",
            "cache-control": "no-store",
            "x-accel-buffering": "no",
            **(headers or {}),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application."""
        headers = [(name.encode(), value.encode()) for name, value in self._headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] == "HEAD":
            # Ended at once: the browser takes the headers for the whole answer and sends its next request, of whatever
            # page, over the same connection, where it would wait for the end of a stream that has none.
            await send({"type": "http.response.body", "body": b""})
            return
        sending = asyncio.ensure_future(self._send_all(send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send_all(self, send: Send) -> None:
        async for data in self._messages:
            body = {"type": "http.response.body", "body": data, "more_body": True}
            async with asyncio.timeout(STUCK_AFTER_S):
                await send(body)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
