"""One face for every source of clock events: a trace that was recorded, or a port that is read now."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from clock_bridge.control import Control
from clock_bridge.detect import KINDS, Candidate, candidates, detect
from clock_bridge.errors import ClockError, ClockNotFound
from clock_bridge.happening import Happening
from clock_bridge.port import SerialPort, stable_names
from clock_bridge.press import LINE_LAG_S
from clock_bridge.protocol import Parser, ProtocolSpec, find_protocol
from clock_bridge.reader import LinkChange, OpenPort, ReaderConfig, ReaderThread
from clock_bridge.reading import Display, Reading, SidedReading, Signal, name_sides
from clock_bridge.trace import TraceLine, TraceWriter, looks_like_trace, read_trace
from clock_bridge.watch import ClockWatch, WatchConfig
from rules.event import ClockEvent, ClockEventKind

AUTO = "auto"
"""The source that means: look for the clock."""


class ClockFeed(Protocol):
    """Where clock events come from."""

    def poll(self, now_s: float) -> list[ClockEvent]:
        """The events up to `now_s` on the source's time that were not given before, in order."""

    def happenings(self, now_s: float) -> list[Happening]:
        """The same with more detail, and with what concerns only people; takes the place of `poll`."""

    def times(self, now_s: float) -> tuple[float | None, float | None]:
        """(Red, Black) at `now_s`, counted on between readings; None where never heard."""

    def close(self) -> None:
        """Stops reading and frees the port; safe to call twice and from any thread."""


class _Watched:
    """What both kinds of feed share: a watch, and the readings of the last call."""

    def __init__(self, config: WatchConfig) -> None:
        self._watch = ClockWatch(config)
        self._red = config.red
        self._met = False
        self.readings: list[tuple[SidedReading, bool]] = []
        """Readings of the last call of `happenings` or `step`, each with whether it was taken at its word."""

    def times(self, now_s: float) -> tuple[float | None, float | None]:
        """See ClockFeed."""
        return self._watch.times(now_s)

    def _events(self, happenings: list[Happening]) -> list[ClockEvent]:
        """For the judge. A clock that ran when it was first heard has no start of its own, but its times and whose
        they are have to be known from then on."""
        events = [event for event in (each.to_event() for each in happenings) if event is not None]
        first = self._watch.first
        if self._met or first is None:
            return events
        self._met = True
        told = any(each.event is ClockEventKind.START and each.t == first.t for each in events)
        if not first.running or told:
            return events
        since = ClockEvent(first.t, ClockEventKind.START, first.turn, *first.times_s, max(first.t, LINE_LAG_S))
        return [since, *events]

    def _take(self, signal: Signal) -> list[Happening]:
        out = self._watch.feed(signal)
        if isinstance(signal, Reading):
            self.readings.append((name_sides(signal, self._red), self._watch.took_last))
        return out


class TraceFeed(_Watched):
    """A recorded clock, played along with the video it belongs to."""

    def __init__(self, path: Path, parser: Parser, config: WatchConfig) -> None:
        super().__init__(config)
        self._lines = read_trace(path)
        self._parser = parser
        self._next: TraceLine | None = next(self._lines, None)

    def poll(self, now_s: float) -> list[ClockEvent]:
        """See ClockFeed."""
        return self._events(self.happenings(now_s))

    def happenings(self, now_s: float) -> list[Happening]:
        """See ClockFeed."""
        self.readings = []
        out: list[Happening] = []
        while self._next is not None and self._next.t <= now_s:
            out += self._take_line(self._next)
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
        out = self._take_line(line)
        return out if self._next is not None else out + self._watch.finish()

    def close(self) -> None:
        """See ClockFeed."""
        self._lines.close()

    def _take_line(self, line: TraceLine) -> list[Happening]:
        return [each for signal in self._parser.feed(line.data, line.t) for each in self._take(signal)]


class LiveFeed(_Watched):
    """A clock on a port."""

    def __init__(
        self, reader: ReaderThread, config: WatchConfig, origin_s: float | None = None, record: Path | None = None
    ) -> None:
        super().__init__(config)
        self._reader = reader
        self._origin_s = origin_s
        self._trace = TraceWriter(record) if record else None

    def poll(self, now_s: float) -> list[ClockEvent]:
        """See ClockFeed."""
        return self._events(self.happenings(now_s))

    def happenings(self, now_s: float) -> list[Happening]:
        """See ClockFeed."""
        self.readings = []
        if self._origin_s is None:
            self._origin_s = time.monotonic() - now_s
        origin_s = self._origin_s
        out: list[Happening] = []
        for item in self._reader.take(now_s + origin_s):
            t = max(item.t - origin_s, 0.0)
            if isinstance(item, LinkChange):
                out += self._watch.link_back(t) if item.alive else self._watch.link_lost(t)
                continue
            if self._trace is not None:
                self._trace.write(t, item.data)
            for signal in item.signals:
                out += self._take(replace(signal, t=max(signal.t - origin_s, 0.0)))
        return out + self._watch.pass_time(now_s)

    def close(self) -> None:
        """See ClockFeed."""
        self._reader.close()
        if self._trace is not None:
            self._trace.close()


def open_clock(
    src: str,
    protocol: str = "dgt",
    red: str = "left",
    control: Control | None = None,
    *,
    pattern: str | None = None,
    unit: str = "clock",
    origin_s: float | None = None,
    record: Path | None = None,
    reader: ReaderConfig | None = None,
) -> TraceFeed | LiveFeed:
    """A clock by its source: a clock trace file, a serial port, a pyserial address, or `auto`.

    red      : the clock's side that is Red's, seen from its front
    pattern  : the user's own line pattern for the protocol `text`, its times written in `unit` (clock, s, ms)
    origin_s : time.monotonic() at the source's time 0; None: taken from the first `poll`
    record   : a file to which every byte received is added as a clock trace
    Raises ClockNotFound, ClockBusy or ProtocolError.
    """
    config = WatchConfig(red=Display(red), control=control)
    path = Path(src)
    if path.is_file():
        if not looks_like_trace(path):
            raise ClockNotFound(f'the file is no clock trace (lines such as {{"t": 1.5, "rx": "8d00..."}}): {src!r}')
        if protocol == AUTO:
            protocol = _protocol_of(path)
        return TraceFeed(path, find_protocol(protocol, pattern, unit).make(), config)
    if protocol == AUTO or src == AUTO:
        src, protocol = _look_for(src, protocol)
    spec = find_protocol(protocol, pattern, unit)
    open_port = _opener(src, spec)
    return LiveFeed(ReaderThread(open_port(), open_port, spec, reader), config, origin_s, record)


def _protocol_of(path: Path) -> str:
    """The protocol in which a trace says most."""
    counts = {}
    for name in KINDS:
        parser = find_protocol(name).make()
        counts[name] = sum(
            isinstance(signal, Reading) for line in read_trace(path) for signal in parser.feed(line.data, line.t)
        )
    return max(counts, key=lambda name: counts[name])


def _look_for(src: str, protocol: str) -> tuple[str, str]:
    among = candidates() if src == AUTO else [Candidate(src, named=True)]
    return detect(among) if protocol == AUTO else detect(among, [protocol])


def _opener(src: str, spec: ProtocolSpec) -> OpenPort:
    """Opens the port by any of its stable names, learned when it is first there."""
    names: list[str] = []

    def open_port() -> SerialPort:
        if not names:
            names.extend(stable_names(src))
        failure: ClockError = ClockNotFound(f"no such port: {src!r}")
        for name in names:
            try:
                return SerialPort(name, spec.baud)
            except ClockError as error:
                failure = error
        raise failure

    return open_port
