"""Whether the piece of a move stands on the point it was brought to, or lies between points."""

from dataclasses import dataclass

import numpy as np

from rules.move import Move
from rules.piece import Side
from vision.align import moved_face
from vision.frame import Image
from vision.looks import Looks
from vision.rims import F64, find_discs
from vision.window import CELL_PX, CENTRES_PX


@dataclass(frozen=True, slots=True)
class PlacingConfig:
    """When a piece lies between points."""

    off_centre_cells: float = 0.36
    """A piece farther than this from its point lies between points: half way between one that was put down carelessly
    and one that is as near to the next point."""
    asked_cells: float = 0.22
    """A piece whose rim is seen nearer than this stands on its point: the rim errs by up to a tenth of a cell."""
    search_cells: float = 0.56
    """How far the rim is looked for."""
    least_score: float = 0.7
    """A face that was known from before tells where it is now if it matches so well."""
    error_cells: float = 0.06
    """Of rim and face, mostly. Where only one of them tells, or they differ by more, a piece has to lie farther off by
    so much: what may as well stand on its point is not told of."""


def lies_between(then: Image, now: Image, move: Move, side: Side, looks: Looks, config: PlacingConfig) -> bool:
    """Whether the piece of `move` lies too far off the point it was moved to.

    then, now : evened windows before and after the move
    side      : of the piece
    """
    rim_px = _rim_px(now, move.to_point, looks.radius_px, config)
    by_rim = _off_cells(rim_px, move.to_point)
    if float(np.hypot(*by_rim)) <= config.asked_cells:
        return False
    middle_px = looks.middle(now, rim_px, side)
    if middle_px is not None:
        return float(np.hypot(*_off_cells(middle_px, move.to_point))) > config.off_centre_cells
    score, further = moved_face(then, now, move.from_point, move.to_point)
    nearest = float(np.hypot(*by_rim))
    if score >= config.least_score:
        stood = _off_cells(_rim_px(then, move.from_point, looks.radius_px, config), move.from_point)
        by_face = stood + further
        if float(np.hypot(*(by_face - by_rim))) <= config.error_cells:
            return float(np.hypot(*(by_face + by_rim))) / 2.0 > config.off_centre_cells
        nearest = min(nearest, float(np.hypot(*by_face)))
    return nearest > config.off_centre_cells + config.error_cells


def _rim_px(window: Image, point: int, radius_px: float, config: PlacingConfig) -> F64:
    """(2,) the middle of the rim near a point, px."""
    near = CENTRES_PX[point : point + 1]
    centres, _ = find_discs(window, near, np.array([radius_px]), config.search_cells * CELL_PX)
    middle: F64 = centres[0]
    return middle


def _off_cells(at_px: F64, point: int) -> F64:
    """(2,) how far right and up of a point a place is, cells."""
    off: F64 = (at_px - CENTRES_PX[point]) * np.array([1.0, -1.0]) / CELL_PX
    return off
