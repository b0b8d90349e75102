"""A drawn board under a pinhole camera, with exact corners, for tests of geometry."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import template
from calibration.camera_model import up_of
from calibration.grid import Grid

Image = NDArray[np.uint8]
SIZE_WH = (1280, 720)


def camera_grid(elevation_deg: float, turn_deg: float, cell_px: float, river: float = 1.0, k1: float = 0.0) -> Grid:
    """The grid of a board in the middle of the picture, seen by a camera of common focal length."""
    focal = 0.95 * SIZE_WH[0]
    distance = focal / cell_px
    tilt, turn = np.radians(90.0 - elevation_deg), np.radians(turn_deg)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1.0]])
    down = np.diag([1.0, -1.0, -1.0])
    lean = np.array([[1.0, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = lean @ down @ spin
    centre = np.array([4.0, 4.0 + river / 2.0, 0.0])
    shift = np.array([0.0, 0.0, distance]) - rotation @ centre
    k = np.array([[focal, 0, (SIZE_WH[0] - 1) / 2], [0, focal, (SIZE_WH[1] - 1) / 2], [0, 0, 1.0]])
    h = k @ np.column_stack([rotation[:, 0], rotation[:, 1], shift])
    grid = Grid(h / h[2, 2], SIZE_WH, np.zeros(3), river=river, k1=k1)
    return Grid(grid.h_board_to_px, SIZE_WH, up_of(grid, focal), river=river, k1=k1)


def draw(grid: Grid, dark: bool = True, discs: tuple[int, ...] = (), seed: int = 0) -> Image:
    """A picture of the board: lines, some discs on points, an outer frame, noise."""
    rng = np.random.default_rng(seed)
    ground, ink = ((160, 200, 215), (40, 50, 60)) if dark else ((50, 40, 90), (190, 210, 220))
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), (110, 120, 100), dtype=np.uint8)
    _fill(image, grid, np.array([[-0.8, -0.8], [8.8, -0.8], [8.8, 9.8], [-0.8, 9.8]]), ground)
    for piece in template.along(np.vstack([template.LINE_EDGES, template.PALACE_EDGES]), np.linspace(0, 1, 9)):
        _line(image, grid, piece, ink)
    frame = np.array([[-0.25, -0.25], [8.25, -0.25], [8.25, 9.25], [-0.25, 9.25], [-0.25, -0.25]])
    _line(image, grid, frame, ink)
    angle = np.linspace(0, 2 * np.pi, 40)
    for point in discs:
        rim = np.array([point % 9, point // 9]) + 0.4 * np.column_stack([np.cos(angle), np.sin(angle)])
        _fill(image, grid, rim, (200, 225, 235))
        _line(image, grid, np.array([point % 9, point // 9]) + 0.75 * (rim - [point % 9, point // 9]), (60, 40, 160))
    image = cv2.GaussianBlur(image, (0, 0), 0.7)
    return np.clip(image + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8)


def _fill(image: Image, grid: Grid, cells: NDArray[np.float64], bgr: tuple[int, int, int]) -> None:
    cv2.fillPoly(image, [np.rint(grid.to_px(cells) * 16).astype(np.int32)], bgr, cv2.LINE_AA, 4)


def _line(image: Image, grid: Grid, cells: NDArray[np.float64], bgr: tuple[int, int, int]) -> None:
    cv2.polylines(image, [np.rint(grid.to_px(cells) * 16).astype(np.int32)], False, bgr, 2, cv2.LINE_AA, 4)
