"""The clock: what it shows, who pressed, whose time ran out."""

import math
from dataclasses import replace

from rules.errors import RulesError
from rules.event import ClockEvent, ClockEventKind
from rules.incident import ClockRecord, IncidentKind, Severity, Termination
from rules.judging import disorder, early_press
from rules.judging.report import Report
from rules.judging.sitting import Sitting
from rules.judging.table import ClockState
from rules.piece import BLACK, RED, SIDE_NAMES, Side, other


def on_clock_event(sitting: Sitting, event: ClockEvent) -> None:
    """The clock did something."""
    was_running = sitting.table.clock.running
    sitting.say(ClockRecord(event.t, event.event, event.side, event.red_s, event.black_s, event.uncertainty_s))
    sitting.change(clock=_after(sitting.table.clock, event))
    if event.event is ClockEventKind.ADJUST:
        _lift_flags(sitting)
    if sitting.table.position is None or sitting.table.result is not None or event.side is None:
        return
    if event.event is ClockEventKind.PRESS:
        _on_press(sitting, event, event.side, was_running)
    elif event.event is ClockEventKind.FLAG:
        _on_flag(sitting, event, event.side)


def set_times(sitting: Sitting, times: object) -> None:
    """The arbiter's word on the times: the official ones until the clock says others."""
    given = _read_times(times)
    clock, t = sitting.table.clock, sitting.t
    red_s = given.get("red_s", clock.remaining_s(RED, t))
    black_s = given.get("black_s", clock.remaining_s(BLACK, t))
    # Where no clock was ever heard there is none, and moves go on without times.
    heard_at = None if clock.t is None else t
    sitting.change(clock=replace(clock, red_s=red_s, black_s=black_s, t=heard_at, uncertainty_s=0.0))
    _lift_flags(sitting)


def _read_times(times: object) -> dict[str, float]:
    expected = f"expected red_s, black_s or both in seconds: {times!r}"
    if not isinstance(times, dict) or not times or not {"red_s", "black_s"}.issuperset(times):
        raise RulesError(expected)
    for value in times.values():
        if isinstance(value, bool) or not isinstance(value, int | float) or not (math.isfinite(value) and value >= 0):
            raise RulesError(expected)
    return {name: float(value) for name, value in times.items()}


def _lift_flags(sitting: Sitting) -> None:
    """A flag that fell has been lifted where its side was given time: it can fall again."""
    clock, (red_fell, black_fell) = sitting.table.clock, sitting.table.flags
    sitting.change(flags=(None if clock.red_s else red_fell, None if clock.black_s else black_fell))


def _after(clock: ClockState, event: ClockEvent) -> ClockState:
    """What the clock is known to show after `event`."""
    if event.event is ClockEventKind.LOST:
        return replace(clock, lost=True, running=None)
    shown = replace(
        clock,
        red_s=event.red_s,
        black_s=event.black_s,
        t=event.t,
        uncertainty_s=event.uncertainty_s,
        lost=False,
    )
    if event.event is ClockEventKind.PRESS and event.side is not None:
        presses = (clock.presses[0], event.t) if event.side else (event.t, clock.presses[1])
        return replace(shown, running=other(event.side), presses=presses, stopped=False)
    if event.event is ClockEventKind.RESTORED and event.side is None:
        # It stands; in a game that was under way somebody stopped it while it was not heard.
        return replace(shown, running=None, stopped=clock.stopped or clock.presses != (None, None))
    if event.event in (ClockEventKind.START, ClockEventKind.RESTORED):
        running = clock.running if event.side is None else event.side
        resumed_at = event.t if clock.stopped else clock.resumed_at
        return replace(shown, running=running, stopped=False, resumed_at=resumed_at)
    if event.event is ClockEventKind.STOP:
        return replace(shown, running=None, stopped=True)
    return shown


def _on_press(sitting: Sitting, event: ClockEvent, side: Side, was_running: Side | None) -> None:
    disorder.pressed_while_disturbed(sitting, side, event)
    if disorder.pressed_between(sitting, side, event):
        return
    # Only who had the own time running can press too early; the first press of all may just start the clock.
    if side == sitting.position.side and was_running == side and not sitting.table.cleared:
        early_press.on_early_press(sitting, event.t, event.uncertainty_s)


def _on_flag(sitting: Sitting, event: ClockEvent, side: Side) -> None:
    flags = sitting.table.flags
    if flags[side] is not None:
        return
    fallen = (event.t, event.uncertainty_s)
    sitting.change(flags=(flags[0], fallen) if side else (fallen, flags[1]))
    sitting.report(
        Report(
            IncidentKind.FLAG_FALL,
            Severity.BREACH,
            side,
            (),
            "21",
            event.t,
            {"action": "loss", "side": SIDE_NAMES[side], "except": "checkmate or stalemate on the board (21.6)"},
            loses=(Termination.TIME, "4.1.6"),
        )
    )
