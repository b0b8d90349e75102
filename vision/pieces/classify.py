"""What lies at each point of one picture: piece or not, whose, which kind; each question by itself, as log-odds.

The nets and the picture's own regularities answer together: discs are round, of one size, and of two colours.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64, Grid
from models.labels import PointState
from models.network import PointReadings
from models.preprocess import PATCH_PX_PER_CELL, U8, disc_crops, point_patches
from vision.frame import Image
from vision.pieces.faces import POINTS_XY, Faces, refit
from vision.pieces.ink import red_log_odds, redness
from vision.pieces.likeness import C64, shifted_spectra
from vision.pieces.locate import Edges, edges_of, locate_disc, weakest_third
from vision.pieces.placement import start_points
from vision.rectify import PX_PER_CELL, Rectified, rectify

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]

NET_FLOOR = 0.02
"""Share of every answer of a net that is taken to be chance: no net is surer than this about a set it never saw."""
_POINT_WEIGHT = 1.0
"""How far the point net's log-odds count beside the rim's."""
_SIDE_WEIGHT = 0.15
"""How far they count beside the ink's: in a single patch dark red and black are hard to tell."""
_FEW_DISCS = 3
_ASTRAY_CELLS = 0.09
"""Circle and net disagree beyond this; the net's own error is 0.05."""
_RADIUS_RATIO = 1.28
"""The circles' radius is given up for the net's where they differ by more."""
_BAR_RANGE = (0.38, 0.66)
"""The bar between empty points (1 in 100 above 0.46) and discs (1 in 100 below 0.57) lies in here."""
_RIM_PER_NAT = 0.05
"""Rim measure that changes the odds of a disc e-fold."""
_RIM_LIMIT_NATS = 4.5
_RIM_REACH_CELLS = 0.25
"""How far from where it is expected a piece's face is looked for."""
_PLACING_CELLS = 0.13
"""How far from its point a piece is put, one standard deviation: circles farther off are likelier something else."""
_ASIDE_NATS = 4.0
"""At most so much less likely, as pieces are left between points too."""
_UNMOVED_NATS = 3.0
"""Log-odds that a side whose other 15 pieces stand at their start has the last one there as well."""
_CAMP_NATS = 4.0
"""Log-odds that the 16th piece of a camp, of which 15 are seen to be of one side, is of that side too."""
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

    faces: Faces
    """The plane of the faces, corrected by what the point net saw."""
    compared_cells: float
    """Radius of the part of each face that `spectra` are of, cells."""
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


def look(
    image_bgr: Image, grid: Grid, faces: Faces, nets: PieceNets | None, compared_cells: float | None = None
) -> Looks:
    """Look at all points of a picture.

    faces          : as fitted to its circles
    compared_cells : radius of the part of a face that is compared; None: what suits this picture
    """
    board = rectify(image_bgr, grid, px_per_cell=PX_PER_CELL, aspect=faces.aspect)
    edges = edges_of(board.image, PX_PER_CELL)
    seen = None
    if nets is not None:
        faces, seen = guided(image_bgr, grid, board, faces, nets)
    rims, near_px = _best_rims(edges, board, faces)
    discs_px = _locate_all(edges, board, faces, near_px)
    offset = (board.to_cells(discs_px[:, :2]) - faces.displaced(POINTS_XY)) / (1.0 + faces.enlargement)
    occupied = rim_log_odds(rims) - np.minimum(0.5 * np.sum(offset**2, axis=1) / _PLACING_CELLS**2, _ASIDE_NATS)
    red, covered = np.zeros(90), np.zeros(90)
    if seen is not None:
        covered = seen.state[:, PointState.COVERED].astype(np.float64)
        occupied = occupied + _POINT_WEIGHT * _log_odds(seen.state[:, PointState.PIECE])
        red = _SIDE_WEIGHT * _log_odds(seen.side[:, 0])
    occupied = occupied + _unmoved_log_odds(occupied)
    red_share, step = redness(board.image, discs_px)
    red = red + red_log_odds(red_share, step, 1.0 / (1.0 + np.exp(-occupied)))
    red = red + _camp_log_odds(occupied, red)
    standing = np.flatnonzero(occupied > 0.0).astype(np.int64)
    kind_nats = np.full((90, 7), -np.log(7.0))
    if nets is not None:
        kind_nats[standing] = _with_floor(nets.kinds(disc_crops(board.image, discs_px[standing])))
    compared = compared_cells or _compared_cells(faces)
    inner = np.column_stack([discs_px[standing, :2], np.full(len(standing), compared * PX_PER_CELL)])
    spectra = shifted_spectra(board.image, inner)
    return Looks(faces, compared, occupied, covered, red, kind_nats, discs_px, offset, standing, spectra, board)


