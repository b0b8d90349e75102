"""The rectified board: the picture warped so that a cell is a square of fixed size and Red sits at the bottom.

One `Rectifier` is made per grid and height and used for many pictures: its pixel map is computed once.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64, Grid
from vision.frame import Image

PX_PER_CELL = 48
MARGIN_CELLS = 1.0
"""How far the rectified board reaches beyond the outermost points."""

_SHRINK_BELOW = 0.75
"""Pictures finer than 1 / this many of our pixels are shrunk by area first, so that fine lines do not alias."""


@dataclass(frozen=True, slots=True)
class Rectified:
    """A rectified picture of one plane over the board, and where things are in it."""

    image: Image
    """(H, W, 3) uint8 BGR; files run to the right, ranks upwards."""
    px_per_cell: float
    margin: float
    """Cells shown beyond the outermost points."""
    height: float
    """Height of the plane over the board, cells."""
    aspect: float = 1.0
    """Depth of a cell (along the files) over its width, as shown: other than 1, discs look round on a board whose
    cells are not square."""
    inside: NDArray[np.bool_] | None = None
    """(H, W) where the picture reaches; None where it reaches everywhere."""

    def to_px(self, xy_cells: F64) -> F64:
        """(N, 2) cells on this plane -> (N, 2) px of the rectified picture."""
        return cells_to_px(xy_cells, self.px_per_cell, self.margin, self.aspect)

    def to_cells(self, xy_px: F64) -> F64:
        """The inverse of `to_px`."""
        return px_to_cells(xy_px, self.px_per_cell, self.margin, self.aspect)


@dataclass(frozen=True, slots=True)
class Rectifier:
    """The pixel map from a picture of one size to the rectified board."""

    map_xy_px: NDArray[np.float32]
    """(H, W, 2) float32: where in the (shrunk) picture each pixel comes from."""
    shrunk_wh: tuple[int, int] | None
    """Size the picture is shrunk to first, px; None where it is used as it is."""
    px_per_cell: float
    margin: float
    height: float
    aspect: float = 1.0

    def apply(self, image_bgr: Image) -> Rectified:
        """Rectify a picture; what lies outside it repeats its edge."""
        source = image_bgr
        if self.shrunk_wh is not None:
            source = cv2.resize(image_bgr, self.shrunk_wh, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        warped = cv2.remap(source, self.map_xy_px, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        return Rectified(warped, self.px_per_cell, self.margin, self.height, self.aspect, self._inside(source))

    def _inside(self, source: Image) -> NDArray[np.bool_] | None:
        h, w = source.shape[:2]
        x, y = self.map_xy_px[..., 0], self.map_xy_px[..., 1]
        inside: NDArray[np.bool_] = (x >= 0) & (y >= 0) & (x <= w - 1) & (y <= h - 1)
        return None if inside.all() else inside


def rectifier(
    grid: Grid,
    height: float = 0.0,
    px_per_cell: float = PX_PER_CELL,
    margin: float = MARGIN_CELLS,
    aspect: float = 1.0,
) -> Rectifier:
    """The map for the plane `height` cells above the board."""
    wide, tall = round((8 + 2 * margin) * px_per_cell), round((9 + 2 * margin) * px_per_cell * aspect)
    xs, ys = np.meshgrid(np.arange(wide, dtype=np.float64), np.arange(tall, dtype=np.float64))
    cells = px_to_cells(np.column_stack([xs.ravel(), ys.ravel()]), px_per_cell, margin, aspect)
    source = grid.to_px(cells, height)
    shrunk = None
    scale = px_per_cell / max(grid.cell_px(), 1e-6)
    if scale < _SHRINK_BELOW:
        w, h = grid.size_wh
        shrunk = (max(1, round(w * scale)), max(1, round(h * scale)))
        source = (source + 0.5) * np.array([shrunk[0] / w, shrunk[1] / h]) - 0.5
    return Rectifier(source.reshape(tall, wide, 2).astype(np.float32), shrunk, px_per_cell, margin, height, aspect)


def rectify(
    image_bgr: Image,
    grid: Grid,
    height: float = 0.0,
    px_per_cell: float = PX_PER_CELL,
    margin: float = MARGIN_CELLS,
    aspect: float = 1.0,
) -> Rectified:
    """Rectify one picture; make a `rectifier` for many of the same grid."""
    return rectifier(grid, height, px_per_cell, margin, aspect).apply(image_bgr)


def cells_to_px(
    xy_cells: F64, px_per_cell: float = PX_PER_CELL, margin: float = MARGIN_CELLS, aspect: float = 1.0
) -> F64:
    """(N, 2) cells -> (N, 2) px of a rectified picture; turned by half a turn, a rectified picture keeps its points."""
    xy = np.asarray(xy_cells, dtype=np.float64).reshape(-1, 2)
    down = (9.0 + margin - xy[:, 1]) * (px_per_cell * aspect) - 0.5
    return np.column_stack([(xy[:, 0] + margin) * px_per_cell - 0.5, down])


def px_to_cells(xy_px: F64, px_per_cell: float = PX_PER_CELL, margin: float = MARGIN_CELLS, aspect: float = 1.0) -> F64:
    """The inverse of `cells_to_px`."""
    xy = np.asarray(xy_px, dtype=np.float64).reshape(-1, 2)
    up = 9.0 + margin - (xy[:, 1] + 0.5) / (px_per_cell * aspect)
    return np.column_stack([(xy[:, 0] + 0.5) / px_per_cell - margin, up])
