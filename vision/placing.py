"""Whether the piece of a move stands on the point it was brought to, or lies between points."""

from dataclasses import dataclass

import numpy as np

from rules.move import Move
from vision.align import moved_face
from vision.frame import Image
from vision.rims import find_discs
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
    sure_score: float = 0.85
    """The piece's face has to match so well for its place to be told by it alone."""
    least_score: float = 0.7
    """Below this the rim alone tells; in between both have to: a face that matches so poorly may be found beside where
    it is."""


def lies_between(then: Image, now: Image, move: Move, radius_px: float, config: PlacingConfig) -> bool:
    """Whether the piece of `move` lies too far off the point it was moved to.

    then, now : evened windows before and after the move
    radius_px : of the faces in the window
    """
    seen = _off_cells(now, move.to_point, radius_px, config)
    if float(np.hypot(*seen)) <= config.asked_cells:
        return False
    # Strokes tell the place of a face better than its rim does, whose lower edge is seen as well.
    score, further = moved_face(then, now, move.from_point, move.to_point)
    if score < config.least_score:
        return float(np.hypot(*seen)) > config.off_centre_cells
    stood = _off_cells(then, move.from_point, radius_px, config)
    by_face = float(np.hypot(stood[0] + further[0], stood[1] + further[1]))
    if score < config.sure_score:
        by_face = min(by_face, float(np.hypot(*seen)))
    return by_face > config.off_centre_cells


def _off_cells(window: Image, point: int, radius_px: float, config: PlacingConfig) -> tuple[float, float]:
    """Where a piece's rim is, right and up of its point, cells."""
    near = CENTRES_PX[point : point + 1]
    centres, _ = find_discs(window, near, np.array([radius_px]), config.search_cells * CELL_PX)
    right, down = (centres - near)[0] / CELL_PX
    return float(right), -float(down)
