"""Plies that nobody saw: the shortest lawful lines that lead from a position to what is seen."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rules.legality import legal_moves, pseudo_legal_moves
from rules.move import Move
from rules.piece import EMPTY, Side, side_of
from rules.point import POINTS
from rules.position import Position

Fits = NDArray[np.bool_]
"""(90, 16) whether each piece, or none, may stand on a point by what is seen there."""

_MOST_PLIES = 8
_MOST_LINES = 400
_MOST_POSITIONS = 3000
"""So many are looked at, which takes a fifth of a second; beyond that too many lines would fit anyway."""

_NO_ORDER = (0,) * POINTS

Line = tuple[Position, tuple[Move, ...]]
"""The position a line leads to, and its plies."""


def shortest_lines(
    position: Position, fits: Fits, points: frozenset[int], least_plies: int, rank: Sequence[int] = _NO_ORDER
) -> list[Line]:
    """The lines of the smallest number of plies whose end fits, with the positions they lead to.

    rank   : of each point; of too many lines those are found whose plies leave points in about this order
    points : between which moves are tried, and over which a piece can have come in two; with more of them nearly
             everything has some lawful explanation
    """
    wrong = frozenset(point for point in range(len(position.board)) if not fits[point, position.board[point]])
    search = _Search(fits, points | _ways_round(position, wrong, fits), rank)
    for plies in range(least_plies, _MOST_PLIES + 1):
        lines = search.lines(position, wrong, plies)
        if lines or search.positions >= _MOST_POSITIONS:
            return list(lines)
    return []


@dataclass(slots=True)
class _Search:
    """Lines between some points; what was found from a position is kept, for most orders of plies meet again."""

    fits: Fits
    points: frozenset[int]
    rank: Sequence[int]
    positions: int = 0
    """Looked at so far."""
    known: dict[tuple[bytes, Side, int], tuple[Line, ...]] = field(default_factory=dict)

    def lines(self, position: Position, wrong: frozenset[int], plies: int) -> tuple[Line, ...]:
        """Lines of exactly so many plies; `wrong` are the points that do not fit yet, of which a ply mends two."""
        if plies == 0:
            return ((position, ()),)
        key = (position.board, position.side, plies)
        if key not in self.known:
            self.positions += 1
            self.known[key] = () if self.positions > _MOST_POSITIONS else self._longer(position, wrong, plies)
        return self.known[key]

    def _longer(self, position: Position, wrong: frozenset[int], plies: int) -> tuple[Line, ...]:
        found: list[Line] = []
        between = [m for m in legal_moves(position) if m.from_point in self.points and m.to_point in self.points]
        for move in sorted(between, key=lambda move: self.rank[move.from_point]):
            start, end = move.from_point, move.to_point
            still = wrong - {start, end}
            if not self.fits[start, EMPTY]:
                still |= {start}
            if not self.fits[end, position.board[start]]:
                still |= {end}
            if len(still) <= 2 * (plies - 1):
                after = self.lines(position.play(move), still, plies - 1)
                found.extend((last, (move, *moves)) for last, moves in after)
            if len(found) >= _MOST_LINES:
                break
        return tuple(found)


def _ways_round(position: Position, wrong: frozenset[int], fits: Fits) -> frozenset[int]:
    """Points over which a piece that left its own can have come in two moves to one it does not reach in one."""
    found: set[int] = set()
    for start in wrong:
        piece = position.board[start]
        if piece == EMPTY:
            continue
        first = _reach(piece, start)
        for end in wrong - first - {start}:
            if fits[end, piece]:
                found.update(point for point in first if end in _reach(piece, point))
    return frozenset(found)


@cache
def _reach(piece: int, start: int) -> frozenset[int]:
    """Where a piece goes from a point of an otherwise empty board."""
    board = bytearray(POINTS)
    board[start] = piece
    return frozenset(move.to_point for move in pseudo_legal_moves(Position(bytes(board), side_of(piece))))
