"""Points that count as hidden though no hand is over them: its shadow is, or what a move changed lies close to it."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import HALF, HALF_CELL_PX, Mask
from vision.frame import Image
from vision.hand import HandConfig, Hands, find_hands
from vision.looks import Looks
from vision.surfaces import edges_alike
from vision.window import CENTRES_PX, TALL, WIDE


@dataclass(frozen=True, slots=True)
class UncoverConfig:
    """When a point is seen in spite of a hand that is close."""

    reach_cells: float = 0.6
    """A piece that came to a point, or left it, has changed nothing farther from its middle."""
    clear_occupancy: float = 0.75
    """Occupancy of that sign and size or more: a point clearly bears a piece, or is clearly empty."""
    ring_cells: tuple[float, float] = (0.48, 0.72)
    """Between these radii the lines of the board and the pieces beside it tell whether an arm is over a point."""
    ring_likeness: float = 0.6
    """Correlation of the edges there from which no arm is: a shadow lets them through."""
    shaded_occupancy: float = 0.3
    shaded_likeness: float = 0.2
    """The same two where only a shadow known to be deep joins a point to a hand: pieces throw such shadows as well, so
    that the ring round one that came or went is another, and in them less is clear."""


@dataclass(frozen=True, slots=True)
class Matter:
    """What may be hands; arrays of (TALL/2, WIDE/2)."""

    changed: Mask
    """Foreign matter."""
    moves: Mask
    """What differs from the frame before, shadows left out."""
    inside: Mask
    """Within the picture."""
    resting: Mask | None
    """Hands known from before, at rest; None where there are none."""
    deep_shadow: bool
    """Whether a shadow deeper than most has been left out."""


def uncover(
    hands: Hands,
    first: Hands,
    matter: Matter,
    window: Image,
    halves: tuple[Image, Image],
    looks: Looks,
    config: UncoverConfig,
    hand: HandConfig,
) -> Hands:
    """The hands without the points that they do not cover: there the board shows all round a clear piece, or none.

    first  : the hands as they are where no shadow was taken for one
    window : (TALL, WIDE, 3) evened
    halves : (TALL/2, WIDE/2, 3) the window and the remembered scene
    """
    if not hands.present:
        return hands
    free = ~first.hidden
    loose = _loose(matter, config)
    if (loose & first.mask).any():
        bare = matter.changed & ~loose, matter.moves & ~loose
        free |= ~find_hands(*bare, matter.inside, hand, resting=matter.resting).hidden
    points = np.flatnonzero(hands.hidden & free)
    if len(points) == 0:
        return hands
    near_px, far_px = (radius * HALF_CELL_PX for radius in config.ring_cells)
    alike = edges_alike(*halves, CENTRES_PX[points] / HALF, (near_px, far_px))
    shaded = ~first.hidden[points] & matter.deep_shadow
    least_alike = np.where(shaded, config.shaded_likeness, config.ring_likeness)
    least_clear = np.where(shaded, config.shaded_occupancy, config.clear_occupancy)
    likely = alike >= least_alike
    points, least_clear = points[likely], least_clear[likely]
    points = points[np.abs(looks.score(window, CENTRES_PX[points])[0]) >= least_clear]
    if len(points) == 0:
        return hands
    hidden, cover, seen = hands.hidden.copy(), hands.cover.copy(), np.zeros((TALL // HALF, WIDE // HALF), np.uint8)
    hidden[points], cover[points] = False, 0.0
    for x, y in CENTRES_PX[points] / HALF:
        cv2.circle(seen, (round(float(x)), round(float(y))), round(config.reach_cells * HALF_CELL_PX), 1, -1)
    mask = hands.mask & ~((seen > 0) & matter.inside)
    return replace(hands, mask=mask, hidden=hidden, cover=cover, uncovered=tuple(points.tolist()))


def _loose(matter: Matter, config: UncoverConfig) -> Mask:
    """(TALL/2, WIDE/2) matter that lies still on a point and reaches no farther than a piece does."""
    both = ((matter.changed | matter.moves) & matter.inside).astype(np.uint8)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(both, connectivity=4)
    loose: NDArray[np.bool_] = np.zeros(count, dtype=np.bool_)
    reach = config.reach_cells * HALF_CELL_PX
    moved = np.bincount(labels[matter.moves], minlength=count) > 0
    for label in range(1, count):
        left, top, wide, tall = stats[label, : cv2.CC_STAT_AREA].tolist()
        if moved[label] or max(wide, tall) > 2 * reach:
            continue
        x, y = centres[label]
        at = CENTRES_PX[int(np.hypot(*(CENTRES_PX / HALF - (x, y)).T).argmin())] / HALF
        far = max(at[0] - left, left + wide - 1 - at[0], at[1] - top, top + tall - 1 - at[1])
        loose[label] = far <= reach
    mask: Mask = loose[labels]
    return mask
