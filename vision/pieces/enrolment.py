"""What is known of one set on one table under one light, from a picture whose position was known."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.grid import F64
from vision.pieces.likeness import C64
from vision.rectify import Rectified

U8 = NDArray[np.uint8]
I64 = NDArray[np.int64]

EMPTY_PX = 24
"""Side of the remembered picture of an empty point, px; it shows one cell."""
_REACH_PX = 2
"""How far it may lie off when it is compared: a tenth of a cell, for a grid found anew."""
_LEAST_CONTRAST = 5.0
"""Standard deviation, in levels, under which an empty point is too bare to be known again."""
_ALIKE_FROM, _ALIKE_TO = 0.6, 0.9
"""Correlation with the remembered empty point: pieces have up to 0.4, the same point later 0.9 and more."""
_KNOWN_AGAIN_NATS = 4.0
"""Log-odds of empty where a point looks fully as it did when it was empty."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """One set, and the empty points of the board it stood on."""

    spectra: C64
    """(N, S, RADII, F) faces of the known pieces."""
    kinds: I64
    """(N,) their kinds, 1..7."""
    sides: I64
    """(N,) their sides."""
    face_radius: float
    """Radius of the faces, cells."""
    compared_cells: float
    """Radius of the part of each face that is compared, cells."""
    empties: U8
    """(90, EMPTY_PX, EMPTY_PX) grey looks of the points that were empty, by the points' numbers; others are 0."""


def empty_looks(board: Rectified, empty_at: I64) -> U8:
    """(90, EMPTY_PX, EMPTY_PX) grey pictures of those points, from a board rectified with Red below."""
    out = np.zeros((90, EMPTY_PX, EMPTY_PX), dtype=np.uint8)
    for point in empty_at:
        out[point] = _around(board, int(point), 0)
    return out


def seen_again(empties: U8, board: Rectified, half_turned: bool) -> F64:
    """(90,) log-odds, 0 or less, of a piece at each point of the grid by its likeness to how it looked empty.

    Only likeness says something: a point looks otherwise under a piece, a shadow or a hand alike.

    half_turned : whether the grid counts from Black's side
    """
    out = np.zeros(90)
    for point in range(90):
        known = empties[89 - point][::-1, ::-1] if half_turned else empties[point]
        if known.std() < _LEAST_CONTRAST:
            continue
        alike = float(cv2.matchTemplate(_around(board, point, _REACH_PX), known, cv2.TM_CCOEFF_NORMED).max())
        out[point] = -_KNOWN_AGAIN_NATS * float(np.clip((alike - _ALIKE_FROM) / (_ALIKE_TO - _ALIKE_FROM), 0.0, 1.0))
    return out


def _around(board: Rectified, point: int, reach_px: int) -> U8:
    """The grey picture of one cell about a point, and so many of its px more on each side."""
    scale = board.px_per_cell / EMPTY_PX
    side = EMPTY_PX + 2 * reach_px
    (x, y), *_ = board.to_px(np.array([[point % 9, point // 9]], dtype=np.float64))
    patch = cv2.getRectSubPix(board.image, (round(side * scale), round(side * scale)), (float(x), float(y)))
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (side, side), interpolation=cv2.INTER_AREA), dtype=np.uint8)
