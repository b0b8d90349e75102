"""The ordinary actions: moving, capturing, pressing, waiting, hovering, resting, light and bumps."""

from collections.abc import Callable
from typing import Any

import numpy as np

from qiyan.simulator.motion import Key
from qiyan.simulator.script import (
    NATURAL,
    Bump,
    Expect,
    Hover,
    Lean,
    LightTo,
    Play,
    Press,
    RestHand,
    Spectate,
    Stop,
    Wait,
)
from qiyan.simulator.stage import CARRY_HEIGHT, Stage
from rules.piece import SIDE_NAMES, Side, other
from rules.point import parse_point


def play(stage: Stage, action: Play) -> None:
    """A whole ply, with the press."""
    side = stage.side if action.side is None else action.side
    pace = action.pace
    from_point, to_point = parse_point(action.iccs[:2]), parse_point(action.iccs[2:])
    index = stage.on_point.pop(from_point)
    victim = stage.on_point.get(to_point)
    stage.now += pace.think_s * float(stage.rng.uniform(0.7, 1.3))
    touched_first = None
    if victim is not None and action.capture != "swap":
        touched_first = _take_away(stage, side, victim, action)
    touched = stage.take(side, index, pace)
    lifted = stage.now
    target = stage.scattered(to_point, action.offset, action.exact)
    if victim is not None and action.capture == "swap":
        placed, released = _swap(stage, side, index, victim, target, action)
    else:
        placed = _bring(stage, side, index, target, action)
        released = stage.release(side, pace)
    stage.on_point[to_point] = index
    pressed = None
    if action.press:
        pressed = stage.press(side, pace)
    else:
        stage.retreat(side)
        stage.now += action.hands_off_s if action.hands_off_s is not None else 0.9
    stage.moves.append(
        {
            "ply": len(stage.moves) + 1,
            "iccs": action.iccs,
            "t_touched": touched if touched_first is None else touched_first,
            "t_lifted": lifted,
            "t_placed": placed,
            "t_released": released,
            "t_pressed": pressed,
        }
    )
    stage.side = other(side)


def _bring(stage: Stage, side: Side, index: int, target: tuple[float, float], action: Play) -> float:
    """Carry or slide the gripped piece to its place; returns when it stands there."""
    pace = action.pace
    foot = (target[0], target[1], 0.0)
    turn = float(np.deg2rad(stage.rng.normal(0.0, 9.0)))
    here = stage.pieces[index].track.xyz(stage.now)
    far = float(np.hypot(here[0] - target[0], here[1] - target[1]))
    seconds = pace.carry_s * (0.7 + 0.09 * far)
    if action.manner == "slow":
        stage.carry(side, index, foot, seconds * 3.5, 0.0, turn_by=turn)
    elif action.manner == "slide":
        stage.carry(side, index, foot, seconds, 0.0, turn_by=turn)
    elif action.hold_s > 0.0:
        stage.carry(side, index, (target[0], target[1], CARRY_HEIGHT), seconds, 0.4, turn_by=turn)
        _hold(stage, side, index, action.hold_s)
        stage.carry(side, index, foot, 0.3, 0.0)
    else:
        stage.carry(side, index, foot, seconds, 0.25 if action.manner == "low" else CARRY_HEIGHT, turn_by=turn)
    return stage.now


def _hold(stage: Stage, side: Side, index: int, seconds: float) -> None:
    """Keep the piece in the air, not quite still."""
    left = seconds
    while left > 0.0:
        step = min(left, 1.2)
        x, y, z = stage.pieces[index].track.xyz(stage.now)
        dx, dy, dz = stage.rng.normal(0.0, 0.05, 3)
        stage.carry(side, index, (x + dx, y + dy, max(0.6, z + dz)), step, 0.0)
        left -= step


def _take_away(stage: Stage, side: Side, victim: int, action: Play) -> float:
    """Take the captured piece to beside the board first; returns when it was touched."""
    pace, spare = action.pace, action.capture == "other_hand"
    touched = stage.take(side, victim, pace, spare)
    aside = stage.aside_xyz(side, action.lay_near)
    stage.captured[side].append(victim)
    stage.carry(side, victim, aside, pace.carry_s * 1.2, CARRY_HEIGHT + 0.4, spare, 0.4)
    stage.release(side, pace, spare)
    if spare:
        stage.retreat(side, 0.6, spare=True)
        stage.now -= 0.5 * pace.carry_s
    return touched


def _swap(
    stage: Stage, side: Side, index: int, victim: int, target: tuple[float, float], action: Play
) -> tuple[float, float]:
    """Put the piece down while the captured one goes into the palm, then lay that beside the board."""
    pace = action.pace
    towards = 1.0 if side == 0 else -1.0
    body = stage.pieces[victim].track
    vx, vy, _ = body.xyz(stage.now)
    stage.carry(side, index, (target[0], target[1], stage.look.pieces.height + 0.12), pace.carry_s, CARRY_HEIGHT)
    body.hold(stage.now)
    palm = (vx + 0.15, vy - towards * 0.95, 0.35)
    body.add(Key(stage.now + 0.22, palm, 0.1, "", body.keys[-1].turn))
    stage.carry(side, index, (target[0], target[1], 0.0), 0.24, 0.0, turn_by=0.15)
    placed = stage.now
    released = stage.release(side, pace)
    aside = stage.aside_xyz(side, action.lay_near)
    stage.captured[side].append(victim)
    body.hold(stage.now)
    height = stage.look.pieces.height
    stage.reach(side, (palm[0], palm[1] + towards * 0.35, palm[2] + height), 0.14, "scoop")
    body.hold(stage.now)
    seconds = pace.carry_s * 1.1
    stage.reach(side, (aside[0], aside[1], aside[2] + height), seconds, "pinch", 0.7)
    body.add(Key(stage.now, aside, 0.7, "", body.keys[-1].turn + 0.5))
    stage.release(side, pace)
    return placed, released


