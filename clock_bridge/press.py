"""From readings to what the players and the arbiter did with the clock.

A reading is taken at its word only when it can follow the last one; otherwise it is held back until the next bears it
out, so that a bit error costs at most one reading and never makes a press.
"""

import logging
from collections import deque
from dataclasses import dataclass, replace

from clock_bridge.control import Control, Mode
from clock_bridge.happening import Happening, What
from clock_bridge.plausible import LARGEST_GAIN_S, ROUNDING_S, Allowance, can_follow, period_added_s
from clock_bridge.reading import DeviceNote, Display, Flag, Reading, SidedReading, Signal, name_sides
from rules.piece import BLACK, RED, Side, other

logger = logging.getLogger(__name__)

LINE_LAG_S = 0.1
"""A board dump blocks the line for 70 ms, and the operating system hands bytes over some 10 ms late."""
POLLING_S = 0.5
"""A board looks at its clock two to three times a second, so a change after a silence in a pause is no older."""


@dataclass(frozen=True, slots=True)
class WatchConfig:
    """How a clock is read."""

    red: Display = Display.LEFT
    """The clock's side that is Red's."""
    control: Control | None = None
    """The time control, where it is known: names increments and periods, and narrows what is plausible."""
    stale_s: float = 3.0
    """A running clock silent for longer is reported lost; DGT clocks speak every second."""
    bounce_s: float = 0.2
    """A lever that flips back within this bounced; nobody answers a move as fast."""


