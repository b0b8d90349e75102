"""Plies that nobody saw: the shortest lawful lines that lead from a position to what is seen."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rules.legality import legal_moves
from rules.move import Move
from rules.position import Position

Fits = NDArray[np.bool_]
"""(90, 16) whether each piece, or none, may stand on a point by what is seen there."""

_MOST_PLIES = 6
_MOST_LINES = 48
_MOST_POSITIONS = 3000
"""So many are looked at, which takes a fifth of a second; beyond that too many lines would fit anyway."""


def shortest_lines(
    position: Position, fits: Fits, points: frozenset[int], least_plies: int
) -> list[tuple[Position, tuple[Move, ...]]]:
    """All the lines of the smallest number of plies whose end fits, with the positions they lead to.

    points : between which moves are tried; with more of them nearly everything has some lawful explanation
    """
    wrong = frozenset(point for point in range(len(position.board)) if not fits[point, position.board[point]])
    budget = [_MOST_POSITIONS]
    for plies in range(least_plies, _MOST_PLIES + 1):
        lines = []
        for line in _lines(position, wrong, points, plies, fits, budget):
            lines.append(line)
            if len(lines) >= _MOST_LINES:
                break
        if lines or budget[0] <= 0:
            return lines
    return []


def _lines(
    position: Position, wrong: frozenset[int], points: frozenset[int], plies: int, fits: Fits, budget: list[int]
) -> Iterator[tuple[Position, tuple[Move, ...]]]:
    """Lines of exactly so many plies.

    wrong  : points that do not fit yet; a ply puts two right at most
    points : between which moves are tried
    budget : how many more positions may be looked at, counted down
    """
    budget[0] -= 1
    if budget[0] <= 0 or len(wrong) > 2 * plies:
        return
    for move in legal_moves(position):
        start, end = move.from_point, move.to_point
        if start not in points or end not in points:
            continue
        still = wrong - {start, end}
        if not fits[start, 0]:
            still |= {start}
        if not fits[end, position.board[start]]:
            still |= {end}
        if len(still) > 2 * (plies - 1):
            continue
        after = position.play(move)
        if plies == 1:
            yield after, (move,)
            continue
        for last, moves in _lines(after, still, points, plies - 1, fits, budget):
            yield last, (move, *moves)
