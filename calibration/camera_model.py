"""The camera that took the picture: its focal length, and with it the direction of up.

A plane seen at a slant gives the focal length away, since files and ranks are square to each other and steps along
both about as long. Seen from straight above it tells nothing, and what cameras commonly have must do.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.grid import Grid

F64 = NDArray[np.float64]

COMMON_FOCAL = 0.95
"""Focal length of phones and webcams, in long sides of the picture (about 55 degrees across)."""
FOCAL_SPREAD = 0.35
"""One standard deviation of its natural logarithm; cropped pictures and zooms are in it."""
ASPECT_SPREAD = 0.06
"""One standard deviation of the logarithm of a cell's sides' ratio."""
SQUARENESS_SPREAD = 0.015
"""One standard deviation of the cosine between files and ranks, from errors of the fit."""
FOCALS: F64 = np.geomspace(0.4, 4.0, 70)
"""Focal lengths that are tried, in long sides of the picture."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera whose axis meets the middle of the picture."""

    focal_px: float
    """Focal length, px."""
    elevation_deg: float
    """Angle of the view on the middle of the board over the table: 90 from straight above."""
    cost: float
    """Half the squared misfit of the board and of what cameras commonly have, in standard deviations."""


def up_of(grid: Grid, focal_px: float) -> F64:
    """(3,) what one cell of height adds to the homogeneous image position, for a camera of this focal length."""
    k = _intrinsics(grid, focal_px)
    across, away = np.linalg.solve(k, _forward(grid)[:, :2]).T
    size = np.sqrt(np.linalg.norm(across) * np.linalg.norm(away))
    square = np.cross(across / np.linalg.norm(across), away / np.linalg.norm(away))
    up: F64 = k @ (size * square / np.linalg.norm(square))
    return up


def camera_costs(grid: Grid) -> F64:
    """(len(FOCALS),) half the squared misfit of each focal length, in standard deviations."""
    costs = []
    for focal in FOCALS:
        across, away = np.linalg.solve(_intrinsics(grid, focal * max(grid.size_wh)), _forward(grid)[:, :2]).T
        cosine = float(across @ away) / float(np.linalg.norm(across) * np.linalg.norm(away))
        aspect = float(np.log(np.linalg.norm(across) / np.linalg.norm(away)))
        common = float(np.log(focal / COMMON_FOCAL))
        parts = (cosine / SQUARENESS_SPREAD, aspect / ASPECT_SPREAD, common / FOCAL_SPREAD)
        costs.append(0.5 * sum(part * part for part in parts))
    return np.array(costs)


def find_camera(grid: Grid) -> Camera:
    """The likeliest camera for the grid."""
    costs = camera_costs(grid)
    best = int(np.argmin(costs))
    focal_px = float(FOCALS[best] * max(grid.size_wh))
    return Camera(focal_px, _elevation_deg(grid, focal_px), float(costs[best]))


def with_camera(grid: Grid) -> Grid:
    """The grid with the direction of up of its likeliest camera."""
    return replace(grid, up_px=up_of(grid, find_camera(grid).focal_px))


def _elevation_deg(grid: Grid, focal_px: float) -> float:
    k = _intrinsics(grid, focal_px)
    to_board = np.linalg.solve(k, _forward(grid) @ np.array([4.0, 4.5, 1.0]))
    up = np.linalg.solve(k, up_of(grid, focal_px))
    sine = -float(to_board @ up) / float(np.linalg.norm(to_board) * np.linalg.norm(up))
    return float(np.degrees(np.arcsin(np.clip(sine, -1.0, 1.0))))


def _forward(grid: Grid) -> F64:
    """The homography with a positive last entry, so that depths count forward."""
    h: F64 = grid.h_board_to_px * np.sign(grid.h_board_to_px[2, 2])
    return h


def _intrinsics(grid: Grid, focal_px: float) -> F64:
    w, h = grid.size_wh
    return np.array([[focal_px, 0.0, (w - 1) / 2.0], [0.0, focal_px, (h - 1) / 2.0], [0.0, 0.0, 1.0]])
