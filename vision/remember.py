"""Learning the scene anew: what is believed to be the table without hands."""

from dataclasses import replace

import cv2
import numpy as np

from vision.belief import forget
from vision.change import F32, Mask
from vision.observation import Observation
from vision.state import Watched
from vision.window import CELL_PX, CENTRES_PX, TALL, WIDE


def remember_view(state: Watched, seen: Observation) -> Watched:
    """Everything that no hand covers is from now on as it is now."""
    return _towards(state, seen, ~seen.hands.mask, 1.0, seen.visible)


def remember_points(state: Watched, seen: Observation, points: Mask) -> Watched:
    """The looks of some points, (90,), are from now on as they are now."""
    area = _areas(points) & ~seen.hands.mask
    return _towards(state, seen, area, 1.0, points)


def follow_light(state: Watched, seen: Observation, changed: Mask, rate: float) -> Watched:
    """Follow slow changes where nothing is foreign; `changed` (90,) points that wait to be explained are left out."""
    area = ~seen.hands.mask & ~seen.foreign & ~_areas(changed)
    return _towards(state, seen, area, rate, None)


def _towards(state: Watched, seen: Observation, area: Mask, rate: float, settled: Mask | None) -> Watched:
    share: F32 = cv2.resize(area.astype(np.float32) * rate, (WIDE, TALL), interpolation=cv2.INTER_NEAREST)  # type: ignore[assignment]
    reference = state.table.reference
    table = replace(state.table, reference=reference + share[:, :, None] * (seen.window - reference))
    if settled is None:
        return replace(state, table=table)
    return replace(state, table=table, belief=forget(state.belief, settled))


def _areas(points: Mask) -> Mask:
    """(TALL/2, WIDE/2) the cells of the points."""
    out = np.zeros((TALL // 2, WIDE // 2), dtype=np.bool_)
    half = CELL_PX // 4
    for point in np.flatnonzero(points):
        x, y = (int(v + 0.5) // 2 for v in CENTRES_PX[point])
        out[y - half : y + half, x - half : x + half] = True
    return out
