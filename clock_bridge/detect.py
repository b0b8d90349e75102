"""Finds the port that a clock is on: ids rank the candidates, an answer in a clock's language decides."""

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from serial.tools import list_ports

from clock_bridge.errors import ClockError, ClockNotFound
from clock_bridge.port import SerialPort
from clock_bridge.protocol import PROTOCOLS, ProtocolSpec
from clock_bridge.protocol.dgt import SEND_VERSION
from clock_bridge.reading import DeviceNote, Reading

logger = logging.getLogger(__name__)

_DGT_LIKELY = {(0x04D8, 0x000A)} | {(0x0403, pid) for pid in (0x6001, 0x6010, 0x6011, 0x6014, 0x6015)}
_DGT_VENDOR = 0x045B
_SERIAL_CHIPS = {
    0x10C4,  # CP210x
    0x1A86,  # CH340 and its kin
    0x067B,  # PL2303
    0x2341,  # Arduino
    0x2A03,  # Arduino
    0x303A,  # ESP32
    0x2E8A,  # Raspberry Pi Pico
    0x0483,  # STM32
}
"""Vendors of adapters and boards that clocks are built with. An id proves nothing: a UPS may carry a DGT board's."""


KINDS = ("dgt", "text", "gateway-json")
"""The protocols that are tried where none was named; `text` covers every ready-made form of line."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A port that may carry a clock."""

    device: str
    vendor: int | None = None
    product: int | None = None
    named: bool = False
    """Somebody said that the clock is on this one."""

    @property
    def rank(self) -> int:
        """Lower is likelier."""
        if (self.vendor, self.product) in _DGT_LIKELY or self.vendor == _DGT_VENDOR:
            return 0
        if self.vendor in _SERIAL_CHIPS:
            return 1
        return 2 if self.vendor is not None else 3

    @property
    def may_be_asked(self) -> bool:
        """Whether a byte may be sent to a device of which nothing is known yet."""
        return self.named or self.rank <= 1


def candidates() -> list[Candidate]:
    """The machine's serial ports, likeliest first."""
    ports = [Candidate(port.device, port.vid, port.pid) for port in list_ports.comports()]
    return sorted(ports, key=lambda each: (each.rank, each.device))


def detect(among: Sequence[Candidate], protocols: Iterable[str] = KINDS) -> tuple[str, str]:
    """(device, protocol) of the first candidate that speaks a clock's language; raises ClockNotFound."""
    names = list(protocols)
    tried = []
    for candidate in among:
        tried.append(candidate.device)
        for name in names:
            try:
                if _speaks(candidate, PROTOCOLS[name]):
                    logger.info("clock: %s speaks %s", candidate.device, name)
                    return candidate.device, name
            except ClockError as error:
                logger.info("clock: %s", error)
                break
    raise ClockNotFound(f"no clock answers on any of the serial ports: {', '.join(tried) or 'there are none'}")


def _speaks(candidate: Candidate, spec: ProtocolSpec) -> bool:
    port = SerialPort(candidate.device, spec.baud)
    parser = spec.make()
    try:
        if candidate.may_be_asked and spec is PROTOCOLS["dgt"]:
            port.write(SEND_VERSION)
        elif candidate.may_be_asked and spec.hello:
            port.write(spec.hello)
        end = time.monotonic() + spec.probe_s
        while (now := time.monotonic()) < end:
            for signal in parser.feed(port.read(), now):
                if isinstance(signal, Reading) or (isinstance(signal, DeviceNote) and signal.what == "board_version"):
                    return True
        return False
    finally:
        port.close()
