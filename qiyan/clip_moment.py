"""The moment of an incident: which of the pictures kept of it shows the hand at its points."""

from collections.abc import Sequence

import cv2
import numpy as np

from qiyan.kept import Kept, Seen
from rules.point import parse_point
from vision.frame import Image

SEARCH_S = 1.5
"""So far from when it is dated the hand is sought: a touch is dated to about half a second, and lasts as long."""
FAR_PER_S = 0.3
"""A picture may be taken a second farther from that time where so much more of a point's surroundings is covered."""
_REACH_CELLS = 0.75
"""Around a point, the piece on it and the fingers that hold it, and little of its neighbours."""
_SAMPLES = 24
"""Along each side of that square: a fingertip is some three samples wide."""
UNLIKE = 24
"""Grey levels by which something that covers the board differs from it; noise, averaged over a pixel, is less."""


def moment_of(seen: Sequence[Seen], points: Sequence[str], t: float, before: Seen, after: Seen) -> Seen:
    """The picture near `t` in which most is in the way at one of `points`, which is neither there before nor after."""
    near = [one for one in seen if abs(one[0].t - t) <= SEARCH_S]
    if not near:
        return min(seen, key=lambda one: abs(one[0].t - t))
    covered = np.zeros(len(near))
    for point in points:
        empty = [patch for patch in (_patch(*one, point) for one in (before, after)) if patch is not None]
        for index, one in enumerate(near):
            covered[index] = max(covered[index], _covered(_patch(*one, point), empty))
    far = np.array([FAR_PER_S * abs(kept.t - t) for kept, _ in near])
    return near[int(np.argmax(covered - far))]


def _covered(patch: Image | None, empty: Sequence[Image]) -> float:
    """The share of a patch that is unlike every one of `empty`; 0 where nothing can be compared."""
    if patch is None or not empty:
        return 0.0
    unlike = [cv2.absdiff(patch, other).max(axis=2) > UNLIKE for other in empty]
    return float(np.logical_and.reduce(unlike).mean())


def _patch(kept: Kept, image: Image, point: str) -> Image | None:
    """What is seen around a point, (_SAMPLES, _SAMPLES, 3) BGR, wherever the camera stood; None without a board."""
    if kept.grid is None:
        return None
    number = parse_point(point)
    steps = np.linspace(-_REACH_CELLS, _REACH_CELLS, _SAMPLES)
    x, y = np.meshgrid(number % 9 + steps, number // 9 + steps)
    px = kept.face_px(np.column_stack([x.ravel(), y.ravel()])).reshape(_SAMPLES, _SAMPLES, 2).astype(np.float32)
    return cv2.remap(image, px[..., 0], px[..., 1], cv2.INTER_LINEAR).astype(np.uint8, copy=False)
