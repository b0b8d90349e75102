"""The board in the picture: a homography for the plane of the grid, and the direction of up.

Board positions are in cells from a0, x towards file i (0..8), y towards rank 9 (0..9), on a board whose river is one
cell wide. Image positions are px, x right, y down, the centre of the top-left pixel = (0, 0).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.homography import apply, fit_homography

F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the 90 points are in the picture, and where things standing on them appear."""

    h_board_to_px: F64
    """(3, 3) homography, board cells -> undistorted image px."""
    size_wh: tuple[int, int]
    """Size of the picture it holds for, px."""
    up_px: F64
    """(3,) what one cell of height adds to the homogeneous image position; zeros where it is not known."""
    face_height: float = 0.0
    """Height of the pieces' faces over the board, in cells."""
    river: float = 1.0
    """Width of the river gap, in cells."""
    k1: float = 0.0
    """Radial distortion about the picture's centre, in units of half the diagonal: distorted = r (1 + k1 r^2)."""
    residual_px: float = 0.0
    """Root mean square distance of what was measured from the fit, px."""
    confidence: float = 1.0
    """Probability that this is the board and that its sides are where they are said to be, up to a half turn."""

    def h_at(self, height: float) -> F64:
        """(3, 3) homography for the plane `height` cells above the board."""
        h = self.h_board_to_px.copy()
        h[:, 2] += height * self.up_px
        return h

    def to_px(self, xy_cells: F64, height: float = 0.0) -> F64:
        """Project positions `height` cells above the board into the picture.

        xy_cells : (N, 2) board positions in cells
        returns  : (N, 2) px in the picture as taken (distorted)
        """
        xy = widen_river(np.asarray(xy_cells, dtype=np.float64).reshape(-1, 2), self.river)
        flat = np.column_stack([xy, np.ones(len(xy))]) @ self.h_at(height).T
        return distort(flat[:, :2] / flat[:, 2:], self.k1, self.size_wh)

    def to_cells(self, xy_px: F64, height: float = 0.0) -> F64:
        """The inverse of `to_px`: (N, 2) px as taken -> (N, 2) cells on the plane `height` cells up."""
        straight = undistort(np.asarray(xy_px, dtype=np.float64).reshape(-1, 2), self.k1, self.size_wh)
        flat = np.column_stack([straight, np.ones(len(straight))]) @ np.linalg.inv(self.h_at(height)).T
        return narrow_river(flat[:, :2] / flat[:, 2:], self.river)

    def cell_px(self) -> float:
        """Mean side of a cell in the picture, px."""
        corners = self.to_px(np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 9.0], [0.0, 9.0]]))
        area = 0.5 * abs(
            float(np.dot(corners[:, 0], np.roll(corners[:, 1], 1)) - np.dot(corners[:, 1], np.roll(corners[:, 0], 1)))
        )
        return float(np.sqrt(area / 72.0))

    def corners_px(self) -> dict[str, tuple[float, float]]:
        """The four corners, px, from which a plain homography over even cells gives all 90 points best.

        This is what programs need that know a board by its corners alone. The outermost points themselves, `to_px`,
        lie apart from these by up to 0.15 cell where lens or river bend the grid, and nowhere else.
        """
        cells = np.array([[file, rank] for rank in range(10) for file in range(9)], dtype=np.float64)
        even = fit_homography(cells, self.to_px(cells))
        xy = apply(even, np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 9.0], [0.0, 9.0]]))
        return {name: (float(x), float(y)) for name, (x, y) in zip(("a0", "i0", "i9", "a9"), xy, strict=True)}

    def red_side(self) -> str:
        """The side of the picture where Red sits: bottom, top, left or right."""
        near, far = self.to_px(np.array([[4.0, 0.0], [4.0, 9.0]]))
        dx, dy = near - far
        if abs(dx) > abs(dy):
            return "right" if dx > 0 else "left"
        return "bottom" if dy > 0 else "top"


def widen_river(xy_cells: F64, river: float) -> F64:
    """Move (N, 2) positions beyond the river's near bank as a river `river` cells wide does."""
    out = xy_cells.copy()
    out[:, 1] += (river - 1.0) * np.clip(xy_cells[:, 1] - 4.0, 0.0, 1.0)
    return out


def narrow_river(xy_cells: F64, river: float) -> F64:
    """The inverse of `widen_river`."""
    out = xy_cells.copy()
    beyond = xy_cells[:, 1] - 4.0
    out[:, 1] -= (river - 1.0) * np.clip(beyond / river, 0.0, 1.0)
    return out


def distort(xy_px: F64, k1: float, size_wh: tuple[int, int]) -> F64:
    """Straight (N, 2) px to px in the picture as taken."""
    if k1 == 0.0:
        return xy_px
    centre, half = _centre_and_half_diagonal(size_wh)
    r = (xy_px - centre) / half
    out: F64 = centre + half * r * (1.0 + k1 * np.sum(r * r, axis=1, keepdims=True))
    return out


def undistort(xy_px: F64, k1: float, size_wh: tuple[int, int]) -> F64:
    """The inverse of `distort`, by fixed-point steps; good to 0.01 px for |k1| <= 0.15."""
    if k1 == 0.0:
        return xy_px
    centre, half = _centre_and_half_diagonal(size_wh)
    seen = (xy_px - centre) / half
    r = seen.copy()
    for _ in range(12):
        r = seen / (1.0 + k1 * np.sum(r * r, axis=1, keepdims=True))
    return centre + half * r


def _centre_and_half_diagonal(size_wh: tuple[int, int]) -> tuple[F64, float]:
    w, h = size_wh
    return np.array([(w - 1) / 2.0, (h - 1) / 2.0]), float(np.hypot(w, h) / 2.0)
