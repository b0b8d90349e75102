"""What a press gave to the presser, named as the time control names it."""

from collections import Counter, deque

from clock_bridge.control import Control, Mode
from clock_bridge.plausible import LARGEST_GAIN_S, Allowance
from clock_bridge.reading import SidedReading
from rules.piece import Side

_GIVE_WHAT_WAS_USED = (Mode.BRONSTEIN, Mode.BYO_YOMI)
_ENOUGH = 4
"""Presses of one gain after which a greater one is no longer believed at once."""
_REMEMBERED = 20
"""Presses from which an unknown increment is learned: enough to outvote those that a tick of the clock shortened."""


class Gains:
    """Knows the control, or learns the increment from the presses."""

    def __init__(self, control: Control | None) -> None:
        self._control = control
        self._seen_s: deque[float] = deque(maxlen=_REMEMBERED)
        self._no_gain_seen = False

    @property
    def increment_s(self) -> float:
        """The increment; 0 where there is none or none was seen yet."""
        if self._control:
            return self._control.increment_s
        counts = Counter(self._seen_s)
        return max(counts, key=lambda each: (counts[each], -each), default=0.0)

    @property
    def _is_learned(self) -> bool:
        """Whether the presses so far speak of one increment, some of them short of a second that a tick took."""
        usual_s = self.increment_s
        like = sum(usual_s - 1 <= each <= usual_s for each in self._seen_s)
        return len(self._seen_s) >= _ENOUGH and like == len(self._seen_s)

    def allowance(self, ever_ran: bool) -> Allowance:
        """What times may do now."""
        control = self._control
        if control:
            gain_s = max(control.increment_s, control.delay_s, control.period_s)
        else:
            # The usual gain may itself be one that a tick shortened.
            gain_s = self.increment_s + 1 if self._is_learned else LARGEST_GAIN_S
        byo_yomi_s = control.periods * control.period_s if control else 0.0
        increment_s = self.increment_s if control or self._is_learned else 0.0
        return Allowance(gain_s, 0.0 if ever_ran else gain_s, increment_s, self._usual_s, byo_yomi_s)

    @property
    def _usual_s(self) -> float | None:
        """What a press is expected to give; None where presses give more or less, or none was seen yet."""
        if self._control:
            return None if self._control.mode in _GIVE_WHAT_WAS_USED else self._control.increment_s
        return self.increment_s if self._seen_s or self._no_gain_seen else None

    def name(
        self, before: SidedReading, after: SidedReading, presser: Side, turn_start_s: float | None
    ) -> dict[str, object]:
        """What the press of `presser`, whose turn began with `turn_start_s`, gave."""
        old, new = before.times_s[presser], after.times_s[presser]
        if old is None or new is None:
            return {}
        gain_s = new - old
        control = self._control
        if control and control.mode is Mode.BRONSTEIN:
            return {"restored_s": gain_s}
        if control and control.mode is Mode.BYO_YOMI:
            lost = round((turn_start_s - new) / control.period_s) if turn_start_s is not None else 0
            return {"periods_lost": lost} if lost > 0 and gain_s >= 0 else {}
        increment_s = control.increment_s if control else self._learn(gain_s)
        if increment_s <= 0:
            return {}
        # A second of the turn's own time may have passed unseen within the same message.
        return (
            {"increment_s": increment_s} if gain_s == increment_s else {"increment_s": increment_s, "tick_merged": True}
        )

    def _learn(self, gain_s: float) -> float:
        if gain_s > 0:
            self._seen_s.append(gain_s)
        else:
            self._no_gain_seen = True
        usual_s = self.increment_s
        return usual_s if abs(usual_s - gain_s) <= 1 else max(gain_s, 0.0)
