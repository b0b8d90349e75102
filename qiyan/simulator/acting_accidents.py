"""Actions that break a rule, or look as if they did: touching, taking back, knocking, removing."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.board_style import board_corners
from qiyan.simulator.motion import Key
from qiyan.simulator.script import (
    NATURAL,
    Adjust,
    Exchange,
    Knock,
    LiftBack,
    PlaceBetween,
    PutAt,
    PutOn,
    Remove,
    Restore,
    Sweep,
    TakeBack,
)
from qiyan.simulator.stage import CARRY_HEIGHT, Stage
from rules.piece import other
from rules.point import parse_point

F64 = NDArray[np.float64]


def lift_back(stage: Stage, action: LiftBack) -> None:
    """Up and down again on the same point."""
    point = parse_point(action.point)
    index = stage.on_point[point]
    stage.now += 0.5
    touched = stage.take(action.side, index, NATURAL)
    x, y, _ = stage.pieces[index].track.xyz(stage.now)
    half = max(0.15, action.seconds / 2)
    stage.carry(action.side, index, (x, y, action.height), half, 0.0)
    lifted = stage.now
    dx, dy = stage.rng.normal(0.0, action.off, 2) if action.shift is None else action.shift
    stage.carry(action.side, index, (x + float(dx), y + float(dy), 0.0), half, 0.0, turn_by=0.1)
    released = stage.release(action.side, NATURAL)
    stage.touches.append(
        {
            "point": action.point,
            "side": action.side,
            "how": "lifted",
            "t": touched,
            "t_lifted": lifted,
            "t_released": released,
        }
    )


def adjust(stage: Stage, action: Adjust) -> None:
    """A piece is pushed with the fingers, staying on the board."""
    point = parse_point(action.point)
    index = stage.on_point[point]
    stage.now += 0.4
    touched = stage.take(action.side, index, NATURAL)
    x, y, _ = stage.pieces[index].track.xyz(stage.now)
    middle = stage.spot(point)
    target = middle if action.shift is None else (x + action.shift[0], y + action.shift[1])
    stage.carry(action.side, index, (target[0], target[1], 0.0), 0.45, 0.0, turn_by=0.12)
    released = stage.release(action.side, NATURAL)
    stage.touches.append(
        {
            "point": action.point,
            "side": action.side,
            "how": "shifted",
            "cells": float(np.hypot(target[0] - x, target[1] - y)),
            "t": touched,
            "t_released": released,
        }
    )
    stage.retreat(action.side)


def take_back(stage: Stage, action: TakeBack) -> None:
    """A released move is changed: the piece goes to another point; a piece it had captured comes back."""
    from_point, to_point = parse_point(action.point), parse_point(action.to)
    index = stage.on_point.pop(from_point)
    stage.now += 0.6
    touched = stage.take(action.side, index, NATURAL)
    lifted = stage.now
    x, y = stage.scattered(to_point, (0.0, 0.0), False)
    stage.carry(action.side, index, (x, y, 0.0), 0.7, CARRY_HEIGHT)
    placed = stage.now
    released = stage.release(action.side, NATURAL)
    stage.on_point[to_point] = index
    stage.touches.append({"point": action.point, "side": action.side, "how": "taken_back", "t": touched})
    last = stage.moves[-1]
    home = str(last["iccs"])[:2]
    stage.withdrawn.append({**last, "t_withdrawn": released})
    stage.moves.pop()
    stage.side = action.side
    if action.to != home:
        changed = {
            **last,
            "iccs": home + action.to,
            "t_lifted": lifted,
            "t_placed": placed,
            "t_released": released,
            "t_pressed": None,
        }
        if action.press:
            changed["t_pressed"] = stage.press(action.side, NATURAL)
        stage.moves.append(changed)
        stage.side = other(action.side)
    if not action.press:
        stage.retreat(action.side)
        stage.now += 0.8


def place_between(stage: Stage, action: PlaceBetween) -> None:
    """A piece is let go between two points."""
    side = stage.side
    index = stage.on_point.pop(parse_point(action.point))
    stage.between[action.point] = index
    stage.now += action.pace.think_s
    stage.take(side, index, action.pace)
    lifted = stage.now
    (ax, ay), (bx, by) = (stage.spot(parse_point(name)) for name in action.candidates)
    x, y = ax + (bx - ax) * action.share, ay + (by - ay) * action.share
    stage.carry(side, index, (x, y, 0.0), action.pace.carry_s, CARRY_HEIGHT)
    placed = stage.now
    released = stage.release(side, action.pace)
    pressed = stage.press(side, action.pace) if action.press else None
    if pressed is None:
        stage.retreat(side)
    stage.moves.append(
        {
            "ply": len(stage.moves) + 1,
            "iccs": action.point + action.candidates[0],
            "t_lifted": lifted,
            "t_placed": placed,
            "t_released": released,
            "t_pressed": pressed,
            "timing": False,
        }
    )
    stage.side = other(side)


def put_on(stage: Stage, action: PutOn) -> None:
    """A piece that lay between points is put on one of them."""
    index = stage.between.pop(action.piece_of)
    stage.now += 1.0
    stage.take(action.side, index, NATURAL)
    to_point = parse_point(action.to)
    x, y = stage.scattered(to_point, (0.0, 0.0), False)
    stage.carry(action.side, index, (x, y, 0.0), 0.4, 0.3)
    stage.release(action.side, NATURAL)
    stage.on_point[to_point] = index
    last = next(move for move in reversed(stage.moves) if str(move["iccs"])[:2] == action.piece_of)
    last["iccs"] = action.piece_of + action.to
    stage.resolved_t = stage.now
    stage.retreat(action.side)
    stage.now += 0.8


def knock(stage: Stage, action: Knock) -> None:
    """The hand brushes pieces aside on its way."""
    side = action.side
    points = [parse_point(name) for name in action.points]
    places = [stage.pieces[stage.on_point[p]].track.xyz(stage.now) for p in points]
    step = np.array(places[-1][:2]) - np.array(places[0][:2])
    far = float(np.hypot(*step))
    way = step / far if far > 0.3 else np.array([1.0, 0.0])
    stage.now += 0.3
    x, y, _ = places[0]
    stage.reach(side, (x - 0.9 * way[0], y - 0.9 * way[1], 0.30), 0.6, "flat", 0.5)
    stage.knocked_t = stage.now
    for name, point, place in zip(action.points, points, places, strict=True):
        index = stage.on_point[point]
        body = stage.pieces[index].track
        body.hold(stage.now)
        if name in action.off_board:
            target = _off_board(stage, place[:2])
            body.add(Key(stage.now + 0.45, target, 0.2, "", body.keys[-1].turn + 2.0))
        else:
            target = _pushed(stage, index, place[:2], way * action.reach)
            body.add(Key(stage.now + 0.22, target, 0.0, "", body.keys[-1].turn + float(stage.rng.normal(0.0, 0.3))))
        if not action.settles:
            stage.disturbed[index] = point
        stage.reach(side, (place[0] + 0.3 * way[0], place[1] + 0.3 * way[1], 0.30), 0.25, "flat")
    stage.now += 0.1
    stage.retreat(side)
    stage.now += 0.7


def _pushed(stage: Stage, index: int, xy: tuple[float, float], push: F64) -> tuple[float, float, float]:
    """Where a pushed piece comes to lie: swerving from others, as it would bounce off them."""
    size = float(np.hypot(*push))
    best = (xy[0], xy[1], 0.0)
    here = next(point for point, i in stage.on_point.items() if i == index)
    for swerve in (0.0, 0.4, -0.4, 0.8, -0.8, 1.3, -1.3, 1.9, -1.9, 2.6, -2.6, 3.1):
        angle = float(np.arctan2(push[1], push[0])) + swerve + float(stage.rng.normal(0.0, 0.15))
        for share in (1.0, 0.8, 0.65):
            at = (xy[0] + share * size * float(np.cos(angle)), xy[1] + share * size * float(np.sin(angle)))
            if stage.is_free(at, here):
                return at[0], at[1], 0.0
    return best


def _off_board(stage: Stage, xy: tuple[float, float]) -> tuple[float, float, float]:
    """Beside the board's nearest edge, on the table."""
    low, high = board_corners(stage.look.board)[0], board_corners(stage.look.board)[2]
    r = stage.look.pieces.radius + 0.25
    edges = (xy[0] - low[0], high[0] - xy[0], xy[1] - low[1], high[1] - xy[1])
    nearest = int(np.argmin(edges))
    x, y = xy
    if nearest < 2:
        x = float(low[0] - r if nearest == 0 else high[0] + r)
    else:
        y = float(low[1] - r if nearest == 2 else high[1] + r)
    return x, y, -stage.look.board.thick


