"""The four outermost points, given by hand."""

import re
from collections.abc import Mapping

import numpy as np

from calibration.camera_model import with_camera
from calibration.errors import CornersError
from calibration.grid import Grid
from calibration.homography import fit_homography

CORNER_CELLS = {"a0": (0.0, 0.0), "i0": (8.0, 0.0), "i9": (8.0, 9.0), "a9": (0.0, 9.0)}
"""The outermost points in board cells, in turn round the board."""
OUTSIDE_SHARE = 0.1
"""How far outside the picture a corner may lie, in sides of the picture: a board may be cut off a little."""
LEAST_CELL_PX = 8.0
"""Lines nearer to each other than this show no pieces that could be read, nor lines that could be followed."""
_NUMBER = r"[-+]?\d+(?:\.\d*)?"
_CORNER = re.compile(rf"(a0|i0|i9|a9)\s*[=:]\s*\(?\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\)?[\s,;]*")


def grid_from_corners(corners_px: Mapping[str, tuple[float, float]], size_wh: tuple[int, int]) -> Grid:
    """The grid through four outermost points, with an even river, no lens distortion and the likeliest camera.

    corners_px : a0, i0, i9 and a9 -> (x, y) px
    size_wh    : size of the picture, px
    """
    missing = sorted(set(CORNER_CELLS) - set(corners_px))
    if missing:
        raise CornersError(f"expected the corners a0, i0, i9 and a9; missing: {', '.join(missing)}")
    px = np.array([corners_px[name] for name in CORNER_CELLS], dtype=np.float64)
    _check(px, size_wh)
    h = fit_homography(np.array(list(CORNER_CELLS.values())), px)
    return with_camera(Grid(h_board_to_px=h, size_wh=size_wh, up_px=np.zeros(3)))


def parse_corners(text: str) -> dict[str, tuple[float, float]]:
    """Read `a0=x,y i0=x,y i9=x,y a9=x,y` (px); CornersError where it says something else."""
    found: dict[str, tuple[float, float]] = {}
    end = 0
    for match in _CORNER.finditer(text.strip()):
        if match.start() != end:
            break
        found[match[1]] = (float(match[2]), float(match[3]))
        end = match.end()
    if len(found) != len(CORNER_CELLS) or end != len(text.strip()):
        raise CornersError(f'expected four corners such as "a0=210,640 i0=820,655 i9=760,120 a9=260,115": {text!r}')
    return found


def _check(px: np.ndarray, size_wh: tuple[int, int]) -> None:
    """CornersError where the (4, 2) corners, in turn round the board, cannot be those of a board in the picture."""
    named = ", ".join(f"{name}={x:g},{y:g}" for name, (x, y) in zip(CORNER_CELLS, px, strict=True))
    sides = np.roll(px, -1, axis=0) - px
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if np.all(turns > 1.0):
        raise CornersError(
            f"the corners make a mirrored board: a0 is at Red's left, i0 at Red's right as Red sees the board: {named}"
        )
    if not np.all(turns < -1.0):
        raise CornersError(f"a0, i0, i9, a9 must go round the board in this order: {named}")
    size = np.array(size_wh, dtype=np.float64)
    outside = np.any((px < -OUTSIDE_SHARE * size) | (px > (1.0 + OUTSIDE_SHARE) * size), axis=1)
    if outside.any():
        raise CornersError(f"corners outside the picture, which is {size_wh[0]} x {size_wh[1]} px: {named}")
    diagonals = px[2] - px[0], px[3] - px[1]
    area = 0.5 * abs(diagonals[0][0] * diagonals[1][1] - diagonals[0][1] * diagonals[1][0])
    cell_px = float(np.sqrt(area / 72.0))
    if cell_px < LEAST_CELL_PX:
        raise CornersError(f"the corners make a board with lines only {cell_px:.1f} px apart: {named}")
