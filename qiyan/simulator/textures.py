"""Surfaces drawn by noise: wood, cloth, stone, paper."""

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
Bgr = tuple[float, float, float]


def smooth_noise(shape: tuple[int, int], sigma_px: tuple[float, float], rng: np.random.Generator) -> F32:
    """(h, w) noise of mean 0 and deviation 1, correlated over `sigma_px` along x and y; it wraps round."""
    small = (max(4, int(shape[0] / max(sigma_px[1] / 2, 1))), max(4, int(shape[1] / max(sigma_px[0] / 2, 1))))
    noise = rng.standard_normal(small).astype(np.float32)
    wide = np.pad(noise, 4, mode="wrap")
    soft = cv2.GaussianBlur(wide, (0, 0), 1.2)[4:-4, 4:-4]
    out = cv2.resize(soft, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray((out - out.mean()) / (out.std() + 1e-6), dtype=np.float32)


def make_surface(kind: str, bgr: Bgr, shape: tuple[int, int], px_per_cell: float, rng: np.random.Generator) -> F32:
    """(h, w, 3) a surface of `kind` (wood, cloth, stone, paper, plain) in a colour."""
    s = px_per_cell
    if kind == "wood":
        rings = smooth_noise(shape, (6.0 * s, 0.35 * s), rng)
        lines = np.sin(9.0 * rings + smooth_noise(shape, (2.0 * s, 0.5 * s), rng))
        pores = smooth_noise(shape, (0.6 * s, 0.03 * s), rng)
        value = 1.0 + 0.055 * lines + 0.05 * rings + 0.022 * pores
        warm = 1.0 + 0.03 * rings
    elif kind == "bamboo":
        strips = np.repeat(rng.standard_normal(int(shape[0] / (0.5 * s)) + 2), int(0.5 * s))[: shape[0]]
        value = 1.0 + 0.05 * strips[:, None] + 0.03 * smooth_noise(shape, (3.0 * s, 0.05 * s), rng)
        warm = np.ones(shape, np.float32)
    elif kind == "cloth":
        folds = smooth_noise(shape, (2.5 * s, 2.5 * s), rng)
        weave = smooth_noise(shape, (0.05 * s, 0.05 * s), rng)
        value = 1.0 + 0.045 * folds + 0.04 * weave
        warm = np.ones(shape, np.float32)
    elif kind == "stone":
        clouds = smooth_noise(shape, (1.5 * s, 1.5 * s), rng)
        grit = smooth_noise(shape, (0.06 * s, 0.06 * s), rng)
        value = 1.0 + 0.05 * clouds + 0.06 * grit
        warm = np.ones(shape, np.float32)
    elif kind == "paper":
        value = (
            1.0
            + 0.015 * smooth_noise(shape, (1.5 * s, 1.5 * s), rng)
            + 0.012 * smooth_noise(shape, (0.08 * s, 0.08 * s), rng)
        )
        warm = 1.0 + 0.01 * smooth_noise(shape, (3.0 * s, 3.0 * s), rng)
    else:
        value = 1.0 + 0.01 * smooth_noise(shape, (3.0 * s, 3.0 * s), rng)
        warm = np.ones(shape, np.float32)
    tint = np.stack([1.0 / warm, np.ones_like(warm), warm], axis=-1)
    surface: F32 = np.clip(np.array(bgr, np.float32) * value[..., None] * tint, 0, 255).astype(np.float32)
    return surface
