"""Lamps, shadows and glare: how much of each lamp's light every pixel of the table gets."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.box import Box
from qiyan.simulator.camera import Camera
from qiyan.simulator.capsules import Limbs
from qiyan.simulator.textures import Bgr

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]
_ALL = (slice(None), slice(None))


@dataclass(frozen=True, slots=True)
class Lamp:
    """One source of light."""

    xyz: tuple[float, float, float] = (-6.0, 14.0, 22.0)
    """Where it hangs, cells."""
    bgr: Bgr = (0.55, 0.6, 0.62)
    """What it adds where nothing is in its way; 1 is white paper fully lit."""
    soft: float = 0.12
    """Blur of the shadows of pieces, cells: 0.02 is a bare bulb or the sun, 0.3 a ceiling."""
    dark: float = 0.8
    """How much of it a shadow takes away, 0..1."""
    falloff: float = 0.5
    """How much it weakens with distance, 0..1."""
    patch: tuple[tuple[float, float], ...] | None = None
    """Corners in cells of the only part of the table it reaches, as through a window; None for all."""


@dataclass(frozen=True, slots=True)
class Lighting:
    """The light of a room."""

    ambient_bgr: Bgr = (0.42, 0.42, 0.42)
    lamps: tuple[Lamp, ...] = (Lamp(),)
    glare: float = 0.0
    """Strength of the first lamp's reflection in the board's varnish, 0..1."""
    glare_cells: float = 1.6
    vignette: float = 0.15
    """How much darker the corners of the picture are, 0..1."""
    flicker: float = 0.0
    """Depth of the lamps' 100 Hz flicker as the shutter catches it, 0..1."""


def lamp_map(camera: Camera, lamp: Lamp) -> U8:
    """(h, w) 0..255 of the lamp's light on the table, nothing in the way."""
    x, y = camera.plane_maps(0.0)
    z = lamp.xyz[2]
    square = (x - lamp.xyz[0]) ** 2 + (y - lamp.xyz[1]) ** 2 + z * z
    at_board = (4.0 - lamp.xyz[0]) ** 2 + (4.5 - lamp.xyz[1]) ** 2 + z * z
    value = np.clip((at_board / square) ** (1.5 * lamp.falloff), 0.0, 1.35) / 1.35
    if lamp.patch is not None:
        mask = np.zeros(x.shape, np.uint8)
        corners = np.column_stack([np.array(lamp.patch), np.zeros(len(lamp.patch))])
        cv2.fillPoly(mask, [np.round(camera.to_px(corners) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        blur = max(1.0, lamp.soft * float(camera.cell_px(np.array([[4.0, 4.5, 0.0]]))[0]))
        value = value * cv2.GaussianBlur(mask, (0, 0), blur).astype(np.float32) / 255.0
    return np.clip(value * 255.0, 0, 255).astype(np.uint8)


def cast(lamp: Lamp, xyz: F64) -> F64:
    """Where the shadows of (N, 3) positions fall on the board: (N, 3) with z = 0."""
    high = np.clip(xyz[:, 2:], 0.0, 0.8 * lamp.xyz[2])
    foot = xyz[:, :2] + (xyz[:, :2] - np.array(lamp.xyz[:2])) * high / (lamp.xyz[2] - high)
    return np.column_stack([foot, np.zeros(len(foot))])


def shadow_of_hull(camera: Camera, lamp: Lamp, outline: F64) -> F64:
    """(K, 2) px: the outline of the shadow of the convex body with these (N, 3) outline points."""
    hull = cv2.convexHull(camera.to_px(cast(lamp, outline)).astype(np.float32)[:, None])
    return np.asarray(hull[:, 0], dtype=np.float64)


def shadow_of_limbs(camera: Camera, lamp: Lamp, limbs: Limbs) -> list[F64]:
    """(K, 2) px each: the outlines of the shadows of capsules."""
    start, end = cast(lamp, limbs.start), cast(lamp, limbs.end)
    a, depth_a = camera.project(start)
    b, depth_b = camera.project(end)
    near = (depth_a > 3.0) & (depth_b > 3.0)
    outlines = []
    for i in np.flatnonzero(near):
        ra = limbs.radius_start[i] * camera.focal_px / depth_a[i]
        rb = limbs.radius_end[i] * camera.focal_px / depth_b[i]
        points = np.clip(np.concatenate([a[i] + _ROUND * ra, b[i] + _ROUND * rb]), -4000, 8000)
        outlines.append(np.asarray(cv2.convexHull(points.astype(np.float32)[:, None])[:, 0], dtype=np.float64))
    return outlines


_ROUND = np.array([[np.cos(t), np.sin(t)] for t in np.linspace(0, 2 * np.pi, 10, endpoint=False)])


def fill(mask: U8, outline_px: F64, box: Box, value: int = 255) -> None:
    """Fill a convex outline in the mask of a box."""
    px = np.round((outline_px - box.origin) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, px, value, cv2.LINE_AA, 4)


def blur_reach_px(blur_px: float) -> float:
    """How far a shadow of this blur reaches beyond its outline."""
    return 3.0 * max(blur_px, 0.4) + 10.0


def darken(light: U8, mask: U8, lamp: Lamp, blur_px: float, inner: tuple[slice, slice] = _ALL) -> None:
    """Take a shadow out of a lamp's light, in place; `inner` cuts the light's part out of the mask's."""
    soft = cv2.GaussianBlur(mask, (0, 0), max(blur_px, 0.4)) if blur_px < 6 else _wide_blur(mask, blur_px)
    keep = cv2.LUT(soft[inner], np.clip(255.0 - lamp.dark * np.arange(256), 0, 255).astype(np.uint8))
    np.copyto(light, cv2.multiply(light, keep, scale=1.0 / 255.0))


def glare_map(camera: Camera, lighting: Lighting, height: float) -> U8 | None:
    """(h, w, 3) what the varnish adds; None where it does not shine."""
    if not lighting.glare or not lighting.lamps:
        return None
    x, y = camera.plane_maps(height)
    lamp, eye = np.array(lighting.lamps[0].xyz), np.array(camera.centre)
    # The reflection lies where the mirrored lamp is seen.
    share = eye[2] / (eye[2] + lamp[2])
    spot = eye[:2] + (lamp[:2] - eye[:2]) * share
    spot = np.clip(spot, [-1.0, -1.0], [9.0, 10.0])
    far = ((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / lighting.glare_cells**2
    value = lighting.glare * 190.0 * (0.6 * np.exp(-far) + 0.4 * np.exp(-far / 6.0))
    colour = np.array(lighting.lamps[0].bgr, np.float32)
    colour = colour / colour.max()
    shine: U8 = np.clip(value[..., None] * colour, 0, 255).astype(np.uint8)
    return shine


def vignette_map(size_wh: tuple[int, int], depth: float) -> F32:
    """(h, w, 1) what is left of the light towards the corners."""
    w, h = size_wh
    v, u = np.mgrid[0:h, 0:w].astype(np.float32)
    r2 = ((u - w / 2) ** 2 + (v - h / 2) ** 2) / ((w / 2) ** 2 + (h / 2) ** 2)
    return np.asarray((1.0 - depth * r2**1.3)[..., None], dtype=np.float32)


def _wide_blur(mask: U8, blur_px: float) -> U8:
    """A wide blur at a quarter of the size: nobody sees the difference."""
    h, w = mask.shape
    small = cv2.resize(mask, (w // 4, h // 4), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), blur_px / 4)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
