"""Edges that are where they were: the same surface under other light, of whatever colour."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SurfaceConfig:
    """When a surface shows the edges that it showed; all in half-size windows."""

    side_px: int = 5
    """Side of the squares in which edges are compared."""
    levels: float = 3.0
    """Edges weaker than this (levels per px, root mean square) tell nothing."""
    likeness: float = 0.8
    """Correlation of gradients from which a surface is the same as before."""
    reach_px: int = 2
    """So far round such edges the surface is the same too."""


def same_surface(now: Image, then: Image, where: Mask, config: SurfaceConfig) -> Mask:
    """(H, W) of the pixels `where` this is asked, those round edges that are where they were.

    A hand hides the lines and pieces under it; a shadow, though tinted by a second lamp, lets them through.
    """
    found = np.zeros_like(where)
    # What is seen so far away has a say in what is found at a pixel.
    around = config.side_px // 2 + config.reach_px + _GRADIENT_REACH_PX
    cut = _around(np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0)), around)
    now_x, now_y = _gradient(now[cut])
    then_x, then_y = _gradient(then[cut])
    box = (config.side_px, config.side_px)
    both = cv2.boxFilter(now_x * then_x + now_y * then_y, -1, box)
    own = cv2.boxFilter(now_x * now_x + now_y * now_y, -1, box)
    old = cv2.boxFilter(then_x * then_x + then_y * then_y, -1, box)
    same = (old > config.levels**2) & (both > config.likeness * np.sqrt(own * old))
    same &= (own > 0.1 * old) & (own < 8.0 * old)
    reach = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * config.reach_px + 1,) * 2)
    found[cut] = cv2.dilate(same.astype(np.uint8), reach) > 0
    return found & where


def edges_alike(now: Image, then: Image, places_px: F64, ring_px: tuple[float, float]) -> F32:
    """(N,) correlation of the edges in a ring round each of (N, 2) places in two pictures, -1..1; N at least 1."""
    near, far = ring_px
    reach = int(np.ceil(far))
    dy, dx = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    ring = (np.hypot(dx, dy) >= near) & (np.hypot(dx, dy) <= far)
    x, y = (np.rint(places_px).astype(np.intp)[:, axis, None] for axis in (0, 1))
    y, x = np.clip(y + dy[ring], 0, now.shape[0] - 1), np.clip(x + dx[ring], 0, now.shape[1] - 1)
    cut = _around(y, x, _GRADIENT_REACH_PX)
    at = (y - cut[0].start, x - cut[1].start)
    edges = [np.stack([part[at] for part in _gradient(image[cut])]) for image in (now, then)]
    both, own, old = (np.sum(a * b, axis=(0, 2)) for a, b in ((edges[0], edges[1]), (edges[0],) * 2, (edges[1],) * 2))
    alike: F32 = (both / np.sqrt(own * old + np.float32(1.0))).astype(np.float32)
    return alike


def _around(rows: NDArray[np.intp], columns: NDArray[np.intp], by_px: int) -> tuple[slice, slice]:
    """The part of a picture that holds all these rows and columns, at least one of each, and so much round it."""
    rows_at, columns_at = (slice(max(0, int(at.min()) - by_px), int(at.max()) + by_px + 1) for at in (rows, columns))
    return rows_at, columns_at


def _gradient(image: Image) -> tuple[F32, F32]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    x = cv2.Scharr(grey, cv2.CV_32F, 1, 0, scale=1 / 32).astype(np.float32, copy=False)
    y = cv2.Scharr(grey, cv2.CV_32F, 0, 1, scale=1 / 32).astype(np.float32, copy=False)
    return x, y


_GRADIENT_REACH_PX = 1
"""It is taken from the pixels next to each."""
