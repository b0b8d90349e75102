"""What an overlay is sent: the whole state first, then every public entry, no younger than the delay."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from qiyan.web.feed import LOOK_EVERY_S, Feed
from qiyan.web.pulse import pulse
from qiyan.web.stream import message

PING_EVERY_S = 3.0
"""A page that hears nothing for several of these knows that its feed is old."""
MOST_RESUMED = 500
"""With more entries missed than this, the whole state is sent instead."""


@dataclass(slots=True)
class Reader:
    """One page's place in one table's feed."""

    feed: Feed
    delay_s: Callable[[], float]
    """What is younger is not told; may change at any time."""
    about: Callable[[], dict[str, Any]]
    """What is known of the table besides: names, delay."""
    last_seq: int | None = None
    """The `id` that the page heard last."""
    _told_about: dict[str, Any] | None = None
    _generation: int = -1
    _count: int = -1
    _pinged_s: float = 0.0

    def news(self) -> Iterator[bytes]:
        """What the page has not been sent yet."""
        feed, delay_s = self.feed, self.delay_s()
        visible = feed.public_count(delay_s)
        known = self.about()
        if known != self._told_about:
            self._told_about = known
            yield message("about", {**known, "recording": feed.recording, "now_s": time.time()})
        if self._generation != feed.generation or visible < self._count:
            begins = self._generation == -1
            self._generation = feed.generation
            resumed = _resume_at(feed, visible, self.last_seq) if begins and self.last_seq is not None else None
            if resumed is None:
                self._count = visible
                state = feed.state(visible)
                yield message("state", {**state, "recording": feed.recording, "now_s": time.time()}, state["seq"])
            else:
                self._count = resumed
        if self._count < visible:
            batch = feed.messages[self._count : visible]
            self._count = visible
            yield b"".join(batch)
        if time.monotonic() - self._pinged_s >= PING_EVERY_S:
            self._pinged_s = time.monotonic()
            yield message("ping", {"now_s": time.time(), "pulse": pulse(feed, delay_s)})

    def wait_s(self) -> float:
        """How long there is no news, if nothing happens."""
        wait_s = PING_EVERY_S - (time.monotonic() - self._pinged_s)
        due_s = self.feed.next_due_s(self._count, self.delay_s())
        return wait_s if due_s is None else min(wait_s, due_s + 0.01)


async def follow(reader: Reader, closing: Callable[[], bool]) -> AsyncIterator[bytes]:
    """Messages for a page that follows one table, until `closing`."""
    while not closing():
        for news in reader.news():
            yield news
        await reader.feed.changed(reader.wait_s())


async def follow_many(readers: Mapping[str, Reader | None], closing: Callable[[], bool]) -> AsyncIterator[bytes]:
    """Messages of many tables in one stream, each table's after an `of` that names it; None: there is no such table."""
    for name, reader in readers.items():
        if reader is None:
            yield message("of", name) + message("missing", {})
    while not closing():
        for name, reader in readers.items():
            news = b"" if reader is None else b"".join(reader.news())
            if news:
                yield message("of", name) + news
        await asyncio.sleep(LOOK_EVERY_S)


def _resume_at(feed: Feed, visible: int, last_seq: int) -> int | None:
    """How many public entries a page has that heard `last_seq` last; None: it has to begin anew."""
    if visible == 0 or last_seq <= 0 or last_seq > feed.bodies[visible - 1]["seq"]:
        return None
    first = max(0, visible - MOST_RESUMED)
    if last_seq < feed.bodies[first]["seq"]:
        return None
    return next((i for i in range(first, visible) if feed.bodies[i]["seq"] > last_seq), visible)
