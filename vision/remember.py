"""Learning the scene anew: what is believed to be the table without hands."""

from dataclasses import replace

import cv2
import numpy as np

from vision.belief import forget
from vision.change import Mask, in_other_light
from vision.fine import fine_view
from vision.frame import Image
from vision.observation import Observation, remembered
from vision.state import Watched
from vision.window import CELL_PX, CENTRES_PX, TALL, WIDE

_SHADOW_LEVELS = 22.0
"""8-bit levels by which a pixel has to be darker or brighter to count as shaded."""
_THIN_PX = 5
"""Thinner matter is neither hand nor piece, half-size px: 0.4 cell."""
_SHADOW_SHARE = 0.1
"""Where something is shaded while hands are about, the scene follows at this share of the rate: most shadows go with
the hand that throws them, and a lamp that was switched on is learned all the same."""


def remember_view(state: Watched, seen: Observation) -> Watched:
    """Everything that no hand covers is from now on as it is now."""
    return _anew(state, seen, ~seen.hands.mask, seen.visible)


def remember_change(state: Watched, seen: Observation, changed: Mask, strange: Mask) -> Watched:
    """What came and went with a move is from now on part of the scene, but for `strange` points (90,).

    What is only shaded is not: the hand that throws the shadow is still there, and without it the place would look
    like matter for ever. But on the `changed` points (90,) a piece in another's place can differ by its light alone.
    """
    area = ~seen.hands.mask & ~_areas(strange) & (_areas(changed) | ~_shaded(state, seen))
    return _anew(state, seen, area, seen.visible & ~strange)


def remember_points(state: Watched, seen: Observation, points: Mask) -> Watched:
    """The looks of some points, (90,), are from now on as they are now."""
    area = _areas(points) & ~seen.hands.mask
    return _anew(state, seen, area, points)


def remember_under(state: Watched, seen: Observation, points: Mask) -> Watched:
    """The same of points, (90,), that something hides which is no hand."""
    return _anew(state, seen, _areas(points), points & seen.visible)


def follow_light(state: Watched, seen: Observation, changed: Mask, rate: float) -> Watched:
    """Follow slow changes where nothing is foreign; `changed` (90,) points that wait to be explained are left out."""
    area = ~seen.hands.mask & (~seen.foreign | _thin(seen.foreign)) & ~_areas(changed)
    if not seen.hands.present:
        return _towards(state, seen, area, rate)
    shaded = _shaded(state, seen)
    reference = _mixed(state.scene.reference, seen, area & shaded, rate * _SHADOW_SHARE)
    reference = _mixed(reference, seen, area & ~shaded, rate)
    return replace(state, scene=remembered(reference, state.scene.weights, state.scene.inside))


def _thin(foreign: Mask) -> Mask:
    """(TALL/2, WIDE/2) the parts of foreign matter that no hand or piece is as thin as.

    Edges beside the board are off by a little after it moved, for they lie lower than the faces that are followed.
    """
    thick = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_OPEN, np.ones((_THIN_PX, _THIN_PX), np.uint8))
    thin: Mask = foreign & (thick == 0)
    return thin


def _shaded(state: Watched, seen: Observation) -> Mask:
    return in_other_light(seen.half, state.scene.half, seen.foreign, _SHADOW_LEVELS)


def weigh_anew(state: Watched) -> Watched:
    """Compare each point as fits what now stands on it."""
    scene = state.scene
    weights = state.table.weights(state.position.board)
    return replace(state, scene=remembered(scene.reference, weights, scene.inside))


def _anew(state: Watched, seen: Observation, area: Mask, settled: Mask) -> Watched:
    """Learn an area as it is now; what was believed of the points that are `settled` with that, (90,), is forgotten."""
    fine = state.fine.copy()
    mask = cv2.resize(area.astype(np.uint8), fine.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    cv2.copyTo(fine_view(state.table.window, seen.picture, seen.gain), mask, fine)
    learned = _towards(state, seen, area, 1.0)
    return replace(learned, fine=fine, belief=forget(state.belief, settled))


def _towards(state: Watched, seen: Observation, area: Mask, rate: float) -> Watched:
    """Let an area follow what is seen; the fine view need not, for it is compared whatever the light."""
    reference = _mixed(state.scene.reference, seen, area, rate)
    return replace(state, scene=remembered(reference, state.scene.weights, state.scene.inside))


def _mixed(reference: Image, seen: Observation, area: Mask, rate: float) -> Image:
    """(TALL, WIDE, 3) the remembered window, and in an area so much of what is seen instead."""
    mask = cv2.resize(area.astype(np.uint8), (WIDE, TALL), interpolation=cv2.INTER_NEAREST)
    out = reference.copy()
    cv2.copyTo(cv2.addWeighted(seen.window, rate, reference, 1.0 - rate, 0.0), mask, out)
    return out


def _areas(points: Mask) -> Mask:
    """(TALL/2, WIDE/2) the cells of the points."""
    out = np.zeros((TALL // 2, WIDE // 2), dtype=np.bool_)
    half = CELL_PX // 4
    for point in np.flatnonzero(points):
        x, y = (int(v + 0.5) // 2 for v in CENTRES_PX[point])
        out[y - half : y + half, x - half : x + half] = True
    return out
