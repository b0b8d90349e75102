"""How round the rim round a point is: mean squared radial part of the gradient over a circle.

For a handful of small cuts per frame; whole pictures are searched in `vision.pieces.locate`.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_ANGLES = 40
"""Samples on a circle: one every pixel or two at the window's scale."""
_TURNS = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)
_COS, _SIN = np.cos(_TURNS), np.sin(_TURNS)
_WEIGHTS = np.stack([_COS * _COS, 2 * _COS * _SIN, _SIN * _SIN], axis=1)
"""(40, 3) how xx, xy and yy make the square of the radial part at each sample."""
_NOISE_LEVELS = 4.0
"""Gradients (levels per px) count in full from this length on, so that one strong line is worth no more than a rim."""


def gradient_products(cut_bgr: Image) -> F32:
    """(H, W, 3) xx, xy, yy of the gradient of the channel that changes most, its length saturated at 1."""
    smooth = cv2.GaussianBlur(cut_bgr, (0, 0), 0.6)
    gx = cv2.split(cv2.Scharr(smooth, cv2.CV_32F, 1, 0, scale=1 / 32))
    gy = cv2.split(cv2.Scharr(smooth, cv2.CV_32F, 0, 1, scale=1 / 32))
    x, y = gx[0], gy[0]
    power = x * x + y * y
    for channel_x, channel_y in zip(gx[1:], gy[1:], strict=True):
        its_power = channel_x * channel_x + channel_y * channel_y
        more = (its_power > power).view(np.uint8)
        for own, other in ((x, channel_x), (y, channel_y), (power, its_power)):
            cv2.copyTo(other, more, own)
    weight = 1.0 / np.maximum(np.sqrt(power), _NOISE_LEVELS)
    x, y = x * weight, y * weight
    return cv2.merge([x * x, x * y, y * y])  # type: ignore[return-value]


def rim_scores(products: F32, centres_px: F64, radii_px: F64) -> F64:
    """(M, R) roundness, 0..1, of circles of R radii about (M, 2) centres, px of the cut."""
    h, w = products.shape[:2]
    circles_x, circles_y = radii_px[:, None] * _COS, radii_px[:, None] * _SIN
    x = np.clip(np.rint(centres_px[:, 0, None, None] + circles_x), 0, w - 1).astype(np.intp)
    y = np.clip(np.rint(centres_px[:, 1, None, None] + circles_y), 0, h - 1).astype(np.intp)
    on_circles = products.reshape(-1, 3).take(y * w + x, axis=0).astype(np.float64)
    scores: F64 = np.einsum("mrac,ac->mr", on_circles, _WEIGHTS) / _ANGLES
    return scores


def find_discs(window: Image, near_px: F64, radii_px: F64, reach_px: float) -> tuple[F64, float]:
    """Centres of round faces, one near each of (N, 2) places, and the radius that they share.

    returns : (N, 2) centres px, good to a third of a pixel; the shared radius, px
    """
    half = int(np.ceil(reach_px + float(radii_px.max()))) + 3
    if len(near_px) == 1:
        x, y = (round(float(v)) for v in near_px[0])
        left, top = max(0, x - half), max(0, y - half)
        cut = window[top : y + half + 1, left : x + half + 1]
        corner = np.array([left, top], dtype=np.float64)
        centres, radius = _find_discs(cut, near_px - corner, radii_px, reach_px)
        return centres + corner, radius
    return _find_discs(window, near_px, radii_px, reach_px)


def _find_discs(window: Image, near_px: F64, radii_px: F64, reach_px: float) -> tuple[F64, float]:
    products = gradient_products(window)
    step = np.arange(-np.floor(reach_px), np.floor(reach_px) + 1)
    dx, dy = np.meshgrid(step, step)
    shifts = np.column_stack([dx.ravel(), dy.ravel()])
    trials = (near_px[:, None, :] + shifts[None, :, :]).reshape(-1, 2)
    scores = rim_scores(products, trials, radii_px).reshape(len(near_px), len(shifts), len(radii_px))
    best_radius = int(np.argmax(scores.max(axis=1).mean(axis=0)))
    chosen = scores[:, :, best_radius].reshape(len(near_px), len(step), len(step))
    centres = np.array([place + _peak(score, step) for place, score in zip(near_px, chosen, strict=True)])
    return centres, float(radii_px[best_radius])


def _peak(score: F64, step: F64) -> F64:
    """(2,) x, y of the top of a score map, between the pixels by the centroid round it."""
    row, column = (int(i) for i in np.unravel_index(int(np.argmax(score)), score.shape))
    rows = slice(max(0, row - 1), row + 2)
    columns = slice(max(0, column - 1), column + 2)
    around = score[rows, columns]
    weight = np.clip(around - 0.7 * around.max(), 0.0, None) + 1e-9
    return np.array(
        [
            float((weight * step[None, columns]).sum() / weight.sum()),
            float((weight * step[rows, None]).sum() / weight.sum()),
        ]
    )