def press(stage: Stage, action: Press) -> None:
    """A press with no move before it."""
    stage.now += action.wait_s
    stage.press(action.side, NATURAL, 0.8)


def wait(stage: Stage, action: Wait) -> None:
    """Time goes by."""
    stage.now += action.seconds


def hover(stage: Stage, action: Hover) -> None:
    """A hand over a point that touches nothing, drifting about."""
    x, y = stage.spot(parse_point(action.point))
    z = stage.look.pieces.height + action.height
    stage.reach(action.side, (x, y, z), 0.7, action.pose, 0.6)
    end = stage.now + action.seconds
    while stage.now < end:
        dx, dy = stage.rng.normal(0.0, action.wander, 2)
        dz = abs(float(stage.rng.normal(0.0, 0.15)))
        stage.reach(action.side, (x + dx, y + dy, z + dz), min(float(stage.rng.uniform(0.5, 1.4)), 1.4), action.pose)
    stage.retreat(action.side)


def rest_hand(stage: Stage, action: RestHand) -> None:
    """The spare hand lies somewhere for a while; the play goes on."""
    start = stage.now
    x, y = action.xy
    stage.reach(action.side, (x, y, action.height), 0.8, action.pose, 0.5, spare=True)
    track = stage.hand(action.side, True)
    t, end = stage.now, stage.now + action.seconds
    while t < end:
        t += float(stage.rng.uniform(1.5, 4.0))
        dx, dy = stage.rng.normal(0.0, 0.05, 2)
        track.add(Key(t, (x + dx, y + dy, action.height), 0.0, action.pose, 0.0, 0.1))
    track.add(Key(t + 0.8, stage.rest_xyz(action.side, True), 0.5, "flat"))
    stage.now = start + 0.6


def spectate(stage: Stage, action: Spectate) -> None:
    """A spectator's arm over the board."""
    start = stage.now
    x, y = stage.spot(parse_point(action.point))
    stage.reach(action.side, (x, y, 1.3), 0.8, "point", 0.4)
    track = stage.hand(action.side)
    track.hold(stage.now + action.seconds)
    track.add(Key(stage.now + action.seconds + 0.8, stage.rest_xyz(action.side, False), 0.4, "point"))
    stage.now = start + 0.5


def lean(stage: Stage, action: Lean) -> None:
    """Lean over the board and back."""
    track = stage.leans[action.side]
    track.hold(stage.now)
    track.add(Key(stage.now + 0.9, (action.depth, 0.0, 0.0)))
    track.hold(stage.now + 0.9 + action.seconds)
    track.add(Key(stage.now + 1.8 + action.seconds, (0.0, 0.0, 0.0)))
    stage.now += 1.8 + action.seconds


def bump(stage: Stage, action: Bump) -> None:
    """The camera is bumped; play goes on."""
    stage.bumps.append((stage.now, action.shift_px, action.turn_deg, action.shake_s))
    stage.now += 0.2


def light_to(stage: Stage, action: LightTo) -> None:
    """The light changes; play goes on."""
    stage.lights.append((stage.now, action.seconds, action.ambient, action.lamps, action.tint))


def expect(stage: Stage, action: Expect) -> None:
    """Write an incident into the truth."""
    last = stage.moves[-1] if stage.moves else {}
    times = {
        "now": stage.now,
        "accident": stage.knocked_t,
        "press": stage.presses[-1][0] if stage.presses else stage.now,
        "release": last.get("t_released", stage.now),
        "touch": stage.touches[-1]["t"] if stage.touches else stage.now,
        "undone": stage.withdrawn[-1]["t_withdrawn"] if stage.withdrawn else stage.now,
    }
    t = times[action.since]
    assert isinstance(t, float)
    stage.incidents.append(
        {
            "incident": action.incident,
            "side": None if action.side is None else SIDE_NAMES[action.side],
            "points": list(action.points),
            "t": t,
            "t_end": t + action.lasts_s,
            "clause": action.clause,
            "required": action.required,
        }
    )


def stop(stage: Stage, action: Stop) -> None:
    """The clock is stopped."""
    stage.now += 0.5
    stage.stops.append(stage.now)


ACTORS: dict[type, Callable[[Stage, Any], None]] = {
    Play: play,
    Press: press,
    Wait: wait,
    Hover: hover,
    RestHand: rest_hand,
    Spectate: spectate,
    Lean: lean,
    Bump: bump,
    LightTo: light_to,
    Expect: expect,
    Stop: stop,
}
