"""Round things of the pieces' size that look like pieces, wherever they lie."""

from dataclasses import dataclass

import cv2
import numpy as np

from rules.piece import BLACK, RED, Side
from vision.change import HALF, Mask
from vision.frame import Image
from vision.looks import Looks
from vision.rims import F32, F64, rim_scores
from vision.window import CELL_PX


@dataclass(frozen=True, slots=True)
class RoundThing:
    """A place that looks like a piece."""

    xy_px: tuple[float, float]
    side: Side
    occupancy: float
    """As of vision.looks: 1 is a piece."""


def round_things(window: Image, products: F32, areas: list[Mask], looks: Looks, least: float) -> list[RoundThing]:
    """The roundest places in or at some areas, each the only one within a piece's width, that look like pieces.

    products : of vision.rims for the window
    areas    : each (TALL/2, WIDE/2)
    least    : occupancy from which a place looks like a piece
    """
    places: list[tuple[float, float, float]] = []
    for area in areas:
        rows, columns = np.nonzero(cv2.dilate(area.astype(np.uint8), np.ones((3, 3), np.uint8)))
        trials = np.column_stack([columns, rows]).astype(np.float64) * HALF + 0.5
        scores = rim_scores(products, trials, looks.radius_px * _RADII).max(axis=1)
        places.extend((float(s), float(x), float(y)) for s, (x, y) in zip(scores, trials, strict=True))
    found: list[RoundThing] = []
    taken: list[tuple[float, float]] = []
    for _, x, y in sorted(places, reverse=True):
        if any(np.hypot(x - u, y - v) < _APART_CELLS * CELL_PX for u, v in taken):
            continue
        taken.append((x, y))
        xy: F64 = np.array([[x, y]])
        occupancy, side = looks.score(window, xy)
        if occupancy[0] >= least:
            found.append(RoundThing((x, y), BLACK if side[0] > 0 else RED, float(occupancy[0])))
    return found


_RADII = np.array([0.94, 1.0, 1.06])
"""Pieces of one set differ by so much, and faces nearer to the camera."""
_APART_CELLS = 0.6
"""Two pieces are at least this far apart."""
