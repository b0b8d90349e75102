"""What an overlay is sent: the whole state first, then every public entry, no younger than the delay."""

import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from qiyan.web.feed import Feed
from qiyan.web.pulse import pulse
from qiyan.web.stream import message

PING_EVERY_S = 3.0
"""A page that hears nothing for several of these knows that its feed is old."""
MOST_RESUMED = 500
"""With more entries missed than this, the whole state is sent instead."""


async def follow(
    feed: Feed,
    delay_s: Callable[[], float],
    about: Callable[[], dict[str, Any]],
    last_seq: int | None,
    closing: Callable[[], bool],
) -> AsyncIterator[bytes]:
    """Messages for one overlay.

    delay_s  : what is younger is not told; may change at any time
    about    : what is known of the table besides: names, delay
    last_seq : the `id` that the page heard last
    closing  : whether the stream has to end
    """
    told_about: dict[str, Any] | None = None
    generation = count = -1
    pinged_s = 0.0
    while not closing():
        delay = delay_s()
        visible = feed.public_count(delay)
        known = about()
        if known != told_about:
            told_about = known
            yield message("about", {**known, "recording": feed.recording, "now_s": time.time()})
        if generation != feed.generation or visible < count:
            resumed = None if generation != -1 or last_seq is None else _resume_at(feed, visible, last_seq)
            generation = feed.generation
            if resumed is None:
                count = visible
                state = feed.state(count)
                yield message("state", {**state, "recording": feed.recording, "now_s": time.time()}, state["seq"])
            else:
                count = resumed
        if count < visible:
            batch = feed.messages[count:visible]
            count = visible
            yield b"".join(batch)
        if time.monotonic() - pinged_s >= PING_EVERY_S:
            pinged_s = time.monotonic()
            yield message("ping", {"now_s": time.time(), "pulse": pulse(feed, delay)})
        due_s = feed.next_due_s(count, delay)
        wait_s = PING_EVERY_S - (time.monotonic() - pinged_s)
        await feed.changed(wait_s if due_s is None else min(wait_s, due_s + 0.01))


def _resume_at(feed: Feed, visible: int, last_seq: int) -> int | None:
    """How many public entries a page has that heard `last_seq` last; None: it has to begin anew."""
    if visible == 0 or last_seq <= 0 or last_seq > feed.bodies[visible - 1]["seq"]:
        return None
    first = max(0, visible - MOST_RESUMED)
    if last_seq < feed.bodies[first]["seq"]:
        return None
    return next((i for i in range(first, visible) if feed.bodies[i]["seq"] > last_seq), visible)
