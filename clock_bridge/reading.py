"""One look at a clock: what stands on its display and how its lever lies."""

from dataclasses import dataclass
from enum import Enum

from rules.piece import BLACK, RED, Side


class Display(Enum):
    """A side of the clock as seen from its front; which of them is Red's is a setting, never a fact of the wire."""

    LEFT = "left"
    RIGHT = "right"


class Flag(Enum):
    """The flag of one side."""

    NONE = "none"
    SHOWN = "shown"
    """A flag stands on the display while the clock may run on, as when a new period began."""
    FALLEN = "fallen"
    """The time is used up and the clock is blocked."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clock said of itself, side by side as on its front."""

    t: float
    """When its last byte arrived, s."""
    left_s: float | None
    right_s: float | None
    """Time left on each display, s; None where the clock does not say."""
    running: bool
    lever: Display | None
    """Whose turn the lever shows: the side whose button stands high."""
    left_flag: Flag = Flag.NONE
    right_flag: Flag = Flag.NONE
    battery_low: bool = False
    connected: bool = True
    """False: the device says that no clock is plugged into it; its times mean nothing."""
    turn_bits_agree: bool | None = None
    """Whether a redundant sign of whose turn it is agrees with the lever; None where there is none."""
    lasting: tuple[bool, ...] = ()
    """Signs that a clock keeps through a game, such as those of an increment: one that changes is likelier a fault."""
    step_s: float = 1.0
    """Resolution of the times, s."""
    fragile: bool = False
    """One wrong bit on the wire makes another sound reading of it: there is no checksum, and no words to misspell."""
    spoiled: bool = False
    """Bytes that belong to no message came right behind it: one of its own was doubled, perhaps."""
    raw: bytes = b""
    """The message as it came."""


@dataclass(frozen=True, slots=True)
class DeviceNote:
    """Something a device said that is not a reading, such as its version."""

    t: float
    what: str
    """`clock_version`, `board_version`, `serial`, `button`, `refused` or another plain name."""
    value: str
    raw: bytes = b""


Signal = Reading | DeviceNote
"""Anything a protocol's parser gives."""


@dataclass(frozen=True, slots=True)
class SidedReading:
    """A reading with the sides named as at the table; pairs are (Red, Black)."""

    t: float
    times_s: tuple[float | None, float | None]
    running: bool
    turn: Side | None
    flags: tuple[Flag, Flag]
    battery_low: bool
    connected: bool
    turn_bits_agree: bool | None
    lasting: tuple[bool, ...]
    step_s: float
    fragile: bool
    spoiled: bool
    raw: bytes

    @property
    def running_side(self) -> Side | None:
        """Whose time runs; None while the clock stands."""
        return self.turn if self.running and self.connected else None

    def to_json(self, sound: bool = True) -> dict[str, object]:
        """The line that `qiyan clock --json` prints for it; `sound` is False for one that is held back as unlikely."""
        red_s, black_s = self.times_s if self.connected else (None, None)
        names = {RED: "red", BLACK: "black", None: None}
        return {
            "t": round(self.t, 3),
            "reading": {
                "red_s": red_s,
                "black_s": black_s,
                "running": names[self.running_side],
                "lever": names[self.turn if self.connected else None],
                "red_flag": self.flags[RED] is not Flag.NONE,
                "black_flag": self.flags[BLACK] is not Flag.NONE,
                "battery_low": self.battery_low,
                "connected": self.connected,
            },
            "raw": self.raw.hex(),
            "sound": sound,
        }


def name_sides(reading: Reading, red: Display) -> SidedReading:
    """The reading as seen from the table, where the clock's side `red` is Red's."""
    times = (reading.left_s, reading.right_s)
    flags = (reading.left_flag, reading.right_flag)
    if red is Display.RIGHT:
        times, flags = times[::-1], flags[::-1]
    turn = None if reading.lever is None else (RED if reading.lever is red else BLACK)
    return SidedReading(
        t=reading.t,
        times_s=times,
        running=reading.running,
        turn=turn,
        flags=flags,
        battery_low=reading.battery_low,
        connected=reading.connected,
        turn_bits_agree=reading.turn_bits_agree,
        lasting=reading.lasting,
        step_s=reading.step_s,
        fragile=reading.fragile,
        spoiled=reading.spoiled,
        raw=reading.raw,
    )