def restore(stage: Stage, action: Restore) -> None:
    """Everything knocked is put back."""
    for index, point in sorted(stage.disturbed.items()):
        stage.take(action.side, index, NATURAL)
        x, y = stage.scattered(point, (0.0, 0.0), False)
        stage.carry(action.side, index, (x, y, 0.0), 0.5, 0.4)
        stage.release(action.side, NATURAL)
    stage.disturbed.clear()
    stage.resolved_t = stage.now
    stage.retreat(action.side)
    stage.now += 0.8


def remove(stage: Stage, action: Remove) -> None:
    """A piece disappears from the board with no move."""
    index = stage.on_point.pop(parse_point(action.point))
    stage.now += 0.5
    stage.take(action.side, index, NATURAL)
    stage.knocked_t = stage.now
    aside = stage.aside_xyz(action.side)
    stage.captured[action.side].append(index)
    stage.carry(action.side, index, aside, 0.9, CARRY_HEIGHT)
    stage.release(action.side, NATURAL)
    stage.retreat(action.side)
    stage.now += 0.8


def exchange(stage: Stage, action: Exchange) -> None:
    """Two pieces change places."""
    a, b = parse_point(action.first), parse_point(action.second)
    first, second = stage.on_point[a], stage.on_point[b]
    stage.now += 0.5
    stage.take(action.side, first, NATURAL)
    stage.knocked_t = stage.now
    ax, ay = stage.spot(a)
    bx, by = stage.spot(b)
    aside = (ax + (1.0 if ax < 4 else -1.0) * 0.5, ay + 0.5, 0.0)
    stage.carry(action.side, first, aside, 0.5, 0.5)
    stage.release(action.side, NATURAL)
    stage.take(action.side, second, NATURAL)
    stage.carry(action.side, second, (ax, ay, 0.0), 0.7, CARRY_HEIGHT)
    stage.release(action.side, NATURAL)
    stage.take(action.side, first, NATURAL)
    stage.carry(action.side, first, (bx, by, 0.0), 0.7, CARRY_HEIGHT)
    stage.release(action.side, NATURAL)
    stage.on_point[a], stage.on_point[b] = second, first
    stage.retreat(action.side)
    stage.now += 0.8


