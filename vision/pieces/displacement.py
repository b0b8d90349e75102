"""Where faces appear over the board: displaced by their height, the same small enlargement for every disc.

A face at height h over a board seen from a camera at height z over the foot point c appears on the board's plane at
p + (p - c) h / (z - h). Three numbers explain all discs of a picture, whatever the camera.
"""

from dataclasses import dataclass

import numpy as np

from calibration.camera_model import with_camera
from calibration.grid import F64, Grid
from vision.rectify import MARGIN_CELLS

POINTS_XY = np.array([[p % 9, p // 9] for p in range(90)], dtype=np.float64)
"""(90, 2) the points in cells."""
_MIDDLE = np.array([[4.0, 4.5]])

SPREAD_CELLS = 0.10
"""Scatter of the discs about the common displacement: hands put pieces down to about a tenth of a cell."""
_TALLEST_CELLS = 0.6
"""Height of the tallest faces over the board; fingers would not go between taller discs."""
_TRIAL_STEP_CELLS = 0.3
"""How far apart the displacements lie that the search starts from; it reaches a little farther from each."""
_UP_ERROR_CELLS = 0.12
"""How far the faces may appear from where the camera, guessed from the grid, would show them, one deviation ..."""
_UP_ERROR_SHARE = 0.15
"""... and the share of their displacement that it may be wrong by: cut pictures have their middle elsewhere."""
_ABOUT_SPREAD = np.array([0.03, 0.15, 0.15])
"""Enlargement and shifts, cells: how far the displacement may be from what it is fitted about, one deviation."""
_FACE_AND_PLACING_CELLS = 0.6
"""Radius of the largest faces, and how far off its point one is looked for."""
_LARGEST_MARGIN_CELLS = 1.8
"""More is not seen at any angle that a board is read from."""


@dataclass(frozen=True, slots=True)
class Displacement:
    """Where faces appear on the board's plane."""

    enlargement: float
    shift: tuple[float, float]

    def of(self, xy_cells: F64) -> F64:
        """(N, 2) where faces over these board positions appear, cells."""
        out: F64 = xy_cells * (1.0 + self.enlargement) + np.array(self.shift)
        return out

    def at_middle(self) -> F64:
        """(2,) how far a face over the middle of the board is displaced, cells."""
        out: F64 = self.of(_MIDDLE)[0] - _MIDDLE[0]
        return out


def tallest(grid: Grid) -> Displacement:
    """Where the camera, as far as the grid tells it, shows the faces of the tallest discs."""
    seen = grid if grid.up_px.any() else with_camera(grid)
    corners = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 9.0]])
    a0, i0, a9 = seen.to_cells(seen.to_px(corners, _TALLEST_CELLS))
    enlargement = 0.5 * (float(i0[0] - a0[0]) / 8.0 + float(a9[1] - a0[1]) / 9.0) - 1.0
    return Displacement(enlargement, (float(a0[0]), float(a0[1])))


def trials(up: Displacement) -> list[Displacement]:
    """Displacements to start from, from none to that of the tallest faces."""
    count = int(np.ceil(np.hypot(*up.at_middle()) / _TRIAL_STEP_CELLS))
    shares = np.linspace(0.0, 1.0, count + 1)[:-1] if count > 1 else [0.0]
    return [Displacement(share * up.enlargement, (share * up.shift[0], share * up.shift[1])) for share in shares]


def misfit(found: Displacement, up: Displacement) -> float:
    """Half the squared distance, in deviations, from what the camera can show at any height up to the tallest."""
    away, most = found.at_middle(), up.at_middle()
    share = float(np.clip(away @ most / max(float(most @ most), 1e-9), 0.0, 1.0))
    spread = _UP_ERROR_CELLS + _UP_ERROR_SHARE * share * float(np.hypot(*most))
    return 0.5 * float(np.sum((away - share * most) ** 2)) / spread**2


def board_margin(grid: Grid) -> float:
    """Cells to rectify beyond the outermost points so that the faces over them are seen whole."""
    corners = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 9.0], [8.0, 9.0]])
    farthest = np.abs(tallest(grid).of(corners) - corners).max()
    return float(np.clip(farthest + _FACE_AND_PLACING_CELLS, MARGIN_CELLS, _LARGEST_MARGIN_CELLS))


def fit_displacement(xy_cells: F64, weight: F64, about: Displacement) -> Displacement:
    """Robust fit of one displacement to faces near all points, drawn to `about` where there is little to go by.

    xy_cells : (90, 2) where the faces appear on the board's plane
    weight   : (90,) how far each is to be trusted
    """
    middle = POINTS_XY.mean(axis=0)
    rows_x = np.column_stack([POINTS_XY[:, 0] - middle[0], np.ones(90), np.zeros(90)])
    rows_y = np.column_stack([POINTS_XY[:, 1] - middle[1], np.zeros(90), np.ones(90)])
    beyond = xy_cells - about.of(POINTS_XY)
    solution = np.zeros(3)
    prior = np.diag((SPREAD_CELLS / _ABOUT_SPREAD) ** 2)
    for scale in (3.0, 2.0, 1.0, 1.0, 1.0):
        residual = beyond - np.column_stack([rows_x @ solution, rows_y @ solution])
        far = np.sum(residual**2, axis=1) / (3.0 * scale * SPREAD_CELLS) ** 2
        w = (weight / max(float(weight.max()), 1e-9)) * np.clip(1.0 - far, 0.0, None) ** 2
        normal = prior + (rows_x * w[:, None]).T @ rows_x + (rows_y * w[:, None]).T @ rows_y
        right = (rows_x * w[:, None]).T @ beyond[:, 0] + (rows_y * w[:, None]).T @ beyond[:, 1]
        solution = np.linalg.solve(normal, right)
    enlargement = float(max(solution[0] + about.enlargement, 0.0))
    shift = about.at_middle() + solution[1:] - enlargement * middle
    return Displacement(enlargement, (float(shift[0]), float(shift[1])))
