"""What differs between a window and the remembered scene, light aside."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.point import POINTS
from vision.frame import Image
from vision.window import CELL_PX, patch_radius_cells, patches

F32 = NDArray[np.float32]
Mask = NDArray[np.bool_]

HALF = 2
"""Foreign matter is looked for on the window shrunk by this: half the noise, a quarter of the work."""
HALF_CELL_PX = CELL_PX // HALF


@dataclass(frozen=True, slots=True)
class ChangeConfig:
    """When a pixel or a point counts as changed."""

    foreign_levels: float = 22.0
    """8-bit levels by which a pixel has to differ, light evened out; less sees paler hands and more noise."""
    shadow_darkest: float = 0.45
    """A shadow leaves at least this share of the light; darker is matter."""
    shadow_brightest: float = 1.6
    """A patch of sun adds at most this factor; brighter is matter."""
    shadow_tint: float = 0.09
    """A shadow changes the colours' ratios by at most this share; more than that is matter."""
    noise_levels: float = 3.0
    """8-bit levels of noise in a patch, under which contrast means nothing."""
    disc_cells: float = 0.44
    """Radius of the area compared at a point."""


def gain(window: Image, reference: F32, usable: Mask) -> F32:
    """(3,) factor by which each channel of the window is brighter than the reference, where `usable` (half size)."""
    now, then = _halved(window), _halved(reference)
    good = usable & (then.min(axis=2) > 20) & (now.max(axis=2) < 250)
    if np.count_nonzero(good) < 100:
        return np.ones(3, dtype=np.float32)
    ratio = (now[good] + 1.0) / (then[good] + 1.0)
    return np.median(ratio, axis=0).astype(np.float32)  # type: ignore[no-any-return]


def even_out(window: Image, factor: F32) -> Image:
    """The window under the reference's light."""
    table = np.clip(np.arange(256)[:, None] / factor[None, :] + 0.5, 0, 255).astype(np.uint8)
    return cv2.LUT(window, table.reshape(256, 1, 3))  # type: ignore[return-value]


def foreign(window: Image, reference: F32, config: ChangeConfig) -> Mask:
    """(TALL/2, WIDE/2) where matter is that was not there, or is gone; shadows and sun patches left out."""
    now, then = _halved(window), _halved(reference)
    difference = np.abs(now - then).max(axis=2)
    ratio = (now + 8.0) / (then + 8.0)
    mean = ratio.mean(axis=2)
    tint = (ratio.max(axis=2) - ratio.min(axis=2)) / mean
    light = (mean > config.shadow_darkest) & (mean < config.shadow_brightest) & (tint < config.shadow_tint)
    changed: Mask = (difference > config.foreign_levels) & ~light
    return changed


def moving(window: Image, previous: Image, config: ChangeConfig) -> Mask:
    """(TALL/2, WIDE/2) where the window differs from the frame before."""
    difference = np.abs(_halved(window) - _halved(previous)).max(axis=2)
    return difference > config.foreign_levels  # type: ignore[no-any-return]


def likeness(now: Image, then: NDArray[np.generic], weights: F32, config: ChangeConfig) -> F32:
    """(90,) correlation of each point's patch with the same patch of another window, -1..1; 1 where both are blank.

    Indifferent to brightness and contrast. `weights` (90, 576): which pixels of each patch count; rows sum to 1.
    """
    a, b = _centred(patches(now), weights), _centred(patches(then), weights)
    w = weights[:, :, None]
    floor = 3.0 * config.noise_levels**2
    cross = np.einsum("npc,npc->n", a * w, b)
    own = np.einsum("npc,npc->n", a * w, a) * np.einsum("npc,npc->n", b * w, b)
    return ((cross + floor) / (np.sqrt(own) + floor)).astype(np.float32)  # type: ignore[no-any-return]


def stillness(now: Image, previous: Image) -> F32:
    """(90,) mean absolute difference of each point's patch from the frame before, levels."""
    difference = cv2.absdiff(now, previous)
    return patches(difference).mean(axis=(1, 2), dtype=np.float32)  # type: ignore[no-any-return]


def disc_weights(config: ChangeConfig) -> F32:
    """(90, 576) equal weights over the disc round each point, rows summing to 1."""
    disc = np.clip((config.disc_cells - patch_radius_cells()) * CELL_PX + 0.5, 0.0, 1.0)
    return np.tile((disc / disc.sum()).astype(np.float32), (POINTS, 1))


def _centred(tiles: NDArray[np.generic], weights: F32) -> F32:
    values = tiles.astype(np.float32)
    mean = np.einsum("np,npc->nc", weights, values)
    return values - mean[:, None, :]  # type: ignore[no-any-return]


def _halved(window: Image | F32) -> F32:
    h, w = window.shape[:2]
    return cv2.resize(window, (w // HALF, h // HALF), interpolation=cv2.INTER_AREA).astype(np.float32)
