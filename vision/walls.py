"""Which part of an empty point is never hidden by the walls of pieces on the points beside it.

Seen at a slant, a disc's wall reaches from its face towards the camera, over a part of the next point. An empty point
is compared without that part, or the coming and going of its neighbours would change it.
"""

import numpy as np

from calibration.grid import F64, Grid
from rules.point import FILES, POINTS, RANKS
from vision.change import F32, ChangeConfig, disc_weights
from vision.window import CELL_PX

_PIECE_CELLS = 0.40
"""Radius of the largest common discs, for which room is left."""
_LEAST_SHARE = 0.25
"""Share of a point's area that is compared in any case: with less, its look means nothing."""


def wall_free_weights(grid: Grid, config: ChangeConfig) -> F32:
    """(90, 576) weights of the pixels of each patch for comparing it while it is empty; rows sum to 1."""
    weights = disc_weights(config)
    at = (np.arange(CELL_PX) + 0.5) / CELL_PX - 0.5
    dx, dy = np.meshgrid(at, -at)
    offsets = wall_offsets(grid)
    for point in range(POINTS):
        x, y = point % FILES, point // FILES
        hidden = np.zeros(CELL_PX * CELL_PX, dtype=np.bool_)
        for fx in (-1, 0, 1):
            for ry in (-1, 0, 1):
                if (fx, ry) != (0, 0) and 0 <= x + fx < FILES and 0 <= y + ry < RANKS:
                    neighbour = (y + ry) * FILES + x + fx
                    hidden |= _on_wall(dx.ravel() - fx, dy.ravel() - ry, offsets[neighbour])
        free = weights[point] * ~hidden
        if free.sum() >= _LEAST_SHARE:
            weights[point] = free / free.sum()
    return weights


def wall_offsets(grid: Grid) -> F64:
    """(90, 2) where the foot of a piece appears in the plane of the faces, from its face, cells."""
    points = np.array([[p % FILES, p // FILES] for p in range(POINTS)], dtype=np.float64)
    offsets: F64 = grid.to_cells(grid.to_px(points), grid.face_height) - points
    return offsets


def _on_wall(dx: F64, dy: F64, offset: F64) -> np.ndarray:
    """Whether positions relative to a disc's face lie on the disc swept along `offset`."""
    length2 = float(offset @ offset)
    along = np.clip((dx * offset[0] + dy * offset[1]) / length2, 0.0, 1.0) if length2 > 1e-9 else np.zeros_like(dx)
    return np.hypot(dx - along * offset[0], dy - along * offset[1]) < _PIECE_CELLS  # type: ignore[no-any-return]
