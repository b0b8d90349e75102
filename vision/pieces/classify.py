"""What lies at each point of one picture: piece or not, whose, which kind; each question by itself, as log-odds.

The nets and the picture's own regularities answer together: discs are round, of one size, and of two colours.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64, Grid
from models.network import PointReadings
from models.preprocess import PATCH_PX_PER_CELL, U8, disc_crops, point_patches
from vision.frame import Image
from vision.pieces.faces import POINTS_XY, Faces
from vision.pieces.ink import red_log_odds, redness
from vision.pieces.likeness import C64, shifted_spectra
from vision.pieces.locate import Disc, Edges, edges_of, locate_disc, weakest_third
from vision.rectify import PX_PER_CELL, Rectified, rectify

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]

NET_FLOOR = 0.02
"""Share of every answer of a net that is taken to be chance: no net is surer than this about a set it never saw."""
_POINT_WEIGHT = 0.6
"""How far the point net's log-odds count beside the rim's."""
_BAR_RANGE = (0.38, 0.66)
"""The bar between empty points (1 in 100 above 0.46) and discs (1 in 100 below 0.57) lies in here."""
_RIM_PER_NAT = 0.05
"""Rim measure that changes the odds of a disc e-fold."""
_RIM_LIMIT_NATS = 7.0
_RIM_REACH_CELLS = 0.25
"""How far from where it is expected a piece's face is looked for."""
_REFINE_CELLS = 0.10
"""How far from the coarse centre the fine one is looked for."""
_LIKENESS_OF_FACE = 0.85
"""Part of a ringless face compared with others; with a ring it is what the ring encloses."""


class PieceNets(Protocol):
    """What reading needs of the nets; models.network.Nets is one."""

    def points(self, patches_bgr: U8) -> PointReadings: ...

    def kinds(self, crops: U8, turns: int = 4) -> F32: ...


@dataclass(frozen=True, slots=True)
class Looks:
    """What was found at the 90 points, in the grid's own numbering."""

    occupied: F64
    """(90,) log-odds that a piece stands there."""
    covered: F64
    """(90,) probability that a hand or another foreign body hides the point."""
    red: F64
    """(90,) log-odds that the piece is Red's."""
    kind_nats: F64
    """(90, 7) log-probabilities of the kinds by the sign alone."""
    discs_px: F64
    """(90, 3) centre and radius of the best disc near each point, in `board`."""
    offset_cells: F64
    """(90, 2) that centre from the point, in the plane of the faces, cells, x towards file i, y towards rank 9."""
    standing: I64
    """The points on which a piece is likelier than not."""
    spectra: C64
    """(len(standing), S, RADII, F) of their faces, for likeness."""
    board: Rectified
    """The rectified picture they were taken from, on the board's plane."""


def look(image_bgr: Image, grid: Grid, faces: Faces, nets: PieceNets | None) -> Looks:
    """Look at all points of a picture whose faces' plane is known."""
    board = rectify(image_bgr, grid, px_per_cell=PX_PER_CELL, aspect=faces.aspect)
    edges = edges_of(board.image, PX_PER_CELL)
    discs = _locate_all(edges, board, faces)
    discs_px = np.array([[d.x_px, d.y_px, faces.radius * PX_PER_CELL] for d in discs])
    offset = (board.to_cells(discs_px[:, :2]) - faces.displaced(POINTS_XY)) / (1.0 + faces.enlargement)
    occupied = rim_log_odds(_best_rims(edges, board, faces))
    red = np.zeros(90)
    red_share, step = redness(board.image, discs_px)
    covered = np.zeros(90)
    kind_nats = np.full((90, 7), -np.log(7.0))
    if nets is not None:
        seen = nets.points(_patches(image_bgr, grid, faces))
        covered = seen.state[:, 2].astype(np.float64)
        piece = np.clip(seen.state[:, 1], NET_FLOOR, 1 - NET_FLOOR).astype(np.float64)
        occupied = occupied + _POINT_WEIGHT * np.log(piece / (1 - piece))
        reds = np.clip(seen.side[:, 0], NET_FLOOR, 1 - NET_FLOOR).astype(np.float64)
        red = _POINT_WEIGHT * np.log(reds / (1 - reds))
    standing = np.flatnonzero(occupied > 0.0).astype(np.int64)
    if nets is not None:
        kind_nats[standing] = _with_floor(nets.kinds(disc_crops(board.image, discs_px[standing])))
    red = red + red_log_odds(red_share, step, 1.0 / (1.0 + np.exp(-np.clip(occupied, -30.0, 30.0))))
    spectra = shifted_spectra(board.image, _inner(discs_px[standing], faces))
    return Looks(occupied, covered, red, kind_nats, discs_px, offset, standing, spectra, board)


def rim_log_odds(rims: F64) -> F64:
    """(90,) weakest thirds of the best rims -> log-odds of a disc, with the bar in the gap of this very picture."""
    between = np.sort(rims[(rims > _BAR_RANGE[0]) & (rims < _BAR_RANGE[1])])
    steps = np.concatenate([[_BAR_RANGE[0]], between, [_BAR_RANGE[1]]])
    widest = int(np.argmax(np.diff(steps)))
    bar = 0.5 * (steps[widest] + steps[widest + 1])
    odds: F64 = np.clip((rims - bar) / _RIM_PER_NAT, -_RIM_LIMIT_NATS, _RIM_LIMIT_NATS)
    return odds


def _best_rims(edges: Edges, board: Rectified, faces: Faces) -> F64:
    """(90,) weakest third of the best circle within reach of where a face over each point would appear."""
    around = np.arange(-_RIM_REACH_CELLS, _RIM_REACH_CELLS + 0.01, _RIM_REACH_CELLS / 6.0) * board.px_per_cell
    gx, gy = np.meshgrid(around, around)
    trial = np.column_stack([gx.ravel(), gy.ravel()])
    trial = trial[np.hypot(*trial.T) <= around[-1] + 1e-6]
    radii = (faces.ring_radius or faces.radius) * board.px_per_cell * np.array([0.92, 0.96, 1.0, 1.04, 1.08])
    expected = board.to_px(faces.displaced(POINTS_XY))
    return np.array([weakest_third(edges, centre + trial, radii).max() for centre in expected])


def _locate_all(edges: Edges, board: Rectified, faces: Faces) -> list[Disc]:
    ring_px = None if faces.ring_radius is None else faces.ring_radius * board.px_per_cell
    return [
        locate_disc(
            edges, (float(x), float(y)), faces.radius * board.px_per_cell, _REFINE_CELLS * board.px_per_cell, ring_px
        )
        for x, y in board.to_px(faces.xy_cells)
    ]


def _patches(image_bgr: Image, grid: Grid, faces: Faces) -> U8:
    """(90, 48, 48, 3) what the point net sees: the plane of the faces, about where a face over each point appears."""
    board = rectify(image_bgr, grid, px_per_cell=PATCH_PX_PER_CELL, aspect=faces.aspect)
    return point_patches(board.image, board.to_px(faces.displaced(POINTS_XY)))


def _inner(discs_px: F64, faces: Faces) -> F64:
    inner = discs_px.copy()
    part = _LIKENESS_OF_FACE if faces.ring_radius is None else faces.ring_radius / faces.radius
    inner[:, 2] *= part
    return inner


def _with_floor(log_p: F32) -> F64:
    mixed: F64 = np.log((1.0 - NET_FLOOR) * np.exp(log_p.astype(np.float64)) + NET_FLOOR / 7.0)
    return mixed
