"""Packets of a DGT3000 on its I2C wires, for gateways that hand them on raw.

A packet is destination, source, length of all bytes, type, data, checksum (CRC-8, polynomial 0x07, start 0, over all
before it; the wake-up address 0x50 counts as 0x10).
"""

from dataclasses import dataclass

from clock_bridge.reading import Display

TIME = 0x04
_TIME_LENGTH = 24
_WAKE_UP, _CLOCK_ADDRESS = 0x50, 0x10


@dataclass(frozen=True, slots=True)
class TimePacket:
    """Both times and the lever."""

    left_s: int
    right_s: int
    lever_down: Display
    """The side that was pressed."""
    no_update: bool
    """The times are those of the packet before."""


def checksum(body: bytes) -> int:
    """CRC-8 of a packet without its last byte."""
    if body[:1] == bytes([_WAKE_UP]):
        body = bytes([_CLOCK_ADDRESS]) + body[1:]
    crc = 0
    for byte in body:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ 0x07 if crc & 0x80 else crc << 1) & 0xFF
    return crc


def is_sound(packet: bytes) -> bool:
    """Whether length and checksum of the packet are right."""
    return len(packet) >= 5 and packet[2] == len(packet) and checksum(packet[:-1]) == packet[-1]


def decode_time(packet: bytes) -> TimePacket | None:
    """The times of a sound time packet; None for any other."""
    if not is_sound(packet) or packet[3] != TIME or len(packet) != _TIME_LENGTH:
        return None
    left_s, right_s = _time(packet[5:8]), _time(packet[11:14])
    if left_s is None or right_s is None:
        return None
    down = Display.RIGHT if packet[19] & 0x01 else Display.LEFT
    return TimePacket(left_s, right_s, down, packet[20] == 1)


def _time(hms: bytes) -> int | None:
    digits = [hms[0] & 0x0F, hms[1] >> 4, hms[1] & 0x0F, hms[2] >> 4, hms[2] & 0x0F]
    if any(digit > 9 for digit in digits) or digits[1] > 5 or digits[3] > 5:
        return None
    return digits[0] * 3600 + digits[1] * 600 + digits[2] * 60 + digits[3] * 10 + digits[4]
