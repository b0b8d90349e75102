"""A game clock in software, with the controls of clause 6; it shows what a DGT clock would show and send.

Nothing here asks for the time: every call says when it happens.
"""

import math

from clock_bridge.control import Control, Mode
from clock_bridge.protocol.assemble import opposite
from clock_bridge.protocol.dgt_message import ClockSide, TimeMessage, encode_time
from clock_bridge.reading import Display

_SIDES = (Display.LEFT, Display.RIGHT)


class SoftwareClock:
    """Two times, a lever, a pause button, and an arbiter's hand."""

    def __init__(self, control: Control, red: Display = Display.LEFT, first_increment: bool = True) -> None:
        """first_increment: whether the first increment is shown before the first move, as on DGT clocks."""
        black_base_s = control.base_s if control.black_base_s is None else control.black_base_s
        extra_s = control.increment_s if first_increment else 0.0
        self._control = control
        self._left_s = {red: control.base_s + extra_s, opposite(red): black_base_s + extra_s}
        self._byo_yomi = dict.fromkeys(_SIDES, False)
        self._flag_shown = dict.fromkeys(_SIDES, False)
        self._fallen: Display | None = None
        self._later_s = list(control.later_s)
        self._turn = red
        self._running = False
        self._t = 0.0
        self._turn_start_s = 0.0
        self._delay_left_s = 0.0
        self.battery_low = False

    @property
    def turn(self) -> Display:
        """Whose button stands high."""
        return self._turn

    @property
    def running(self) -> bool:
        """Whether a time runs."""
        return self._running

    def shown_s(self, side: Display, t: float) -> int:
        """What the display of `side` shows at `t`, s."""
        self.advance(t)
        return math.ceil(self._left_s[side])

    def start(self, t: float) -> None:
        """Starts, or goes on after a pause."""
        self.advance(t)
        if not self._running and self._fallen is None:
            self._running = True
            self._begin_turn()

    def pause(self, t: float) -> None:
        """Stops both times."""
        self.advance(t)
        self._running = False

    def press(self, side: Display, t: float) -> bool:
        """`side` pushes its button down; False where it was down already."""
        self.advance(t)
        if side is not self._turn:
            return False
        if self._running:
            self._left_s[side] = self._after_press_s(side)
        self._turn = opposite(side)
        self._begin_turn()
        return True

    def adjust(self, side: Display, delta_s: float, t: float) -> None:
        """The arbiter gives or takes time; a clock is set while it stands."""
        self.advance(t)
        self._left_s[side] = max(self._left_s[side] + delta_s, 0.0)
        if self._left_s[side] > 0 and self._fallen is side:
            self._fallen = None

    def advance(self, t: float) -> None:
        """Lets the time run up to `t`; a time before the last one changes nothing."""
        elapsed_s, self._t = max(t - self._t, 0.0), max(t, self._t)
        if not self._running:
            return
        waited_s = min(self._delay_left_s, elapsed_s)
        self._delay_left_s -= waited_s
        left_s = self._left_s[self._turn] - (elapsed_s - waited_s)
        while left_s <= 0 and (more_s := self._more_s(self._turn)) is not None:
            left_s += more_s
        self._left_s[self._turn] = max(left_s, 0.0)
        if left_s <= 0:
            self._fallen, self._running = self._turn, False

    def message(self, t: float) -> bytes:
        """The DGT time message of how the clock stands at `t`."""
        self.advance(t)
        right_to_move = self._turn is Display.RIGHT
        return encode_time(
            TimeMessage(
                right=self._side(Display.RIGHT),
                left=self._side(Display.LEFT),
                running=self._running,
                lever_high=self._turn,
                battery_low=self.battery_low,
                bit3=not right_to_move,
                bit4=right_to_move,
                no_clock=False,
            )
        )

    def _side(self, side: Display) -> ClockSide:
        fallen = self._fallen is side
        return ClockSide(
            time_s=math.ceil(self._left_s[side]),
            flag_shown=self._flag_shown[side] and not fallen,
            time_per_move=self._control.increment_s > 0 or self._control.delay_s > 0,
            flag_fallen=fallen,
        )

    def _begin_turn(self) -> None:
        self._turn_start_s = self._left_s[self._turn]
        self._delay_left_s = self._control.delay_s if self._control.mode is Mode.US_DELAY else 0.0

    def _after_press_s(self, side: Display) -> float:
        left_s, control = self._left_s[side], self._control
        if control.mode in (Mode.INCREMENT, Mode.QUOTA):
            return left_s + control.increment_s
        if control.mode is Mode.BRONSTEIN:
            return left_s + min(self._turn_start_s - left_s, control.delay_s)
        if self._byo_yomi[side]:
            # What is left of a period is not saved: the display goes back to whole periods.
            return math.ceil(left_s / control.period_s) * control.period_s
        return left_s

    def _more_s(self, side: Display) -> float | None:
        """What comes when the time of `side` is used up; None at the very end."""
        control = self._control
        if control.mode is Mode.BYO_YOMI and not self._byo_yomi[side]:
            self._byo_yomi[side] = True
            return control.periods * control.period_s
        if control.mode is Mode.QUOTA and self._later_s:
            more_s = self._later_s.pop(0)
            self._left_s[opposite(side)] += more_s
            self._flag_shown[side] = True
            return more_s
        return None
