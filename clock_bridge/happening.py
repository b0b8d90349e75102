"""What a clock did, in its own words, and the table event that each becomes."""

from dataclasses import dataclass, field
from enum import Enum

from rules.event import ClockEvent, ClockEventKind
from rules.piece import Side


class What(Enum):
    """Everything the watch tells apart; the interface knows fewer kinds."""

    PRESS = "press"
    RUN = "run"
    """This side's time runs now, after a press."""
    START = "start"
    RESUME = "resume"
    PAUSE = "pause"
    LEVER_WHILE_PAUSED = "lever_while_paused"
    FLAG = "flag"
    PERIOD = "period"
    ADJUST = "adjust"
    CORRECTED = "corrected"
    """The times last told were misread; these are right."""
    SET_UP = "set_up"
    """The times were set before the game began."""
    STALE = "stale"
    """Nothing was heard of a running clock for longer than it may be silent."""
    FRESH = "fresh"
    """It is heard again, and nothing was missed."""
    CLOCK_LOST = "clock_lost"
    """The board says that no clock is plugged in."""
    CLOCK_BACK = "clock_back"
    LINK_LOST = "link_lost"
    LINK_BACK = "link_back"
    RESYNC = "resync"
    """The first reading after the link was cut."""
    BATTERY_LOW = "battery_low"
    CLOCK_VERSION = "clock_version"
    WARN_TURN_BIT_MISMATCH = "warn_turn_bit_mismatch"
    WARN_LEVER_INVERTED = "warn_lever_inverted"
    WARN_IMPLAUSIBLE = "warn_implausible"


_KINDS = {
    What.PRESS: ClockEventKind.PRESS,
    What.START: ClockEventKind.START,
    What.RESUME: ClockEventKind.START,
    What.PAUSE: ClockEventKind.STOP,
    What.FLAG: ClockEventKind.FLAG,
    What.PERIOD: ClockEventKind.ADJUST,
    What.ADJUST: ClockEventKind.ADJUST,
    What.SET_UP: ClockEventKind.ADJUST,
    What.CORRECTED: ClockEventKind.ADJUST,
    What.STALE: ClockEventKind.LOST,
    What.FRESH: ClockEventKind.RESTORED,
    What.CLOCK_LOST: ClockEventKind.LOST,
    What.CLOCK_BACK: ClockEventKind.RESTORED,
    What.LINK_LOST: ClockEventKind.LOST,
    What.RESYNC: ClockEventKind.RESTORED,
}
"""The others tell a person something, the judge nothing. LINK_BACK is no RESTORED: the times are known again only with
the first reading."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing the clock did."""

    t: float
    """When it was known; it happened in the `uncertainty_s` before, s."""
    what: What
    side: Side | None
    times_s: tuple[float | None, float | None]
    """(Red, Black) as the display stood then; the last good ones where it says nothing."""
    uncertainty_s: float
    detail: dict[str, object] = field(default_factory=dict)
    """More about it, as data: `increment_s`, `delta_s`, `added_s`, `missed_presses` ..."""

    def to_event(self) -> ClockEvent | None:
        """The event for the judge; None where it concerns only people."""
        kind = _KINDS.get(self.what)
        if kind is None:
            return None
        red_s, black_s = self.times_s
        return ClockEvent(self.t, kind, self.side, red_s, black_s, self.uncertainty_s)
