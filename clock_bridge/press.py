"""From one believed reading to the next: what the players and the arbiter did in between."""

from dataclasses import replace

from clock_bridge.control import Control
from clock_bridge.gain import Gains
from clock_bridge.happening import Happening, What
from clock_bridge.plausible import (
    Allowance,
    byo_yomi_began,
    gains_of_presses,
    largest_gain_s,
    period_added_s,
    pressed_twice,
    runner_fell,
    unexplained_s,
)
from clock_bridge.reading import Flag, SidedReading
from rules.piece import BLACK, RED, Side, other

LINE_LAG_S = 0.1
"""A board dump blocks the line for 70 ms, and the operating system hands bytes over some 10 ms late."""
POLLING_S = 0.5
"""A board looks at its clock two to three times a second, so a change after a silence in a pause is no older."""


SLIP_S = 2.0
"""A running clock whose time is off by no more was misread once, not set: arbiters give and take minutes."""


class Steps:
    """Tells what lies between readings; remembers what that takes: the turn's start, the last press."""

    def __init__(self, control: Control | None, bounce_s: float) -> None:
        self.gains = Gains(control)
        self.ever_ran = False
        self._control = control
        self._bounce_s = bounce_s
        self._bounce: Happening | None = None
        self._press_t: float | None = None
        self._turn_start_s: tuple[float | None, float | None] = (None, None)
        self._bits_unproven = False
        self._low_since: float | None = None
        self._low_told = False
        self._setting_up = False
        self._told_flags: set[Side] = set()

    def begin(self, reading: SidedReading) -> None:
        """Starts from a reading that nothing came before."""
        self._turn_start_s = reading.times_s
        self.ever_ran = self.ever_ran or reading.running
        self._bits_unproven = reading.turn_bits_agree is False
        self._bounce = self._press_t = None

    def step(self, before: SidedReading, after: SidedReading) -> list[Happening]:
        """What happened between two readings of which the second follows the first."""
        doubt_s = uncertainty_s(before, after)
        allowance = self.gains.allowance(self.ever_ran)
        out = self._prove_bits(before, after, doubt_s)
        periods = self._period(before, after, allowance, doubt_s)
        flags = self._flags(before, after, doubt_s)
        out += periods
        # A press in time would have stopped the presser's time above zero: with it at zero, the flag came first.
        flags_first = before.turn is not None and after.flags[before.turn] is Flag.FALLEN
        out += flags if flags_first else []
        if before.turn is not None and after.turn is not None and before.turn != after.turn:
            # What a new period added is no gain of the press.
            added_s = period_added_s(before, after) or 0
            out += self._lever_moved(_with_added(before, added_s), after, doubt_s)
        elif not periods and pressed_twice(before, after, allowance):
            out += self._two_presses(before, after, doubt_s)
        if after.running and not before.running:
            out += self._set_running(before, after, doubt_s)
        out += [] if flags_first else flags
        if before.running and not after.running and not flags:
            out.append(_tell(after, What.PAUSE, None, doubt_s))
        self.ever_ran = self.ever_ran or after.running
        return out + self._battery(after, doubt_s)

    def jump(self, before: SidedReading, after: SidedReading) -> list[Happening]:
        """What happened where the second reading cannot follow the first: somebody set the times."""
        doubt_s = uncertainty_s(before, after)
        deltas_s = {side: unexplained_s(before, after, side) for side in (RED, BLACK)}
        if before.running:
            deltas_s = {side: delta_s for side, delta_s in deltas_s.items() if abs(delta_s) > SLIP_S}
        if before.running and after.running and gains_of_presses(before, after):
            # A clock is set while it stands: the control was told wrong, or its increment is not known yet.
            if before.turn != after.turn:
                return self.step(before, after)
            if deltas_s:
                return self._two_presses(before, after, doubt_s)
        untouched = before.times_s[RED] == before.times_s[BLACK] or self._setting_up
        self._setting_up = untouched and not (before.running or after.running or self.ever_ran)
        what = What.SET_UP if self._setting_up else What.ADJUST
        out = [_tell(after, what, side, doubt_s, {"delta_s": delta_s}) for side, delta_s in deltas_s.items() if delta_s]
        return out + self.step(replace(before, times_s=after.times_s), after)

    def settle(self, now_s: float) -> list[Happening]:
        """A lever that stayed where it sprang back to was moved there."""
        press = self._bounce
        if press is None or press.side is None or now_s - press.t < self._bounce_s:
            return []
        self._bounce, self._press_t = None, press.t
        return [press, replace(press, what=What.RUN, side=other(press.side), detail={})]

    def _set_running(self, before: SidedReading, after: SidedReading, doubt_s: float) -> list[Happening]:
        opening = not self.ever_ran and _at_the_start(before, self._control)
        what = What.START if opening else What.RESUME
        self._turn_start_s = after.times_s
        first, then = before.turn, after.turn
        if first is None or then is None or first == then or not _only_gained(before, after, first):
            return [_tell(after, what, then, doubt_s)]
        # Started and pressed between two looks at the clock: only a press gives time to one side.
        self._press_t = after.t
        gain = self.gains.name(before, after, first, before.times_s[first])
        return [
            _tell(after, what, first, doubt_s),
            _tell(after, What.PRESS, first, doubt_s, gain),
            _tell(after, What.RUN, then, doubt_s),
        ]

    def _lever_moved(self, before: SidedReading, after: SidedReading, doubt_s: float) -> list[Happening]:
        presser = before.turn
        assert presser is not None
        if not before.running:
            return [] if after.running else [_tell(after, What.LEVER_WHILE_PAUSED, None, doubt_s)]
        if self._bounce is not None:
            self._bounce = None
            return []
        too_late = after.flags[presser] is Flag.FALLEN
        gain = {} if too_late else self.gains.name(before, after, presser, self._turn_start_s[presser])
        press = _tell(after, What.PRESS, presser, doubt_s, gain)
        if self._may_be_bounce(before, after, presser):
            self._bounce = press
            return []
        self._press_t = after.t
        self._turn_start_s = after.times_s
        return [press, _tell(after, What.RUN, other(presser), doubt_s)] if after.running else [press]

    def _may_be_bounce(self, before: SidedReading, after: SidedReading, presser: Side) -> bool:
        """Whether the lever flipped back so soon after a press that nobody can have answered it."""
        # Readings of one and the same moment were heard in one portion: when they were sent is not known.
        if self._press_t is None or not 0 < after.t - self._press_t < self._bounce_s:
            return False
        began_s, old_s, new_s = self._turn_start_s[presser], before.times_s[presser], after.times_s[presser]
        if began_s is None or old_s is None or new_s is None:
            return True
        # The clock itself says otherwise where it counted more than the tick that may fall into a bounce, or where it
        # took the press for one and gave time for it.
        return began_s - old_s <= 1 and new_s <= old_s

    def _two_presses(self, before: SidedReading, after: SidedReading, doubt_s: float) -> list[Happening]:
        first = before.turn
        assert first is not None
        self._press_t = after.t
        self._turn_start_s = after.times_s
        increment_s = self.gains.increment_s or max(largest_gain_s(before, after), 0.0)
        detail: dict[str, object] = {"increment_s": increment_s} if increment_s else {}
        return [
            _tell(after, What.PRESS, first, doubt_s, detail),
            _tell(after, What.PRESS, other(first), doubt_s, detail),
            _tell(after, What.RUN, first, doubt_s),
        ]

    def _period(
        self, before: SidedReading, after: SidedReading, allowance: Allowance, doubt_s: float
    ) -> list[Happening]:
        added_s = period_added_s(before, after)
        if added_s is not None:
            return [_tell(after, What.PERIOD, before.turn, doubt_s, {"added_s": added_s, "both_sides": True})]
        if byo_yomi_began(before, after, allowance):
            self._turn_start_s = (allowance.byo_yomi_s, allowance.byo_yomi_s)
            detail: dict[str, object] = {"added_s": allowance.byo_yomi_s, "both_sides": False}
            return [_tell(after, What.PERIOD, before.turn, doubt_s, detail)]
        return []

    def _prove_bits(self, before: SidedReading, after: SidedReading, doubt_s: float) -> list[Happening]:
        """Turn bits that contradict the lever are told of once the falling time has borne the lever out."""
        self._bits_unproven = self._bits_unproven and after.turn_bits_agree is False
        if not self._bits_unproven or not runner_fell(before, after):
            return []
        self._bits_unproven = False
        return [_tell(after, What.WARN_TURN_BIT_MISMATCH, None, 0.0), _tell(after, What.RUN, after.turn, doubt_s)]

    def _flags(self, before: SidedReading, after: SidedReading, doubt_s: float) -> list[Happening]:
        """Each flag once, though it blinks, until its side has time again."""
        out = []
        for side in (RED, BLACK):
            old, new, time_s = before.flags[side], after.flags[side], after.times_s[side]
            fell = new is Flag.FALLEN and old is not Flag.FALLEN
            # A flag shown at zero is the end of the last period; shown with time on the display, a new one began.
            shown_at_zero = new is Flag.SHOWN and time_s == 0 and (old is Flag.NONE or before.times_s[side] != 0)
            if time_s:
                self._told_flags.discard(side)
            if (fell or shown_at_zero) and side not in self._told_flags:
                self._told_flags.add(side)
                out.append(_tell(after, What.FLAG, side, doubt_s))
        return out

    def _battery(self, after: SidedReading, doubt_s: float) -> list[Happening]:
        """A low battery is told of once, when a second reading says so too."""
        if not after.battery_low:
            self._low_since = None
            return []
        if self._low_since is None:
            self._low_since = after.t
            return []
        if self._low_told:
            return []
        self._low_told = True
        return [replace(_tell(after, What.BATTERY_LOW, None, doubt_s), t=self._low_since)]


