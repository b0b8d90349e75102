"""What lies at each point of one picture: piece or not, whose, which kind; each question by itself, as log-odds.

The nets and the picture's own regularities answer together: discs are round, of one size, and of two colours.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64, Grid
from models.labels import PointState
from models.preprocess import PATCH_PX_PER_CELL, disc_crops
from vision.frame import Image
from vision.pieces.crosses import lines_seen
from vision.pieces.displacement import POINTS_XY, board_margin
from vision.pieces.enrolment import Enrolment, seen_again
from vision.pieces.faces import Faces, refit
from vision.pieces.guide import guided
from vision.pieces.hidden import COVERED
from vision.pieces.ink import Inks, inks, red_log_odds
from vision.pieces.likeness import C64, mutual_likeness, shifted_spectra
from vision.pieces.locate import edges_of
from vision.pieces.nets import PieceNets as PieceNets
from vision.pieces.placement import start_points
from vision.pieces.rims import best_rims, locate_all, rim_log_odds
from vision.pieces.signless import signless_nats
from vision.pieces.strays import find_strays
from vision.rectify import PX_PER_CELL, Rectified, rectify

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]

NET_FLOOR = 0.02
"""Share of every answer of a net that is taken to be chance: no net is surer than this about a set it never saw."""
_POINT_WEIGHT = 1.0
"""How far the point net's log-odds count beside the rim's."""
_SIDE_WEIGHT = 0.15
"""How far they count beside the ink's: in a single patch dark red and black are hard to tell."""
_PLACING_CELLS = 0.13
"""How far from its point a piece is put, one standard deviation: circles farther off are likelier something else."""
_ASIDE_NATS = 4.0
"""At most so much less likely, as pieces are left between points too."""
_STRAY_LOG_ODDS = 2.0
"""A whole disc between points belongs to the position, but to which point is for a person to say."""
_SURELY_EMPTY = -3.0
"""Log-odds of a piece below which a point serves as an example of how the board's lines look."""
_LINES_SEEN = (0.45, 0.6)
"""Share of a point's lines seen under a foreign body, and on 98 in 100 empty points."""
_UNMOVED_NATS = 3.0
"""Log-odds that a side whose other 15 pieces stand at their start has the last one there as well."""
_ALL_UNMOVED_NATS = 2.5
"""The same beyond that where both sides stand at their start: nothing can have been taken yet."""
_CAMP_NATS = 4.0
"""Log-odds that the 16th piece of a camp, of which 15 are seen to be of one side, is of that side too."""
_LIKENESS_OF_FACE = 0.85
"""Part of a ringless face compared with others; with a ring it is what the ring encloses."""


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
    colours: Inks
    """Of the best disc near each point."""
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
    alike: F64
    """(len(standing), len(standing)) that likeness."""
    board: Rectified
    """The rectified picture they were taken from, on the board's plane."""


