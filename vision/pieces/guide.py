"""The point net as a guide to the faces' plane: it tells a face from its wall where circles cannot."""

import numpy as np

from models.labels import PointState
from models.network import PointReadings
from models.preprocess import PATCH_PX_PER_CELL, point_patches
from vision.pieces.displacement import POINTS_XY
from vision.pieces.faces import Faces, refit
from vision.pieces.locate import Edges
from vision.pieces.nets import PieceNets
from vision.pieces.rims import radius_about
from vision.rectify import Rectified

_FEW_DISCS = 3
_ASTRAY_CELLS = 0.09
"""Circle and net disagree beyond this; the net's own error is 0.05."""
_SMALLER, _LARGER = 1.0 / 1.28, 1.1
"""The circles' radius is given up for the net's where it is so much smaller or larger.

The net takes small discs for larger ones; a circle larger than it says is the shadow's or the wall's, not the face's.
"""


def guided(
    edges: Edges, fine: Rectified, board: Rectified, faces: Faces, nets: PieceNets
) -> tuple[Faces, PointReadings]:
    """The faces with the point net's centres where it sees pieces.

    edges : of `fine`
    board : the rectified picture at the scale of the point net
    """
    for _ in range(2):
        expected = board.to_px(faces.displaced(POINTS_XY))
        seen = nets.points(point_patches(board.image, expected))
        there = seen.state[:, PointState.PIECE].astype(np.float64)
        centres = board.to_cells(expected + seen.offset_cells * PATCH_PX_PER_CELL)
        apart = np.hypot(*(centres - faces.xy_cells).T)
        standing = there > 0.5
        if standing.sum() < _FEW_DISCS:
            return faces, seen
        ratio = faces.radius / float(np.median(seen.radius_cells[standing]))
        other = None
        if not _SMALLER < ratio < _LARGER:
            other = radius_about(edges, fine.to_px(centres[standing]), faces.radius / ratio * fine.px_per_cell)
            other /= fine.px_per_cell
        astray = float(np.median(apart[standing])) > _ASTRAY_CELLS
        # Where circles and net agree the circle is the finer measure.
        use_net = standing & (apart > (0.0 if astray or other else _ASTRAY_CELLS))
        xy = np.where(use_net[:, None], centres, faces.xy_cells)
        moved = refit(faces, xy, there, use_net, other)
        far = np.hypot(*(moved.displaced(POINTS_XY) - faces.displaced(POINTS_XY)).T)
        faces = moved
        if float(far.max()) < _ASTRAY_CELLS:
            break
    return faces, seen