def put_at(stage: Stage, action: PutAt) -> None:
    """A piece is laid somewhere, as the generals are in the middle when a game is over."""
    index = stage.on_point.pop(parse_point(action.point))
    stage.now += 0.4
    stage.take(action.side, index, NATURAL)
    stage.carry(action.side, index, (action.xy[0], action.xy[1], 0.0), 0.8, CARRY_HEIGHT)
    stage.release(action.side, NATURAL)
    stage.retreat(action.side)
    stage.now += 0.5


def sweep(stage: Stage, action: Sweep) -> None:
    """The pieces are swept together: two strokes over the board, each taking half of it along."""
    lying = sorted(stage.on_point.items(), key=lambda item: item[0])
    for half in (0, 1):
        ids = [index for point, index in lying if (point >= 45) == bool(half)]
        y = 2.0 + 5.0 * half
        stage.reach(action.side, (-0.6, y, 0.4), 0.7, "flat", 0.6)
        stage.reach(action.side, (5.5, y, 0.35), 1.0, "flat")
        for index in ids:
            body = stage.pieces[index].track
            x, y0, _ = body.xyz(stage.now)
            start = stage.now - 1.0 + 0.9 * float(np.clip((x + 0.6) / 6.1, 0.0, 1.0))
            body.hold(start)
            dx, dy = stage.rng.normal(0.0, 0.5, 2)
            target = (5.6 + 0.4 * float(dx), y0 + 0.25 * float(dy), 0.0)
            body.add(Key(max(stage.now, start + 0.2), target, 0.0, "", body.keys[-1].turn + float(dx)))
    stage.on_point.clear()
    stage.retreat(action.side)
    stage.now += 1.0


ACTORS: dict[type, Callable[[Stage, Any], None]] = {
    LiftBack: lift_back,
    Adjust: adjust,
    TakeBack: take_back,
    PlaceBetween: place_between,
    PutOn: put_on,
    Knock: knock,
    Restore: restore,
    Remove: remove,
    Exchange: exchange,
    PutAt: put_at,
    Sweep: sweep,
}
