"""Fitting the board model to the lines, by iterated robust least squares."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import template
from calibration.grid import Grid
from calibration.ridges import Ridges

F64 = NDArray[np.float64]

SHARES = np.linspace(0.12, 0.88, 15)
"""Where along a piece of line it is looked for: not on the points, where discs and marks are."""
FAINTEST = 0.08
"""Line strength below which a piece of line counts as hidden."""
STEPS = 4
"""Steps of least squares for each look at the lines."""
CORNERS = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 9.0], [0.0, 9.0]])
RIVER_SPAN = (0.6, 1.6)
"""Widths of river that occur, and some more, in cells."""
STRONGEST_LENS = 0.25
"""Largest |k1| that is believed: wide webcams have 0.1."""
FARTHEST_CELLS = 1.5
"""A fit may move a corner by this much in one look."""
FEWEST_PIECES = 24
"""With fewer pieces of line there is no fitting ten numbers to them."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Where pieces of line were found."""

    xy_cells: F64
    """(N, 2) middle of each piece of line on the board"""
    xy_px: F64
    """(N, 2) where it was expected"""
    normal: F64
    """(N, 2) unit vector across it in the picture"""
    offset_px: F64
    """(N,) how far along the normal it was found"""
    strength: F64
    """(N,) how clearly"""


def measure(ridges: Ridges, grid: Grid, reach_cells: float, sign: float) -> Measured:
    """Look for each piece of line within `reach_cells` of where the grid has it."""
    edges = np.vstack([template.LINE_EDGES, template.PALACE_EDGES])
    at = grid.to_px(template.along(edges, SHARES).reshape(-1, 2)).reshape(len(edges), len(SHARES), 2)
    direction = at[:, -1] - at[:, 0]
    length = np.hypot(direction[:, 0], direction[:, 1]) + 1e-9
    normal = np.column_stack([-direction[:, 1], direction[:, 0]]) / length[:, None]
    reach = max(reach_cells * grid.cell_px(), 1.5)
    steps = np.arange(-np.ceil(reach), np.ceil(reach) + 1)
    places = at[:, :, None, :] + steps[None, None, :, None] * normal[:, None, None, :]
    profile = sign * ridges.across_finely(places, np.broadcast_to(normal[:, None, None, :], places.shape)).mean(axis=1)
    # Nearer is likelier, among equally clear lines.
    preferred = profile - 0.15 * np.abs(steps / reach)[None, :] * profile.max(axis=1, keepdims=True)
    top = np.clip(preferred.argmax(axis=1), 1, len(steps) - 2)
    row = np.arange(len(edges))
    left, mid, right = profile[row, top - 1], profile[row, top], profile[row, top + 1]
    bend = left - 2.0 * mid + right
    shift = np.where(bend < -1e-6, 0.5 * (left - right) / np.where(bend < -1e-6, bend, -1.0), 0.0)
    offset = steps[top] + np.clip(shift, -0.5, 0.5)
    middle = at[:, len(SHARES) // 2]
    strength = np.clip(mid, 0.0, None)
    return Measured((edges[:, :2] + edges[:, 2:]) / 2.0, middle, normal, offset, strength)


def refine(ridges: Ridges, grid: Grid, reaches: tuple[float, ...], bend: bool) -> Grid:
    """Fit homography, river (and lens where `bend`) to the lines, looking closer each time."""
    sign = 1.0
    for turn, reach in enumerate(reaches):
        found = measure(ridges, grid, reach, sign)
        if turn == 0:
            # Beside a dark line the ground looks like two light lines, but fainter ones.
            light = measure(ridges, grid, reach, -sign)
            if light.strength.sum() > found.strength.sum():
                sign, found = -sign, light
        good = found.strength > FAINTEST
        if good.sum() < FEWEST_PIECES:
            return grid
        try:
            fitted = _solve(grid, found, good, river=turn >= 1, bend=bend and turn >= 2)
        except np.linalg.LinAlgError:
            return grid
        if not _believable(fitted, grid):
            return grid
        grid = fitted
    return grid


def _believable(fitted: Grid, before: Grid) -> bool:
    """Whether a fit to lines that were near has stayed near, as it must unless there was nothing to fit to."""
    if not (RIVER_SPAN[0] < fitted.river < RIVER_SPAN[1] and abs(fitted.k1) < STRONGEST_LENS):
        return False
    moved = np.abs(fitted.to_px(CORNERS) - before.to_px(CORNERS)).max()
    return bool(moved < FARTHEST_CELLS * before.cell_px())


def _solve(grid: Grid, found: Measured, good: NDArray[np.bool_], river: bool, bend: bool) -> Grid:
    target = np.sum(found.normal * found.xy_px, axis=1) + found.offset_px
    normal, cells, target = found.normal[good], found.xy_cells[good], target[good]
    weight0 = found.strength[good]
    params = _pack(grid)
    free = np.array([True] * 8 + [river, bend])
    prior_scale = np.array([np.inf] * 8 + [0.06, 0.03])
    scale_px = max(0.5, 0.02 * grid.cell_px())
    for _ in range(STEPS):
        base = _predict(params, grid, normal, cells)
        residual = target - base
        jac = np.zeros((len(residual), 10))
        steps = np.concatenate([np.maximum(np.abs(params[:8]) * 1e-6, 1e-9), [1e-5, 1e-5]])
        for k in np.flatnonzero(free):
            moved = params.copy()
            moved[k] += steps[k]
            jac[:, k] = (_predict(moved, grid, normal, cells) - base) / steps[k]
        spread = max(1.4826 * float(np.median(np.abs(residual))), scale_px)
        weight = weight0 / (1.0 + (residual / (1.5 * spread)) ** 2) ** 2
        j = jac[:, free]
        size = np.sqrt((j * j).sum(axis=0)) + 1e-12
        a = (j / size).T * weight @ (j / size)
        b = (j / size).T * weight @ residual
        inverse_var = (spread / prior_scale[free]) ** 2 / size**2 * weight.mean()
        centre = np.concatenate([params[:8], [1.0, 0.0]])[free]
        a += np.diag(inverse_var + 1e-9)
        b += inverse_var * (centre - params[free]) * size
        step = np.linalg.solve(a, b) / size
        params[free] += step
    inlier = np.abs(residual) < 3.0 * spread
    rms = float(np.sqrt(np.mean(residual[inlier] ** 2))) if inlier.any() else float("inf")
    return _unpack(params, grid, rms)


def _pack(grid: Grid) -> F64:
    h = grid.h_board_to_px / grid.h_board_to_px[2, 2]
    return np.concatenate([h.reshape(-1)[:8], [grid.river, grid.k1]])


def _unpack(params: F64, grid: Grid, rms: float) -> Grid:
    h = np.append(params[:8], 1.0).reshape(3, 3)
    return Grid(
        h_board_to_px=h,
        size_wh=grid.size_wh,
        up_px=grid.up_px,
        river=float(params[8]),
        k1=float(params[9]),
        residual_px=rms,
        confidence=grid.confidence,
    )


def _predict(params: F64, grid: Grid, normal: F64, cells: F64) -> F64:
    out: F64 = np.sum(normal * _unpack(params, grid, 0.0).to_px(cells), axis=1)
    return out
