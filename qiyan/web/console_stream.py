"""What the arbiter's console is sent: all tables in one stream, undelayed, with incidents and decisions."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from qiyan.web.feed import LOOK_EVERY_S
from qiyan.web.hall import Hall, Table
from qiyan.web.pulse import pulse
from qiyan.web.stream import message

PING_EVERY_S = 3.0
_KINDS = ("incident", "decision", "result")
"""Entries that the console shows besides the public ones."""


async def follow_all(hall: Hall, is_logged_in: Callable[[], bool]) -> AsyncIterator[bytes]:
    """Messages for one console, as long as it stays logged in; a page that comes back is told everything anew."""
    at: dict[str, tuple[int, int, int]] = {}
    told: dict[str, Any] = {}
    pinged_s = 0.0
    while not hall.closing and is_logged_in():
        for name, table in hall.tables.items():
            about = _about(hall, table)
            if told.get(name) != about:
                told[name] = about
                yield message("about", about)
            generation, entries, bodies = at.get(name, (-1, 0, 0))
            if generation != table.feed.generation:
                entries, bodies = len(table.feed.entries), len(table.feed.bodies)
                yield message("state", _state(table, entries, bodies))
            elif entries < len(table.feed.entries):
                yield _news(table, entries, bodies)
                entries, bodies = len(table.feed.entries), len(table.feed.bodies)
            at[name] = (table.feed.generation, entries, bodies)
        if time.monotonic() - pinged_s >= PING_EVERY_S:
            pinged_s = time.monotonic()
            pulses = {name: pulse(table.feed) for name, table in hall.tables.items()}
            yield message("ping", {"now_s": time.time(), "pulses": pulses})
        await asyncio.sleep(LOOK_EVERY_S)


def _about(hall: Hall, table: Table) -> dict[str, Any]:
    return {
        **hall.about(table),
        "recording": hall.children.is_recording(table.spec.name),
        "trouble": hall.trouble(table),
        "waiting": table.waiting(),
        "between": table.between(),
    }


def _state(table: Table, entries: int, bodies: int) -> dict[str, Any]:
    private = [entry for entry in table.feed.entries[:entries] if entry["kind"] in _KINDS]
    return {
        "table": table.spec.name,
        "game": table.feed.state(bodies),
        "private": private,
        "recording_id": table.feed.recording,
        "now_s": time.time(),
    }


def _news(table: Table, entries: int, bodies: int) -> bytes:
    name = table.spec.name
    public = [message("entry", {"table": name, "public": body}) for body in table.feed.bodies[bodies:]]
    private = [
        message("entry", {"table": name, "private": entry})
        for entry in table.feed.entries[entries:]
        if entry["kind"] in _KINDS
    ]
    return b"".join((*public, *private))
