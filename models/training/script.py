"""More scripts out of few fonts: bends, stretches, thickens, thins, carves and outlines signs."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Rng = np.random.Generator


def warp_sign(sign: U8, rng: Rng) -> U8:
    """A new hand for the sign: (S, S) coverage -> (S, S) coverage, still filling the cell."""
    bent = _bend(sign, rng)
    depth = _depth(bent)
    return fill_cell(_as_coverage(_choose_stroke(rng)(depth, rng), rng))


def fill_cell(cover: U8, margin_px: int = 2) -> U8:
    """Crop to the ink and scale its longer side to the cell."""
    x, y, w, h = cv2.boundingRect((cover > 60).astype(np.uint8))
    side = cover.shape[0]
    if w < side // 4 and h < side // 4:
        return cover
    scale = (side - 2 * margin_px) / max(w, h)
    middle = (side - 1) / 2.0
    to_cell = np.array(
        [[scale, 0.0, middle - scale * (x + (w - 1) / 2.0)], [0.0, scale, middle - scale * (y + (h - 1) / 2.0)]]
    )
    return np.asarray(cv2.warpAffine(cover, to_cell, (side, side), flags=cv2.INTER_LINEAR), np.uint8)


def _bend(sign: U8, rng: Rng) -> U8:
    """Slant, stretch, fit into the round, and bend smoothly."""
    side = sign.shape[0]
    at = np.linspace(-1.15, 1.15, side, dtype=np.float32)
    x, y = np.meshgrid(at, at)
    stretch = float(np.exp(rng.normal(0.0, 0.16)))
    slant, lean = rng.normal(0.0, 0.12, 2)
    u, v = x * stretch + slant * y, y / stretch + lean * x * 0.5
    if rng.random() < 0.5:
        # Writers give the parts of a sign unequal room: one end of it is squeezed, the other drawn out.
        u, v = (axis + 0.5 * rng.normal(0.0, 0.35) * (axis * axis - 0.5) for axis in (u, v))
    if rng.random() < 0.4:
        # Carvers use the disc: the corners of the sign are drawn in, its sides swell.
        roundness = rng.uniform(0.1, 0.35)
        u, v = u * (1.0 + roundness * (0.5 * v * v - 0.25)), v * (1.0 + roundness * (0.5 * u * u - 0.25))
    for coarse, strength in ((3, 0.10), (5, 0.05), (8, 0.02)):
        amount = strength * rng.uniform(0.0, 1.4)
        u = u + amount * _smooth(side, coarse, rng)
        v = v + amount * _smooth(side, coarse, rng)
    middle = (side - 1) / 2.0
    map_x, map_y = ((axis * middle + middle).astype(np.float32) for axis in (u, v))
    return np.asarray(cv2.remap(sign, map_x, map_y, cv2.INTER_LINEAR), np.uint8)


def _depth(sign: U8) -> F32:
    """(S, S) px inside the ink (positive) or away from it (negative)."""
    inside = (sign > 127).astype(np.uint8)
    grown = cv2.distanceTransform(inside, cv2.DIST_L2, 3) - cv2.distanceTransform(1 - inside, cv2.DIST_L2, 3)
    # The distance jumps by a whole pixel at the edge; the grey of the edge tells where in it the ink ends.
    soft = sign.astype(np.float32) / 255.0 - 0.5
    edge = np.abs(grown) < 1.5
    return np.asarray(np.where(edge, np.where(grown > 0, grown - 1.0, grown + 1.0) * 0.5 + soft, grown), np.float32)


def _choose_stroke(rng: Rng) -> Callable[[F32, Rng], F32]:
    makers = (_even, _brush, _contrast, _skeleton, _outline, _cut)
    return makers[rng.choice(len(makers), p=(0.3, 0.3, 0.14, 0.14, 0.06, 0.06))]


def _thickness_room(depth: F32) -> float:
    """Half the width of the thickest usual stroke, px."""
    inside = depth[depth > 0.5]
    return float(np.percentile(inside, 85)) if inside.size else 1.0


def _even(depth: F32, rng: Rng) -> F32:
    """Thicker or thinner all over; rounder corners."""
    room = _thickness_room(depth)
    if rng.random() < 0.4:
        depth = np.asarray(cv2.GaussianBlur(depth, (0, 0), rng.uniform(0.5, 1.5)), np.float32)
    return depth + np.float32(rng.uniform(-0.35 * room, max(0.3, 2.8 - room)))


def _brush(depth: F32, rng: Rng) -> F32:
    """Thickness that swells and thins along the way, as a brush leaves it."""
    room = _thickness_room(depth)
    side = depth.shape[0]
    swell = rng.uniform(0.2, 0.8) * room * _smooth(side, int(rng.integers(4, 9)), rng)
    return np.asarray(depth + swell + rng.uniform(-0.15 * room, max(0.2, 2.2 - room)), np.float32)


def _contrast(depth: F32, rng: Rng) -> F32:
    """Strokes of one direction thicker, as in the clerical script or in print."""
    longer = int(rng.integers(2, 5))
    shape = (1, longer) if rng.random() < 0.5 else (longer, 1)
    return np.asarray(cv2.dilate(depth, np.ones(shape, np.uint8)), np.float32) - np.float32(rng.uniform(0.0, 0.8))


def _skeleton(depth: F32, rng: Rng) -> F32:
    """One width for all strokes, as an engraver's tool or a felt pen gives it."""
    ridge = ((depth >= cv2.dilate(depth, np.ones((3, 3), np.uint8)) - 0.05) & (depth > 0.3)).astype(np.uint8)
    closed = cv2.morphologyEx(ridge, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    away = cv2.distanceTransform(1 - closed, cv2.DIST_L2, 3)
    away = np.asarray(cv2.GaussianBlur(away, (0, 0), 0.7), np.float32)
    return np.float32(rng.uniform(1.2, 3.4)) - away


def _outline(depth: F32, rng: Rng) -> F32:
    """Only the edges of the strokes."""
    wide = depth + np.float32(rng.uniform(0.5, 2.0))
    return np.asarray(rng.uniform(0.6, 1.1) - np.abs(wide), np.float32)


def _cut(depth: F32, rng: Rng) -> F32:
    """Strokes with a gap here and there: worn, dry brush, or a stencil."""
    side = depth.shape[0]
    gaps = _smooth(side, int(rng.integers(8, 14)), rng) - rng.uniform(0.75, 1.1)
    return np.asarray(depth + rng.uniform(0.0, 1.0) - 4.0 * np.maximum(gaps, 0.0), np.float32)


def _as_coverage(depth: F32, rng: Rng) -> U8:
    """Depth in px to coverage; a soft edge now and then."""
    softness = rng.uniform(0.8, 2.0)
    return np.asarray(np.clip((depth / softness + 0.5) * 255.0, 0.0, 255.0), np.uint8)


def _smooth(side: int, coarse: int, rng: Rng) -> F32:
    """(side, side) smooth noise, mostly within -1..1."""
    small = rng.uniform(-1.0, 1.0, (coarse, coarse)).astype(np.float32)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)
