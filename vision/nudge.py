"""A piece put down a little otherwise than it stood: the small motion that explains how its face looks otherwise.

Correlation of whole faces hardly sees a hair's breadth or a few degrees: the ring and the rim look the same however a
piece is turned, and outweigh the sign. So the sign alone is compared, light that grows, fades or slopes over it is
taken away, and it is asked how much of what is left a motion explains. Noise and shadows' edges are no motion.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.fine import FINE_CELL_PX, FINER
from vision.frame import Image
from vision.window import CENTRES_PX

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_SIGN_CELLS = 0.28
"""Radius of the part of a face that bears the sign."""
_CUT_CELLS = 0.58
"""Half the side of what is cut out round a point: a sign that moves brings its surroundings along."""
_BLUR_PX = 1.0
"""Blur of the cuts: noise of single pixels is no stroke."""
_STEPS = 4
"""Motions up to about a stroke's width are found in so many steps."""
_MOST_CELLS, _MOST_DEG = 0.15, 20.0
"""What leads farther than this has found nothing."""
_FLAT = 1e-3
"""Sums of squares below this are a face of one colour, of which no motion shows."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """The small motion that fits best, and how well."""

    shift_cells: tuple[float, float]
    """x towards file i, y towards rank 9."""
    turn_deg: float
    """Anticlockwise as seen from above."""
    explained: float
    """Share of what differs, but for light, that the motion explains, in squares; 0 where none fits."""
    strange: float
    """What still differs then, against what tells the sign from a plain face, in squares: another sign comes to 1."""


def nudge(then: Image, now: Image, point: int) -> Nudge:
    """Measure how a piece that stood on a point in the fine window `then` stands otherwise in the fine one `now`."""
    old, new = (_cut(window, point) for window in (then, now))
    sign = _sign()
    seen = new[sign.inside]
    motion = np.zeros(3)
    at_first, step = _fit(old, seen, sign)
    left = at_first
    for _ in range(_STEPS):
        motion = motion + step
        if not (np.hypot(motion[0], motion[1]) <= _MOST_CELLS and abs(motion[2]) <= _MOST_DEG):
            return Nudge((0.0, 0.0), 0.0, 0.0, 1.0)
        left, step = _fit(_moved(old, motion), seen, sign)
    explained = max(0.0, 1.0 - left / max(at_first, _FLAT))
    strange = left / max(_drawn(seen, sign), _FLAT)
    return Nudge((float(motion[0]), float(motion[1])), float(motion[2]), explained, strange)


@dataclass(frozen=True, slots=True)
class _Sign:
    """The pixels of a cut that are compared."""

    inside: NDArray[np.bool_]
    """(H, H)"""
    right: F64
    """(K,) how far right of the middle each lies, cells."""
    up: F64
    """(K,) how far up."""


@cache
def _sign() -> _Sign:
    half = round(_CUT_CELLS * FINE_CELL_PX)
    at = (np.arange(2 * half) + 0.5 - half) / FINE_CELL_PX
    inside = np.hypot(at[None, :], at[:, None]) <= _SIGN_CELLS
    rows, columns = np.nonzero(inside)
    return _Sign(inside, at[columns], -at[rows])


def _fit(old: F32, seen: F32, sign: _Sign) -> tuple[float, F64]:
    """How far the sign in `old` is from what is seen, but for light, in squares; and the motion that would mend it.

    old     : (H, H, 3) a cut
    seen    : (K, 3) the sign's pixels now
    returns : the sum of squares; right and up in cells, anticlockwise in degrees
    """
    normal, against, misfit = np.zeros((3, 3)), np.zeros(3), 0.0
    per_cell = FINE_CELL_PX / _SOBEL
    for channel in range(3):
        then = old[:, :, channel][sign.inside].astype(np.float64)
        right, up = (
            grown * per_cell * cv2.Sobel(old[:, :, channel], cv2.CV_32F, *axis)[sign.inside]
            for grown, axis in ((-1.0, (1, 0)), (1.0, (0, 1)))
        )
        turn = (right * -sign.up + up * sign.right) * (np.pi / 180.0)
        motions = np.column_stack([right, up, turn]).astype(np.float64)
        # Light that grew or faded, also more on one side than on the other, and what it lends its colour.
        light = np.column_stack([np.ones_like(then), sign.right, sign.up, then, then * sign.right, then * sign.up])
        basis, _ = np.linalg.qr(light)
        rest = seen[:, channel] - then
        rest = rest - basis @ (basis.T @ rest)
        motions = motions - basis @ (basis.T @ motions)
        normal += motions.T @ motions
        against += motions.T @ rest
        misfit += float(rest @ rest)
    step: F64 = np.linalg.lstsq(normal, against, rcond=None)[0].astype(np.float64)
    return misfit, step


def _drawn(seen: F32, sign: _Sign) -> float:
    """How far a sign is from a plain face in sloping light, in squares."""
    plain, _ = np.linalg.qr(np.column_stack([np.ones_like(sign.up), sign.right, sign.up]))
    rest = seen - plain @ (plain.T @ seen)
    return float((rest * rest).sum())


def _moved(old: F32, motion: F64) -> F32:
    """A cut with its piece moved: cells right and up, degrees anticlockwise."""
    size = old.shape[0]
    turned = cv2.getRotationMatrix2D(((size - 1) / 2.0, (size - 1) / 2.0), float(motion[2]), 1.0)
    turned[:, 2] += np.array([motion[0], -motion[1]]) * FINE_CELL_PX
    moved: F32 = cv2.warpAffine(
        old, turned, (size, size), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32, copy=False)
    return moved


def _cut(window: Image, point: int) -> F32:
    """(H, H, 3) the surroundings of a point, a little blurred."""
    half = round(_CUT_CELLS * FINE_CELL_PX)
    x, y = (round(FINER * (float(v) + 0.5)) for v in CENTRES_PX[point])
    cut = window[y - half : y + half, x - half : x + half].astype(np.float32)
    return cv2.GaussianBlur(cut, (0, 0), _BLUR_PX).astype(np.float32, copy=False)


_SOBEL = 8.0
"""cv2.Sobel of three pixels gives so many times the slope."""
