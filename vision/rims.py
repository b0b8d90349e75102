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
_NOISE_LEVELS = 4.0
"""Gradients (levels per px) count in full from this length on, so that one strong line is worth no more than a rim."""


def gradient_products(cut_bgr: Image) -> F32:
    """(H, W, 3) xx, xy, yy of the gradient of the channel that changes most, its length saturated at 1."""
    smooth = cv2.GaussianBlur(cut_bgr, (0, 0), 0.6).astype(np.float32)
    gx = cv2.Scharr(smooth, cv2.CV_32F, 1, 0, scale=1 / 32)
    gy = cv2.Scharr(smooth, cv2.CV_32F, 0, 1, scale=1 / 32)
    best = np.argmax(gx * gx + gy * gy, axis=2)[..., None]
    gx = np.take_along_axis(gx, best, axis=2)[..., 0]
    gy = np.take_along_axis(gy, best, axis=2)[..., 0]
    weight = 1.0 / np.maximum(np.hypot(gx, gy), _NOISE_LEVELS)
    gx, gy = gx * weight, gy * weight
    return np.stack([gx * gx, gx * gy, gy * gy], axis=2).astype(np.float32)


def rim_scores(products: F32, centres_px: F64, radii_px: F64) -> F64:
    """(M, R) roundness, 0..1, of circles of R radii about (M, 2) centres, px of the cut."""
    theta = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)
    cos, sin = np.cos(theta), np.sin(theta)
    h, w = products.shape[:2]
    x = np.clip(np.rint(centres_px[:, 0, None, None] + radii_px[None, :, None] * cos), 0, w - 1).astype(np.intp)
    y = np.clip(np.rint(centres_px[:, 1, None, None] + radii_px[None, :, None] * sin), 0, h - 1).astype(np.intp)
    weights = np.stack([cos * cos, 2 * cos * sin, sin * sin], axis=1)
    scores: F64 = np.einsum("mrac,ac->mr", products[y, x], weights) / _ANGLES
    return scores
