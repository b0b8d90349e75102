"""Watches one clock: signals and silence go in, what happened and what time it is come out."""

import logging
from dataclasses import dataclass, replace

from clock_bridge.belief import Belief, Judged, Verdict
from clock_bridge.control import Control, Mode
from clock_bridge.happening import Happening, What
from clock_bridge.press import LINE_LAG_S, POLLING_S, Steps
from clock_bridge.reading import DeviceNote, Display, SidedReading, Signal, name_sides
from rules.piece import RED, Side

logger = logging.getLogger(__name__)


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
    """Fed with every signal of one clock."""

    def __init__(self, config: WatchConfig) -> None:
        self._config = config
        self._belief = Belief()
        self._steps = Steps(config.control, config.bounce_s)
        self._good: SidedReading | None = None
        self._no_clock: SidedReading | None = None
        self._connected = True
        self._link = True
        self._stale = False
        self._ticked_at = 0.0
        self._told_times = False
        """Whether an event was told with the times last believed."""
        self.first: SidedReading | None = None
        """The first reading that is believed; None until it was borne out."""
        self.took_last = False
        """Whether the last reading fed was taken at its word and its times are sure; False: it is held back, was
        dropped, or waits for the next to follow it."""

    @property
    def last(self) -> SidedReading | None:
        """The last reading that was believed; None until one was borne out."""
        return self._good if self._belief.ever_proven else None

    @property
    def sure(self) -> bool:
        """Whether the times last believed were to be expected, or borne out, and nothing speaks against them."""
        return self._belief.sure

    def feed(self, signal: Signal) -> list[Happening]:
        """What the signal shows to have happened."""
        if isinstance(signal, DeviceNote):
            if signal.what == What.CLOCK_VERSION.value:
                return [self._make(signal.t, What.CLOCK_VERSION, None, LINE_LAG_S, {"version": signal.value})]
            logger.info("clock device says %s: %s", signal.what, signal.value)
            return []
        reading = name_sides(signal, self._config.red)
        if self._good is not None and reading.t < self._good.t:
            reading = replace(reading, t=self._good.t)
        self.took_last = True
        out = self._steps.settle(reading.t)
        if not reading.connected:
            return out + self._unplugged(reading)
        self._no_clock = None
        if not (self._connected and self._link):
            return out + self._resync(reading)
        for judged in self._belief.consider(reading, self._steps.gains.allowance(self._steps.ever_ran)):
            out += self._take(judged)
        self.took_last = self.took_last and self.sure
        return out

    def pass_time(self, now_s: float) -> list[Happening]:
        """What the silence up to `now_s` shows."""
        out = self._steps.settle(now_s)
        for judged in self._belief.pass_time(now_s):
            out += self._take(judged)
        good = self._good
        if good is None or self._stale or not (self._link and self._connected and good.running):
            return out
        heard_t = max(self._belief.heard_t, good.t)
        if now_s - heard_t > self._silence_s:
            self._stale = True
            out.append(self._make(heard_t + self._config.stale_s, What.STALE, None, self._config.stale_s))
        return out

    def finish(self) -> list[Happening]:
        """What is still undecided when there is nothing more to come."""
        out = []
        for judged in self._belief.pass_time(float("inf")):
            out += self._take(judged)
        return self._steps.settle(float("inf")) + out

    def link_lost(self, t: float) -> list[Happening]:
        """The cable was pulled, or the device vanished."""
        if not self._link:
            return []
        self._link = False
        if self._stale or not self._connected:
            logger.info("the line to a clock that was lost already is gone")
            return []
        return [self._make(t, What.LINK_LOST, None, POLLING_S + LINE_LAG_S)]

    def link_back(self, t: float) -> list[Happening]:
        """The port is open again; the times are known again with the first reading."""
        return [] if self._link else [self._make(t, What.LINK_BACK, None, POLLING_S + LINE_LAG_S)]

    def times(self, now_s: float) -> tuple[float | None, float | None]:
        """(Red, Black) at `now_s`, counted on from the last reading: never below zero, never past the next reading."""
        good = self.last
        if good is None:
            return (None, None)
        runner = good.running_side
        shown_s = None if runner is None else good.times_s[runner]
        if shown_s is None or self._stale or not (self._link and self._connected):
            return good.times_s
        # A display shows n from n down to just above n - 1: beyond that only the next reading may go.
        since_s = min(max(now_s - self._ticked_at, 0.0), good.step_s)
        counted_s = max(shown_s - since_s, 0.0)
        red_s, black_s = good.times_s
        return (counted_s, black_s) if runner == RED else (red_s, counted_s)

    def _take(self, judged: Judged) -> list[Happening]:
        reading, before = judged.reading, judged.before
        if judged.verdict is Verdict.WAITING:
            self.took_last = False
            return []
        if judged.verdict is Verdict.DOUBTED:
            self.took_last = False
            # A start or stop that waits for a second reading is no fault of the line.
            if before is None or not before.running or reading.running != before.running:
                return []
            return [self._make(reading.t, What.WARN_IMPLAUSIBLE, None, 0.0, {"raw": reading.raw.hex()})]
        if judged.verdict is Verdict.INVERTED:
            self._good = reading
            return [self._make(reading.t, What.WARN_LEVER_INVERTED, None, 0.0)]
        if judged.verdict is Verdict.CORRECTED and before is not None:
            logger.warning("a wrong reading was believed: %s %s", before.times_s, before.raw.hex())
            before = replace(before, times_s=reading.times_s)
        self._note_tick(self._good, reading)
        self._good = reading
        if self.first is None and self._belief.ever_proven:
            self.first = before if judged.verdict is Verdict.STEP and before is not None else reading
        if judged.verdict is Verdict.FIRST or before is None:
            self._steps.begin(reading)
            self._told_times = False
            return []
        out: list[Happening] = []
        if judged.verdict is Verdict.CORRECTED and self._told_times:
            out.append(self._make(reading.t, What.CORRECTED, None, 0.0))
        if self._stale:
            self._stale = False
            out.append(self._make(reading.t, What.FRESH, reading.running_side, POLLING_S + LINE_LAG_S))
        happened = (self._steps.jump if judged.verdict is Verdict.JUMP else self._steps.step)(before, reading)
        self._told_times = any(each.to_event() is not None for each in happened)
        return out + happened

    def _note_tick(self, before: SidedReading | None, reading: SidedReading) -> None:
        """Keeps when the display last changed: from there on the running time is counted between readings."""
        if before is None or before.times_s != reading.times_s or before.running_side != reading.running_side:
            self._ticked_at = reading.t

    def _unplugged(self, reading: SidedReading) -> list[Happening]:
        """The board says that no clock is there; with times that a clock must have told it, it has to say so twice."""
        familiar = self._good is not None and reading.times_s == self._good.times_s
        first, self._no_clock = self._no_clock, reading
        repeated = first is not None and first.raw == reading.raw
        doubtful = (reading.running or not (familiar or reading.times_s == (0, 0))) and not repeated
        self.took_last = not doubtful
        if doubtful or not self._connected or not self._link:
            return []
        self._connected = False
        since_t = first.t if first is not None and repeated else reading.t
        return [self._make(since_t, What.CLOCK_LOST, None, POLLING_S + LINE_LAG_S)]

    def _resync(self, reading: SidedReading) -> list[Happening]:
        before = self._good
        what = What.CLOCK_BACK if self._link else What.RESYNC
        self._link = self._connected = True
        self._stale = False
        self._belief.restart()
        for judged in self._belief.consider(reading, self._steps.gains.allowance(self._steps.ever_ran)):
            self._take(judged)
        detail: dict[str, object] = {}
        if what is What.RESYNC and before is not None and None not in (before.turn, reading.turn):
            detail["missed_presses"] = "even" if before.turn == reading.turn else "odd"
        gap_s = POLLING_S if before is None else reading.t - before.t
        return [self._make(reading.t, what, reading.running_side, gap_s, detail)]

    @property
    def _silence_s(self) -> float:
        """How long a running clock may be silent: under a delay it does not count, and may have nothing to tell."""
        control = self._config.control
        waits_s = control.delay_s if control and control.mode is Mode.US_DELAY else 0.0
        return self._config.stale_s + waits_s

    def _make(
        self, t: float, what: What, side: Side | None, uncertainty_s: float, detail: dict[str, object] | None = None
    ) -> Happening:
        times_s = self._good.times_s if self._good else (None, None)
        return Happening(t, what, side, times_s, uncertainty_s, detail or {})
