"""What the kind net reads on faces that stand on known points, before and after hands were at them."""

from dataclasses import dataclass

import numpy as np

from models.preprocess import disc_crops
from rules.piece import Piece, kind_of
from rules.point import Point
from vision.frame import Image
from vision.pieces.nets import F32, PieceNets
from vision.rims import find_discs
from vision.window import CELL_PX, CENTRES_PX

_REACH_CELLS = 0.45
"""How far from its point a face is looked for."""
_TURNS = 16
"""Pieces are put down at any turn: over so many the net's readings are averaged."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The net, and the size of this set's faces."""

    nets: PieceNets
    radius_px: float
    """Of the faces in the window."""

    def lead_nats(self, window: Image, point: Point, one: Piece, other: Piece) -> float:
        """By how much the face on a point reads more like the kind of `other` than like that of `one`."""
        near = CENTRES_PX[point : point + 1]
        centres, _ = find_discs(window, near, np.array([self.radius_px]), _REACH_CELLS * CELL_PX)
        disc = np.array([[*centres[0], self.radius_px]])
        read: F32 = self.nets.kinds(disc_crops(window, disc), _TURNS)[0]
        return float(read[kind_of(other) - 1] - read[kind_of(one) - 1])
