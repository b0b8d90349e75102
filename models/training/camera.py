"""What light and camera do to a small picture: ramps, glare, shadow, blur, noise, JPEG, white balance."""

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Rng = np.random.Generator


def light(picture: F32, rng: Rng) -> F32:
    """Uneven light over a (H, W, 3) picture of 0..255, in place of the even one it was drawn in."""
    h, w = picture.shape[:2]
    y, x = np.mgrid[-1.0 : 1.0 : h * 1j, -1.0 : 1.0 : w * 1j].astype(np.float32)
    angle = rng.uniform(0.0, 2.0 * np.pi)
    along = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
    gain = 1.0 + np.float32(rng.normal(0.0, 0.12)) * along
    if rng.random() < 0.15:
        # A hard or soft edge of a shadow.
        softness = rng.uniform(0.03, 0.5)
        gain = gain * (1.0 - rng.uniform(0.2, 0.65) / (1.0 + np.exp(-(along - rng.uniform(-0.8, 0.8)) / softness)))
    lit = picture * gain[..., None]
    if rng.random() < 0.2:
        # Glare: a blurred lamp mirrored in the varnish.
        cx, cy = rng.uniform(-1.2, 1.2, 2)
        size = rng.uniform(0.1, 0.8, 2)
        spot = np.exp(-(((x - cx) / size[0]) ** 2) - ((y - cy) / size[1]) ** 2)
        if rng.random() < 0.5:
            spot = np.clip(spot * 2.5, 0.0, 1.0)
        lit = lit + (np.float32(rng.uniform(20.0, 150.0)) * spot)[..., None]
    return np.asarray(lit, np.float32)


def expose(picture: F32, rng: Rng) -> F32:
    """White balance, exposure, contrast, gamma of the camera."""
    gains = np.exp(rng.normal(0.0, 0.10, 3)) * np.exp(rng.normal(0.0, 0.22))
    out = np.clip(picture * gains.astype(np.float32), 0.0, 400.0)
    if rng.random() < 0.3:
        out = 255.0 * (out / 255.0) ** np.float32(np.exp(rng.normal(0.0, 0.25)))
    if rng.random() < 0.25:
        # Haze: stray light lifts the darks.
        haze = np.float32(rng.uniform(0.0, 0.6))
        out = out * (1.0 - haze) + haze * np.float32(rng.uniform(120.0, 230.0))
    if rng.random() < 0.15:
        grey = out.mean(axis=2, keepdims=True)
        out = grey + (out - grey) * np.float32(rng.uniform(0.2, 1.6))
    return np.asarray(out, np.float32)


def blur(picture: F32, rng: Rng, most_px: float = 1.3) -> F32:
    """Out of focus, or moved."""
    if rng.random() < 0.75:
        sigma = most_px * rng.uniform(0.1, 1.0)
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
    if rng.random() < 0.12:
        length = int(rng.integers(2, 5))
        kernel = np.zeros((length, length), np.float32)
        end = rng.integers(0, length, 2)
        cv2.line(kernel, (0, int(end[0])), (length - 1, int(end[1])), 1.0)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
    if rng.random() < 0.3:
        # Sharpening in the camera.
        soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
        picture = np.asarray(picture + (picture - soft) * np.float32(rng.uniform(0.3, 1.8)), np.float32)
    return picture


def digitise(picture: F32, rng: Rng) -> U8:
    """Noise, rounding and JPEG."""
    sigma = abs(rng.normal(0.0, 4.0))
    noisy = picture + rng.standard_normal(picture.shape, dtype=np.float32) * np.float32(sigma)
    out = np.clip(noisy, 0.0, 255.0).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(30, 95))
        _, code = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])
        out = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return out
