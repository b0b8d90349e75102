"""Pieces in the picture: discs of real height, drawn once each and kept while they lie still."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.camera import Camera
from qiyan.simulator.piece_style import FACE_PX, PieceStyle
from qiyan.simulator.textures import Bgr

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]

SUPERSAMPLE = 3
"""Discs are drawn this many times larger and averaged, for smooth edges."""
SEGMENTS = 40
GLEAM = 300.0
"""Sharpness of the lamp's reflection in a face: higher is smaller and brighter varnish."""
_ROUND = np.linspace(0.0, 2.0 * np.pi, SEGMENTS, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_ROUND), np.sin(_ROUND)])


@dataclass(frozen=True, slots=True)
class Face:
    """The top of one piece."""

    image: U8
    """(112, 112, 3), the sign upright."""
    body_bgr: Bgr
    """Colour of the wall."""


@dataclass(frozen=True, slots=True)
class Lying:
    """Where a piece is."""

    xyz: tuple[float, float, float]
    """Middle of its foot, cells."""
    turn_rad: float
    """Counter-clockwise seen from above; 0 has the sign upright for Red."""


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


def draw_disc(camera: Camera, style: PieceStyle, face: Face, lying: Lying, light_xyz: F64) -> Sprite | None:
    """Draw one disc; None where it is outside the picture. `light_xyz`: (3,) unit vector towards the lamp."""
    r, h = style.radius, style.height
    rim = r * style.rim
    rings = [
        camera.to_px(circle(lying.xyz, radius, up))
        for radius, up in ((r - rim / 2, 0.0), (r * (1.0 + style.waist), h / 2), (r, h - rim), (r - rim, h))
    ]
    every = np.concatenate(rings)
    low = np.floor(every.min(axis=0)).astype(int) - 1
    high = np.ceil(every.max(axis=0)).astype(int) + 2
    w, h_px = camera.size_wh
    if high[0] <= 0 or high[1] <= 0 or low[0] >= w or low[1] >= h_px:
        return None
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    canvas = np.zeros((size[1] * SUPERSAMPLE, size[0] * SUPERSAMPLE, 3), np.uint8)
    cover = np.zeros(canvas.shape[:2], np.uint8)
    fine = [_fine(ring, low) for ring in rings]
    hull = cv2.convexHull(np.concatenate(fine[:3])[:, None])
    cv2.fillConvexPoly(cover, hull, 255, cv2.LINE_8, 4)
    cv2.fillConvexPoly(canvas, hull, [c * 0.6 for c in face.body_bgr], cv2.LINE_8, 4)
    eye = np.array(camera.centre) - np.array(lying.xyz)
    half = light_xyz + eye / np.linalg.norm(eye)
    half = half / np.linalg.norm(half)
    _draw_wall(canvas, fine, _tones(face.body_bgr, light_xyz, half, style.gloss))
    shine = 1.0 + 0.9 * style.gloss * float(half[2]) ** GLEAM
    image = face.image if shine < 1.03 else cv2.convertScaleAbs(face.image, alpha=shine, beta=20.0 * (shine - 1.0))
    _draw_face(canvas, np.asarray(image, dtype=np.uint8), _face_px(camera, lying, r - rim, h, low), fine[3])
    alpha = cv2.resize(cover, size, interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255.0
    mean = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    bgr = np.clip(mean / np.maximum(alpha, 0.02), 0, 255).astype(np.uint8)
    _, depth = camera.project(np.array([lying.xyz]))
    return Sprite(int(low[0]), int(low[1]), bgr, alpha, float(depth[0]))


def _fine(px: F64, low: NDArray[np.int64]) -> I32:
    """Positions in the supersampled canvas, in sixteenths of its pixels."""
    at: I32 = np.round(((px - low + 0.5) * SUPERSAMPLE - 0.5) * 16).astype(np.int32)
    return at


def _tones(body_bgr: Bgr, light_xyz: F64, half_xyz: F64, gloss: float) -> list[F64]:
    """(40, 3) colours of each band of the wall, from the foot up: by their direction to the lamp, with its gleam."""
    out = []
    for upward, level in ((0.0, 0.62), (0.0, 0.74), (1.0, 1.0)):
        normal = np.column_stack([_CIRCLE, np.full(SEGMENTS, upward)])
        normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
        lit = np.maximum(normal @ light_xyz, 0.0)
        gleam = np.maximum(normal @ half_xyz, 0.0) ** 16
        tone = np.outer(level * (0.72 + 0.45 * lit), np.array(body_bgr)) + (110.0 * gloss * gleam)[:, None]
        out.append(np.minimum(tone, 255.0))
    return out


def _draw_wall(canvas: U8, fine: list[I32], tones: list[F64]) -> None:
    """The seen parts of the wall, band by band."""
    for below, above, tone in zip(fine[:3], fine[1:], tones, strict=True):
        rim = above is fine[3]
        for i in range(SEGMENTS):
            j = (i + 1) % SEGMENTS
            quad = np.array([below[i], below[j], above[j], above[i]])
            # A vertical wall is seen from outside where its corners run counter-clockwise, y downwards.
            edge1, edge2 = (quad[1] - quad[0]).astype(np.int64), (quad[2] - quad[0]).astype(np.int64)
            if rim or edge1[0] * edge2[1] - edge1[1] * edge2[0] < 0:
                cv2.fillConvexPoly(canvas, quad, tone[i].tolist(), cv2.LINE_8, 4)


def _face_px(camera: Camera, lying: Lying, radius: float, height: float, low: NDArray[np.int64]) -> F32:
    """(4, 2) where the corners of the face's picture lie in the supersampled canvas."""
    c, s = np.cos(lying.turn_rad) * radius, np.sin(lying.turn_rad) * radius
    x0, y0, z0 = lying.xyz
    square = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    corners = np.array([[x0 + x * c - y * s, y0 + x * s + y * c, z0 + height] for x, y in square])
    at: F32 = ((camera.to_px(corners) - low + 0.5) * SUPERSAMPLE - 0.5).astype(np.float32)
    return at


def _draw_face(canvas: U8, image: U8, corners_px: F32, outline: I32) -> None:
    n = FACE_PX
    source = np.array([[-0.5, -0.5], [n - 0.5, -0.5], [n - 0.5, n - 0.5], [-0.5, n - 0.5]], np.float32)
    h = cv2.getPerspectiveTransform(source, corners_px)
    warped = cv2.warpPerspective(image, h, (canvas.shape[1], canvas.shape[0]), flags=cv2.INTER_LINEAR)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_8, 4)
    np.copyto(canvas, warped, where=(mask > 0)[..., None])
