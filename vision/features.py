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
    if not len(centres_px):
        return np.zeros((0, OCCUPANCY_FEATURES)), np.zeros((0, SIDE_FEATURES))
    cuts, centres = _cuts(window, centres_px)
    lab = _face_colours(cuts, centres)
    order = np.argsort(lab[:, :, 0], axis=1, kind="stable")[:, :, None]
    share = int(_INK_SHARE * lab.shape[1])
    mean = lab.mean(axis=1)
    ink = np.take_along_axis(lab, order[:, :share], axis=1).mean(axis=1)
    ground = np.take_along_axis(lab, order[:, -share:], axis=1).mean(axis=1)
    contrast, spread = ink - ground, lab[:, :, 0].std(axis=1)[:, None]
    return (
        np.hstack([mean, ground, contrast, spread, 100.0 * _roundness(cuts, centres)]),
        np.hstack([mean, contrast, ink]),
    )


def _face_colours(cuts: Image, centres: F64) -> F64:
    """(N, K, 3) Lab, 8-bit levels, of the pixels of the faces in N cuts."""
    corners = np.rint(centres + 0.5).astype(np.intp) - CELL_PX // 2
    faces = [cut[y : y + CELL_PX, x : x + CELL_PX] for cut, (x, y) in zip(cuts, corners.tolist(), strict=True)]
    lab = cv2.cvtColor(np.concatenate(faces), cv2.COLOR_BGR2LAB)
    return lab.reshape(len(cuts), -1, 3)[:, _IN_FACE].astype(np.float64)


def _roundness(cuts: Image, centres: F64) -> F64:
    """(N, R) roundness of the rims in N cuts.

    The cuts are stood on one another: rims stay clear of their edges, where they would see each other.
    """
    count, side = cuts.shape[:2]
    products = gradient_products(cuts.reshape(count * side, side, 3))
    tops = np.column_stack([np.zeros(count), np.arange(count) * side])
    tried = (centres + tops)[:, None, :] + np.array(_RING_SHIFTS, dtype=np.float64)
    scores = rim_scores(products, tried.reshape(-1, 2), _RADII_PX)
    return scores.reshape(count, len(_RING_SHIFTS), -1).max(axis=1)  # type: ignore[no-any-return]


def face_radius_px(window: Image, occupied: NDArray[np.intp]) -> float:
    """Radius of the faces, by the rims of pieces that stand near their points."""
    edges = gradient_products(window)
    radii = np.linspace(0.26, 0.48, 23) * CELL_PX
    scores = rim_scores(edges, CENTRES_PX[occupied], radii)
    return float(radii[int(np.argmax(scores.mean(axis=0)))])


def _cuts(window: Image, centres_px: F64) -> tuple[Image, F64]:
    """(N, 36, 36, 3) the squares round the places, and the places in them; at the window's edge moved inwards."""
    h, w = window.shape[:2]
    corners = np.rint(centres_px + 0.5).astype(np.intp) - _REACH_PX
    corners = np.minimum(np.maximum(corners, 0), [w - 2 * _REACH_PX, h - 2 * _REACH_PX])
    cuts = np.array([window[y : y + 2 * _REACH_PX, x : x + 2 * _REACH_PX] for x, y in corners.tolist()])
    least = CELL_PX / 2 - 0.5
    return cuts, np.minimum(np.maximum(centres_px - corners, least), 2 * _REACH_PX - 1 - least)


def redness(window: Image, points: NDArray[np.intp]) -> F64:
    """(N,) mean Lab a* of the faces of pieces on N points, 8-bit levels.

    The sides' discs are of one material, so that their inks alone make the difference: light or dark, thin or bold.
    """
    a_star = patches(cv2.cvtColor(window, cv2.COLOR_BGR2LAB).astype(np.uint8, copy=False))[points][:, _IN_FACE, 1]
    return a_star.mean(axis=1, dtype=np.float64)  # type: ignore[no-any-return]
