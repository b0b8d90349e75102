"""The moment of an incident: which of the pictures kept of it shows the hand at its points, and what it does there."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64
from qiyan.kept import Kept, Seen
from rules.point import parse_point
from vision.frame import Image

SEARCH_S = 1.5
"""So far from when it is dated the hand is sought: a touch is dated to about half a second, and lasts as long."""
FAR_PER_S = 0.3
"""A picture may be taken a second farther from that time where so much more of a point's surroundings is covered."""
_REACH_CELLS = 0.75
"""Around a point, the piece on it and the fingers that hold it, and little of its neighbours."""
_FACE_CELLS = 0.4
"""Around a point, the face of a piece that stands on it, and nothing else."""
_SAMPLES = 24
"""Along each side of such a square: a fingertip is some three samples wide."""
UNLIKE = 24
"""Grey levels by which something that covers the board differs from it; noise, averaged over a pixel, is less."""


_SHADED = (0.5, 1.1)
"""How bright a piece looks beside how it looks by itself: a hand over it takes its light, and may throw some back."""
GONE_WEIGHT = 4.0
"""How much more it counts that a piece is off its point than that something is in the way there: under a hand no more
than a part of the bare point is seen."""
_ENOUGH = 0.5
"""So much of a point's surroundings covered is a hand that is there; more of it shows no more of what it does."""


def moment_of(seen: Sequence[Seen], points: Sequence[str], t: float, before: Seen, after: Seen) -> Seen:
    """The picture near `t` in which most is in the way at one of `points`, which is neither there before nor after;
    where there are such, one in which the piece is off that point: then it is seen what the hand does."""
    near = [one for one in seen if abs(one[0].t - t) <= SEARCH_S]
    if not near:
        return min(seen, key=lambda one: abs(one[0].t - t))
    shown = np.zeros(len(near))
    for point in points:
        around = _patches((before, after), point, _REACH_CELLS)
        faces = _patches((before, after), point, _FACE_CELLS)
        for index, one in enumerate(near):
            covered = _covered(_patch(*one, point, _REACH_CELLS), around)
            gone = _gone(_patch(*one, point, _FACE_CELLS), faces) if covered else 0.0
            shown[index] = max(shown[index], min(covered, _ENOUGH) + GONE_WEIGHT * gone)
    far = np.array([FAR_PER_S * abs(kept.t - t) for kept, _ in near])
    return near[int(np.argmax(shown - far))]


def _covered(patch: Image | None, empty: Sequence[Image]) -> float:
    """The share of a patch that is unlike every one of `empty`; 0 where nothing can be compared."""
    if patch is None or not empty:
        return 0.0
    unlike = [cv2.absdiff(patch, other).max(axis=2) > UNLIKE for other in empty]
    return float(np.logical_and.reduce(unlike).mean())


def _gone(patch: Image | None, faces: Sequence[Image]) -> float:
    """The share of the disc within a patch that is unlike every one of `faces` in the light and in a hand's shadow."""
    if patch is None or not faces:
        return 0.0
    unlike = np.logical_and.reduce([_is_other(patch.astype(np.float64), face.astype(np.float64)) for face in faces])
    steps = np.linspace(-1.0, 1.0, _SAMPLES)
    return float(unlike[np.hypot(*np.meshgrid(steps, steps)) <= 1.0].mean())


def _is_other(patch: F64, face: F64) -> NDArray[np.bool_]:
    """Where a patch is no darker or brighter look of what stands in `face`; (_SAMPLES, _SAMPLES)."""
    own = np.maximum((face * face).sum(axis=2), 1.0)
    shade = np.clip((patch * face).sum(axis=2) / own, *_SHADED)
    other: NDArray[np.bool_] = np.abs(patch - shade[..., None] * face).max(axis=2) > UNLIKE
    return other


def _patches(seen: Sequence[Seen], point: str, reach_cells: float) -> list[Image]:
    patches = (_patch(kept, image, point, reach_cells) for kept, image in seen)
    return [patch for patch in patches if patch is not None]


def _patch(kept: Kept, image: Image, point: str, reach_cells: float) -> Image | None:
    """What is seen around a point, (_SAMPLES, _SAMPLES, 3) BGR, wherever the camera stood; None without a board."""
    if kept.grid is None:
        return None
    number = parse_point(point)
    steps = np.linspace(-reach_cells, reach_cells, _SAMPLES)
    x, y = np.meshgrid(number % 9 + steps, number // 9 + steps)
    px = kept.face_px(np.column_stack([x.ravel(), y.ravel()])).reshape(_SAMPLES, _SAMPLES, 2).astype(np.float32)
    return cv2.remap(image, px[..., 0], px[..., 1], cv2.INTER_LINEAR).astype(np.uint8, copy=False)
