"""The reader and the port with software in place of the device: every way of breaking, and coming back."""

import termios
import time

import pytest
import serial

from clock_bridge.errors import ClockBusy, ClockLost
from clock_bridge.port import SerialPort
from clock_bridge.protocol import find_protocol
from clock_bridge.reader import LinkChange, ReaderConfig, ReaderThread

QUICK = ReaderConfig(poll_after_s=0.3, dead_after_s=0.9, reopen_first_s=0.1, reopen_longest_s=0.3)


class BreakingPort:
    """Breaks in one of the ways in which pyserial shows an unplugged device."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    is_open = True

    def read(self, size: int) -> bytes:
        if isinstance(self.error, serial.SerialException):
            raise self.error
        return b"\x8d"

    @property
    def in_waiting(self) -> int:
        raise self.error

    def write(self, data: bytes) -> None:
        raise self.error

    def close(self) -> None:
        raise self.error if isinstance(self.error, OSError) else OSError("gone")


@pytest.mark.parametrize(
    "error",
    [
        serial.SerialException("device reports readiness to read but returned no data"),
        OSError(5, "Input/output error"),
        termios.error(5, "Input/output error"),
        TypeError("'NoneType' object cannot be interpreted as an integer"),
    ],
    ids=["SerialException", "OSError", "termios.error", "TypeError"],
)
def test_each_way_of_being_unplugged_is_one_of_ours(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.setattr("clock_bridge.port._open", lambda address, baud: BreakingPort(error))
    port = SerialPort("/dev/ttyUSB0", 9600)
    with pytest.raises(ClockLost):
        port.read()
    with pytest.raises(ClockLost):
        port.write(b"A")
    port.close()


class ScriptedPort:
    """Plays a script: bytes come, None means that the device is pulled."""

    def __init__(self, script: list[bytes | None]) -> None:
        self._script = script

    def read(self) -> bytes:
        time.sleep(0.01)
        item = self._script.pop(0) if self._script else b""
        if item is None:
            raise ClockLost("pulled")
        return item

    def write(self, data: bytes) -> None:
        pass

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_a_port_still_locked_after_replugging_is_tried_again() -> None:
    good = bytes.fromhex("8d000a20050020050009")
    tries: list[str] = []

    def open_port() -> ScriptedPort:
        tries.append("try")
        if len(tries) < 3:
            raise ClockBusy("the lock is not free yet")
        return ScriptedPort([good])

    reader = ReaderThread(ScriptedPort([good, None]), open_port, find_protocol("dgt"), QUICK)
    end_s = time.monotonic() + 5
    items: list[object] = []
    while time.monotonic() < end_s and sum(isinstance(each, LinkChange) for each in items) < 2:
        items += reader.take(time.monotonic())
        time.sleep(0.01)
    reader.close()
    assert len(tries) == 3
    assert [each.alive for each in items if isinstance(each, LinkChange)] == [False, True]
