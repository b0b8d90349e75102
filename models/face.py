"""Draws the face of a piece: a sign, rings, paint or carving, wood or plastic.

Used by the training and by the simulator. A face is seen straight from above; walls, shadows and light over the board
belong to the scene.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Bgr = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring round the sign; sizes in disc radii."""

    radius: float
    width: float


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """How the faces of one side of a set are made."""

    ground_bgr: Bgr = (170.0, 205.0, 228.0)
    """Colour of the disc, 0..255."""
    ink_bgr: Bgr = (30.0, 30.0, 40.0)
    """Colour of sign and rings."""
    rings: tuple[Ring, ...] = field(default=(Ring(0.86, 0.05),))
    sign_size: float = 1.15
    """Longer side of the sign, in disc radii."""
    ink_cover: float = 1.0
    """1 for full paint, 0 for bare carving without paint."""
    relief: float = 0.0
    """-1 deeply carved .. 1 raised; lit from `light_rad`."""
    light_rad: float = 4.0
    """Where the light comes from: angle from x towards y (down), in the face as drawn."""
    rim: float = 0.15
    """Darkening at the rounded edge, 0..1."""
    grain: float = 0.0
    """Strength of wood grain, 0..1."""
    wear: float = 0.0
    """Share of the paint that has come off, 0..1."""
    speckle: float = 0.02
    """Fine unevenness of the disc, as a share of its brightness."""


def draw_face(
    sign: U8, style: FaceStyle, size_px: int, turn_rad: float = 0.0, rng: np.random.Generator | None = None
) -> U8:
    """Draw one face.

    sign     : (S, S) coverage by ink as in Glyph.image; its middle becomes the middle of the disc
    size_px  : side of the result; the disc touches all four sides
    turn_rad : turn of the sign, clockwise as seen
    rng      : for grain, wear and speckle; None gives always the same
    returns  : (size_px, size_px, 4) BGRA, alpha 255 inside the disc
    """
    rng = np.random.default_rng(0) if rng is None else rng
    ink = np.maximum(_place_sign(sign, style.sign_size, size_px, turn_rad), _draw_rings(style.rings, size_px))
    radius = _radius_map(size_px)
    shade = np.ones((size_px, size_px), np.float32)
    if style.relief:
        shade += style.relief * _slope(ink, style.light_rad)
    if style.grain:
        shade += style.grain * _grain(size_px, rng)
    if style.speckle:
        shade += style.speckle * rng.standard_normal((size_px, size_px), dtype=np.float32)
    if style.rim:
        shade -= style.rim * np.clip((radius - 0.88) / 0.12, 0.0, 1.0) ** 2
    if style.wear:
        ink = ink * np.clip((_blotches(size_px, 5, rng) - 1.3 * style.wear + 1.0) * 3.0, 0.0, 1.0)
    cover = (ink * style.ink_cover)[..., None]
    ground, paint = (np.asarray(colour, np.float32) for colour in (style.ground_bgr, style.ink_bgr))
    face = (ground + (paint - ground) * cover) * shade[..., None]
    alpha = np.clip((1.0 - radius) * size_px / 2.0 + 0.5, 0.0, 1.0) * 255.0
    return np.asarray(np.clip(np.dstack([face, alpha]), 0.0, 255.0), np.uint8)


def _place_sign(sign: U8, sign_size: float, size_px: int, turn_rad: float) -> F32:
    """(size_px, size_px) coverage 0..1 of the sign, scaled and turned about the middle."""
    side = sign.shape[0]
    scale = sign_size * size_px / 2.0 / side
    cos, sin = scale * np.cos(turn_rad), scale * np.sin(turn_rad)
    middle, half = (size_px - 1) / 2.0, (side - 1) / 2.0
    to_face = np.array(
        [[cos, -sin, middle - half * (cos - sin)], [sin, cos, middle - half * (sin + cos)]]
    )
    source = cv2.GaussianBlur(sign, (0, 0), 0.35 / scale) if scale < 0.7 else sign
    placed = cv2.warpAffine(source, to_face, (size_px, size_px), flags=cv2.INTER_LINEAR)
    result: F32 = placed.astype(np.float32) / np.float32(255.0)
    return result


def _radius_map(size_px: int) -> F32:
    """(size_px, size_px) distance from the middle in disc radii."""
    at = ((np.arange(size_px, dtype=np.float32) + 0.5) / size_px * 2.0 - 1.0).astype(np.float32)
    result: F32 = np.sqrt(at[:, None] ** 2 + at[None, :] ** 2)
    return result


def _draw_rings(rings: tuple[Ring, ...], size_px: int) -> F32:
    """(size_px, size_px) coverage 0..1 of the rings."""
    cover = np.zeros((size_px, size_px), np.float32)
    radius = _radius_map(size_px)
    for ring in rings:
        within_px = (ring.width / 2.0 - np.abs(radius - ring.radius)) * (size_px / 2.0)
        cover = np.maximum(cover, np.clip(within_px + 0.5, 0.0, 1.0))
    return cover


def _slope(ink: F32, light_rad: float) -> F32:
    """(S, S) brightness of raised ink lit from the side, about -1..1."""
    soft = cv2.GaussianBlur(ink, (0, 0), max(0.6, ink.shape[0] / 60.0))
    dx = cv2.Sobel(soft, cv2.CV_32F, 1, 0)
    dy = cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    result: F32 = (dx * np.float32(np.cos(light_rad)) + dy * np.float32(np.sin(light_rad))) * np.float32(0.6)
    return result


def _blotches(size_px: int, coarse: int, rng: np.random.Generator) -> F32:
    """(S, S) smooth noise, mostly within -1..1."""
    small = rng.uniform(-1.0, 1.0, (coarse, coarse)).astype(np.float32)
    return np.asarray(cv2.resize(small, (size_px, size_px), interpolation=cv2.INTER_CUBIC), np.float32)


def _grain(size_px: int, rng: np.random.Generator) -> F32:
    """(S, S) streaks of wood along a random direction, about -0.5..0.5."""
    angle = rng.uniform(0.0, np.pi)
    at = np.arange(size_px, dtype=np.float32) / size_px
    across = at[None, :] * np.cos(angle) + at[:, None] * np.sin(angle) + 0.04 * _blotches(size_px, 4, rng)
    wave = np.sin(across * rng.uniform(30.0, 80.0)) + np.sin(across * rng.uniform(60.0, 150.0) + 2.0)
    return np.asarray(0.25 * wave, np.float32)
