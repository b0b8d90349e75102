"""Light and contrast evened out, so that faint lines count as much as strong ones, in shade as in the sun."""

import cv2
import numpy as np
from numpy.typing import NDArray

REACH = 1.0 / 30.0
"""Over what share of the picture's height light and contrast are evened: about half a cell."""
LEAST_CONTRAST = 2.0
"""Grey levels; differences below this are noise and are not raised."""
GAIN = 40.0
"""Grey levels that the common contrast is brought to."""


def even_light(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H, W) grey picture -> the same with its mean at 128 and one contrast all over."""
    fine = grey.astype(np.float32)
    reach = max(2.0, max(grey.shape) * REACH)
    detail = fine - _mean(fine, reach / 2.0)
    contrast = np.sqrt(np.maximum(_mean(detail * detail, reach), 0.0)) + LEAST_CONTRAST
    return np.clip(128.0 + GAIN * detail / contrast, 0, 255).astype(np.uint8)


def _mean(image: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    # Two box filters are near enough to a Gaussian, and cost the same for any reach.
    side = 2 * round(sigma * 1.22) + 1
    out = cv2.blur(
        cv2.blur(image, (side, side), borderType=cv2.BORDER_REFLECT), (side, side), borderType=cv2.BORDER_REFLECT
    )
    return np.asarray(out, dtype=np.float32)
