"""A board whose position is expected: which way round it lies, how high the faces are, and whether it is there.

Nearly every recording starts with the usual position. Its 32 discs at known points settle the height of the faces, the
two colours and the turn of the board better than any reading of the glyphs, and in a tenth of the time.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import with_camera
from calibration.disc_height import COMMON_HEIGHT, FEWEST_DISCS, fit_face_height
from calibration.grid import F64, Grid
from calibration.turn import half_turn
from rules.piece import EMPTY, RED, side_of
from vision.features import redness
from vision.frame import Image
from vision.looks import Looks, learn_looks
from vision.pieces.ink import inks
from vision.rectify import px_to_cells
from vision.rims import find_discs
from vision.window import CELL_PX, CENTRES_PX, MARGIN_CELLS, Window, window_of


@dataclass(frozen=True, slots=True)
class KnownStartConfig:
    """When the board is taken to show the expected position."""

    agreement: float = 0.985
    """Share of the points that have to look as expected: one of 90 may be doubtful."""
    spread: float = 0.45
    """Largest spread of the occupancy score within a class (classes lie 2 apart)."""
    usual_agreement: float = 0.95
    """The usual position is also taken with this agreement, where nothing else was read: a hand lies over a piece."""
    usual_again: int = 5
    """How often in a row it has to be seen so."""
    other_again: int = 3
    """How often in a row a position near the usual one has to be read surely: a piece in a hand is missing in it."""
    given_agreement: float = 0.92
    """The same share for a position that was given: a hand may lie over some points."""
    given_again: int = 1
    """How often in a row a given position has to be seen so."""
    meanwhile_again: int = 2
    """How often in a row a game that goes on has to be seen with the same plies played meanwhile."""
    unexplained_again: int = 10
    """How often in a row its board has to be seen otherwise than any plies explain, until it is watched as it is."""
    red_errors: float = 3.0
    """Red is redder than Black by at least this many standard errors, or the turn of the board is not known."""


@dataclass(frozen=True, slots=True)
class KnownStart:
    """The expected position, found on the board."""

    window: Window
    seen: Image
    """The window of the picture."""
    looks: Looks
    redness: float
    """By how many standard errors Red's faces are redder than Black's."""

    def holds(self, config: KnownStartConfig) -> bool:
        """Whether the board shows the expected position, this way round."""
        return (
            self.looks.agreement >= config.agreement
            and self.looks.occupancy.spread <= config.spread
            and self.redness >= config.red_errors
        )


_REACH_CELLS = 0.36
"""How far from its point, in the plane of a common face, a face is looked for."""
_LEAST_ERROR = 0.3
"""Least standard error of the mean redness of a side, levels."""
_LEAST_INK_ERROR = 0.01
"""The same of the redness of its inks, of which black and red are 0.2 to 1.7 apart."""
_RADII_CELLS: F64 = np.linspace(0.26, 0.48, 12)


def find_known_start(image_bgr: Image, grid: Grid, board: bytes, turn_known: bool) -> KnownStart:
    """Look at the picture as if `board` stood on the grid; with the better turn where it is not known."""
    straight = with_faces(image_bgr, grid, board)
    # The usual position is the same turned; of another one the faces are measured for either way.
    ways = [straight] if turn_known else [straight, _turned(image_bgr, grid, straight, board)]
    found = [_look(image_bgr, way, board) for way in ways]
    return max(found, key=lambda start: (round(start.looks.agreement, 2), start.redness))


def _turned(image_bgr: Image, grid: Grid, straight: Grid, board: bytes) -> Grid:
    occupied = [piece != EMPTY for piece in board]
    if occupied == occupied[::-1]:
        return half_turn(straight)
    return with_faces(image_bgr, half_turn(grid), board)


def with_faces(image_bgr: Image, grid: Grid, board: bytes) -> Grid:
    """The grid with the height of the faces, measured on the pieces of `board`, where it does not have one yet."""
    if grid.face_height > 0.0:
        return grid
    occupied = np.flatnonzero(np.frombuffer(board, dtype=np.uint8))
    if len(occupied) < FEWEST_DISCS:
        return replace(with_camera(grid), face_height=COMMON_HEIGHT)
    common = replace(grid if grid.up_px.any() else with_camera(grid), face_height=COMMON_HEIGHT)
    seen = window_of(common).apply(image_bgr)
    centres, _ = find_discs(seen, CENTRES_PX[occupied], _RADII_CELLS * CELL_PX, _REACH_CELLS * CELL_PX)
    cells = px_to_cells(centres, CELL_PX, MARGIN_CELLS)
    return fit_face_height(grid, common.to_px(cells, COMMON_HEIGHT), occupied.tolist())


def _look(image_bgr: Image, grid: Grid, board: bytes) -> KnownStart:
    window = window_of(grid)
    seen = window.apply(image_bgr)
    occupied = np.flatnonzero(np.frombuffer(board, dtype=np.uint8))
    red = np.array([side_of(board[point]) == RED for point in occupied])
    looks = learn_looks(seen, board)
    return KnownStart(window, seen, looks, _redness(seen, looks.radius_px, occupied, red))


def _redness(seen: Image, radius_px: float, occupied: NDArray[np.intp], red: NDArray[np.bool_]) -> float:
    """By how many standard errors Red's faces are redder than Black's.

    As a whole, and by the step from ground to ink: where light is too strong for the camera the grounds are of other
    colours in the middle of the board than at its edge, and where it is dim the inks hardly differ.
    """
    if np.count_nonzero(red) < 2 or np.count_nonzero(~red) < 2:
        return 0.0
    discs = np.column_stack([CENTRES_PX[occupied], np.full(len(occupied), radius_px)])
    by_ink = inks(seen, discs, np.ones(len(occupied), dtype=np.bool_)).red
    return min(_errors(redness(seen, occupied), red, _LEAST_ERROR), _errors(by_ink, red, _LEAST_INK_ERROR))


def _errors(measured: F64, red: NDArray[np.bool_], least: float) -> float:
    """By how many standard errors, each at `least`, what was measured of Red's pieces exceeds that of Black's."""
    reds, blacks = measured[red], measured[~red]
    error = float(np.sqrt(reds.var() / len(reds) + blacks.var() / len(blacks))) + least
    return float(np.median(reds) - np.median(blacks)) / error
