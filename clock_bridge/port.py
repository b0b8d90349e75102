"""A serial port, or anything pyserial opens by address, with every way it can break told as one of ours."""

import errno
import socket
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import serial

from clock_bridge.errors import ClockBusy, ClockLost, ClockNotFound

READ_WAIT_S = 0.25
"""Longest a read blocks: how late a stop or the watchdog may be; shorter wakes the processor more often."""


_WHY_NOT: dict[object, str] = {
    errno.EACCES: "no right to open the port (is the user in the group dialout?)",
    errno.EPERM: "no right to open the port (is the user in the group dialout?)",
    errno.ENOENT: "no such port or file (the source `auto` looks for a clock on every port)",
    errno.ENODEV: "the port has no device behind it",
    errno.ENXIO: "the port has no device behind it",
    errno.EISDIR: "a folder, where a port or a clock trace was expected",
    errno.ENOTTY: "not a serial port",
    errno.ECONNREFUSED: "nothing listens at that address",
    errno.EHOSTUNREACH: "no way to that address",
    errno.ENETUNREACH: "no way to that address",
    errno.EINVAL: "the name cannot be that of a port",
}
"""What a person is told of why a port did not open."""


class Port(Protocol):
    """What a clock is read through."""

    def read(self) -> bytes:
        """What came, at least a byte; nothing after READ_WAIT_S. Raises ClockLost."""

    def write(self, data: bytes) -> None:
        """Sends `data`; raises ClockLost."""

    def cancel(self) -> None:
        """Ends a read that another thread waits in."""

    def close(self) -> None:
        """Frees the port; never raises."""


class SerialPort:
    """pyserial behind Port."""

    def __init__(self, address: str, baud: int) -> None:
        self._address = address
        self._serial = _open(address, baud)

    def read(self) -> bytes:
        """See Port."""
        with _lost_as_ours(self._address):
            data: bytes = self._serial.read(1)
            # `in_waiting` of socket:// says 1 at the end of the line too, and the read behind it then tells the truth.
            if data and (waiting := self._serial.in_waiting) > 0:
                data += self._serial.read(waiting)
            return data

    def write(self, data: bytes) -> None:
        """See Port."""
        with _lost_as_ours(self._address):
            self._serial.write(data)

    def cancel(self) -> None:
        """See Port."""
        if not hasattr(self._serial, "cancel_read"):
            return
        try:
            self._serial.cancel_read()
        except (OSError, TypeError):
            # The reader closed the port in the same moment: nobody waits in a read any more.
            return

    def close(self) -> None:
        """See Port."""
        # pyserial leaves the socket of a network port open when its peer is gone: each reopening would leak one.
        network_socket = getattr(self._serial, "_socket", None)
        try:
            self._serial.close()
        except (OSError, termios.error):
            # The device is gone, and so is what there was to close.
            return
        finally:
            if network_socket is not None:
                network_socket.close()


@contextmanager
def _lost_as_ours(address: str) -> Iterator[None]:
    """An unplugged device shows as SerialException on read and write, as a plain OSError on `in_waiting`, as
    termios.error on settings, and as TypeError where the port was closed under a reader."""
    try:
        yield
    except (OSError, termios.error, TypeError) as error:
        raise ClockLost(f"{error}: {address!r}") from error


def _open(address: str, baud: int) -> serial.SerialBase:
    try:
        port = serial.serial_for_url(
            address, do_not_open=True, baudrate=baud, timeout=READ_WAIT_S, write_timeout=READ_WAIT_S
        )
        if isinstance(port, serial.Serial):
            port.exclusive = True
        port.open()
    except ValueError as error:
        raise ClockNotFound(f"not a port or an address that can be opened: {address!r}") from error
    except (OSError, termios.error) as error:
        raise _open_error(error, address) from error
    return port


def _open_error(error: Exception, address: str) -> ClockBusy | ClockNotFound:
    number = getattr(error, "errno", None)
    if number in (errno.EAGAIN, errno.EBUSY) or "lock" in str(error).lower():
        return ClockBusy(f"another program holds the port: {address!r}")
    # pyserial puts an error of the network into words of its own.
    cause = error.__context__ if isinstance(error.__context__, OSError) else error
    number = getattr(cause, "errno", None) or (error.args[0] if error.args else None)
    if number in _WHY_NOT:
        return ClockNotFound(f"{_WHY_NOT[number]}: {address!r}")
    if isinstance(cause, socket.gaierror):
        return ClockNotFound(f"no machine of that name is known: {address!r}")
    if isinstance(cause, TimeoutError):
        return ClockNotFound(f"nothing answers at that address: {address!r}")
    if "configure port" in str(error):
        return ClockNotFound(f"{_WHY_NOT[errno.ENOTTY]}: {address!r}")
    if address.startswith(("socket:", "rfc2217:")):
        return ClockNotFound(f"expected an address such as socket://192.168.1.20:4000: {address!r}")
    return ClockNotFound(f"the port cannot be opened, {error}: {address!r}")


def stable_names(device: str) -> list[str]:
    """Names under which the device will be found again when it is plugged in anew, best first; `device` itself last.

    A by-id name follows the device through any socket, a by-path name the socket; adapters without a serial number
    have only the second that tells two of them apart, so by-id comes first only where it names one device."""
    names = []
    target = Path(device).resolve()
    for folder in (Path("/dev/serial/by-id"), Path("/dev/serial/by-path")):
        if folder.is_dir():
            names += [str(link) for link in sorted(folder.iterdir()) if link.resolve() == target]
    return [*names, device]
