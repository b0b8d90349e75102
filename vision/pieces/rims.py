"""Rims near the points: whether there is a disc, by how whole its rim is, and where exactly."""

import numpy as np

from calibration.grid import F64
from vision.pieces.displacement import POINTS_XY
from vision.pieces.faces import Faces
from vision.pieces.locate import Edges, locate_disc, weakest_third
from vision.rectify import Rectified

_BAR_RANGE = (0.38, 0.66)
"""The bar between empty points (1 in 100 above 0.46) and discs (1 in 100 below 0.57) lies in here."""
_RIM_PER_NAT = 0.05
"""Rim measure that changes the odds of a disc e-fold."""
_RIM_LIMIT_NATS = 4.5
_RIM_REACH_CELLS = 0.25
"""How far from where it is expected a piece's face is looked for."""
REFINE_CELLS = 0.10
"""How far from the coarse centre the fine one is looked for."""


def best_rims(edges: Edges, board: Rectified, faces: Faces) -> tuple[F64, F64]:
    """The best circle where a face over each point would appear, or where one was measured.

    returns : (90,) weakest third of its rim, (90, 2) its centre, px
    """
    radii = (faces.ring_radius or faces.radius) * board.px_per_cell * np.array([0.92, 0.96, 1.0, 1.04, 1.08])
    expected, measured = board.to_px(faces.displaced(POINTS_XY)), board.to_px(faces.xy_cells)
    wide = places(_RIM_REACH_CELLS * board.px_per_cell, 6)
    close = places(REFINE_CELLS * board.px_per_cell, 3)
    rims, centres = np.empty(90), np.empty((90, 2))
    for point in range(90):
        near = measured[point] + close
        trial = near if faces.trusted[point] else np.vstack([expected[point] + wide, near])
        scores = weakest_third(edges, trial, radii).max(axis=1)
        best = int(np.argmax(scores))
        rims[point], centres[point] = scores[best], trial[best]
    return rims, centres


def rim_log_odds(rims: F64) -> F64:
    """(90,) weakest thirds of the best rims -> log-odds of a disc, with the bar in the gap of this very picture."""
    between = np.sort(rims[(rims > _BAR_RANGE[0]) & (rims < _BAR_RANGE[1])])
    steps = np.concatenate([[_BAR_RANGE[0]], between, [_BAR_RANGE[1]]])
    widest = int(np.argmax(np.diff(steps)))
    bar = 0.5 * (steps[widest] + steps[widest + 1])
    odds: F64 = np.clip((rims - bar) / _RIM_PER_NAT, -_RIM_LIMIT_NATS, _RIM_LIMIT_NATS)
    return odds


def locate_all(edges: Edges, board: Rectified, faces: Faces, near_px: F64) -> F64:
    """(90, 3) centre and radius of the best disc near each place, px."""
    scale = board.px_per_cell
    ring_px = None if faces.ring_radius is None else faces.ring_radius * scale
    discs = (
        locate_disc(edges, (float(x), float(y)), faces.radius * scale, REFINE_CELLS * scale, ring_px)
        for x, y in near_px
    )
    return np.array([[disc.x_px, disc.y_px, faces.radius * scale] for disc in discs])


def radius_about(edges: Edges, centres_px: F64, radius_px: float) -> float:
    """The radius, near a rough one, at which circles about rough centres are most whole."""
    radii = radius_px * np.linspace(0.7, 1.15, 19)
    near = places(0.15 * radius_px, 3)
    whole = np.mean([weakest_third(edges, centre + near, radii).max(axis=0) for centre in centres_px], axis=0)
    return float(radii[int(np.argmax(whole))])


def places(reach_px: float, steps: int) -> F64:
    """(M, 2) trial displacements on a grid within a circle."""
    around = np.linspace(-reach_px, reach_px, 2 * steps + 1)
    gx, gy = np.meshgrid(around, around)
    trial = np.column_stack([gx.ravel(), gy.ravel()])
    inside: F64 = trial[np.hypot(*trial.T) <= reach_px + 1e-6]
    return inside
