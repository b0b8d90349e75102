"""What the messages of a DGT board say.

The first triple of a time message is the right display and the second the left (header of 2011 and later); the lever
bit D1 set means the right side is to move. Where sources disagree, the choice is the one the recordings bear out; the
tests pin every one of them.
"""

from dataclasses import dataclass

from clock_bridge.protocol.dgt_frame import CLOCK_ID, Frame
from clock_bridge.reading import Display, Flag

LARGEST_TIME_S = 9 * 3600 + 59 * 60 + 59
"""The hour is one digit: a clock that has more shows, and sends, no more than this."""
_ACK_NIBBLE = 0x0A
_GOOD_ACK = 0x10
_FLAG_SHOWN, _PER_MOVE, _FLAG_FALLEN = 0x40, 0x20, 0x10
_RUNNING, _RIGHT_TO_MOVE, _BATTERY_LOW, _TURN_SECOND, _TURN_FIRST, _NO_CLOCK = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
_UNUSED = 0x40


@dataclass(frozen=True, slots=True)
class ClockSide:
    """One triple of a time message."""

    time_s: int | None
    """None where the digits are no time."""
    flag_shown: bool
    time_per_move: bool
    """The sign for an increment or delay is on."""
    flag_fallen: bool
    bad: tuple[str, ...] = ()
    """Which of hour, min, sec are out of range."""

    @property
    def flag(self) -> Flag:
        if self.flag_fallen:
            return Flag.FALLEN
        return Flag.SHOWN if self.flag_shown else Flag.NONE


@dataclass(frozen=True, slots=True)
class TimeMessage:
    """Both displays and the status byte."""

    right: ClockSide
    left: ClockSide
    running: bool
    lever_high: Display
    battery_low: bool
    bit3: bool
    bit4: bool
    no_clock: bool
    unused: bool = False
    """Bit 6, which no clock is known to set."""

    @property
    def bad(self) -> tuple[str, ...]:
        """The digits out of range, such as `right_min`; empty for a sound time."""
        return tuple(f"right_{part}" for part in self.right.bad) + tuple(f"left_{part}" for part in self.left.bad)

    @property
    def turn_bits_agree(self) -> bool | None:
        """Whether bits 3 and 4 name the side that the lever names; None when neither or both are set."""
        if self.bit3 == self.bit4:
            return None
        return self.bit4 == (self.lever_high is Display.RIGHT)


@dataclass(frozen=True, slots=True)
class AckMessage:
    """The clock's answer to a command, or one of its buttons."""

    ack: tuple[int, int, int, int]

    @property
    def ok(self) -> bool:
        return self.ack[0] == _GOOD_ACK

    @property
    def auto(self) -> bool:
        """Sent by the clock of itself."""
        return bool(self.ack[1] & 0x80)

    @property
    def version(self) -> str | None:
        """Version of the clock where this answers that question: 1.x is a DGT XL, 2.x a DGT3000."""
        if not self.ok or self.ack[1] != 0x09:
            return None
        return f"{self.ack[2] >> 4}.{self.ack[2] & 0x0F}"


@dataclass(frozen=True, slots=True)
class NullMessage:
    """Seven zeros, which Bluetooth boards send after a clock command; says nothing."""


@dataclass(frozen=True, slots=True)
class VersionMessage:
    """Version of the board."""

    major: int
    minor: int


@dataclass(frozen=True, slots=True)
class SerialMessage:
    """Serial number of the board."""

    text: str
    long: bool


@dataclass(frozen=True, slots=True)
class BatteryMessage:
    """Charge of the board's own battery."""

    percent: int


@dataclass(frozen=True, slots=True)
class OtherMessage:
    """A sound message that does not concern the clock."""

    id: int


Message = TimeMessage | AckMessage | NullMessage | VersionMessage | SerialMessage | BatteryMessage | OtherMessage


def decode(frame: Frame) -> Message:
    """What the message says; any frame decodes to something."""
    if frame.id == CLOCK_ID:
        return _decode_clock(frame.data)
    if frame.id == 0x93:
        return VersionMessage(frame.data[0], frame.data[1])
    if frame.id in (0x91, 0xA2):
        return SerialMessage(frame.data.decode("ascii", "replace").strip("\0 "), frame.id == 0xA2)
    if frame.id == 0xA0 and frame.data:
        return BatteryMessage(frame.data[0])
    return OtherMessage(frame.id)


def encode_time(message: TimeMessage) -> bytes:
    """The message as a board sends it, for clocks in software; times above 9:59:59 are shown as that."""
    status = (
        message.running * _RUNNING
        | (message.lever_high is Display.RIGHT) * _RIGHT_TO_MOVE
        | message.battery_low * _BATTERY_LOW
        | message.bit3 * _TURN_SECOND
        | message.bit4 * _TURN_FIRST
        | message.no_clock * _NO_CLOCK
    )
    return bytes([CLOCK_ID, 0, 10, *_encode_side(message.right), *_encode_side(message.left), status])


def _encode_side(side: ClockSide) -> bytes:
    time_s = min(max(side.time_s or 0, 0), LARGEST_TIME_S)
    flags = side.flag_shown * _FLAG_SHOWN | side.time_per_move * _PER_MOVE | side.flag_fallen * _FLAG_FALLEN
    minute, second = time_s // 60 % 60, time_s % 60
    return bytes([time_s // 3600 | flags, minute // 10 << 4 | minute % 10, second // 10 << 4 | second % 10])


def _decode_clock(data: bytes) -> TimeMessage | AckMessage | NullMessage:
    if not any(data):
        return NullMessage()
    # An ack is marked in the hour nibble of either triple; comparing the whole byte misses acks with a button's bit.
    if data[0] & 0x0F == _ACK_NIBBLE or data[3] & 0x0F == _ACK_NIBBLE:
        return AckMessage(_decode_ack(data))
    status = data[6]
    return TimeMessage(
        right=_decode_side(data[0:3]),
        left=_decode_side(data[3:6]),
        running=bool(status & _RUNNING),
        lever_high=Display.RIGHT if status & _RIGHT_TO_MOVE else Display.LEFT,
        battery_low=bool(status & _BATTERY_LOW),
        bit3=bool(status & _TURN_SECOND),
        bit4=bool(status & _TURN_FIRST),
        no_clock=bool(status & _NO_CLOCK),
        unused=bool(status & _UNUSED),
    )


def _decode_ack(data: bytes) -> tuple[int, int, int, int]:
    # Data bytes carry seven bits; the eighth of each ack byte is parked in the flag bits of the hours.
    return (
        data[1] & 0x7F | data[3] << 3 & 0x80,
        data[2] & 0x7F | data[3] << 2 & 0x80,
        data[4] & 0x7F | data[0] << 3 & 0x80,
        data[5] & 0x7F | data[0] << 2 & 0x80,
    )


def _decode_side(triple: bytes) -> ClockSide:
    hour = triple[0] & 0x0F
    minute, second = _bcd(triple[1]), _bcd(triple[2])
    bad = []
    if hour > 9:
        bad.append("hour")
    if minute is None:
        bad.append("min")
    if second is None:
        bad.append("sec")
    time_s = None if minute is None or second is None or bad else hour * 3600 + minute * 60 + second
    first = triple[0]
    return ClockSide(time_s, bool(first & _FLAG_SHOWN), bool(first & _PER_MOVE), bool(first & _FLAG_FALLEN), tuple(bad))


def _bcd(byte: int) -> int | None:
    """Two decimal digits below 60; None for anything else."""
    tens, ones = byte >> 4, byte & 0x0F
    return tens * 10 + ones if tens < 6 and ones < 10 else None
