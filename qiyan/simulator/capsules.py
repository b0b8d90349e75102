"""Round limbs in the picture: tapered capsules with depth, shaded by their own curvature."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Limbs:
    """Capsules in space; row i of every array is one capsule."""

    start: F64
    """(N, 3) cells."""
    end: F64
    """(N, 3) cells."""
    radius_start: F64
    """(N,) cells."""
    radius_end: F64
    """(N,) cells."""
    material: NDArray[np.int32]
    """(N,) index of the material each is made of."""


@dataclass(slots=True)
class Relief:
    """What the capsules look like in a part of the picture; arrays of one shape."""

    left_px: int
    top_px: int
    cover: F32
    """0..1, how much of the pixel they cover."""
    height_px: F32
    """Towards the camera; meaningful where covered."""
    normal_x: F32
    """Of the surface, towards the right of the picture."""
    normal_y: F32
    """Towards the bottom."""
    material: NDArray[np.uint8]
    along: F32
    """0..1 from a capsule's start to its end."""
    capsule: NDArray[np.uint8]
    """Which capsule is seen."""


def draw_relief(start: F64, end: F64, radius: F64, limbs: Limbs, size_wh: tuple[int, int]) -> Relief | None:
    """Draw capsules whose projections are known; None where nothing of them is in the picture.

    start, end : (N, 3) px and, third, height towards the camera in px
    radius     : (N, 2) px at start and end
    """
    low = np.floor(np.minimum(start[:, :2] - radius[:, :1], end[:, :2] - radius[:, 1:]) - 2).astype(int)
    high = np.ceil(np.maximum(start[:, :2] + radius[:, :1], end[:, :2] + radius[:, 1:]) + 3).astype(int)
    low = np.clip(low, 0, size_wh)
    high = np.clip(high, 0, size_wh)
    inside = np.all(high > low, axis=1)
    if not inside.any():
        return None
    left, top = low[inside].min(axis=0)
    right, bottom = high[inside].max(axis=0)
    shape = (int(bottom - top), int(right - left))
    relief = Relief(
        int(left),
        int(top),
        np.zeros(shape, np.float32),
        np.full(shape, -1e6, np.float32),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.uint8),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.uint8),
    )
    for i in np.flatnonzero(inside):
        _draw_one(relief, int(i), start[i], end[i], radius[i], int(limbs.material[i]), low[i], high[i])
    return relief


def _draw_one(
    relief: Relief,
    index: int,
    a: F64,
    b: F64,
    radius: F64,
    material: int,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
) -> None:
    part = np.s_[low[1] - relief.top_px : high[1] - relief.top_px, low[0] - relief.left_px : high[0] - relief.left_px]
    x = (np.arange(low[0], high[0], dtype=np.float32) - np.float32(a[0]))[None, :]
    y = (np.arange(low[1], high[1], dtype=np.float32) - np.float32(a[1]))[:, None]
    dx, dy = np.float32(b[0] - a[0]), np.float32(b[1] - a[1])
    square = max(float(dx * dx + dy * dy), 1e-6)
    t = np.clip((x * (dx / np.float32(square)) + y * (dy / np.float32(square))), 0.0, 1.0)
    r = np.float32(radius[0]) + t * np.float32(radius[1] - radius[0])
    ex, ey = x - t * dx, y - t * dy
    d2 = ex * ex + ey * ey
    d = np.sqrt(d2)
    cover = np.clip(r - d + 0.5, 0.0, 1.0)
    z = np.float32(a[2]) + t * np.float32(b[2] - a[2]) + np.sqrt(np.maximum(r * r - d2, 0.0))
    nearer = (cover > 0.02) & (z > relief.height_px[part])
    np.maximum(relief.cover[part], cover, out=relief.cover[part])
    np.copyto(relief.height_px[part], z, where=nearer)
    np.copyto(relief.normal_x[part], ex / r, where=nearer)
    np.copyto(relief.normal_y[part], ey / r, where=nearer)
    np.copyto(relief.along[part], t, where=nearer)
    relief.material[part][nearer] = material
    relief.capsule[part][nearer] = index


def smooth_normals(relief: Relief, sigma_px: float) -> tuple[F32, F32, F32]:
    """The normals with the seams between capsules rounded off, the third towards the camera."""
    weight = relief.cover + np.float32(1e-3)
    k = max(int(sigma_px * 2) | 1, 3)
    soft = cv2.blur(weight, (k, k))
    nx = cv2.blur(relief.normal_x * weight, (k, k)) / soft
    ny = cv2.blur(relief.normal_y * weight, (k, k)) / soft
    nz = np.sqrt(np.maximum(1.0 - nx * nx - ny * ny, 0.04))
    return nx.astype(np.float32), ny.astype(np.float32), nz.astype(np.float32)


def crease_shade(relief: Relief, reach_px: float) -> F32:
    """0..1, darker where the surface lies lower than its surroundings, as between two fingers."""
    covered = relief.cover > 0.5
    height = np.where(covered, relief.height_px, 0.0).astype(np.float32)
    k = max(int(reach_px * 2) | 1, 3)
    weight = cv2.blur(covered.astype(np.float32), (k, k)) + np.float32(1e-3)
    around = cv2.blur(height, (k, k)) / weight
    depth = np.clip((around - height) / np.float32(max(reach_px, 1.0)), 0.0, 1.0)
    shade: F32 = (1.0 - 0.55 * depth).astype(np.float32)
    return shade
