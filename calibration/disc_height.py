"""The height of the pieces' faces over the board, from where the discs appear."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import FOCALS, camera_costs, up_of
from calibration.errors import DistanceError
from calibration.grid import Grid
from rules.point import FILES

F64 = NDArray[np.float64]

COMMON_HEIGHT = 0.35
"""Height of a face in cells: 10 to 20 mm on cells of 35 to 45 mm."""
HEIGHT_SPREAD = 0.15
"""One standard deviation of it, cells."""
PLACING_SPREAD = 0.08
"""How far pieces are put from the middle of their points, one standard deviation, cells."""
FEWEST_DISCS = 4


def fit_face_height(grid: Grid, centres_px: F64, points: Sequence[int]) -> Grid:
    """The grid with the face height, and the direction of up, that explain best where the discs appear.

    centres_px : (N, 2) centres of the discs' faces, px
    points     : N points (0..89) that the discs stand on
    """
    if len(points) < FEWEST_DISCS or len(points) != len(centres_px):
        raise DistanceError(f"expected at least {FEWEST_DISCS} disc centres, one a point: {len(points)} points")
    cells = np.array([[p % FILES, p // FILES] for p in points], dtype=np.float64)
    best: tuple[float, Grid] | None = None
    for focal, cost in zip(FOCALS, camera_costs(grid), strict=True):
        if best is not None and cost > best[0]:
            continue
        tilted = replace(grid, up_px=up_of(grid, float(focal * max(grid.size_wh))))
        height, misfit = _height(tilted, cells, centres_px)
        if best is None or cost + misfit < best[0]:
            best = (cost + misfit, replace(tilted, face_height=height))
    assert best is not None
    return best[1]


def _height(grid: Grid, cells: F64, centres_px: F64) -> tuple[float, float]:
    """The likeliest height for a direction of up, and half the squared misfit in standard deviations."""
    height = COMMON_HEIGHT
    misfit = 0.0
    for _ in range(6):
        seen = grid.to_cells(centres_px, height)
        slope = (grid.to_cells(centres_px, height + 0.01) - seen) / 0.01
        off = (cells - seen) / PLACING_SPREAD
        # Pieces between points and wrongly found discs count little.
        weight = 1.0 / (1.0 + np.sum(off * off, axis=1) / 9.0) ** 2
        gain = slope / PLACING_SPREAD
        top = float(np.sum(weight * np.sum(gain * off, axis=1))) + (COMMON_HEIGHT - height) / HEIGHT_SPREAD**2
        bottom = float(np.sum(weight * np.sum(gain * gain, axis=1))) + 1.0 / HEIGHT_SPREAD**2
        height = float(np.clip(height + top / bottom, 0.0, 1.2))
        misfit = 0.5 * float(np.sum(9.0 * np.log1p(np.sum(off * off, axis=1) / 9.0)))
        misfit += 0.5 * ((height - COMMON_HEIGHT) / HEIGHT_SPREAD) ** 2
    return height, misfit
