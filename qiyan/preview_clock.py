"""The clock before recording: whether it is heard, and what it shows, for the person who sets the table up."""

import threading
import time
from pathlib import Path
from typing import Any

from clock_bridge.errors import ClockError
from clock_bridge.feed import open_clock
from rules.event import ClockEventKind

LOOK_EVERY_S = 0.5
TRY_AGAIN_S = 3.0


class PreviewClock:
    """Listens in a thread of its own, since looking for a clock takes seconds."""

    def __init__(self, source: str, protocol: str | None, red: str | None) -> None:
        """As in the table's file. A clock trace is no clock that could be heard now."""
        self._source, self._protocol, self._red = source, protocol or "dgt", red or "left"
        self.facts: dict[str, Any] | None = None
        """`state` (`heard`, `silent`, `away`), the times of both sides, and why it is away."""
        if not Path(source).is_file():
            threading.Thread(target=self._listen, name="clock", daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                feed = open_clock(self._source, self._protocol, self._red)
            except ClockError as error:
                self.facts = {"state": "away", "why": str(error)}
                time.sleep(TRY_AGAIN_S)
                continue
            began, lost = time.monotonic(), False
            while True:
                now = time.monotonic() - began
                for event in feed.poll(now):
                    if event.event in (ClockEventKind.LOST, ClockEventKind.RESTORED):
                        lost = event.event is ClockEventKind.LOST
                red_s, black_s = feed.times(now)
                heard = not lost and red_s is not None
                self.facts = {"state": "heard" if heard else "silent", "red_s": red_s, "black_s": black_s}
                time.sleep(LOOK_EVERY_S)
