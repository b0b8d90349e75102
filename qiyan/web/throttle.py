"""Wrong logins are slowed: each one more doubles the wait, for the address and for the name."""

import time
from collections.abc import Callable

from qiyan.web.errors import TooFast

FREE_TRIES = 3
FIRST_WAIT_S = 2.0
LONGEST_WAIT_S = 300.0
FORGOTTEN_AFTER_S = 3600.0
MOST_KEYS = 10_000
"""So many addresses and names are remembered; the oldest are forgotten first."""


class Throttle:
    """Counts wrong logins by key."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._failed: dict[str, tuple[int, float]] = {}

    def check(self, *keys: str) -> None:
        """TooFast where one of the keys has to wait."""
        now = self._now_s()
        wait = max((self._wait_s(key, now) for key in keys), default=0.0)
        if wait > 0:
            raise TooFast(wait)

    def failed(self, *keys: str) -> None:
        """A login with these keys was wrong."""
        now = self._now_s()
        for key in keys:
            count, at = self._failed.pop(key, (0, now))
            self._failed[key] = ((count if now - at < FORGOTTEN_AFTER_S else 0) + 1, now)
        while len(self._failed) > MOST_KEYS:
            del self._failed[next(iter(self._failed))]

    def succeeded(self, *keys: str) -> None:
        """A login with these keys was right."""
        for key in keys:
            self._failed.pop(key, None)

    def _wait_s(self, key: str, now: float) -> float:
        count, at = self._failed.get(key, (0, now))
        if count < FREE_TRIES:
            return 0.0
        wait = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (count - FREE_TRIES))
        return at + wait - now
