"""Reads a port in a thread of its own, for as long as it takes: opens it again, and tells a pause from a dead cable."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from clock_bridge.errors import ClockError
from clock_bridge.port import Port
from clock_bridge.protocol import ProtocolSpec
from clock_bridge.reading import Reading, Signal

logger = logging.getLogger(__name__)

OpenPort = Callable[[], Port]
"""Opens the port, under whatever name it has now; raises ClockError."""


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """How patient the reader is."""

    ask: bool = True
    """Whether the device may be asked for its time; nothing else is ever sent."""
    poll_after_s: float = 1.5
    """Silence after which the device is asked; a running clock speaks every second, so this asks only a paused one."""
    dead_after_s: float = 5.0
    """Silence, with questions in it, after which the cable counts as dead; less would blame a busy machine."""
    reopen_first_s: float = 0.5
    """Wait before the port is opened again; doubled with each failure ..."""
    reopen_longest_s: float = 10.0
    """... up to this."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Bytes that came, with what they said."""

    t: float
    """time.monotonic() when they came, s; the signals' times are on the same clock."""
    data: bytes
    signals: tuple[Signal, ...]


@dataclass(frozen=True, slots=True)
class LinkChange:
    """The line was lost, or speaks again."""

    t: float
    alive: bool


class ReaderThread:
    """Owns the port; `take` hands over what came, to one consumer."""

    def __init__(self, port: Port, open_port: OpenPort, spec: ProtocolSpec, config: ReaderConfig | None = None) -> None:
        self._port: Port | None = port
        self._open_port = open_port
        self._spec = spec
        self._config = config or ReaderConfig()
        self._parser = spec.make()
        self._queue: deque[Heard | LinkChange] = deque()
        self._stop = threading.Event()
        self._alive = True
        self._ever_heard = False
        self._sound_t = time.monotonic()
        self._asked_t = self._sound_t
        self._wait_s = self._config.reopen_first_s
        self._thread = threading.Thread(target=self._run, name="qiyan-clock", daemon=True)
        self._thread.start()

    def take(self, until_t: float) -> list[Heard | LinkChange]:
        """What came up to `until_t` on time.monotonic() and was not taken yet."""
        taken = []
        while self._queue and self._queue[0].t <= until_t:
            taken.append(self._queue.popleft())
        return taken

    def close(self) -> None:
        """Stops the thread and frees the port."""
        self._stop.set()
        port = self._port
        if port is not None:
            port.cancel()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        if self._port is not None:
            self._greet(self._port)
        while not self._stop.is_set():
            try:
                if self._port is None:
                    self._reopen()
                else:
                    self._listen(self._port)
            except ClockError as error:
                logger.warning("clock: %s", error)
                self._give_up_port()
        self._close_port()

    def _listen(self, port: Port) -> None:
        data = port.read()
        now = time.monotonic()
        if data:
            logger.debug("<< %s", data.hex())
            signals = tuple(self._parser.feed(data, now))
            if any(isinstance(signal, Reading) for signal in signals):
                self._heard_sound(now)
            self._queue.append(Heard(now, data, signals))
        self._watch_silence(port, now)

    def _heard_sound(self, now: float) -> None:
        self._sound_t, self._ever_heard, self._wait_s = now, True, self._config.reopen_first_s
        if not self._alive:
            self._alive = True
            logger.info("clock: the line speaks again")
            self._queue.append(LinkChange(now, True))

    def _watch_silence(self, port: Port, now: float) -> None:
        silent_s = now - self._sound_t
        asks = self._config.ask and bool(self._spec.poll)
        if asks and min(silent_s, now - self._asked_t) > self._config.poll_after_s:
            self._asked_t = now
            self._send(port, self._spec.poll)
        # A device that cannot be asked may be silent in a pause, but not from the beginning.
        if silent_s > self._config.dead_after_s and (asks or not self._ever_heard):
            if self._alive:
                logger.warning("clock: nothing heard for %.0f s", silent_s)
            self._lose(now)
            if silent_s > self._config.dead_after_s + self._config.reopen_longest_s:
                # An adapter that hangs comes to itself only when it is opened anew.
                self._sound_t = now - self._config.dead_after_s
                self._close_port()

    def _reopen(self) -> None:
        if self._stop.wait(self._wait_s):
            return
        self._wait_s = min(self._wait_s * 2, self._config.reopen_longest_s)
        port = self._open_port()
        self._parser.reset()
        self._port = port
        now = time.monotonic()
        self._sound_t = max(self._sound_t, now - self._config.dead_after_s)
        self._greet(port)

    def _greet(self, port: Port) -> None:
        try:
            if self._config.ask and self._spec.hello:
                self._send(port, self._spec.hello)
        except ClockError as error:
            logger.warning("clock: %s", error)
            self._give_up_port()

    def _send(self, port: Port, data: bytes) -> None:
        logger.debug(">> %s", data.hex())
        port.write(data)

    def _give_up_port(self) -> None:
        self._close_port()
        self._lose(time.monotonic())

    def _lose(self, now: float) -> None:
        if self._alive:
            self._alive = False
            self._queue.append(LinkChange(now, False))

    def _close_port(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            port.close()
