"""Pieces far from any point: discs elsewhere on the board that no point has claimed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64
from models.labels import PointState
from models.preprocess import point_patches
from vision.pieces.displacement import POINTS_XY
from vision.pieces.faces import Faces
from vision.pieces.locate import Edges, locate_disc, weakest_third
from vision.pieces.nets import PieceNets
from vision.rectify import Rectified

_STEP_CELLS = 0.06
_RIM_OF_STRAY = 0.75
"""Weakest third of the rim from which a circle far from its point is looked at: no line crossing reaches it."""
_NET_SURE = 0.7
"""The point net, looking straight at it, must take it for a piece."""
_APART_RADII = 1.4
"""Discs do not overlap; seen at a slant one may hide a little of another."""
_FARTHEST_CELLS = 0.62
"""Beyond this a disc lies off the board: a captured piece beside it, not one between points."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A disc that lies far from the point nearest to it."""

    point: int
    """The nearest point, in the grid's numbering."""
    x_px: float
    y_px: float
    red: float
    """Probability that it is Red's, by the point net."""


def find_strays(
    edges: Edges,
    board: Rectified,
    coarse: Rectified,
    faces: Faces,
    taken_px: F64,
    free: NDArray[np.bool_],
    nets: PieceNets,
) -> list[Stray]:
    """Look for discs between points.

    edges, board : of the rectified picture
    coarse       : the same at the scale of the point net
    taken_px     : (N, 2) centres of the discs that points have claimed
    free         : (90,) the points without a piece
    """
    scale = board.px_per_cell
    ring = faces.ring_radius or faces.radius
    xs = np.arange(-0.5, 8.51, _STEP_CELLS)
    ys = np.arange(-0.5, 9.51, _STEP_CELLS)
    trial = board.to_px(faces.displaced(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)))
    trial = trial[_far_from(trial, taken_px, _APART_RADII * faces.radius * scale)]
    rims = weakest_third(edges, trial, np.array([ring * scale]))[:, 0] if len(trial) else np.zeros(0)
    found: list[Stray] = []
    for at in np.argsort(-rims):
        if rims[at] < 0.8 * _RIM_OF_STRAY:
            break
        claimed = np.vstack([taken_px, [[stray.x_px, stray.y_px] for stray in found]]) if found else taken_px
        if not _far_from(trial[at][None], claimed, _APART_RADII * faces.radius * scale)[0]:
            continue
        stray = _examined(edges, board, coarse, faces, trial[at], nets)
        if stray is not None and free[stray.point] and all(stray.point != other.point for other in found):
            found.append(stray)
    return found


def _examined(
    edges: Edges, board: Rectified, coarse: Rectified, faces: Faces, near_px: F64, nets: PieceNets
) -> Stray | None:
    scale = board.px_per_cell
    ring_px = None if faces.ring_radius is None else faces.ring_radius * scale
    near = (float(near_px[0]), float(near_px[1]))
    disc = locate_disc(edges, near, faces.radius * scale, 2 * _STEP_CELLS * scale, ring_px)
    centre = np.array([[disc.x_px, disc.y_px]])
    whole = weakest_third(edges, centre, (ring_px or faces.radius * scale) * np.array([0.92, 0.96, 1.0, 1.04, 1.08]))
    cells = board.to_cells(centre)
    apart = np.hypot(*((cells - faces.displaced(POINTS_XY)) / (1.0 + faces.enlargement)).T)
    point = int(np.argmin(apart))
    if whole.max() < _RIM_OF_STRAY or apart[point] > _FARTHEST_CELLS:
        return None
    seen = nets.points(point_patches(coarse.image, coarse.to_px(cells)))
    if seen.state[0, PointState.PIECE] < _NET_SURE or np.hypot(*seen.offset_cells[0]) > 2 * _STEP_CELLS:
        return None
    return Stray(point, disc.x_px, disc.y_px, float(seen.side[0, 0]))


def _far_from(trial_px: F64, taken_px: F64, least_px: float) -> NDArray[np.bool_]:
    far = np.ones(len(trial_px), dtype=np.bool_)
    for x, y in taken_px:
        far &= np.hypot(trial_px[:, 0] - x, trial_px[:, 1] - y) > least_px
    return far
