"""Drawing over the picture what the eye believes: the grid, the hands, and the last ply."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid import Grid
from rules.point import FILES, POINTS, RANKS
from vision.change import HALF_CELL_PX
from vision.frame import Image
from vision.rectify import px_to_cells
from vision.state import State
from vision.window import MARGIN_CELLS

_GRID_BGR = (90, 200, 90)
_MOVE_BGR = (40, 160, 255)
_HIDDEN_BGR = (200, 120, 200)
_STRANGE_BGR = (60, 60, 255)
_RING_CELLS = 0.42


def draw(image_bgr: Image, state: State) -> Image:
    """A copy of the picture with what is believed drawn in; the picture alone while the board is searched."""
    out = image_bgr.copy()
    watched = state.watched
    if watched is None:
        return out
    grid = watched.table.grid
    draw_grid(out, grid)
    if watched.hands is not None and watched.hands.present:
        for point in np.flatnonzero(watched.hands.hidden).tolist():
            _ring(out, grid, point, _HIDDEN_BGR, 1)
    for point in watched.disorder.points:
        _ring(out, grid, point, _STRANGE_BGR, 2)
    if watched.plies:
        move = watched.plies[-1].move
        _ring(out, grid, move.from_point, _MOVE_BGR, 1)
        _ring(out, grid, move.to_point, _MOVE_BGR, 2)
    return out


def draw_grid(image_bgr: Image, grid: Grid) -> None:
    """Draw the lines of the grid into the picture."""
    for rank in range(RANKS):
        _line(image_bgr, grid, (0, rank), (FILES - 1, rank))
    for file in range(FILES):
        for low, high in ((0, 4), (5, 9)) if 0 < file < FILES - 1 else ((0, 9),):
            _line(image_bgr, grid, (file, low), (file, high))


def hand_outline_px(state: State) -> list[NDArray[np.int32]]:
    """Outlines of the hands in the picture, (N, 2) px each."""
    watched = state.watched
    if watched is None or watched.hands is None or not watched.hands.present:
        return []
    mask = (watched.hands.mask & watched.table.inside).astype(np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    grid = watched.table.grid
    found = []
    for outline in outlines:
        cells = px_to_cells(outline.reshape(-1, 2).astype(np.float64), HALF_CELL_PX, MARGIN_CELLS)
        found.append(np.rint(grid.to_px(cells, grid.face_height)).astype(np.int32))
    return found


def _ring(image: Image, grid: Grid, point: int, colour: tuple[int, int, int], width: int) -> None:
    """A ring round the face of a piece on a point."""
    assert 0 <= point < POINTS
    angles = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)
    centre = np.array([point % FILES, point // FILES], dtype=np.float64)
    ring = centre + _RING_CELLS * np.column_stack([np.cos(angles), np.sin(angles)])
    px = np.rint(grid.to_px(ring, grid.face_height)).astype(np.int32)
    cv2.polylines(image, [px], True, colour, width, cv2.LINE_AA)


def _line(image: Image, grid: Grid, start: tuple[int, int], end: tuple[int, int]) -> None:
    steps = np.linspace(0.0, 1.0, 10)[:, None]
    cells = np.array(start, dtype=np.float64) * (1.0 - steps) + np.array(end, dtype=np.float64) * steps
    px = np.rint(grid.to_px(cells)).astype(np.int32)
    cv2.polylines(image, [px], False, _GRID_BGR, 1, cv2.LINE_AA)
