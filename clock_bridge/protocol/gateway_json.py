"""Devices that speak JSON: the DGT3000 gateway on an ESP32, ESP32 chess clocks, and DGT LiveChess.

All three are recognised by their keys, so one parser serves; Bluetooth and WebSocket bring the same objects that a
serial line or `socket://` brings here.
"""

from clock_bridge.protocol.assemble import Assembler, Part
from clock_bridge.protocol.json_objects import JsonSplitter
from clock_bridge.reading import DeviceNote, Display, Signal

_LEVERS = {"lever_left": Display.LEFT, "lever_right": Display.RIGHT}
"""The side of the lever that went down, that is, who pressed."""


class GatewayJsonParser:
    """Objects to readings."""

    def __init__(self) -> None:
        self._objects = JsonSplitter()
        self._assembler = Assembler()
        self.unknown_objects = 0

    @property
    def dropped_bytes(self) -> int:
        """Bytes so far that belonged to no object."""
        return self._objects.dropped_bytes

    def feed(self, data: bytes, t: float) -> list[Signal]:
        """The signals that `data`, arrived at `t`, completes."""
        signals: list[Signal] = []
        for value, raw in self._objects.feed(data):
            part = read_object(value)
            if isinstance(part, Part):
                signals.append(self._assembler.add(part, t - age_s(value), raw))
            elif part is not None:
                signals.append(DeviceNote(t, part[0], part[1], raw))
            else:
                self.unknown_objects += 1
        return signals

    def reset(self) -> None:
        """Forgets an object begun: the connection was cut."""
        self._objects.reset()


def read_object(value: dict[str, object]) -> Part | tuple[str, str] | None:
    """What the object says of the clock, a (name, value) note of the device, or None where it is of no known kind."""
    if "player_moved" in value:
        return _read_esp32(value)
    clock = _dig(value, "param", "clock")
    if isinstance(clock, dict):
        return _read_livechess(clock)
    data = value.get("data")
    match value.get("type"):
        case "timeUpdate":
            return _read_times(data)
        case "command_response":
            return _read_times(value.get("result"))
        case "buttonEvent" if isinstance(data, dict):
            button = str(data.get("button"))
            side = _LEVERS.get(button)
            return Part(pressed=side) if side else ("button", button)
        case "connectionStatus" if isinstance(data, dict):
            return Part(connected=bool(data.get("connected")))
        case "error":
            return ("refused", str(data))
    return None


def age_s(value: dict[str, object]) -> float:
    """How long before it was sent a LiveChess reading was taken, s; 0 for the others."""
    sent, taken = value.get("time"), _dig(value, "param", "clock", "time")
    if isinstance(sent, int | float) and isinstance(taken, int | float):
        return max(sent - taken, 0) / 1000
    return 0.0


def _read_times(data: object) -> Part | None:
    if not isinstance(data, dict):
        return None
    try:
        left_s, right_s = (
            int(data[f"{side}Hours"]) * 3600 + int(data[f"{side}Minutes"]) * 60 + int(data[f"{side}Seconds"])
            for side in ("left", "right")
        )
    except (KeyError, TypeError, ValueError):
        return None
    return Part(left_s=left_s, right_s=right_s)


def _read_esp32(value: dict[str, object]) -> Part | None:
    left, right = value.get("p1_time_sec"), value.get("p2_time_sec")
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        return None
    pressed = {1: Display.LEFT, 2: Display.RIGHT}.get(value["player_moved"])  # type: ignore[call-overload]
    return Part(left_s=left, right_s=right, pressed=pressed, reset=pressed is None)


def _read_livechess(clock: dict[str, object]) -> Part | None:
    white, black, run = clock.get("white"), clock.get("black"), clock.get("run")
    if not isinstance(white, int | float) or not isinstance(black, int | float):
        return None
    turn = None if run is None else (Display.LEFT if run else Display.RIGHT)
    return Part(left_s=white, right_s=black, turn=turn, running=run is not None)


def _dig(value: object, *keys: str) -> object:
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value
