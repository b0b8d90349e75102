"""Cuts the bytes of a DGT board into messages, whatever was lost on the way.

A message is: id (the only byte with its high bit set), length in two bytes of seven bits each, data. So a byte with
the high bit set always begins a message, and everything before it that is not a whole message is dropped.
"""

from dataclasses import dataclass, replace

HEADER_LENGTH = 3
CLOCK_ID = 0x8D
_LENGTHS: dict[int, tuple[int, int]] = {
    0x86: (67, 67),  # board dump
    CLOCK_ID: (10, 10),  # clock time or clock ack
    0x8E: (5, 5),  # field update
    0x8F: (0x1F03, 0x1F03),  # EEPROM dump
    0x90: (5, 5),  # bus address
    0x91: (8, 12),  # serial number: 8 since 2012, 12 before
    0x93: (5, 5),  # version
    0xA2: (13, 13),  # long serial number
}
"""Least and greatest length of each known message, all bytes counted: a damaged one must not swallow what follows."""
_LONGEST_OTHER = 128
"""Greatest length believed of a message that is not in the table (trademark text, battery, ids of later boards)."""
STALE_PARTIAL_S = 0.2
"""A message begun longer ago than this is dropped: its rest is lost (a clock message takes 10 ms on the wire)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message with its header taken off."""

    t: float
    id: int
    data: bytes
    raw: bytes
    spoiled: bool = False
    """Bytes that belong to no message came right behind it, in the same portion: one of its own was doubled, perhaps,
    and those after it stand a place too late."""


class DgtFramer:
    """Push parser: bytes in any portions go in, whole messages come out."""

    def __init__(self) -> None:
        self._partial = bytearray()
        self._t_last = 0.0
        self.dropped_bytes = 0
        """Bytes that belonged to no whole message so far."""

    def feed(self, data: bytes, t: float) -> list[Frame]:
        """The messages that `data`, arrived at `t`, completes."""
        if self._partial and t - self._t_last > STALE_PARTIAL_S:
            self._drop()
        self._t_last = t
        frames: list[Frame] = []
        just_ended = False
        for byte in data:
            if just_ended and not byte & 0x80:
                frames[-1] = replace(frames[-1], spoiled=True)
            frame = self._push(byte, t)
            just_ended = frame is not None
            if frame is not None:
                frames.append(frame)
        return frames

    def reset(self) -> None:
        """Forgets a message begun: the line was cut."""
        self._drop()

    def _push(self, byte: int, t: float) -> Frame | None:
        if byte & 0x80:
            self._drop()
        elif not self._partial:
            self.dropped_bytes += 1
            return None
        self._partial.append(byte)
        if len(self._partial) < HEADER_LENGTH:
            return None
        length = self._partial[1] << 7 | self._partial[2]
        if len(self._partial) == HEADER_LENGTH and not _believable(self._partial[0], length):
            self._drop()
            return None
        if len(self._partial) < length:
            return None
        raw = bytes(self._partial)
        self._partial.clear()
        return Frame(t, raw[0], raw[HEADER_LENGTH:], raw)

    def _drop(self) -> None:
        self.dropped_bytes += len(self._partial)
        self._partial.clear()


def _believable(message_id: int, length: int) -> bool:
    least, greatest = _LENGTHS.get(message_id, (HEADER_LENGTH, _LONGEST_OTHER))
    return least <= length <= greatest
