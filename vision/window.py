"""The window: the part of the picture that is watched, rectified in the plane of the faces, 24 px a cell.

Points fall on pixel corners, so that the 90 patches of one cell each tile the window and are cut without copying twice.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64, Grid
from rules.point import FILES, POINTS, RANKS
from vision.frame import Image
from vision.rectify import cells_to_px, px_to_cells

CELL_PX = 24
"""Side of a cell in the window, px: glyphs stay told apart, and the whole board is 70,000 pixels."""
MARGIN_CELLS = 1.25
"""Seen beyond the outermost points: where hands come in and captured pieces are put down."""
WIDE = int(CELL_PX * (FILES - 1 + 2 * MARGIN_CELLS))
TALL = int(CELL_PX * (RANKS - 1 + 2 * MARGIN_CELLS))
_FIRST = int(CELL_PX * (MARGIN_CELLS - 0.5))
"""Left and top edge of the outermost patches, px."""

CENTRES_PX: F64 = cells_to_px(
    np.array([[p % FILES, p // FILES] for p in range(POINTS)], dtype=np.float64), CELL_PX, MARGIN_CELLS
)
"""(90, 2) the points in the window, px."""


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The pixel map from pictures of one grid to the window."""

    grid: Grid
    shrink: int
    """The picture is first shrunk by this whole number, by area."""
    crop: tuple[int, int, int, int]
    """x0, y0, x1, y1 of the part of the picture that is used, px before shrinking."""
    map_fixed: NDArray[np.int16]
    """(TALL, WIDE, 2) whole pixels of the shrunk crop."""
    map_fraction: NDArray[np.uint16]
    """(TALL, WIDE) the fractions, as cv2.convertMaps makes them."""
    inside: NDArray[np.bool_]
    """(TALL, WIDE) True where the picture reaches."""

    def apply(self, image_bgr: Image) -> Image:
        """(TALL, WIDE, 3) the window of a picture; outside of it, its edge is repeated."""
        x0, y0, x1, y1 = self.crop
        part = image_bgr[y0:y1, x0:x1]
        if self.shrink > 1:
            part = _shrunk(part, self.shrink)
        return cv2.remap(  # type: ignore[return-value]
            part, self.map_fixed, self.map_fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )


def _shrunk(part: Image, times: int) -> Image:
    """A picture shrunk by area."""
    size = (part.shape[1] // times, part.shape[0] // times)
    if times == 3:
        # The middles of its squares in the picture blurred by them are the same to the bit, in half the time.
        blurred = cv2.blur(part, (times, times))
        return cv2.resize(blurred, size, interpolation=cv2.INTER_NEAREST_EXACT)  # type: ignore[return-value]
    return cv2.resize(part, size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def window_of(grid: Grid, finer: int = 1) -> Window:
    """The window of a grid, in the plane of the faces; `finer` by a whole number than others."""
    cell_px, wide, tall = CELL_PX * finer, WIDE * finer, TALL * finer
    xs, ys = np.meshgrid(np.arange(wide, dtype=np.float64), np.arange(tall, dtype=np.float64))
    cells = px_to_cells(np.column_stack([xs.ravel(), ys.ravel()]), cell_px, MARGIN_CELLS)
    source = grid.to_px(cells, grid.face_height)
    w, h = grid.size_wh
    inside = np.all((source >= 0) & (source <= np.array([w - 1, h - 1])), axis=1)
    shrink = max(1, int(grid.cell_px() / cell_px))
    seen = source[inside] if inside.any() else np.array([[0.0, 0.0], [w - 1.0, h - 1.0]])
    low = np.clip(np.floor(seen.min(axis=0)) - 2 * shrink, 0, None).astype(int)
    high = np.minimum(np.ceil(seen.max(axis=0)) + 2 * shrink + 1, [w, h]).astype(int)
    span = np.maximum((high - low) // shrink, 1) * shrink
    crop = (int(low[0]), int(low[1]), int(low[0] + span[0]), int(low[1] + span[1]))
    local = ((source - low + 0.5) / shrink - 0.5).reshape(tall, wide, 2).astype(np.float32)
    fixed, fraction = cv2.convertMaps(local, None, cv2.CV_16SC2)  # type: ignore[call-overload]
    return Window(grid, shrink, crop, fixed, fraction, inside.reshape(tall, wide))


def patches(window: NDArray[np.uint8], cell_px: int = CELL_PX) -> NDArray[np.uint8]:
    """(90, cell_px^2, C): one cell round each point, rows from the top, in the order of the points.

    cell_px : side of a cell in the window given, which may be a shrunk one
    """
    tiles = points_area(window, cell_px).reshape(RANKS, cell_px, FILES, cell_px, 3).swapaxes(1, 2)[::-1]
    return tiles.reshape(POINTS, cell_px * cell_px, 3)


def points_area(window: NDArray[np.uint8], cell_px: int = CELL_PX) -> NDArray[np.uint8]:
    """(10 cell_px, 9 cell_px, 3) the part of a window that the patches tile."""
    first = _FIRST * cell_px // CELL_PX
    return window[first : first + RANKS * cell_px, first : first + FILES * cell_px]


def patch_radius_cells() -> NDArray[np.float32]:
    """(576,) distance of each pixel of a patch from its point, cells."""
    at = (np.arange(CELL_PX, dtype=np.float32) + 0.5) / CELL_PX - 0.5
    return np.hypot(at[None, :], at[:, None]).ravel()
