"""What stands under a hand, as far as everything else on the board tells: nothing is seen there."""

from dataclasses import dataclass

import numpy as np

from calibration.grid import F64
from rules.piece import BLACK, FULL_SET, KINDS, KING, RED, kind_of, make_piece, side_of
from vision.pieces.placement import I64, START_KINDS

COVERED = 0.5
"""Probability of a foreign body from which a point counts as hidden."""
_SOME_PIECE = 0.35
"""Probability of a piece on a hidden point where a whole army may be hidden: a third of all points bear one."""
_NO_PIECE = 0.02
"""The same where every piece is seen elsewhere: one of them may have been misread."""
_TAKEN_ODDS = 0.5
"""How likely a piece that is not seen is off the board, against standing under the hand, where half have moved."""
_AWAY_FROM_HOME = 0.1
"""How likely the general is on another point of its palace, against the one where it starts."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A piece that is taken to stand where it cannot be seen."""

    point: int
    piece: int
    p: float
    """Probability that it does."""


def hidden_pieces(pieces: I64, covered: F64) -> list[Hidden]:
    """The pieces that stand on hidden points, where that is likelier than not.

    pieces  : (90,) what is seen, 0 where nothing, numbered with Red below
    covered : (90,) probability that a point is hidden
    """
    free = (covered > COVERED) & (pieces == 0)
    return [found for side in (RED, BLACK) for found in _of_side(pieces, free, side)] if free.any() else []


def hidden_share(pieces: I64, covered: F64) -> float:
    """Probability of a piece on a hidden point, by how many of a whole set are not seen elsewhere."""
    hidden = max(1, int(((covered > COVERED) & (pieces == 0)).sum()))
    unseen = 32 - int(np.count_nonzero(pieces))
    return float(np.clip(0.5 * unseen / hidden, _NO_PIECE, _SOME_PIECE))


def _of_side(pieces: I64, free: np.ndarray, side: int) -> list[Hidden]:
    seen = [kind_of(int(piece)) for piece in pieces if piece and side_of(int(piece)) == side]
    home = START_KINDS[side]
    visible = np.flatnonzero((home > 0) & ~free)
    at_home = sum(int(pieces[point]) == make_piece(side, int(home[point])) for point in visible)
    unmoved = (at_home + 1.0) / (len(visible) + 2.0)
    still_there = unmoved / (unmoved + (1.0 - unmoved) * _TAKEN_ODDS)
    found = []
    for kind in KINDS:
        missing = FULL_SET[kind] - seen.count(kind)
        spots = np.flatnonzero(free & (home == kind))
        if missing <= 0:
            continue
        if kind == KING:
            found += _general(free, side)
        elif len(spots):
            p = min(1.0, missing / len(spots)) * still_there
            found += [Hidden(int(point), make_piece(side, kind), p) for point in spots if p > 0.5]
    return found


def _general(free: np.ndarray, side: int) -> list[Hidden]:
    """A side that is not seen to have one has it under the hand, if that lies over its palace."""
    palace = [rank * 9 + file for rank in ((0, 1, 2) if side == RED else (7, 8, 9)) for file in (3, 4, 5)]
    start = palace[1] if side == RED else palace[7]
    weights = {point: 1.0 if point == start else _AWAY_FROM_HOME for point in palace if free[point]}
    if not weights:
        return []
    best = max(weights, key=lambda point: weights[point])
    p = weights[best] / (sum(weights.values()) + _NO_PIECE)
    return [Hidden(best, make_piece(side, KING), p)] if p > 0.5 else []
