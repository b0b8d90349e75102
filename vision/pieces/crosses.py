"""Whether the board's own lines are seen at a point: where neither a piece nor they are seen, something covers it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64
from vision.pieces.displacement import POINTS_XY
from vision.rectify import Rectified

_NEAREST_CELLS = 0.11
"""From where a line is looked at: its crossing shows none, and dots may mark it."""
_SAMPLES = 9
_BESIDE_CELLS = (0.10, 0.19)
"""How far beside it its ground is looked at: marks and double borders lie in one or the other place."""
_OFF_CELLS = np.linspace(-0.06, 0.06, 7)
"""How far a line may lie from where the grid says: buckled boards and their own thickness."""
_SEEN_SHARE = 0.35
"""A line is seen where its contrast is at least this share of that of the picture's clear lines."""
_CLEAR_QUANTILE = 0.6
_ARMS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def lines_seen(board: Rectified, reach_cells: float, empty: NDArray[np.bool_]) -> F64:
    """(90,) share, 0..1, of the lines that meet at each point which are seen.

    reach_cells : how far from the point they are looked at; the radius of the faces
    empty       : (90,) the points that bear no piece by all that is known
    """
    grey = cv2.cvtColor(board.image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    along = np.linspace(_NEAREST_CELLS, max(reach_cells, 2.0 * _NEAREST_CELLS), _SAMPLES)
    contrast = np.stack([_arm(board, grey, along, dx, dy) for dx, dy in _ARMS], axis=1)
    here = np.isfinite(contrast)
    known = contrast[empty][here[empty]]
    if len(known) < _SAMPLES:
        return np.ones(90)
    # Light lines on dark ground stand out the other way.
    sign = 1.0 if np.median(known) >= 0.0 else -1.0
    clear = max(float(np.quantile(sign * known, _CLEAR_QUANTILE)), 1.0)
    seen = np.where(here, sign * contrast > _SEEN_SHARE * clear, False)
    out: F64 = seen.sum(axis=(1, 2)) / np.maximum(here.sum(axis=(1, 2)), 1)
    return out


def _arm(board: Rectified, grey: NDArray[np.float32], along_cells: F64, dx: int, dy: int) -> F64:
    """(90, len(along_cells)) how much darker than its ground a line is in one direction; nan where none runs."""
    runs = np.array([_runs(int(x), int(y), dx, dy) for x, y in POINTS_XY])
    along = POINTS_XY[:, None, :] + along_cells[None, :, None] * np.array([dx, dy])
    across = np.array([-dy, dx], dtype=np.float64)

    def at(off_cells: float) -> F64:
        px = board.to_px((along + off_cells * across).reshape(-1, 2)).astype(np.float32)
        values = cv2.remap(grey, px[None], None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        out: F64 = values.reshape(90, -1).astype(np.float64)
        return out

    dents = np.stack([0.5 * (at(off - far) + at(off + far)) - at(off) for off in _OFF_CELLS for far in _BESIDE_CELLS])
    strongest = np.take_along_axis(dents, np.abs(dents).argmax(axis=0)[None], axis=0)[0]
    return np.where(runs[:, None], strongest, np.nan)


def _runs(x: int, y: int, dx: int, dy: int) -> bool:
    """Whether a line runs from a point in that direction: files stop at the river, all but the outermost."""
    if not (0 <= x + dx <= 8 and 0 <= y + dy <= 9):
        return False
    return not (dx == 0 and {y, y + dy} == {4, 5} and 0 < x < 8)
