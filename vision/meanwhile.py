"""Plies played while nobody looked: between the end of a recording and its resumption, or while the board was lost."""

import numpy as np
from numpy.typing import NDArray

from rules.legality import legal_moves
from rules.move import Move
from rules.piece import BLACK, EMPTY, side_of
from rules.position import Position
from vision.frame import Image
from vision.looks import Looks
from vision.window import CENTRES_PX

MOST_PLIES = 4
"""More plies than this have too many explanations that look alike."""

Sides = NDArray[np.int8]
"""(90,) 0 empty, 1 red, 2 black."""


def sides_seen(looks: Looks, seen: Image) -> Sides:
    """What the 90 points of an evened window look like."""
    occupancy, side = looks.score(seen, CENTRES_PX)
    return np.where(occupancy < 0.0, 0, np.where(side < 0.0, 1, 2)).astype(np.int8)


def sides_of(board: bytes) -> Sides:
    """What the points of a known board look like."""
    return np.array([0 if p == EMPTY else 2 if side_of(p) == BLACK else 1 for p in board], dtype=np.int8)


def plies_between(position: Position, seen: Sides) -> list[list[Move]]:
    """The fewest legal plies from `position` to a board that looks like `seen`, one way to each such board.

    Nothing where no plies explain it; several where colours alone do not tell which pieces were moved.
    """
    ends: dict[bytes, list[Move]] = {}
    for plies in range(MOST_PLIES + 1):
        _search(position, seen, plies, [], ends)
        if ends:
            break
    return list(ends.values())


def after(position: Position, plies: list[Move]) -> Position:
    """The position after them."""
    for move in plies:
        position = position.play(move)
    return position


def likeliest(position: Position, ways: list[list[Move]], read: bytes) -> list[Move] | None:
    """The way to the board that is most like the one `read` from the glyphs; None where two are as like."""
    likeness = [sum(a == b for a, b in zip(after(position, way).board, read, strict=True)) for way in ways]
    best = max(likeness)
    return ways[likeness.index(best)] if likeness.count(best) == 1 else None


def _search(position: Position, seen: Sides, plies: int, played: list[Move], ends: dict[bytes, list[Move]]) -> None:
    wrong = np.flatnonzero(sides_of(position.board) != seen)
    if plies == 0:
        if not len(wrong):
            ends.setdefault(position.board, list(played))
        return
    # One ply changes two points.
    if len(wrong) > 2 * plies:
        return
    moved = {before.to_point for before in played}
    for move in legal_moves(position):
        # Pieces that stand where they should are left alone, unless they were moved before or fill a gap.
        if move.from_point in wrong or move.to_point in wrong or move.from_point in moved:
            _search(position.play(move), seen, plies - 1, [*played, move], ends)
