"""DGT electronic boards with a DGT XL or DGT3000 clock: 9600 baud, one time message about once a second or more."""

from clock_bridge.protocol.dgt_frame import DgtFramer, Frame
from clock_bridge.protocol.dgt_message import (
    AckMessage,
    BatteryMessage,
    SerialMessage,
    TimeMessage,
    VersionMessage,
    decode,
)
from clock_bridge.reading import DeviceNote, Reading, Signal

COMMANDS: dict[str, bytes] = {
    "reset": b"\x40",
    "send_clock": b"\x41",
    "send_board": b"\x42",
    "send_update": b"\x43",
    "send_update_board": b"\x44",
    "return_serial": b"\x45",
    "send_update_nice": b"\x4b",
    "battery": b"\x4c",
    "send_version": b"\x4d",
    "return_long_serial": b"\x55",
    "clock_version": b"\x2b\x03\x03\x09\x00",
}
"""What may be sent to a board: all of these only ask. Set-and-run (which sets a clock), the EEPROM dump (8 s on the
wire) and bus mode are left out on purpose."""

SEND_CLOCK = COMMANDS["send_clock"]
"""Asks for the time now."""
SEND_UPDATE = COMMANDS["send_update"]
"""Field changes at once, the time at least once a second: silence then means a dead line, also in a pause."""
SEND_VERSION = COMMANDS["send_version"]
"""The probe: a board answers with its version."""


class DgtParser:
    """Bytes of a board to readings of its clock."""

    def __init__(self) -> None:
        self._framer = DgtFramer()
        self.invalid_times = 0
        """Clock messages so far whose digits were no time."""

    @property
    def dropped_bytes(self) -> int:
        """Bytes so far that belonged to no message."""
        return self._framer.dropped_bytes

    def feed(self, data: bytes, t: float) -> list[Signal]:
        """The readings and notes that `data`, arrived at `t`, completes."""
        signals: list[Signal] = []
        for frame in self._framer.feed(data, t):
            signal = self._signal(decode(frame), frame)
            if signal is not None:
                signals.append(signal)
        return signals

    def reset(self) -> None:
        """Forgets everything begun: the line was cut."""
        self._framer.reset()

    def _signal(self, message: object, frame: Frame) -> Signal | None:
        t, raw = frame.t, frame.raw
        match message:
            case TimeMessage(no_clock=False) if message.bad:
                self.invalid_times += 1
                return None
            case TimeMessage():
                return _reading(message, frame)
            case AckMessage() if message.version is not None:
                return DeviceNote(t, "clock_version", message.version, raw)
            case AckMessage(auto=True):
                return DeviceNote(t, "button", bytes(message.ack).hex(), raw)
            case AckMessage(ok=False):
                return DeviceNote(t, "refused", bytes(message.ack).hex(), raw)
            case VersionMessage():
                return DeviceNote(t, "board_version", f"{message.major}.{message.minor}", raw)
            case SerialMessage():
                return DeviceNote(t, "serial", message.text, raw)
            case BatteryMessage():
                return DeviceNote(t, "board_battery", f"{message.percent} %", raw)
        return None


def _reading(message: TimeMessage, frame: Frame) -> Reading:
    return Reading(
        t=frame.t,
        left_s=message.left.time_s,
        right_s=message.right.time_s,
        running=message.running,
        lever=message.lever_high,
        left_flag=message.left.flag,
        right_flag=message.right.flag,
        battery_low=message.battery_low,
        connected=not message.no_clock,
        turn_bits_agree=message.turn_bits_agree,
        lasting=(message.left.time_per_move, message.right.time_per_move, message.unused),
        fragile=True,
        spoiled=frame.spoiled,
        raw=frame.raw,
    )
