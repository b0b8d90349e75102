"""What the camera's sensor and processor do to the light: exposure, white balance, noise, blur, compression."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Sensor:
    """One camera's habits."""

    noise: float = 2.5
    """Deviation of the noise in the picture's units."""
    noise_px: float = 0.5
    """How far the noise of neighbouring pixels hangs together, px."""
    blur_px: float = 0.5
    """Softness of lens and focus, px."""
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Gain of blue, green, red."""
    contrast: float = 1.0
    exposure: float = 1.0
    auto_exposure: float = 0.3
    """How much of a change of brightness the camera evens out, 0..1."""
    auto_s: float = 0.6
    """How long it takes over it."""
    shutter_s: float = 0.015
    """Time the shutter is open; more blurs a quick hand."""
    jpeg: int | None = None
    """Quality of a JPEG step before everything else sees the picture; None for none."""
    sharpen: float = 0.0


class NoiseBank:
    """Ready-made noise, looked at from another corner for each frame."""

    ROOM_PX = 96

    def __init__(self, size_wh: tuple[int, int], sensor: Sensor, rng: np.random.Generator) -> None:
        w, h = size_wh
        shape = (h + self.ROOM_PX, w + self.ROOM_PX, 3)
        noise = rng.standard_normal(shape, dtype=np.float32)
        # Colour noise is weaker than that of brightness: processors smooth it away.
        grey = noise.mean(axis=2, keepdims=True) * np.float32(1.4)
        noise = np.float32(0.75) * grey + np.float32(0.5) * noise
        if sensor.noise_px > 0.2:
            noise = cv2.GaussianBlur(noise, (0, 0), sensor.noise_px)
        noise *= sensor.noise / float(noise.std())
        self._plus = np.clip(np.round(noise), 0, 255).astype(np.uint8)
        self._minus = np.clip(np.round(-noise), 0, 255).astype(np.uint8)
        self._size = (w, h)

    def add(self, image: U8, rng: np.random.Generator) -> U8:
        """The picture with noise."""
        w, h = self._size
        x, y = (int(v) for v in rng.integers(0, self.ROOM_PX, 2))
        part = np.s_[y : y + h, x : x + w]
        return np.asarray(cv2.subtract(cv2.add(image, self._plus[part]), self._minus[part]), dtype=np.uint8)


def develop(image: U8, sensor: Sensor, tint: tuple[float, float, float]) -> U8:
    """Blur, colour and contrast of the picture; `tint` is a passing gain of blue, green, red."""
    if sensor.blur_px > 0.25:
        image = cv2.GaussianBlur(image, (0, 0), sensor.blur_px)  # type: ignore[assignment]
    if sensor.sharpen:
        soft = cv2.GaussianBlur(image, (0, 0), 1.4)
        image = cv2.addWeighted(image, 1.0 + sensor.sharpen, soft, -sensor.sharpen, 0.0)  # type: ignore[assignment]
    level = np.arange(256, dtype=np.float32)
    tables = [
        np.clip(128.0 + (level * wb * passing - 128.0) * sensor.contrast, 0, 255)
        for wb, passing in zip(sensor.white_balance, tint, strict=True)
    ]
    table = np.stack(tables, axis=-1).astype(np.uint8)[None]
    return np.asarray(cv2.LUT(image, table), dtype=np.uint8)


def develop_reach_px(sensor: Sensor) -> float:
    """How far a pixel of the light reaches in the developed picture, px."""
    return 4.0 * max(sensor.blur_px, 1.4 if sensor.sharpen else 0.0) + 2.0


def compressed(image: U8, quality: int) -> U8:
    """The picture after a JPEG step."""
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise ValueError(f"picture of shape {image.shape} cannot be encoded")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
