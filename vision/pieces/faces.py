"""The plane of the faces: how far, and how large, the pieces' faces appear over the board, from one picture.

A face at height h over a board seen from a camera at height z over the foot point c appears on the board's plane at
p + (p - c) h / (z - h): the displacement is the same small enlargement about the foot point for every disc. Three
numbers and the common radius explain all discs of a picture, whatever the camera.
"""

from dataclasses import dataclass, replace

import numpy as np

from calibration.grid import F64, Grid
from vision.frame import Image
from vision.pieces.locate import RADII_CELLS, best_in_windows, edges_of, ring_stack
from vision.rectify import rectify

POINTS_XY = np.array([[p % 9, p // 9] for p in range(90)], dtype=np.float64)
"""(90, 2) the points in cells."""
_BETWEEN_XY = np.array([[x + 0.5, y + 0.5] for y in (0, 1, 2, 3, 5, 6, 7, 8) for x in range(8)])
"""Middles of cells, where discs do not stand: what the board itself shows there is the background level."""

_SEARCH_PX_PER_CELL = 24
_REACH_CELLS = 0.42
"""How far from its point a face may appear before its height is known: tall discs at the edge of a slanted view."""
_SPREAD_CELLS = 0.10
"""Scatter of the discs about the common displacement: hands put pieces down to about a tenth of a cell."""


@dataclass(frozen=True, slots=True)
class Faces:
    """What all faces of one picture have in common."""

    enlargement: float
    """Displacement in cells per cell away from the foot point; height / (camera height - height)."""
    shift: tuple[float, float]
    """Displacement of the face over a0, cells."""
    radius: float
    """Radius of a face on the board's plane, cells."""
    scores: F64
    """(90,) how well a circle of that radius fits near each point, 0..1."""
    background: float
    """The same measure where no disc stands."""

    def displaced(self, xy_cells: F64) -> F64:
        """(N, 2) where faces over these board positions appear on the board's plane, cells."""
        out: F64 = xy_cells * (1.0 + self.enlargement) + np.array(self.shift)
        return out


def fit_faces(image_bgr: Image, grid: Grid) -> Faces:
    """Find the common displacement and radius of the faces."""
    board = rectify(image_bgr, grid, px_per_cell=_SEARCH_PX_PER_CELL)
    stack = ring_stack(edges_of(board.image, _SEARCH_PX_PER_CELL))
    reach = round(_REACH_CELLS * _SEARCH_PX_PER_CELL)
    scores, offsets = best_in_windows(stack, board.to_px(POINTS_XY), reach)
    between, _ = best_in_windows(stack, board.to_px(_BETWEEN_XY), reach // 2)
    background = np.percentile(between, 60, axis=0)
    # A larger circle of equal excess is more evidence: it has more independent samples on its rim.
    excess = np.clip(scores - background - 0.05, 0.0, None)
    evidence = np.sum(excess**2, axis=0) * RADII_CELLS
    k = int(np.argmax(evidence))
    displacement = offsets[:, k] * np.array([1.0, -1.0]) / _SEARCH_PX_PER_CELL
    enlargement, shift = _common_displacement(displacement, excess[:, k])
    return Faces(enlargement, shift, float(RADII_CELLS[k]), scores[:, k], float(background[k]))


def _common_displacement(displacement: F64, weight: F64) -> tuple[float, tuple[float, float]]:
    """Robust fit of displacement = enlargement * point + shift, drawn towards none where there is little to go by."""
    middle = POINTS_XY.mean(axis=0)
    rows_x = np.column_stack([POINTS_XY[:, 0] - middle[0], np.ones(90), np.zeros(90)])
    rows_y = np.column_stack([POINTS_XY[:, 1] - middle[1], np.zeros(90), np.ones(90)])
    solution = np.zeros(3)
    # The prior: enlargements run from 0 to 0.06, shifts to a quarter of a cell.
    prior = np.diag((_SPREAD_CELLS / np.array([0.03, 0.15, 0.15])) ** 2)
    for scale in (3.0, 2.0, 1.0, 1.0, 1.0):
        residual = displacement - np.column_stack([rows_x @ solution, rows_y @ solution])
        far = np.sum(residual**2, axis=1) / (3.0 * scale * _SPREAD_CELLS) ** 2
        w = (weight / max(float(weight.max()), 1e-9)) * np.clip(1.0 - far, 0.0, None) ** 2
        normal = prior + (rows_x * w[:, None]).T @ rows_x + (rows_y * w[:, None]).T @ rows_y
        right = (rows_x * w[:, None]).T @ displacement[:, 0] + (rows_y * w[:, None]).T @ displacement[:, 1]
        solution = np.linalg.solve(normal, right)
    enlargement = float(max(solution[0], 0.0))
    shift = solution[1:] - enlargement * middle
    return enlargement, (float(shift[0]), float(shift[1]))


def grid_with_faces(grid: Grid, faces: Faces, nominal_height: float = 0.3) -> Grid:
    """The grid with the face height that the discs show.

    Where the grid knows the direction of up, its height is the best match to the discs; the rest of the displacement
    is kept in `up_px`, so that faces are found where they are.
    """
    e = 1.0 + faces.enlargement
    total = grid.h_board_to_px @ np.array([faces.shift[0] / e, faces.shift[1] / e, 1.0 / e - 1.0])
    known = float(grid.up_px @ grid.up_px)
    height = float(grid.up_px @ total) / known if known > 0 else 0.0
    if height < 0.05:
        height = nominal_height
    return replace(grid, up_px=total / height, face_height=height)
