"""Pieces that lie at the rim of the window and are no hand: a knocked row may reach beyond it as an arm does."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.change import HALF, HALF_CELL_PX, Mask
from vision.frame import Image
from vision.hand import Hands
from vision.looks import Looks
from vision.rims import gradient_products
from vision.round_things import round_things
from vision.window import CENTRES_PX


@dataclass(frozen=True, slots=True)
class LyingConfig:
    """What is taken for pieces, and not for a hand."""

    most_cells2: float = 8.0
    """A larger region is not looked at."""
    moving_share: float = 0.01
    """What lies does not move: at most this share of it differs from the frame before."""
    least_occupancy: float = 0.75
    """Score from which a round thing is a piece for sure."""
    left: tuple[float, float] = (0.5, -0.5)
    """A piece has left a point that scored more than the first, and now scores less than the second."""
    reach_cells: float = 0.55
    """So far from the middle of a piece its side and its shadow are seen, and from the rim half a piece."""
    explained_share: float = 0.9
    """So much of the region has to be within that of pieces, of points they left, and of the rim."""


def only_lying(
    window: Image, reference: Image, foreign: Mask, moves: Mask, hands: Hands, looks: Looks, config: LyingConfig
) -> bool:
    """Whether what was taken for hands is nothing but pieces that lie still, and the points they have left.

    window, reference : (TALL, WIDE, 3) now and remembered, evened
    foreign, moves    : (TALL/2, WIDE/2) matter come or gone, and what differs from the frame before
    """
    if not hands.present or hands.area_cells2 > config.most_cells2:
        return False
    region = foreign & hands.mask
    size = np.count_nonzero(region)
    if size == 0 or np.count_nonzero(moves & hands.mask) > config.moving_share * size:
        return False
    if not hands.hidden.any():
        # A piece beside the board, or a hand that rests there: no point is in its way.
        return True
    covered = CENTRES_PX[hands.hidden]
    stood = looks.score(reference, covered)[0] > config.left[0]
    stands = looks.score(window, covered)[0] > config.left[1]
    if not (stood & ~stands).any():
        return False
    lying = round_things(window, gradient_products(window), [region], looks, config.least_occupancy)
    if not lying:
        return False
    near = np.zeros(region.shape, dtype=np.uint8)
    reach = round(config.reach_cells * HALF_CELL_PX)
    for x, y in [*covered[stood & ~stands], *(thing.xy_px for thing in lying)]:
        cv2.circle(near, (round(float(x)) // HALF, round(float(y)) // HALF), reach, 1, -1)
    near[:reach], near[-reach:], near[:, :reach], near[:, -reach:] = 1, 1, 1, 1
    return bool(np.count_nonzero(region & (near > 0)) >= config.explained_share * size)
