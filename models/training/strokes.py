"""Signs written stroke by stroke with a free hand, where fonts show too few of the ways people write them.

Black's soldier in the running hand and the chariot are told apart only by what lies between the top and the long
stroke, and most fonts print them; so both are written here with every proportion open.
"""

import itertools

import cv2
import numpy as np
from numpy.typing import NDArray

from models.glyphs import CELL_PX

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]
Rng = np.random.Generator

Stroke = list[tuple[float, float]]
"""Points that the brush passes, x right and y down, the sign within -1..1."""

HANDS: dict[str, list[list[Stroke]]] = {
    "卒": [
        [  # dot, bar, two men, long bar, stem
            [(0.0, -1.0), (0.06, -0.78)],
            [(-0.6, -0.62), (0.6, -0.68)],
            [(-0.28, -0.6), (-0.42, -0.3), (-0.7, -0.05)],
            [(-0.4, -0.32), (-0.12, -0.06)],
            [(0.3, -0.6), (0.2, -0.3), (-0.05, -0.02)],
            [(0.22, -0.34), (0.62, -0.02)],
            [(-0.98, 0.25), (0.98, 0.18)],
            [(0.0, 0.02), (0.0, 1.0)],
        ],
        [  # the bar ends in a hook, the men are joined, the stem begins among them
            [(-0.02, -1.0), (0.02, -0.7)],
            [(-0.5, -0.62), (0.45, -0.72), (0.3, -0.5)],
            [(-0.3, -0.6), (-0.55, -0.2), (-0.3, -0.36), (-0.12, -0.2)],
            [(0.18, -0.55), (0.0, -0.2), (0.2, -0.36), (0.55, -0.14)],
            [(-0.95, 0.12), (0.95, 0.02)],
            [(0.0, -0.25), (0.02, 1.0)],
        ],
        [  # narrow and tall, the men a knot, the long bar low
            [(-0.04, -1.0), (0.05, -0.72)],
            [(-0.4, -0.6), (0.36, -0.7), (0.28, -0.52)],
            [(-0.2, -0.56), (-0.5, -0.05), (-0.2, -0.3), (-0.06, -0.08)],
            [(0.2, -0.52), (-0.02, -0.06), (0.16, -0.3), (0.46, -0.02)],
            [(-0.8, 0.36), (0.8, 0.26)],
            [(0.0, 0.0), (0.02, 1.0)],
        ],
        [  # the same, its stem from the top
            [(0.0, -1.0), (0.02, 1.0)],
            [(-0.42, -0.66), (0.4, -0.74)],
            [(-0.18, -0.6), (-0.5, -0.1)],
            [(-0.34, -0.34), (0.0, -0.1), (0.3, -0.5)],
            [(0.2, -0.34), (0.5, -0.06)],
            [(-0.8, 0.3), (0.8, 0.2)],
        ],
        [  # the stem runs from the dot through all of it
            [(0.0, -1.0), (0.0, 1.0)],
            [(-0.45, -0.66), (0.5, -0.72)],
            [(-0.2, -0.6), (-0.55, -0.15)],
            [(-0.38, -0.36), (-0.14, -0.14)],
            [(0.3, -0.62), (0.06, -0.12)],
            [(0.22, -0.4), (0.6, -0.1)],
            [(-0.9, 0.2), (0.9, 0.12)],
        ],
        [  # four dots for the men
            [(-0.05, -1.0), (0.08, -0.76)],
            [(-0.65, -0.6), (0.65, -0.64)],
            [(-0.45, -0.42), (-0.6, -0.1)],
            [(-0.2, -0.4), (-0.12, -0.12)],
            [(0.18, -0.42), (0.08, -0.12)],
            [(0.4, -0.42), (0.6, -0.1)],
            [(-0.98, 0.2), (0.98, 0.14)],
            [(0.0, -0.02), (0.0, 1.0)],
        ],
    ],
    "車": [
        [  # printed
            [(-0.6, -0.74), (0.6, -0.78)],
            [(-0.5, -0.48), (-0.5, 0.2)],
            [(-0.5, -0.48), (0.5, -0.5), (0.5, 0.2)],
            [(-0.5, -0.14), (0.5, -0.15)],
            [(-0.5, 0.2), (0.5, 0.18)],
            [(-0.98, 0.5), (0.98, 0.46)],
            [(0.0, -1.0), (0.0, 1.0)],
        ],
        [  # running: box and middle bar in one go
            [(-0.5, -0.7), (0.55, -0.78)],
            [(-0.42, -0.45), (-0.36, 0.1)],
            [(-0.4, -0.42), (0.45, -0.5), (0.36, 0.06), (-0.3, 0.1)],
            [(-0.34, -0.16), (0.32, -0.2)],
            [(-0.95, 0.42), (0.95, 0.32)],
            [(0.02, -1.0), (0.0, 1.0)],
        ],
        [  # running: the box as a figure like a 3
            [(-0.5, -0.66), (0.5, -0.74)],
            [(-0.4, -0.44), (-0.3, 0.0)],
            [(-0.36, -0.42), (0.4, -0.46), (0.1, -0.2), (0.36, -0.2), (0.2, 0.1), (-0.2, 0.12)],
            [(-0.9, 0.36), (0.92, 0.26)],
            [(0.0, -1.0), (0.02, 1.0)],
        ],
    ],
}


def write_sign(sign: str, rng: Rng) -> U8 | None:
    """(72, 72) coverage of a sign written by a free hand; None where no strokes of it are known."""
    hands = HANDS.get(sign)
    if hands is None:
        return None
    strokes = hands[rng.integers(len(hands))]
    cover = np.zeros((CELL_PX, CELL_PX), np.uint8)
    width = float(rng.uniform(1.3, 3.6))
    middle = (CELL_PX - 1) / 2.0
    loose = float(rng.uniform(0.02, 0.09))
    for stroke in strokes:
        path = _path(np.array(stroke) + rng.normal(0.0, loose, (len(stroke), 2)), rng)
        widths = _widths(len(path), width * float(np.exp(rng.normal(0.0, 0.2))), rng)
        for (x, y), radius in zip(path * (0.47 * CELL_PX) + middle, widths, strict=True):
            cv2.circle(cover, (round(x * 16), round(y * 16)), round(radius * 16), 255, -1, cv2.LINE_AA, 4)
    return cover


def _path(points: F64, rng: Rng) -> F64:
    """(M, 2) close places along the stroke, slightly bent and rounded at its corners."""
    pieces = []
    for start, end in itertools.pairwise(points):
        along = np.linspace(0.0, 1.0, 24)[:, None]
        across = np.array([start[1] - end[1], end[0] - start[0]]) * rng.normal(0.0, 0.08)
        pieces.append(start + (end - start) * along + across * 4.0 * along * (1.0 - along))
    path = np.vstack(pieces)
    if len(points) > 2:
        smooth = np.array([0.25, 0.5, 0.25])
        for _ in range(int(rng.integers(0, 6))):
            path[1:-1] = np.stack([np.convolve(path[:, axis], smooth, "valid") for axis in (0, 1)], axis=1)
    return path


def _widths(count: int, width: float, rng: Rng) -> F64:
    """Half widths along a stroke: pressed or lifted at its ends."""
    at = np.linspace(0.0, 1.0, count)
    start, end = np.exp(rng.normal(0.0, 0.3, 2))
    belly = rng.normal(0.0, 0.25)
    out: F64 = np.clip(width * (start + (end - start) * at + belly * np.sin(np.pi * at)), 0.7, 6.5)
    return out
