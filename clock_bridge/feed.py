"""One face for every source of clock events: a trace that was recorded, or a port that is read now."""

from pathlib import Path
from typing import Protocol

from clock_bridge.control import Control
from clock_bridge.errors import ClockNotFound
from clock_bridge.happening import Happening
from clock_bridge.protocol import Parser, make_parser
from clock_bridge.reading import Display, Reading, SidedReading, name_sides
from clock_bridge.trace import TraceLine, looks_like_trace, read_trace
from clock_bridge.watch import ClockWatch, WatchConfig
from rules.event import ClockEvent


class ClockFeed(Protocol):
    """Where clock events come from."""

    def poll(self, now_s: float) -> list[ClockEvent]:
        """The events up to `now_s` on the source's time that were not given before, in order."""

    def times(self, now_s: float) -> tuple[float | None, float | None]:
        """(Red, Black) at `now_s`, counted on between readings; None where never heard."""

    def close(self) -> None:
        """Stops reading and frees the port; safe to call twice and from any thread."""


class TraceFeed:
    """A recorded clock, played along with the video it belongs to."""

    def __init__(self, path: Path, parser: Parser, config: WatchConfig) -> None:
        self._lines = read_trace(path)
        self._parser = parser
        self._watch = ClockWatch(config)
        self._red = config.red
        self._next: TraceLine | None = next(self._lines, None)
        self.readings: list[SidedReading] = []
        """Readings of the last `happenings` call, sound or not."""

    def poll(self, now_s: float) -> list[ClockEvent]:
        """See ClockFeed."""
        events = (each.to_event() for each in self.happenings(now_s))
        return [event for event in events if event is not None]

    def happenings(self, now_s: float) -> list[Happening]:
        """All that happened up to `now_s`, also what concerns only people."""
        self.readings = []
        out: list[Happening] = []
        while self._next is not None and self._next.t <= now_s:
            out += self._take(self._next)
            self._next = next(self._lines, None)
        # After its last line a trace is over, not silent.
        return out + (self._watch.pass_time(now_s) if self._next is not None else self._watch.finish())

    def step(self) -> list[Happening] | None:
        """What the next line of the trace brings; None at its end."""
        self.readings = []
        line = self._next
        if line is None:
            return None
        self._next = next(self._lines, None)
        out = self._take(line)
        return out if self._next is not None else out + self._watch.finish()

    def times(self, now_s: float) -> tuple[float | None, float | None]:
        """See ClockFeed."""
        return self._watch.times(now_s)

    def close(self) -> None:
        """See ClockFeed."""
        self._lines.close()

    def _take(self, line: TraceLine) -> list[Happening]:
        out: list[Happening] = []
        for signal in self._parser.feed(line.data, line.t):
            if isinstance(signal, Reading):
                self.readings.append(name_sides(signal, self._red))
            out += self._watch.feed(signal)
        return out


def open_clock(
    src: str,
    protocol: str = "dgt",
    red: str = "left",
    control: Control | None = None,
) -> ClockFeed:
    """A clock by its source: a clock trace file, or a serial port or pyserial address."""
    config = WatchConfig(red=Display(red), control=control)
    path = Path(src)
    if path.is_file() and looks_like_trace(path):
        return TraceFeed(path, make_parser(protocol), config)
    raise ClockNotFound(f"no such clock trace or port: {src!r}")
