"""Whether the board still lies where it lay, as its lines tell, though many of its pieces do not."""

import cv2
import numpy as np

from rules.piece import EMPTY
from vision.change import HALF, HALF_CELL_PX
from vision.frame import Image
from vision.window import CENTRES_PX

_REACH_CELLS = 2.2
"""A grid looks like itself a cell or two farther on: the best place is looked for as far as that."""
_EDGE_CELLS = 0.75
"""So much beyond the window's edge the lines are followed to: the outermost points and half a cell."""
_PIECE_CELLS = 0.5
"""Radius of what is left out round points that had a piece, whatever stands there now."""
_IN_PLACE_CELLS = 0.2
"""The best place may be so far from where the board lay."""


def lies_where_it_lay(then: Image, now: Image, board: bytes) -> bool:
    """Whether no other place than its own suits the bare part of a board as well.

    then, now : (TALL/2, WIDE/2, 3) halved windows, light evened out
    board     : what stood on it then
    """
    edge = round(_EDGE_CELLS * HALF_CELL_PX)
    reach = round(_REACH_CELLS * HALF_CELL_PX)
    lines = cv2.cvtColor(then, cv2.COLOR_BGR2GRAY)[edge:-edge, edge:-edge]
    around = reach - edge
    wide = cv2.copyMakeBorder(cv2.cvtColor(now, cv2.COLOR_BGR2GRAY), *(around,) * 4, cv2.BORDER_REPLICATE)
    bare = np.ones(then.shape[:2], dtype=np.float32)
    for point in np.flatnonzero(np.frombuffer(board, dtype=np.uint8) != EMPTY):
        x, y = (round((float(v) + 0.5) / HALF - 0.5) for v in CENTRES_PX[point])
        cv2.circle(bare, (x, y), round(_PIECE_CELLS * HALF_CELL_PX), 0.0, -1)
    fits = cv2.matchTemplate(wide, lines, cv2.TM_CCOEFF_NORMED, mask=bare[edge:-edge, edge:-edge])
    best_y, best_x = np.unravel_index(int(np.argmax(np.where(np.isfinite(fits), fits, -1.0))), fits.shape)
    return float(np.hypot(best_x - reach, best_y - reach)) <= _IN_PLACE_CELLS * HALF_CELL_PX
