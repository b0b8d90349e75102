"""What the lines of a xiangqi board are: segments where a line must be, and segments where none may be."""

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]

Edges = NDArray[np.float64]
"""(N, 4) segments x0, y0, x1, y1 in board cells."""


def _rank_edges() -> list[tuple[float, float, float, float]]:
    return [(f, r, f + 1.0, r) for r in range(10) for f in range(8)]


def _file_edges() -> list[tuple[float, float, float, float]]:
    return [(f, r, f, r + 1.0) for f in range(9) for r in range(9) if r != 4 or f in (0, 8)]


def _palace_edges() -> list[tuple[float, float, float, float]]:
    out: list[tuple[float, float, float, float]] = []
    for low in (0.0, 7.0):
        for f, r in ((3.0, low), (5.0, low), (3.0, low + 2.0), (5.0, low + 2.0)):
            out.append((f, r, 4.0, low + 1.0))
    return out


def _river_gaps() -> list[tuple[float, float, float, float]]:
    return [(f, 4.0, f, 5.0) for f in range(1, 8)]


def _outside() -> list[tuple[float, float, float, float]]:
    """The lines going on past the border, and the next line round the board."""
    out: list[tuple[float, float, float, float]] = []
    for f in range(9):
        out += [(f, -0.9, f, -0.3), (f, 9.3, f, 9.9)]
    for r in range(10):
        out += [(-0.9, r, -0.3, r), (8.3, r, 8.9, r)]
    out += [(f, r, f + 1.0, r) for r in (-1.0, 10.0) for f in range(8)]
    out += [(f, r, f, r + 1.0) for f in (-1.0, 9.0) for r in range(9)]
    return out


def _false_palaces() -> list[tuple[float, float, float, float]]:
    """Diagonals where the palace would be, were the board shifted by one file or rank or taken for turned."""
    out: list[tuple[float, float, float, float]] = []
    for low in (1.0, 6.0):
        out += [(3.0, low + 2.0, 4.0, low + 1.0), (5.0, low + 2.0, 4.0, low + 1.0)]
    for low in (0.0, 7.0):
        out += [(2.0, low, 3.0, low + 1.0), (2.0, low + 2.0, 3.0, low + 1.0)]
        out += [(6.0, low, 5.0, low + 1.0), (6.0, low + 2.0, 5.0, low + 1.0)]
    return out


RANK_EDGES: Edges = np.array(_rank_edges())
FILE_EDGES: Edges = np.array(_file_edges(), dtype=np.float64)
LINE_EDGES: Edges = np.vstack([RANK_EDGES, FILE_EDGES])
"""Every straight piece of line between neighbouring points."""
PALACE_EDGES: Edges = np.array(_palace_edges())
RIVER_GAPS: Edges = np.array(_river_gaps())
"""Where the inner files would cross the river: no line there."""
OUTSIDE_EDGES: Edges = np.array(_outside())
FALSE_PALACE_EDGES: Edges = np.array(_false_palaces())


BETWEEN_EDGES: Edges = np.vstack(
    [RANK_EDGES + np.array([0.1, 0.5, -0.1, 0.5]), FILE_EDGES + np.array([0.5, 0.1, 0.5, -0.1])]
)
"""Halfway between lines: nothing of the board there but the river's text, marks and diagonals."""


def along(edges: Edges, shares: F64) -> F64:
    """(N, K, 2) positions at the given shares (0..1) of each edge."""
    start, end = edges[:, None, :2], edges[:, None, 2:]
    out: F64 = start + (end - start) * shares[None, :, None]
    return out
