"""The clock in software on a pseudo terminal: a program that opens it finds a DGT board with its clock."""

import os
import pty
import select
import threading
import time
import tty
from collections.abc import Callable

from clock_bridge.protocol import dgt
from clock_bridge.reading import Display
from clock_bridge.software_clock import SoftwareClock

LOOKS_EVERY_S = 0.4
"""How often a board looks at its clock (two to three times a second)."""
SPEAKS_EVERY_S = 1.0
"""How often it sends the time though nothing changed, in update mode."""
VERSION = bytes([0x93, 0, 5, 3, 10])
SERIAL_NUMBER = b"\x91\x00\x0800001"


class PtyClock:
    """A board and its clock on `device`; press and pause go through here, so that they keep out of each other's way."""

    def __init__(
        self,
        clock: SoftwareClock,
        now: Callable[[], float] = time.monotonic,
        looks_every_s: float = LOOKS_EVERY_S,
        speaks_every_s: float = SPEAKS_EVERY_S,
    ) -> None:
        self._clock = clock
        self._looks_every_s = looks_every_s
        self._speaks_every_s = speaks_every_s
        self._now = now
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.device = os.ttyname(slave)
        self._slave: int | None = slave
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._speaks = False
        self._nice = False
        self._last = b""
        self._last_t = -speaks_every_s
        self._thread = threading.Thread(target=self._run, name="qiyan-pty-clock", daemon=True)
        self._thread.start()

    def act(self, what: Callable[[SoftwareClock, float], object]) -> None:
        """Does something to the clock now, such as `lambda clock, t: clock.start(t)`."""
        with self._lock:
            what(self._clock, self._now())

    def press(self, side: Display) -> None:
        """`side` pushes its button."""
        self.act(lambda clock, t: clock.press(side, t))

    def close(self) -> None:
        """Pulls the cable: the device vanishes."""
        if self._stop.is_set():
            return
        self._stop.set()
        self._thread.join()
        os.close(self._master)
        if self._slave is not None:
            os.close(self._slave)
            self._slave = None

    def _run(self) -> None:
        next_look_t = 0.0
        while not self._stop.is_set():
            readable, _, _ = select.select([self._master], [], [], self._looks_every_s / 8)
            if readable:
                self._answer(os.read(self._master, 256))
            if time.monotonic() >= next_look_t:
                next_look_t = time.monotonic() + self._looks_every_s
                self._look()

    def _answer(self, commands: bytes) -> None:
        for command in commands:
            match bytes([command]):
                case dgt.SEND_VERSION:
                    self._send(VERSION)
                case dgt.SEND_CLOCK:
                    self._send(self._message())
                case b"\x45":
                    self._send(SERIAL_NUMBER)
                case dgt.SEND_UPDATE:
                    self._speaks, self._nice = True, False
                case b"\x4b":
                    self._speaks, self._nice = True, True
                case b"\x40":
                    self._speaks = False

    def _look(self) -> None:
        message, now = self._message(), time.monotonic()
        due = not self._nice and now - self._last_t >= self._speaks_every_s
        if self._speaks and (message != self._last or due):
            self._last, self._last_t = message, now
            self._send(message)

    def _message(self) -> bytes:
        with self._lock:
            return self._clock.message(self._now())

    def _send(self, data: bytes) -> None:
        # A reader that does not read must not stop the clock: what does not fit is lost, as on a wire.
        if select.select([], [self._master], [], 0)[1]:
            os.write(self._master, data)
