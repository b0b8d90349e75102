"""Whole readings out of devices that say a part at a time: one side's time, a press, a pause."""

from dataclasses import dataclass

from clock_bridge.reading import Display, Flag, Reading

STANDSTILL_S = 1.5
"""A clock that says only times and has not changed them for longer stands still: a running one does each second."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one line or object said; None where it said nothing of it."""

    left_s: float | None = None
    right_s: float | None = None
    running: bool | None = None
    turn: Display | None = None
    """Whose time runs, or will."""
    pressed: Display | None = None
    """Who pressed; the other one's time runs from now on."""
    pressed_by_mover: bool = False
    """Somebody pressed and it is not said who: it was the side whose time ran."""
    connected: bool | None = None
    step_s: float = 1.0
    reset: bool = False
    """The clock was set back to its start: it stands, and whose turn it is is not known."""


def opposite(side: Display) -> Display:
    """The other side of the clock."""
    return Display.RIGHT if side is Display.LEFT else Display.LEFT


class Assembler:
    """Remembers what was said last of each thing."""

    def __init__(self) -> None:
        self._times: dict[Display, float | None] = {Display.LEFT: None, Display.RIGHT: None}
        self._turn: Display | None = None
        self._running = False
        self._connected = True
        self._t_changed = 0.0
        self._step_s = 1.0

    def add(self, part: Part, t: float, raw: bytes) -> Reading:
        """The reading as it stands with `part`."""
        said = {Display.LEFT: part.left_s, Display.RIGHT: part.right_s}
        told = part.turn or part.pressed or part.pressed_by_mover or part.reset or part.running is not None
        if not told:
            self._infer(said, t)
        for side, time_s in said.items():
            if time_s is not None:
                if time_s != self._times[side]:
                    self._t_changed = t
                self._times[side] = time_s
                self._step_s = part.step_s
        self._take(part)
        return self._reading(t, raw)

    def _take(self, part: Part) -> None:
        if part.reset:
            self._running, self._turn = False, None
        if part.turn is not None:
            self._turn = part.turn
            self._running = True if part.running is None else part.running
        if part.pressed is not None:
            self._turn, self._running = opposite(part.pressed), True
        elif part.pressed_by_mover and self._turn is not None:
            self._turn, self._running = opposite(self._turn), True
        if part.running is not None:
            self._running = part.running
        if part.connected is not None:
            self._connected = part.connected

    def _infer(self, said: dict[Display, float | None], t: float) -> None:
        """Whose time runs, from which one fell; a running time that rises got its increment at a press."""
        fell: list[Display] = []
        rose: list[Display] = []
        for side, new in said.items():
            old = self._times[side]
            if old is not None and new is not None and new != old:
                (fell if new < old else rose).append(side)
        if len(fell) == 1:
            self._turn, self._running = fell[0], True
        elif len(rose) == 1 and self._running and rose[0] is self._turn:
            self._turn = opposite(rose[0])
        elif not fell and not rose and t - self._t_changed > STANDSTILL_S:
            self._running = False

    def _reading(self, t: float, raw: bytes) -> Reading:
        return Reading(
            t=t,
            left_s=self._times[Display.LEFT],
            right_s=self._times[Display.RIGHT],
            running=self._running,
            lever=self._turn,
            left_flag=_flag(self._times[Display.LEFT]),
            right_flag=_flag(self._times[Display.RIGHT]),
            connected=self._connected,
            step_s=self._step_s,
            raw=raw,
        )


def _flag(time_s: float | None) -> Flag:
    """These clocks have no flag of their own; a digital zero decides (clause 21.3)."""
    return Flag.FALLEN if time_s is not None and time_s <= 0 else Flag.NONE
