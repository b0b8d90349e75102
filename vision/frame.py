"""A frame: one picture of the table with its time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""(H, W, 3) uint8, BGR, sRGB as the camera gives it; or (H, W) grey where said."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the source."""

    index: int
    """0 for the first frame of the source, one more for each picture delivered."""
    t: float
    """Seconds since the source's first frame."""
    image: Image
    """(H, W, 3) uint8 BGR."""
