"""A table's stored grid against what a picture shows: cameras are knocked, and turned to another resolution."""

from pathlib import Path

import numpy as np

from calibration.corners import CORNER_CELLS
from calibration.find_board import enlarge, fit_to_lines
from calibration.grid import Grid
from calibration.store import load_grid
from calibration.turn import half_turn
from vision.frame import Image

SAME_SHAPE = 0.01
"""Width by height of two pictures of one camera may differ by this share: sizes are whole pixels."""
ELSEWHERE_CELLS = 0.3
"""With a corner this far off the board lies elsewhere: what stands on the points is seen wrongly."""


def grid_for_picture(table: Path, size_wh: tuple[int, int]) -> Grid | None:
    """The table's stored grid at a picture's size; None where none is stored or the picture has another shape."""
    grid = load_grid(table)
    return None if grid is None else at_size(grid, size_wh)


def at_size(grid: Grid, size_wh: tuple[int, int]) -> Grid | None:
    """The grid for a larger or smaller copy of its picture; None where the picture has another shape."""
    if size_wh == grid.size_wh:
        return grid
    (width, height), (grid_width, grid_height) = size_wh, grid.size_wh
    alike = abs(width * grid_height / (height * grid_width) - 1.0) <= SAME_SHAPE
    return enlarge(grid, size_wh) if alike else None


def lies_on_lines(image_bgr: Image, grid: Grid) -> bool:
    """Whether the board's lines are plainly seen where the grid has them."""
    return fit_to_lines(image_bgr, grid) is not grid


def apart_cells(grid: Grid, other: Grid) -> float:
    """How far the four corners of the boards lie apart at most, cells, whichever end is Red's."""
    cells = np.array(list(CORNER_CELLS.values()))
    ways = (other.to_px(cells), half_turn(other).to_px(cells))
    at = grid.to_px(cells)
    return float(min(np.hypot(*(way - at).T).max() for way in ways)) / grid.cell_px()
