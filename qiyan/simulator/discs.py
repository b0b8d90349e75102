"""Pieces in the picture: discs of real height, drawn once each and kept while they lie still."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.camera import Camera
from qiyan.simulator.piece_style import FACE_PX, PieceStyle

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]

SUPERSAMPLE = 3
"""Discs are drawn this many times larger and averaged, for smooth edges."""
SEGMENTS = 40
_ROUND = np.linspace(0.0, 2.0 * np.pi, SEGMENTS, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_ROUND), np.sin(_ROUND)])


@dataclass(frozen=True, slots=True)
class Sprite:
    """A disc as it looks in the picture."""

    left_px: int
    top_px: int
    bgr: U8
    """(h, w, 3)"""
    alpha: F32
    """(h, w, 1) 0..1."""
    depth: float
    """Distance from the camera, cells."""


def circle(xyz: tuple[float, float, float], radius: float, up: float) -> F64:
    """(40, 3) cells, a level circle `up` above a disc's foot."""
    ring = np.empty((SEGMENTS, 3))
    ring[:, :2] = _CIRCLE * radius + xyz[:2]
    ring[:, 2] = xyz[2] + up
    return ring


def draw_disc(
    camera: Camera,
    style: PieceStyle,
    face: U8,
    body_bgr: tuple[float, float, float],
    xyz: tuple[float, float, float],
    turn_rad: float,
    light_xyz: F64,
) -> Sprite | None:
    """Draw one disc with its foot at `xyz`; None where it is outside the picture.

    turn_rad  : counter-clockwise seen from above; 0 has the sign upright for Red
    light_xyz : (3,) unit vector towards the lamp
    """
    r, h = style.radius, style.height
    rim = r * style.rim
    foot = camera.to_px(circle(xyz, r * (1.0 - 0.5 * style.rim), 0.0))
    belly = camera.to_px(circle(xyz, r * (1.0 + style.waist), 0.5 * h))
    shoulder = camera.to_px(circle(xyz, r, h - rim))
    top = camera.to_px(circle(xyz, r - rim, h))
    every = np.concatenate([foot, belly, shoulder, top])
    low = np.floor(every.min(axis=0)).astype(int) - 1
    high = np.ceil(every.max(axis=0)).astype(int) + 2
    w, h_px = camera.size_wh
    if high[0] <= 0 or high[1] <= 0 or low[0] >= w or low[1] >= h_px:
        return None
    k = SUPERSAMPLE
    shape = ((high[1] - low[1]) * k, (high[0] - low[0]) * k)

    def fine(px: F64) -> NDArray[np.int32]:
        at: NDArray[np.int32] = np.round(((px - low + 0.5) * k - 0.5) * 16).astype(np.int32)
        return at

    canvas = np.zeros((*shape, 3), np.uint8)
    cover = np.zeros(shape, np.uint8)
    hull = cv2.convexHull(np.concatenate([fine(foot), fine(belly), fine(shoulder)])[:, None])
    cv2.fillConvexPoly(cover, hull, 255, cv2.LINE_8, 4)
    cv2.fillConvexPoly(canvas, hull, [c * 0.6 for c in body_bgr], cv2.LINE_8, 4)
    _wall(canvas, fine, foot, belly, shoulder, top, body_bgr, light_xyz, camera)
    _face(canvas, camera, low, k, face, xyz, r - rim, h, turn_rad)
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    alpha = cv2.resize(cover, size, interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255.0
    mean = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    bgr = np.clip(mean / np.maximum(alpha, 0.02), 0, 255).astype(np.uint8)
    _, depth = camera.project(np.array([xyz]))
    return Sprite(int(low[0]), int(low[1]), bgr, alpha, float(depth[0]))


def _wall(
    canvas: U8,
    fine: Callable[[F64], NDArray[np.int32]],
    foot: F64,
    belly: F64,
    shoulder: F64,
    top: F64,
    body_bgr: tuple[float, float, float],
    light_xyz: F64,
    camera: Camera,
) -> None:
    """Bands of the wall, seen ones only, shaded by their direction to the lamp."""
    bands = ((foot, belly, 0.0, 0.62), (belly, shoulder, 0.0, 0.74), (shoulder, top, 0.75, 1.0))
    base = np.array(body_bgr)
    for below, above, upward, level in bands:
        a, b = fine(below), fine(above)
        for i in range(SEGMENTS):
            j = (i + 1) % SEGMENTS
            quad = np.array([a[i], a[j], b[j], b[i]])
            # Seen from outside when its corners run counter-clockwise in the picture's downward y.
            edge1, edge2 = (quad[1] - quad[0]).astype(np.int64), (quad[2] - quad[0]).astype(np.int64)
            if upward == 0.0 and edge1[0] * edge2[1] - edge1[1] * edge2[0] >= 0:
                continue
            normal = np.array([_CIRCLE[i, 0], _CIRCLE[i, 1], upward * 1.3])
            lit = max(float(normal @ light_xyz) / float(np.linalg.norm(normal)), 0.0)
            tone = (level * (0.72 + 0.45 * lit)) * base
            cv2.fillConvexPoly(canvas, quad, [float(min(c, 255.0)) for c in tone], cv2.LINE_8, 4)


def _face(
    canvas: U8,
    camera: Camera,
    low: NDArray[np.int64],
    k: int,
    face: U8,
    xyz: tuple[float, float, float],
    radius: float,
    height: float,
    turn_rad: float,
) -> None:
    c, s = np.cos(turn_rad) * radius, np.sin(turn_rad) * radius
    corners = np.array(
        [
            [xyz[0] + x * c - y * s, xyz[1] + x * s + y * c, xyz[2] + height]
            for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ]
    )
    to = ((camera.to_px(corners) - low + 0.5) * k - 0.5).astype(np.float32)
    n = FACE_PX
    source = np.array([[-0.5, -0.5], [n - 0.5, -0.5], [n - 0.5, n - 0.5], [-0.5, n - 0.5]], np.float32)
    h = cv2.getPerspectiveTransform(source, to)
    size = (canvas.shape[1], canvas.shape[0])
    warped = cv2.warpPerspective(face, h, size, flags=cv2.INTER_LINEAR)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    ring = camera.to_px(circle(xyz, radius, height))
    cv2.fillConvexPoly(mask, np.round(((ring - low + 0.5) * k - 0.5) * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    np.copyto(canvas, warped, where=(mask > 0)[..., None])