def guided(image_bgr: Image, grid: Grid, fine: Rectified, faces: Faces, nets: PieceNets) -> tuple[Faces, PointReadings]:
    """The faces with the point net's centres where it sees pieces: it tells face from wall where circles cannot."""
    board = rectify(image_bgr, grid, px_per_cell=PATCH_PX_PER_CELL, aspect=faces.aspect)
    edges = edges_of(fine.image, fine.px_per_cell)
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
        if not 1.0 / _RADIUS_RATIO < ratio < _RADIUS_RATIO:
            other = _radius_about(edges, fine.to_px(centres[standing]), faces.radius / ratio * fine.px_per_cell)
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


def _radius_about(edges: Edges, centres_px: F64, radius_px: float) -> float:
    """The radius, near a rough one, at which circles about rough centres are most whole."""
    radii = radius_px * np.linspace(0.7, 1.15, 19)
    near = _places(0.15 * radius_px, 3)
    whole = np.mean([weakest_third(edges, centre + near, radii).max(axis=0) for centre in centres_px], axis=0)
    return float(radii[int(np.argmax(whole))])


def rim_log_odds(rims: F64) -> F64:
    """(90,) weakest thirds of the best rims -> log-odds of a disc, with the bar in the gap of this very picture."""
    between = np.sort(rims[(rims > _BAR_RANGE[0]) & (rims < _BAR_RANGE[1])])
    steps = np.concatenate([[_BAR_RANGE[0]], between, [_BAR_RANGE[1]]])
    widest = int(np.argmax(np.diff(steps)))
    bar = 0.5 * (steps[widest] + steps[widest + 1])
    odds: F64 = np.clip((rims - bar) / _RIM_PER_NAT, -_RIM_LIMIT_NATS, _RIM_LIMIT_NATS)
    return odds


def _best_rims(edges: Edges, board: Rectified, faces: Faces) -> tuple[F64, F64]:
    """The best circle where a face over each point would appear, or where one was measured.

    returns : (90,) weakest third of its rim, (90, 2) its centre, px
    """
    radii = (faces.ring_radius or faces.radius) * board.px_per_cell * np.array([0.92, 0.96, 1.0, 1.04, 1.08])
    expected, measured = board.to_px(faces.displaced(POINTS_XY)), board.to_px(faces.xy_cells)
    wide = _places(_RIM_REACH_CELLS * board.px_per_cell, 6)
    close = _places(_REFINE_CELLS * board.px_per_cell, 3)
    rims, centres = np.empty(90), np.empty((90, 2))
    for point in range(90):
        near = measured[point] + close
        trial = near if faces.trusted[point] else np.vstack([expected[point] + wide, near])
        scores = weakest_third(edges, trial, radii).max(axis=1)
        best = int(np.argmax(scores))
        rims[point], centres[point] = scores[best], trial[best]
    return rims, centres


def _places(reach_px: float, steps: int) -> F64:
    """(M, 2) trial displacements on a grid within a circle."""
    around = np.linspace(-reach_px, reach_px, 2 * steps + 1)
    gx, gy = np.meshgrid(around, around)
    trial = np.column_stack([gx.ravel(), gy.ravel()])
    inside: F64 = trial[np.hypot(*trial.T) <= reach_px + 1e-6]
    return inside


def _locate_all(edges: Edges, board: Rectified, faces: Faces, near_px: F64) -> F64:
    """(90, 3) centre and radius of the best disc near each place, px."""
    scale = board.px_per_cell
    ring_px = None if faces.ring_radius is None else faces.ring_radius * scale
    discs = (
        locate_disc(edges, (float(x), float(y)), faces.radius * scale, _REFINE_CELLS * scale, ring_px)
        for x, y in near_px
    )
    return np.array([[disc.x_px, disc.y_px, faces.radius * scale] for disc in discs])


def _unmoved_log_odds(occupied: F64) -> F64:
    """(90,) what a side that stands almost as at the start adds to its other start points, hidden ones above all."""
    added = np.zeros(90)
    for colour in (0, 1):
        at = np.flatnonzero(start_points(colour))
        added[at] = _UNMOVED_NATS * float(np.mean(occupied[at] > 0.0)) ** 2
    return added


def _camp_log_odds(occupied: F64, red: F64) -> F64:
    """(90,) what a side that stands almost as at the start says of the colour of a piece among its own."""
    added = np.zeros(90)
    for colour in (0, 1):
        at = np.flatnonzero(start_points(colour))
        there = at[occupied[at] > 0.0]
        if len(there):
            agreed = float(np.mean(np.tanh(red[there] / 2.0)))
            added[there] = _CAMP_NATS * agreed**3 * (len(there) / len(at)) ** 2
    return added


def _log_odds(probability: F32) -> F64:
    p = np.clip(probability.astype(np.float64), NET_FLOOR, 1.0 - NET_FLOOR)
    odds: F64 = np.log(p / (1.0 - p))
    return odds


def _compared_cells(faces: Faces) -> float:
    """What the ring encloses, or a ringless face without its edge."""
    return _LIKENESS_OF_FACE * faces.radius if faces.ring_radius is None else faces.ring_radius


def _with_floor(log_p: F32) -> F64:
    mixed: F64 = np.log((1.0 - NET_FLOOR) * np.exp(log_p.astype(np.float64)) + NET_FLOOR / 7.0)
    return mixed
