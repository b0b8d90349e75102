"""What a point looks like, in a few numbers: the features by which empty points, red and black pieces are told apart.

The numbers are colours and contrasts of the disc's area and the roundness of its rim. They mean nothing by themselves;
`vision.looks` learns from this very table's start position what they mean here.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.rims import gradient_products, rim_scores
from vision.window import CELL_PX, CENTRES_PX, patch_radius_cells, patches

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_FACE_CELLS = 0.30
"""Radius of the part of a patch whose colours are taken: inside every face, and clear of most walls of neighbours."""
_INK_SHARE = 0.3
"""Share of the darkest pixels of a face taken as ink, and of the lightest taken as ground."""
_REACH_PX = 18
"""Half the side of the square round a point in which its rim is looked for: 0.75 cell."""
_RING_SHIFTS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1))
"""Where the rim's centre is tried, px: a rim is as thin as a pixel, and pieces stand a little off their points."""

_RADII_PX = np.linspace(0.26, 0.46, 5) * CELL_PX
"""Rims are looked for at these radii, px: of the face itself, or of a ring painted on it."""

_IN_FACE = np.flatnonzero(patch_radius_cells() < _FACE_CELLS)
OCCUPANCY_FEATURES = 15
SIDE_FEATURES = 9


def features(window: Image, centres_px: F64) -> tuple[F64, F64]:
    """(N, 15) features for piece or empty, (N, 9) for the side, about N places of a window.

    Light is to be evened out before (`vision.change`): colours are compared as they are.
    """
    occupancy = np.zeros((len(centres_px), OCCUPANCY_FEATURES))
    side = np.zeros((len(centres_px), SIDE_FEATURES))
    for row, centre in enumerate(centres_px):
        occupancy[row], side[row] = _features_at(window, centre)
    return occupancy, side


def _features_at(window: Image, centre_px: F64) -> tuple[F64, F64]:
    cut, centre = _cut(window, centre_px)
    x, y = round(centre[0] + 0.5) - CELL_PX // 2, round(centre[1] + 0.5) - CELL_PX // 2
    patch = np.ascontiguousarray(cut[y : y + CELL_PX, x : x + CELL_PX])
    lab = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).reshape(-1, 3)[_IN_FACE].astype(np.float64)
    order = np.argsort(lab[:, 0], kind="stable")
    share = int(_INK_SHARE * len(order))
    mean, ink, ground = lab.mean(axis=0), lab[order[:share]].mean(axis=0), lab[order[-share:]].mean(axis=0)
    centres = centre + np.array(_RING_SHIFTS, dtype=np.float64)
    rims = 100.0 * rim_scores(gradient_products(cut), centres, _RADII_PX).max(axis=0)
    contrast = ink - ground
    return (
        np.concatenate([mean, ground, contrast, [lab[:, 0].std()], rims]),
        np.concatenate([mean, contrast, ink]),
    )


def face_radius_px(window: Image, occupied: NDArray[np.intp]) -> float:
    """Radius of the faces, by the rims of pieces that stand near their points."""
    edges = gradient_products(window)
    radii = np.linspace(0.26, 0.48, 23) * CELL_PX
    scores = rim_scores(edges, CENTRES_PX[occupied], radii)
    return float(radii[int(np.argmax(scores.mean(axis=0)))])


def _cut(window: Image, centre_px: F64) -> tuple[Image, F64]:
    """The square round a place, and the place in it; at the window's edge it is moved inwards."""
    h, w = window.shape[:2]
    x, y = (round(float(v) + 0.5) for v in centre_px)
    left = min(max(0, x - _REACH_PX), w - 2 * _REACH_PX)
    top = min(max(0, y - _REACH_PX), h - 2 * _REACH_PX)
    cut = window[top : top + 2 * _REACH_PX, left : left + 2 * _REACH_PX]
    inner = np.clip(centre_px - [left, top], CELL_PX / 2 - 0.5, 2 * _REACH_PX - CELL_PX / 2 - 0.5)
    return cut, inner


def redness(window: Image, points: NDArray[np.intp]) -> F64:
    """(N,) mean Lab a* of the faces of pieces on N points, 8-bit levels.

    The sides' discs are of one material, so that their inks alone make the difference: light or dark, thin or bold.
    """
    a_star = patches(cv2.cvtColor(window, cv2.COLOR_BGR2LAB).astype(np.uint8, copy=False))[points][:, _IN_FACE, 1]
    return a_star.mean(axis=1, dtype=np.float64)  # type: ignore[no-any-return]
