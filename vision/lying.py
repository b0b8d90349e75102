"""Pieces that lie at the rim of the window and are no hand: a knocked row may reach beyond it as an arm does."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import HALF, HALF_CELL_PX, Mask, halved
from vision.frame import Image
from vision.hand import Hands
from vision.looks import Looks
from vision.rims import F64, gradient_products
from vision.round_things import RoundThing, round_things
from vision.window import CELL_PX, CENTRES_PX


@dataclass(frozen=True, slots=True)
class LyingConfig:
    """What is taken for pieces, and not for a hand."""

    most_cells2: float = 8.0
    """A larger region is not looked at."""
    moving_share: float = 0.01
    """What lies does not move: at most this share of it differs from the frame before."""
    quiet_s: float = 0.3
    """For so long nothing has moved, and there was no hand: then none has come either."""
    least_occupancy: float = 0.75
    """Score from which a round thing is a piece for sure."""
    left: tuple[float, float] = (0.5, -0.5)
    """A piece stood on a point that scored more than the first, and has left it if it now scores less than the
    second."""
    reach_cells: float = 0.55
    """So far from the middle of a piece, and of its foot, its side and its shadow are seen, and from the rim half a
    piece."""
    most_pushed_cells2: float = 2.0
    """A tall piece that was only pushed is smaller than this; a larger region is not searched, for that takes long."""
    pushed_cells: float = 0.2
    """A piece so far from where one stood was pushed."""
    gone_edge: float = 0.7
    """Where a thing has gone the contrast along a region's edge is less than this share of what it was: 0.05 to 0.4
    where fingers were remembered, 2.4 for a hand that has come."""
    explained_share: float = 0.8
    """So much of the region has to be within that of pieces, of points they left, and of the rim."""


def still_lying(before: Mask | None, moves: Mask, config: LyingConfig) -> Mask | None:
    """(TALL/2, WIDE/2) where matter was known to lie, unless something has moved there; None for nowhere."""
    if before is None or np.count_nonzero(moves & before) > config.moving_share * np.count_nonzero(before):
        return None
    return before


def lies_still(foreign: Mask, moves: Mask, hands: Hands, config: LyingConfig) -> bool:
    """Whether nothing has moved in what was taken for hands; arguments as of `only_lying`."""
    size = np.count_nonzero(foreign & hands.mask)
    return bool(size > 0 and np.count_nonzero(moves & hands.mask) <= config.moving_share * size)


def only_lying(
    window: Image,
    reference: Image,
    foreign: Mask,
    moves: Mask,
    hands: Hands,
    looks: Looks,
    known: Mask | None,
    config: LyingConfig,
) -> bool:
    """Whether what was taken for hands is nothing but pieces that lie still, and the points they have left.

    window, reference : (TALL, WIDE, 3) now and remembered, evened
    foreign, moves    : (TALL/2, WIDE/2) matter come or gone, and what differs from the frame before
    known             : (TALL/2, WIDE/2) where matter is known to lie and has not moved, as of `still_lying`
    """
    if not hands.present or hands.area_cells2 > config.most_cells2:
        return False
    if not lies_still(foreign, moves, hands, config):
        return False
    region = foreign & hands.mask
    size = np.count_nonzero(region)
    if known is not None and np.count_nonzero(region & known) >= config.explained_share * size:
        # Noise shows more of it now and less then.
        return True
    if not hands.hidden.any():
        # A piece beside the board, or a hand that rests there: no point is in its way.
        return True
    covered = CENTRES_PX[hands.hidden]
    before, now = looks.score(reference, covered)[0], looks.score(window, covered)[0]
    empty = now < config.left[1]
    stood = before > config.left[0]
    emptied = covered[stood & empty]
    # A piece pushed half off its point still covers part of it.
    half_left = covered[stood & (now < config.left[0])]
    if not len(emptied) and hands.area_cells2 > config.most_pushed_cells2:
        return False
    if (empty & (before < config.left[1])).all():
        # The same, with an edge over points that are seen to be empty as ever.
        return True
    lying = round_things(window, gradient_products(window), [region], looks, config.least_occupancy)
    # A point that was left may hang together with what fingers at the rim have left in the remembered scene.
    ghost = len(emptied) > 0 and hands.area_cells2 <= config.most_pushed_cells2
    ghost = ghost and _has_gone(window, reference, hands.bare, emptied, config)
    if not ghost and (not lying or not (len(emptied) or _is_beside(lying, covered[stood], config))):
        return False
    near = np.zeros(region.shape, dtype=np.uint8)
    reach = round(config.reach_cells * HALF_CELL_PX)
    foot = np.array([1.0, -1.0]) * looks.foot_cells * HALF_CELL_PX
    for xy_px in [*half_left, *(thing.xy_px for thing in lying)]:
        face = np.asarray(xy_px) / HALF
        ends = [np.rint(end).astype(int).tolist() for end in (face, face + foot)]
        cv2.line(near, ends[0], ends[1], 1, 2 * reach)
    # From a piece beyond the rim its wall comes in as well.
    left, top = (reach + max(0, round(float(way))) for way in foot)
    right, bottom = (reach + max(0, round(-float(way))) for way in foot)
    near[:top], near[-bottom:], near[:, :left], near[:, -right:] = 1, 1, 1, 1
    return bool(np.count_nonzero(region & (near > 0)) >= config.explained_share * size)


def _has_gone(window: Image, reference: Image, region: Mask, emptied: F64, config: LyingConfig) -> bool:
    """Whether a region is where something was, by its edge: that is in the remembered picture, and in this one no more.

    emptied : (N, 2) the points that pieces have left, whose own edges tell nothing, px
    """
    edge = cv2.morphologyEx(region.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), dtype=np.uint8))
    for point in emptied:
        x, y = np.rint((point + 0.5) / HALF - 0.5).astype(int).tolist()
        cv2.circle(edge, (x, y), round(config.reach_cells * HALF_CELL_PX), 0, -1)
    if not edge.any():
        return False
    now, then = (float(_contrast(picture)[edge > 0].mean()) for picture in (window, reference))
    return now < config.gone_edge * then


def _contrast(window: Image) -> NDArray[np.float32]:
    """(TALL/2, WIDE/2) how steep the halved picture is, levels a pixel."""
    grey = cv2.cvtColor(halved(window), cv2.COLOR_BGR2GRAY).astype(np.float32)
    right, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return cv2.magnitude(right, down).astype(np.float32) / np.float32(_SOBEL_SUM)


def _is_beside(lying: list[RoundThing], stood_px: F64, config: LyingConfig) -> bool:
    """Whether one of the pieces stands beside the places where pieces stood: fingers on a piece leave it there."""
    nearest = [float(np.hypot(*(stood_px - thing.xy_px).T).min(initial=np.inf)) for thing in lying]
    return len(stood_px) > 0 and max(nearest) >= config.pushed_cells * CELL_PX


_SOBEL_SUM = 8.0
"""Of the weights on either side: what Sobel's filter makes of one level a pixel."""