def uncertainty_s(before: SidedReading, after: SidedReading) -> float:
    """How long before `after` was heard a change in it can have happened, s."""
    gap_s = max(after.t - before.t, 0.0)
    return (gap_s if before.running else min(gap_s, POLLING_S)) + LINE_LAG_S


def _tell(
    reading: SidedReading, what: What, side: Side | None, doubt_s: float, detail: dict[str, object] | None = None
) -> Happening:
    return Happening(reading.t, what, side, reading.times_s, doubt_s, detail or {})


def _with_added(reading: SidedReading, added_s: float) -> SidedReading:
    red_s, black_s = (None if time_s is None else time_s + added_s for time_s in reading.times_s)
    return replace(reading, times_s=(red_s, black_s))


def _only_gained(before: SidedReading, after: SidedReading, side: Side) -> bool:
    """Whether `side` has more time than before, and the other side has not."""
    pairs = list(zip(before.times_s, after.times_s, strict=True))
    gains = [old is not None and new is not None and new > old for old, new in pairs]
    return gains[side] and not gains[other(side)]


def _at_the_start(reading: SidedReading, control: Control | None) -> bool:
    """Whether the clock stands as before the first move, with or without the first increment."""
    red_s, black_s = reading.times_s
    if control is None or red_s is None or black_s is None:
        return red_s == black_s
    black_base_s = control.base_s if control.black_base_s is None else control.black_base_s
    return red_s - control.base_s in (0, control.increment_s) and black_s - black_base_s in (0, control.increment_s)
