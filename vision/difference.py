"""How one halved window differs from another, pixel by pixel."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

F32 = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Difference:
    """How a halved window differs from another picture of the table: from the frame before, or from the scene."""

    now: Image
    then: Image
    """(TALL/2, WIDE/2, 3) both."""
    levels: Image
    """(TALL/2, WIDE/2, 3) channel by channel, sign aside."""
    largest: Image
    """(TALL/2, WIDE/2) of the three channels."""


def difference(now: Image, then: Image) -> Difference:
    """Compare two halved windows pixel by pixel."""
    levels = cv2.absdiff(now, then).astype(np.uint8, copy=False)
    blue, green, red = cv2.split(levels)
    return Difference(now, then, levels, cv2.max(cv2.max(blue, green), red).astype(np.uint8, copy=False))


def shares_of_light(now: Image, then: Image, asked: NDArray[np.intp]) -> F32:
    """(N, 3) by how much N of the pixels, `asked` by their flat index, are brighter now than then, by channel."""
    bright, before = (picture.reshape(-1, 3).take(asked, axis=0) for picture in (now, then))
    shares: F32 = (bright.astype(np.float32) + np.float32(_DARK)) / (before + np.float32(_DARK))
    return shares


_DARK = 8.0
"""8-bit levels added to both: in the dark a level more or less says little."""