def look(
    image_bgr: Image, grid: Grid, faces: Faces, nets: PieceNets | None, enrolment: Enrolment | None = None
) -> Looks:
    """Look at all points of a picture.

    faces : as fitted to its circles
    """
    margin = board_margin(grid)
    board = rectify(image_bgr, grid, px_per_cell=PX_PER_CELL, margin=margin, aspect=faces.aspect)
    edges = edges_of(board.image, PX_PER_CELL, board.inside)
    seen = None
    if nets is not None:
        coarse = rectify(image_bgr, grid, px_per_cell=PATCH_PX_PER_CELL, margin=margin, aspect=faces.aspect)
        faces, seen = guided(edges, board, coarse, faces, nets)
    rims, near_px = best_rims(edges, board, faces)
    discs_px = locate_all(edges, board, faces, near_px)
    offset = _off_points(board, faces, discs_px)
    occupied = rim_log_odds(rims) - np.minimum(0.5 * np.sum(offset**2, axis=1) / _PLACING_CELLS**2, _ASIDE_NATS)
    red, covered = np.zeros(90), np.zeros(90)
    if seen is not None:
        covered = seen.state[:, PointState.COVERED].astype(np.float64)
        occupied = occupied + _POINT_WEIGHT * _log_odds(seen.state[:, PointState.PIECE])
        red = _SIDE_WEIGHT * _log_odds(seen.side[:, 0])
    foreign = _foreign(board, faces, occupied)
    if nets is not None:
        claimed = occupied > 0.0
        for stray in find_strays(edges, board, coarse, faces, discs_px[claimed, :2], ~claimed, nets):
            discs_px[stray.point, :2] = stray.x_px, stray.y_px
            occupied[stray.point] = _STRAY_LOG_ODDS
            red[stray.point] = _SIDE_WEIGHT * np.log((stray.red + NET_FLOOR) / (1.0 - stray.red + NET_FLOOR))
    # What the fine centres have in common is the displacement of the faces, not of the pieces.
    present = 1.0 / (1.0 + np.exp(-occupied))
    offset = _off_points(board, refit(faces, board.to_cells(discs_px[:, :2]), present, faces.trusted), discs_px)
    # Of what is hidden the joint reading speaks: there is no sign to read.
    occupied = occupied + np.where((occupied < 0.0) & (foreign > COVERED), 0.0, _unmoved_log_odds(occupied))
    if enrolment is not None:
        # Which end is Red's may be open here: the way round that is known better is the right one.
        ways = [seen_again(enrolment.empties, board, half_turned) for half_turned in (False, True)]
        occupied = occupied + min(ways, key=lambda way: float(way.sum()))
    colours = inks(board.image, discs_px, occupied > 0.0)
    red = red + red_log_odds(colours.red, colours.step, 1.0 / (1.0 + np.exp(-occupied)))
    red = red + _camp_log_odds(occupied, red)
    standing = np.flatnonzero(occupied > 0.0).astype(np.int64)
    kind_nats = np.full((90, 7), -np.log(7.0))
    if nets is not None:
        kind_nats[standing] = _with_floor(nets.kinds(disc_crops(board.image, discs_px[standing])))
    compared = _compared_cells(faces) if enrolment is None else enrolment.compared_cells
    inner = np.column_stack([discs_px[standing, :2], np.full(len(standing), compared * PX_PER_CELL)])
    spectra = shifted_spectra(board.image, inner)
    alike = mutual_likeness(spectra)
    if nets is not None:
        occupied[standing] += signless_nats(alike, kind_nats[standing])
    signed = occupied[standing] > 0.0
    standing, spectra, alike = standing[signed], spectra[signed], alike[np.ix_(signed, signed)]
    covered = np.where(occupied < 0.0, np.maximum(covered, foreign), covered)
    return Looks(
        faces=faces,
        compared_cells=compared,
        occupied=occupied,
        covered=covered,
        red=red,
        colours=colours,
        kind_nats=kind_nats,
        discs_px=discs_px,
        offset_cells=offset,
        standing=standing,
        spectra=spectra,
        alike=alike,
        board=board,
    )


def _foreign(board: Rectified, faces: Faces, occupied: F64) -> F64:
    """(90,) probability of a foreign body at points without a piece: the board's lines are not seen there either."""
    seen = lines_seen(board, faces.radius, occupied < _SURELY_EMPTY)
    none, all_there = _LINES_SEEN
    out: F64 = np.clip((all_there - seen) / (all_there - none), 0.0, 1.0)
    return out


def _off_points(board: Rectified, faces: Faces, discs_px: F64) -> F64:
    """(90, 2) how far the discs lie from their points, in the plane of the faces, cells."""
    out: F64 = (board.to_cells(discs_px[:, :2]) - faces.displaced(POINTS_XY)) / (1.0 + faces.enlargement)
    return out


def _unmoved_log_odds(occupied: F64) -> F64:
    """(90,) what a side that stands almost as at the start adds to its other start points, hidden ones above all."""
    added = np.zeros(90)
    homes = [np.flatnonzero(start_points(colour)) for colour in (0, 1)]
    every = float(np.mean(occupied[np.concatenate(homes)] > 0.0))
    for at in homes:
        added[at] = _UNMOVED_NATS * float(np.mean(occupied[at] > 0.0)) ** 2 + _ALL_UNMOVED_NATS * every**16
    return added


def _camp_log_odds(occupied: F64, red: F64) -> F64:
    """(90,) what a side that stands almost as at the start says of the colour of a piece among its own."""
    added = np.zeros(90)
    for colour in (0, 1):
        at = np.flatnonzero(start_points(colour))
        there = at[occupied[at] > 0.0]
        if len(there):
            agreed = float(np.mean(np.tanh(red[there] / 2.0)))
            added[there] = _CAMP_NATS * agreed**3 * (len(there) / len(at)) ** 8
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
