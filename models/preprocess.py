"""From a picture to what the nets see: the one implementation, for training and for use."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

PATCH_PX = 48
PATCH_PX_PER_CELL = 32
"""The point net sees 1.5 cells: a disc up to 0.45 cell from the point it belongs to stays mostly inside."""

CROP_PX = 40
"""A disc fills the crop of the kind net: its edge touches all four sides."""

RADII, ANGLES = 20, 80
INNER, OUTER = 0.03, 0.95
"""Disc radii between which the crop is unwrapped; beyond 0.95 a badly measured edge would show the board."""
CLIP_SIGMAS = 3.0
"""Glare and dirt beyond this many standard deviations say nothing more."""


def point_patches(rectified_bgr: U8, centres_px: F64) -> U8:
    """Cut what the point net sees.

    rectified_bgr : (H, W, 3) the plane of the faces, PATCH_PX_PER_CELL px a cell, any turn
    centres_px    : (N, 2) px of the grid points
    returns       : (N, 48, 48, 3)
    """
    out = np.empty((len(centres_px), PATCH_PX, PATCH_PX, 3), np.uint8)
    padded = cv2.copyMakeBorder(rectified_bgr, PATCH_PX, PATCH_PX, PATCH_PX, PATCH_PX, cv2.BORDER_REPLICATE)
    for number, (x, y) in enumerate(centres_px + PATCH_PX):
        out[number] = cv2.getRectSubPix(padded, (PATCH_PX, PATCH_PX), (float(x), float(y)))
    return out


def disc_crops(rectified_bgr: U8, discs_px: F64) -> U8:
    """Cut what the kind net sees.

    rectified_bgr : (H, W, 3) the plane of the faces, at any scale and turn; best at the scale of the camera
    discs_px      : (N, 3) px: x and y of a disc's centre, its radius
    returns       : (N, 40, 40) grey, see `grey_of_disc`
    """
    out = np.empty((len(discs_px), CROP_PX, CROP_PX), np.uint8)
    for number, (x, y, radius) in enumerate(discs_px):
        out[number] = grey_of_disc(cut_square(rectified_bgr, x, y, radius, CROP_PX))
    return out


def cut_square(image: U8, x: float, y: float, half_side: float, size_px: int) -> U8:
    """The upright square of `2 half_side` px around (x, y), scaled to `size_px`, without aliasing."""
    times = max(1, round(2.0 * half_side / size_px))
    fine_px = size_px * times
    scale = 2.0 * half_side / fine_px
    fine_to_image = np.array(
        [[scale, 0.0, x - half_side + 0.5 * scale], [0.0, scale, y - half_side + 0.5 * scale]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    fine = cv2.warpAffine(image, fine_to_image, (fine_px, fine_px), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    if times > 1:
        fine = cv2.resize(fine, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(fine, dtype=np.uint8)


def grey_of_disc(crop_bgr: U8, filled: float = 1.0) -> U8:
    """Grey along the colour direction in which this disc varies most: red ink on a reddish disc stays visible.

    crop_bgr : (S, S, 3) a disc in the middle of the square
    filled   : share of the square's side that the disc fills
    returns  : (S, S), ink darker than the disc wherever it is darker in the picture
    """
    inside = _inside(crop_bgr.shape[0], filled)
    pixels = crop_bgr[inside].astype(np.float32)
    centred = pixels - pixels.mean(axis=0)
    covariance = centred.T @ centred / len(centred) + np.eye(3, dtype=np.float32)
    direction = np.linalg.eigh(covariance)[1][:, 2]
    if direction.sum() < 0.0:
        direction = -direction
    along = crop_bgr.astype(np.float32) @ direction
    low, high = np.percentile(along[inside], (1.0, 99.0))
    grey: U8 = np.clip((along - low) * (230.0 / max(high - low, 8.0)) + 12.0, 0.0, 255.0).astype(np.uint8)
    return grey


@cache
def _inside(size_px: int, filled: float) -> NDArray[np.bool_]:
    """(S, S) the pixels of a disc that fills that share of the square's side, without its edge."""
    at = (np.arange(size_px) + 0.5) / size_px * 2.0 - 1.0
    return np.asarray(np.hypot(at[:, None], at[None, :]) < OUTER * filled)


def polar_positions(turn_rad: NDArray[np.float32] | float = 0.0) -> F32:
    """Where the unwrapped disc is sampled: (..., RADII, ANGLES, 2) x, y in disc radii from its centre."""
    radius = np.linspace(INNER, OUTER, RADII, dtype=np.float32)[:, None]
    angle = np.arange(ANGLES, dtype=np.float32) * np.float32(2.0 * np.pi / ANGLES)
    angle = angle + np.asarray(turn_rad, dtype=np.float32)[..., None, None]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)


def sample(crops: U8, xy_px: F32) -> F32:
    """Bilinear samples of (N, S, S) crops at (N or 1, RADII, ANGLES, 2) px: (N, RADII, ANGLES) of 0..255."""
    count, size = len(crops), crops.shape[-1]
    xy = np.clip(xy_px, 0.0, size - 1.001)
    whole = xy.astype(np.int32)
    fx, fy = np.moveaxis(xy - whole.astype(np.float32), -1, 0)
    at = whole[..., 1] * size + whole[..., 0]
    flat = crops.reshape(count, -1)
    if len(at) == 1:
        a, b, c, d = (flat[:, at[0] + step].astype(np.float32) for step in (0, 1, size, size + 1))
    else:
        at = at + (np.arange(count, dtype=np.int32) * (size * size))[:, None, None]
        a, b, c, d = (crops.reshape(-1)[at + step].astype(np.float32) for step in (0, 1, size, size + 1))
    top = a + (b - a) * fx
    result: F32 = top + (c + (d - c) * fx - top) * fy
    return result


def normalise(polar: F32) -> F32:
    """Zero mean and unit deviation over each disc, every ring weighted by its area: (N, RADII, ANGLES)."""
    weight = np.linspace(INNER, OUTER, RADII, dtype=np.float32)
    weight /= weight.sum()
    mean = (polar.mean(axis=2) * weight).sum(axis=1)[:, None, None]
    centred = polar - mean
    deviation = np.sqrt(((centred * centred).mean(axis=2) * weight).sum(axis=1))[:, None, None]
    result: F32 = np.clip(centred / (deviation + 2.0), -CLIP_SIGMAS, CLIP_SIGMAS)
    return result


def unwrap(crops: U8) -> F32:
    """(N, 40, 40) crops of discs -> (N, 1, RADII, ANGLES), what the kind net is given."""
    half = CROP_PX / 2.0
    return normalise(sample(crops, (polar_positions() * half + (half - 0.5))[None]))[:, None]
