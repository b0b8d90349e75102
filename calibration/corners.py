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
_CORNER = re.compile(r"(?P<name>[ai][09])=(?P<x>-?\d+(?:\.\d+)?),(?P<y>-?\d+(?:\.\d+)?)")


def grid_from_corners(corners_px: Mapping[str, tuple[float, float]], size_wh: tuple[int, int]) -> Grid:
    """The grid through four outermost points, with an even river, no lens distortion and the likeliest camera.

    corners_px : a0, i0, i9 and a9 -> (x, y) px
    size_wh    : size of the picture, px
    """
    missing = sorted(set(CORNER_CELLS) - set(corners_px))
    if missing:
        raise CornersError(f"expected the corners a0, i0, i9 and a9; missing: {', '.join(missing)}")
    px = np.array([corners_px[name] for name in CORNER_CELLS], dtype=np.float64)
    if not _convex(px):
        raise CornersError(f"a0, i0, i9, a9 must go round the board in this order: {px.tolist()}")
    h = fit_homography(np.array(list(CORNER_CELLS.values())), px)
    return with_camera(Grid(h_board_to_px=h, size_wh=size_wh, up_px=np.zeros(3)))


def parse_corners(text: str) -> dict[str, tuple[float, float]]:
    """Read `a0=x,y i0=x,y i9=x,y a9=x,y` (px); CornersError where it says something else."""
    found: dict[str, tuple[float, float]] = {}
    for part in text.replace(";", " ").split():
        match = _CORNER.fullmatch(part)
        if match is None:
            raise CornersError(f"expected corners such as 'a0=10,20 i0=300,20 i9=300,400 a9=10,400': {part!r}")
        found[match["name"]] = (float(match["x"]), float(match["y"]))
    return found


def _convex(px: np.ndarray) -> bool:
    sides = np.roll(px, -1, axis=0) - px
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    return bool(np.all(turns > 1.0) or np.all(turns < -1.0))
