"""Which points of the board people cover in the picture: the truth of when a hand has gone."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qiyan.simulator.board_style import widen
from qiyan.simulator.camera import Camera
from qiyan.simulator.capsules import Limbs
from qiyan.simulator.moment import camera_at
from qiyan.simulator.table import Table
from rules.point import POINTS, file_of, rank_of

Mask = NDArray[np.bool_]
F64 = NDArray[np.float64]

_RING = np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)])
_STEP_S = 0.02
"""How finely the moment at which a hand is gone is told; a hand on its way crosses a tenth of a cell in it."""


def covered_points(table: Table, t: float) -> Mask:
    """(90,) points of which arms, heads or trunks hide anything: of the board, or of a piece's face if one is there."""
    camera, _ = camera_at(table.stage, table.camera, t)
    spots = camera.to_px(_spots(table))
    hidden = np.zeros(len(spots), dtype=np.bool_)
    for _, _, limbs in table.people(t):
        hidden |= _behind(spots, camera, limbs)
    covered: Mask = np.any(hidden.reshape(POINTS, -1), axis=1)
    return covered


def free_t(table: Table, points: Sequence[int] | None, since_t: float, until_t: float, lasts_s: float) -> float | None:
    """From when on, after `since_t`, nobody covers any of the points, None for all, for at least `lasts_s`.

    None where that does not come about before `until_t`.
    """
    asked = list(range(POINTS)) if points is None else list(points)
    free: float | None = None
    t = since_t
    while t < until_t:
        if covered_points(table, t)[asked].any():
            free = None
        elif free is None:
            free = t
        elif t - free >= lasts_s:
            return free
        t += _STEP_S
    return None


def _spots(table: Table) -> F64:
    """(90 * 26, 3) cells: middle and rim of the place of a piece on each point, on the board and at its face."""
    look = table.look
    flat = np.array([[file_of(point), rank_of(point)] for point in range(POINTS)], dtype=np.float64)
    ring = np.vstack([_RING, np.zeros((1, 2))]) * look.pieces.radius
    places = (widen(flat, look.board.river)[:, None, :] + ring[None]).repeat(2, axis=1)
    heights = np.tile([0.0, look.pieces.height], POINTS * len(ring))
    return np.column_stack([places.reshape(-1, 2), heights])


def _behind(spots_px: F64, camera: Camera, limbs: Limbs) -> Mask:
    """(N,) which spots, px, lie within the outline of one of the capsules."""
    start, start_depth = camera.project(limbs.start)
    end, end_depth = camera.project(limbs.end)
    hidden = np.zeros(len(spots_px), dtype=np.bool_)
    for i in np.flatnonzero((start_depth > _NEAR) & (end_depth > _NEAR)):
        wide_px = camera.focal_px * np.array(
            [limbs.radius_start[i] / start_depth[i], limbs.radius_end[i] / end_depth[i]]
        )
        along = end[i] - start[i]
        share = np.clip((spots_px - start[i]) @ along / max(float(along @ along), 1e-9), 0.0, 1.0)
        away = np.hypot(*(spots_px - start[i] - share[:, None] * along).T)
        hidden |= away < wide_px[0] + share * (wide_px[1] - wide_px[0])
    return hidden


_NEAR = 1.0
"""What is nearer to the lens than this, cells, or behind it, is not in the picture."""
