"""Learning the scene anew: what is believed to be the table without hands."""

from dataclasses import replace

import cv2
import numpy as np

from vision.belief import forget
from vision.change import Mask
from vision.observation import Observation, remembered
from vision.state import Watched
from vision.window import CELL_PX, CENTRES_PX, TALL, WIDE


def remember_view(state: Watched, seen: Observation, strange: Mask | None = None) -> Watched:
    """Everything that no hand covers is from now on as it is now, but for `strange` points (90,)."""
    if strange is None:
        return _towards(state, seen, ~seen.hands.mask, 1.0, seen.visible)
    return _towards(state, seen, ~seen.hands.mask & ~_areas(strange), 1.0, seen.visible & ~strange)


def remember_points(state: Watched, seen: Observation, points: Mask) -> Watched:
    """The looks of some points, (90,), are from now on as they are now."""
    area = _areas(points) & ~seen.hands.mask
    return _towards(state, seen, area, 1.0, points)


def follow_light(state: Watched, seen: Observation, changed: Mask, rate: float) -> Watched:
    """Follow slow changes where nothing is foreign; `changed` (90,) points that wait to be explained are left out."""
    area = ~seen.hands.mask & ~seen.foreign & ~_areas(changed)
    return _towards(state, seen, area, rate, None)


def weigh_anew(state: Watched) -> Watched:
    """Compare each point as fits what now stands on it."""
    scene = state.scene
    weights = state.table.weights(state.position.board)
    return replace(state, scene=remembered(scene.reference, weights, scene.inside))


def _towards(state: Watched, seen: Observation, area: Mask, rate: float, settled: Mask | None) -> Watched:
    mask = cv2.resize(area.astype(np.uint8), (WIDE, TALL), interpolation=cv2.INTER_NEAREST)
    reference = state.scene.reference.copy()
    mixed = cv2.addWeighted(seen.window, rate, reference, 1.0 - rate, 0.0)
    cv2.copyTo(mixed, mask, reference)
    scene = remembered(reference, state.scene.weights, state.scene.inside)
    belief = state.belief if settled is None else forget(state.belief, settled)
    return replace(state, scene=scene, belief=belief)


def _areas(points: Mask) -> Mask:
    """(TALL/2, WIDE/2) the cells of the points."""
    out = np.zeros((TALL // 2, WIDE // 2), dtype=np.bool_)
    half = CELL_PX // 4
    for point in np.flatnonzero(points):
        x, y = (int(v + 0.5) // 2 for v in CENTRES_PX[point])
        out[y - half : y + half, x - half : x + half] = True
    return out
