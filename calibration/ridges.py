"""Thin lines: how strongly each pixel looks like one, dark or light, and across which direction."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

LINE_SIGMAS_PX = (1.2, 2.2)
"""Widths of line looked for: a line answers best to a sigma of about half its width."""
CONTRAST_KNEE = 3.0
"""In medians of the picture's own curvature: where the answer is half of full. Less lets wood grain in, more loses
faint lines."""
LEAST_KNEE = 0.6
"""Grey levels; keeps the noise of an even picture from being taken for lines."""


@dataclass(frozen=True, slots=True)
class Ridges:
    """Second derivatives of the picture, squeezed to -1..1 so that strong edges do not outweigh thin lines."""

    xx: F32
    """(H, W); positive across a dark line."""
    xy: F32
    """(H, W)"""
    yy: F32
    """(H, W)"""

    def across(self, px: F64, normal: F64) -> F64:
        """Line strength at positions, for lines square to `normal`: 1 a dark line, -1 a light one, 0 none.

        px     : (..., 2) positions, px; outside the picture the answer is 0
        normal : (..., 2) unit vectors
        """
        h, w = self.xx.shape
        x = np.rint(px[..., 0]).astype(np.intp)
        y = np.rint(px[..., 1]).astype(np.intp)
        inside = (x >= 0) & (x < w) & (y >= 0) & (y < h)
        at = np.where(inside, y * w + x, 0)
        strength = _strength(self.xx.take(at), self.xy.take(at), self.yy.take(at), normal)
        out: F64 = np.where(inside, strength, 0.0)
        return out

    def across_finely(self, px: F64, normal: F64) -> F64:
        """As `across`, interpolated between pixels: for measuring where a line is."""
        rows = px.reshape(-1, px.shape[-2], 2).astype(np.float32)
        parts = [
            cv2.remap(part, rows[..., 0], rows[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
            for part in (self.xx, self.xy, self.yy)
        ]
        xx, xy, yy = (np.asarray(part, dtype=np.float32).reshape(px.shape[:-1]) for part in parts)
        return _strength(xx, xy, yy, normal)


def _strength(xx: F32, xy: F32, yy: F32, normal: F64) -> F64:
    nx, ny = normal[..., 0], normal[..., 1]
    crossing = nx * nx * xx + 2.0 * nx * ny * xy + ny * ny * yy
    along = ny * ny * xx - 2.0 * nx * ny * xy + nx * nx * yy
    out: F64 = np.sign(crossing) * np.maximum(np.abs(crossing) - np.abs(along), 0.0)
    return out


def find_ridges(grey: NDArray[np.uint8]) -> Ridges:
    """The line strengths of a (H, W) grey picture."""
    best: list[F32] = []
    best_size = np.full(grey.shape, -1.0, dtype=np.float32)
    source = grey.astype(np.float32)
    for sigma in LINE_SIGMAS_PX:
        smooth = cv2.GaussianBlur(source, (0, 0), sigma)
        xx = cv2.Sobel(smooth, cv2.CV_32F, 2, 0, ksize=3, scale=sigma**2 / 4.0)
        yy = cv2.Sobel(smooth, cv2.CV_32F, 0, 2, ksize=3, scale=sigma**2 / 4.0)
        xy = cv2.Sobel(smooth, cv2.CV_32F, 1, 1, ksize=3, scale=sigma**2 / 4.0)
        size = np.sqrt(xx * xx + 2.0 * xy * xy + yy * yy)
        wider = size > best_size
        found = (np.asarray(xx), np.asarray(xy), np.asarray(yy))
        best = [np.where(wider, new, old) for new, old in zip(found, best or found, strict=True)]
        best_size = np.maximum(size, best_size)
    knee = max(CONTRAST_KNEE * float(np.median(best_size[::4, ::4])), LEAST_KNEE)
    squeeze = 1.0 / (best_size + knee)
    xx, xy, yy = (np.asarray(part * squeeze, dtype=np.float32) for part in best)
    return Ridges(xx, xy, yy)
