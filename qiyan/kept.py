"""A picture of the table kept in memory, packed, with the place of the board in it."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.grid import F64, Grid
from vision.frame import Image

Crop = tuple[int, int, int, int, float]
"""(x, y, w, h) px of the part of a picture that is kept, and the scale it is kept at."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture in memory."""

    t: float
    jpeg: bytes
    crop: Crop
    grid: Grid | None
    """Where the board was then; the camera may have been moved since."""

    def unpacked(self) -> Image:
        """The picture itself."""
        picture = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        return picture.astype(np.uint8, copy=False)

    def face_px(self, xy_cells: F64) -> F64:
        """Where faces of pieces at these board positions are in the kept picture; the board has to be found.

        xy_cells : (N, 2) cells from a0
        returns  : (N, 2) px
        """
        assert self.grid is not None
        x, y, _, _, scale = self.crop
        px: F64 = (self.grid.to_px(xy_cells, self.grid.face_height) - np.array([x, y])) * scale
        return px


Seen = tuple[Kept, Image]
"""A picture in memory, and what is on it."""
