"""The grid drawn into the picture, for a person to check."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import template
from calibration.corners import CORNER_CELLS
from calibration.grid import Grid

Image = NDArray[np.uint8]

LINE_BGR = (255, 0, 255)
MARK_BGR = (0, 255, 0)
STEPS = np.linspace(0.0, 1.0, 5)
"""A piece of line is drawn in as many bends, for lenses that bend it."""


def draw_grid(image_bgr: Image, grid: Grid) -> Image:
    """A copy of the picture with the board's lines and the names of its corners on it."""
    out = image_bgr.copy()
    thick = max(1, round(grid.cell_px() / 40.0))
    edges = np.vstack([template.LINE_EDGES, template.PALACE_EDGES])
    for piece in template.along(edges, STEPS):
        _polyline(out, grid.to_px(piece), LINE_BGR, thick)
    for name, cell in CORNER_CELLS.items():
        x, y = (round(v) for v in grid.to_px(np.array([cell]))[0])
        cv2.circle(out, (x, y), 4 * thick, MARK_BGR, thick, cv2.LINE_AA)
        cv2.putText(out, name, (x + 5 * thick, y - 5 * thick), cv2.FONT_HERSHEY_SIMPLEX, 0.5 * thick, MARK_BGR, thick)
    return out


def _polyline(image: Image, px: NDArray[np.float64], bgr: tuple[int, int, int], thick: int) -> None:
    # Three fraction bits: cv2 draws with sub-pixel ends when told by `shift`.
    places = np.rint(np.clip(px, -1e5, 1e5) * 8.0).astype(np.int32)
    cv2.polylines(image, [places], False, bgr, thick, cv2.LINE_AA, 3)