class ClockWatch:
    """Fed with every signal of one clock; tells what happened and what time it is."""

    def __init__(self, config: WatchConfig) -> None:
        self._config = config
        self._last: SidedReading | None = None
        self._held: SidedReading | None = None
        self._ever_ran = False
        self._connected = True
        self._link = True
        self._stale = False
        self._inverted = False
        self._turn_bits: bool | None = None
        self._bits_unproven = False
        self._last_press: tuple[float, Side] | None = None
        self._bounce: Happening | None = None
        self._turn_start_s: tuple[float | None, float | None] = (None, None)
        self._gains_s: deque[float] = deque(maxlen=20)
        self._ticked_at = 0.0

    @property
    def last(self) -> SidedReading | None:
        """The last reading that was believed."""
        return self._last

    def feed(self, signal: Signal) -> list[Happening]:
        """What the signal shows to have happened."""
        if isinstance(signal, DeviceNote):
            if signal.what == What.CLOCK_VERSION.value:
                return [self._make(signal.t, What.CLOCK_VERSION, None, LINE_LAG_S, {"version": signal.value})]
            logger.info("clock device says %s: %s", signal.what, signal.value)
            return []
        return self._feed_reading(self._sided(signal))

    def pass_time(self, now_s: float) -> list[Happening]:
        """What the silence up to `now_s` shows."""
        out = self._settle_bounce(now_s)
        last, held = self._last, self._held
        # In a pause a clock may speak only on change, so an edit of its times is never borne out by a second message.
        if held is not None and last is not None and not last.running and now_s - held.t > self._config.stale_s:
            out += self._jump(last, held)
            return out
        if last is None or self._stale or not (self._link and self._connected and last.running):
            return out
        heard = max(last.t, held.t if held else last.t)
        if now_s - heard > self._silence_s:
            self._stale = True
            out.append(self._make(heard + self._config.stale_s, What.STALE, None, self._config.stale_s))
        return out

    def link_lost(self, t: float) -> list[Happening]:
        """The cable was pulled, or the device vanished."""
        if not self._link:
            return []
        self._link = False
        self._held = self._bounce = None
        return [self._make(t, What.LINK_LOST, None, POLLING_S + LINE_LAG_S)]

    def link_back(self, t: float) -> list[Happening]:
        """The port is open again; the times are known again with the first reading."""
        return [] if self._link else [self._make(t, What.LINK_BACK, None, POLLING_S + LINE_LAG_S)]

    def times(self, now_s: float) -> tuple[float | None, float | None]:
        """(Red, Black) at `now_s`, counted on from the last reading: never below zero, never past the next reading."""
        last = self._last
        if last is None:
            return (None, None)
        runner = last.running_side
        shown_s = None if runner is None else last.times_s[runner]
        if runner is None or shown_s is None or self._stale or not self._link:
            return last.times_s
        # A display shows n from n down to just above n - 1: beyond that only the next reading may go.
        since_s = min(max(now_s - self._ticked_at, 0.0), last.step_s)
        counted_s = max(shown_s - since_s, 0.0)
        red_s, black_s = last.times_s
        return (counted_s, black_s) if runner == RED else (red_s, counted_s)

    # Readings

    def _feed_reading(self, reading: SidedReading) -> list[Happening]:
        out = self._settle_bounce(reading.t)
        before = self._last
        if not reading.connected:
            if self._connected:
                self._connected, self._held = False, None
                out.append(self._make(reading.t, What.CLOCK_LOST, None, POLLING_S + LINE_LAG_S))
            return out
        if before is None:
            self._accept_first(reading)
            return out
        if not (self._connected and self._link):
            return out + self._resync(before, reading)
        if self._credible(before, reading):
            self._held = None
            return out + self._advance(before, reading)
        return out + self._doubt(before, reading)

    def _doubt(self, before: SidedReading, reading: SidedReading) -> list[Happening]:
        """Holds an incredible reading back, or believes the one held when this one bears it out."""
        held = self._held
        if held is not None and can_follow(held, reading, self._allowance(held)):
            return self._jump(before, held) + self._advance(held, reading)
        if held is not None and self._lever_is_inverted(before, held, reading):
            self._inverted = not self._inverted
            before, held, reading = (_inverted(each) for each in (before, held, reading))
            self._last, self._held = before, None
            warning = self._make(reading.t, What.WARN_LEVER_INVERTED, None, 0.0)
            return [warning, *self._advance(before, held), *self._advance(held, reading)]
        self._held = reading
        if not before.running:
            return []
        return [self._make(reading.t, What.WARN_IMPLAUSIBLE, None, 0.0, {"raw": reading.raw.hex()})]

    def _jump(self, before: SidedReading, after: SidedReading) -> list[Happening]:
        """A change that nothing in the play explains and that was borne out: somebody set the clock."""
        self._held = None
        self._turn_bits = after.turn_bits_agree
        uncertainty_s = self._uncertainty_s(before, after)
        runner = before.running_side
        what = What.ADJUST
        if not (before.running or after.running or self._ever_ran) and before.times_s[RED] == before.times_s[BLACK]:
            what = What.SET_UP
        out = self._fresh(after)
        self._last = replace(after, turn=before.turn, running=before.running)
        for side in (RED, BLACK):
            old, new = before.times_s[side], after.times_s[side]
            if old is None or new is None:
                continue
            ran_s = max(after.t - before.t, 0.0) if side == runner else 0.0
            unexplained = not -ROUNDING_S <= old - new <= ran_s + ROUNDING_S if side == runner else old != new
            if unexplained:
                delta_s = new - old + (round(ran_s) if side == runner else 0)
                out.append(self._make(after.t, what, side, uncertainty_s, {"delta_s": delta_s}, after.times_s))
        return out + self._advance(self._last, after)

    def _resync(self, before: SidedReading, reading: SidedReading) -> list[Happening]:
        what = What.RESYNC if not self._link else What.CLOCK_BACK
        self._link = self._connected = True
        self._accept_first(reading)
        detail: dict[str, object] = {}
        if what is What.RESYNC and before.turn is not None and reading.turn is not None:
            detail["missed_presses"] = "even" if before.turn == reading.turn else "odd"
        return [self._make(reading.t, what, reading.turn, reading.t - before.t, detail)]

    def _accept_first(self, reading: SidedReading) -> None:
        self._last, self._held, self._stale = reading, None, False
        self._ticked_at = reading.t
        self._turn_start_s = reading.times_s
        self._ever_ran = self._ever_ran or reading.running
        self._turn_bits = reading.turn_bits_agree
        self._bits_unproven = reading.turn_bits_agree is False

    def _advance(self, before: SidedReading, after: SidedReading) -> list[Happening]:
        """Takes the reading for good and tells what lies between it and the last one."""
        out = self._fresh(after)
        uncertainty_s = self._uncertainty_s(before, after)
        added_s = period_added_s(before, after) if before.turn == after.turn else None
        self._last = after
        if after.times_s != before.times_s or after.running_side != before.running_side:
            self._ticked_at = after.t
        if self._bits_unproven and _runner_fell(before, after):
            self._bits_unproven = False
            out.append(self._make(after.t, What.WARN_TURN_BIT_MISMATCH, None, 0.0))
            out.append(self._make(after.t, What.RUN, after.turn, uncertainty_s))
        if before.turn is not None and after.turn is not None and before.turn != after.turn:
            out += self._lever_moved(before, after, uncertainty_s)
        elif self._pressed_twice(before, after):
            out += self._two_presses(before, after, uncertainty_s)
        if after.running and not before.running:
            opening = not self._ever_ran and _at_the_start(before, self._config.control)
            out.append(self._make(after.t, What.START if opening else What.RESUME, after.turn, uncertainty_s))
            self._turn_start_s = after.times_s
        if added_s is not None:
            side = before.turn
            out.append(self._make(after.t, What.PERIOD, side, uncertainty_s, {"added_s": added_s, "both_sides": True}))
        out += self._flags(before, after, uncertainty_s)
        if before.running and not after.running and not any(each.what is What.FLAG for each in out):
            out.append(self._make(after.t, What.PAUSE, None, uncertainty_s))
        if after.battery_low and not before.battery_low:
            out.append(self._make(after.t, What.BATTERY_LOW, None, uncertainty_s))
        self._ever_ran = self._ever_ran or after.running
        return out

    # Parts of a step

    def _lever_moved(self, before: SidedReading, after: SidedReading, uncertainty_s: float) -> list[Happening]:
        presser, opponent = before.turn, after.turn
        assert presser is not None and opponent is not None
        if not before.running:
            if after.running:
                return []
            return [self._make(after.t, What.LEVER_WHILE_PAUSED, None, uncertainty_s)]
        press = self._make(after.t, What.PRESS, presser, uncertainty_s, self._gain(before, after, presser))
        if self._bounce is not None:
            self._bounce = None
            return []
        if self._last_press and after.t - self._last_press[0] < self._config.bounce_s:
            self._bounce = press
            return []
        self._last_press = (after.t, presser)
        self._turn_start_s = after.times_s
        out = [press]
        if after.running:
            out.append(self._make(after.t, What.RUN, opponent, uncertainty_s))
        return out

    def _settle_bounce(self, now_s: float) -> list[Happening]:
        """A lever that stayed where it sprang back to was moved there."""
        press = self._bounce
        if press is None or now_s - press.t < self._config.bounce_s or press.side is None:
            return []
        self._bounce = None
        self._last_press = (press.t, press.side)
        return [press, replace(press, what=What.RUN, side=other(press.side), detail={})]

    def _gain(self, before: SidedReading, after: SidedReading, presser: Side) -> dict[str, object]:
        """What the press gave to the presser, named as the control names it."""
        old, new, start = before.times_s[presser], after.times_s[presser], self._turn_start_s[presser]
        control = self._config.control
        if old is None or new is None:
            return {}
        gain_s = new - old
        if control and control.mode is Mode.BRONSTEIN:
            return {"restored_s": gain_s}
        if control and control.mode is Mode.BYO_YOMI and control.period_s and start is not None:
            lost = round((start - new) / control.period_s)
            return {"periods_lost": lost} if lost > 0 and gain_s >= 0 else {}
        if control and not control.increment_s:
            return {}
        increment_s = control.increment_s if control else self._learn_increment(gain_s)
        if increment_s <= 0:
            return {}
        detail: dict[str, object] = {"increment_s": increment_s}
        if gain_s != increment_s:
            detail["tick_merged"] = True
        return detail

    def _learn_increment(self, gain_s: float) -> float:
        """The increment as the presses so far show it; a tick of the clock may hide one second of each."""
        if gain_s > 0:
            self._gains_s.append(gain_s)
        usual_s = max(set(self._gains_s), key=lambda each: (self._gains_s.count(each), each), default=0.0)
        return usual_s if abs(usual_s - gain_s) <= 1 else max(gain_s, 0.0)

    def _pressed_twice(self, before: SidedReading, after: SidedReading) -> bool:
        """Both players pressed between two readings: with an increment both times rise and the lever lies as before."""
        if not (before.running and after.running) or not self._increment_s:
            return False
        return (
            all(
                new is not None and old is not None and new > old
                for old, new in zip(before.times_s, after.times_s, strict=True)
            )
            and period_added_s(before, after) is None
        )

    def _two_presses(self, before: SidedReading, after: SidedReading, uncertainty_s: float) -> list[Happening]:
        first = before.turn
        assert first is not None
        self._last_press = (after.t, other(first))
        self._turn_start_s = after.times_s
        detail: dict[str, object] = {"increment_s": self._increment_s}
        return [
            self._make(after.t, What.PRESS, first, uncertainty_s, detail),
            self._make(after.t, What.PRESS, other(first), uncertainty_s, detail),
            self._make(after.t, What.RUN, first, uncertainty_s),
        ]

    def _flags(self, before: SidedReading, after: SidedReading, uncertainty_s: float) -> list[Happening]:
        out = []
        for side in (RED, BLACK):
            old, new, time_s = before.flags[side], after.flags[side], after.times_s[side]
            fell = new is Flag.FALLEN and old is not Flag.FALLEN
            # A flag shown at zero is the end of the last period; shown with time on the display, a new one began.
            shown_at_zero = new is Flag.SHOWN and time_s == 0 and (old is Flag.NONE or before.times_s[side] != 0)
            if fell or shown_at_zero:
                out.append(self._make(after.t, What.FLAG, side, uncertainty_s))
        return out

    # What is believed

    def _credible(self, before: SidedReading, after: SidedReading) -> bool:
        bits = after.turn_bits_agree
        if bits is not None and self._turn_bits is not None and bits != self._turn_bits:
            return False
        if not can_follow(before, after, self._allowance(before)):
            return self._pressed_twice(before, after) and self._twice_plausible(before, after)
        if self._turn_bits is None:
            self._turn_bits = bits
        return True

    def _twice_plausible(self, before: SidedReading, after: SidedReading) -> bool:
        elapsed_s = after.t - before.t
        return before.turn == after.turn and all(
            new is not None
            and old is not None
            and self._increment_s - elapsed_s - ROUNDING_S <= new - old
            and new - old <= self._increment_s
            for old, new in zip(before.times_s, after.times_s, strict=True)
        )

    def _lever_is_inverted(self, before: SidedReading, held: SidedReading, reading: SidedReading) -> bool:
        turned = [_inverted(each) for each in (before, held, reading)]
        return (
            before.turn == held.turn == reading.turn
            and can_follow(turned[0], turned[1], self._allowance(before))
            and can_follow(turned[1], turned[2], self._allowance(held))
            and _runner_fell(turned[0], turned[1])
            and _runner_fell(turned[1], turned[2])
        )

    @property
    def _increment_s(self) -> float:
        if self._config.control:
            return self._config.control.increment_s
        return max(set(self._gains_s), key=self._gains_s.count, default=0.0)

    def _allowance(self, before: SidedReading) -> Allowance:
        control = self._config.control
        gain_s = LARGEST_GAIN_S
        if control:
            gain_s = max(control.increment_s, control.delay_s, control.period_s)
        if not self._ever_ran:
            return Allowance(gain_s, gain_s)
        return Allowance(gain_s, 0.0)

    @property
    def _silence_s(self) -> float:
        """How long a running clock may be silent: under a delay it does not count, and may have nothing to tell."""
        control = self._config.control
        waits_s = control.delay_s if control and control.mode is Mode.US_DELAY else 0.0
        return self._config.stale_s + waits_s

    def _fresh(self, after: SidedReading) -> list[Happening]:
        if not self._stale:
            return []
        self._stale = False
        return [self._make(after.t, What.FRESH, after.turn, POLLING_S + LINE_LAG_S, times_s=after.times_s)]

    def _sided(self, reading: Reading) -> SidedReading:
        sided = name_sides(reading, self._config.red)
        return _inverted(sided) if self._inverted else sided

    def _uncertainty_s(self, before: SidedReading, after: SidedReading) -> float:
        gap_s = max(after.t - before.t, 0.0)
        if not before.running:
            gap_s = min(gap_s, POLLING_S)
        return gap_s + LINE_LAG_S

    def _make(
        self,
        t: float,
        what: What,
        side: Side | None,
        uncertainty_s: float,
        detail: dict[str, object] | None = None,
        times_s: tuple[float | None, float | None] | None = None,
    ) -> Happening:
        if times_s is None:
            times_s = self._last.times_s if self._last else (None, None)
        return Happening(t, what, side, times_s, uncertainty_s, detail or {})


def _inverted(reading: SidedReading) -> SidedReading:
    return reading if reading.turn is None else replace(reading, turn=other(reading.turn))


def _runner_fell(before: SidedReading, after: SidedReading) -> bool:
    runner = before.running_side
    if runner is None or after.running_side != runner:
        return False
    old, new = before.times_s[runner], after.times_s[runner]
    return old is not None and new is not None and new < old


def _at_the_start(reading: SidedReading, control: Control | None) -> bool:
    """Whether the clock stands as before the first move, with or without the first increment."""
    red_s, black_s = reading.times_s
    if control is None or red_s is None or black_s is None:
        return red_s == black_s
    black_base_s = control.base_s if control.black_base_s is None else control.black_base_s
    return red_s - control.base_s in (0, control.increment_s) and black_s - black_base_s in (0, control.increment_s)
