"""What the kind net reads on faces that stand on known points, before and after hands were at them."""

from dataclasses import dataclass

import numpy as np

from models.preprocess import disc_crops
from rules.piece import Piece, kind_of
from rules.point import Point
from vision.fine import FINE_CELL_PX, FINER
from vision.frame import Image
from vision.pieces.nets import F32, PieceNets
from vision.rims import find_discs
from vision.window import CENTRES_PX

_REACH_CELLS = 0.45
"""How far from its point a face is looked for."""
_TURNS = 16
"""Pieces are put down at any turn: over so many the net's readings are averaged."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The net, the size of this set's faces, and the fine windows: in the coarse one strokes are a pixel wide."""

    nets: PieceNets
    radius_px: float
    """Of the faces in the coarse window."""
    then: Image
    """(2 TALL, 2 WIDE, 3) fine window with the pieces as on record."""
    now: Image
    """The same, now."""

    def leads_nats(self, point: Point, one: Piece, other: Piece) -> tuple[float, float]:
        """By how much the face on a point read more like the kind of `other` than of `one`: then, and now."""
        return self._lead_nats(self.then, point, one, other), self._lead_nats(self.now, point, one, other)

    def _lead_nats(self, fine: Image, point: Point, one: Piece, other: Piece) -> float:
        near, radius_px = (CENTRES_PX[point : point + 1] + 0.5) * FINER - 0.5, self.radius_px * FINER
        centres, _ = find_discs(fine, near, np.array([radius_px]), _REACH_CELLS * FINE_CELL_PX)
        disc = np.array([[*centres[0], radius_px]])
        read: F32 = self.nets.kinds(disc_crops(fine, disc), _TURNS)[0]
        return float(read[kind_of(other) - 1] - read[kind_of(one) - 1])
