"""Hands and arms: foreign regions that reach in from outside, of whatever colour.

A hand that rests still for a minute stays a hand, for the remembered scene never learns what lies under it.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.piece import BLACK, RED
from rules.point import POINTS
from vision.change import HALF, HALF_CELL_PX, Mask
from vision.window import CENTRES_PX, MARGIN_CELLS, TALL, WIDE

NOBODY = -1
"""No side: where it cannot be told whose hand it is."""


@dataclass(frozen=True, slots=True)
class HandConfig:
    """What counts as a hand, and what it hides."""

    close_cells: float = 0.22
    """Gaps in a foreign region up to this wide are filled: a hand over wood is seen in pieces."""
    least_cells2: float = 0.55
    """A region joined to the outside is a hand from this area on; a piece laid on the rim is smaller."""
    least_inside_cells2: float = 1.6
    """A region not joined to the outside is a hand from this area on while it moves: a sleeve seen in parts."""
    margin_cells: float = 0.12
    """Seen hands are widened by this: their edges are blurred and their fingers thin."""
    disc_cells: float = 0.42
    """Radius of the area of a point that has to be free of hands."""
    finger_cells: float = 0.6
    """Length of the end of a hand that is taken for its fingers."""
    hidden_share: float = 0.03
    """A point is hidden when hands cover more than this share of its area."""


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of one frame."""

    mask: Mask
    """(TALL/2, WIDE/2) widened hands, and what lies outside the picture."""
    hidden: Mask
    """(90,) points of which nothing can be said."""
    cover: NDArray[np.float32]
    """(90,) share of each point's area under a hand, 0..1."""
    sides: NDArray[np.int8]
    """(90,) from whose side of the table the hand over each point comes; NOBODY where there is none or it cannot be
    told."""
    area_cells2: float
    """How much of the window they cover."""
    bare: Mask
    """(TALL/2, WIDE/2) the hands as they are, not widened."""
    tips_px: tuple[tuple[float, float], ...] = ()
    """Window px of the end of each hand that reaches farthest in, pulled back to where its fingers hold."""
    uncovered: tuple[int, ...] = ()
    """Points in a hand's shadow, or close to it, that are seen all the same."""

    @property
    def present(self) -> bool:
        """Whether there is any hand."""
        return self.area_cells2 > 0.0


def find_hands(
    changed: Mask,
    moves: Mask,
    inside: Mask,
    config: HandConfig,
    joined_to: Mask | None = None,
    resting: Mask | None = None,
) -> Hands:
    """The hands among the foreign regions of a window.

    changed, moves, inside : (TALL/2, WIDE/2) foreign; different from the frame before; within the picture
    joined_to              : (TALL/2, WIDE/2) only regions that reach it are hands, where it is given
    resting                : (TALL/2, WIDE/2) hands known from before that rest, where there are any
    """
    matter = ((changed | moves) & inside).astype(np.uint8)
    if resting is not None:
        matter[resting] = 1
    kernel = disc(config.close_cells)
    closed = cv2.morphologyEx(matter, cv2.MORPH_CLOSE, kernel)
    closed = cv2.morphologyEx(closed, cv2.MORPH_OPEN, disc(0.09))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    if count == 1:
        return no_hands(inside, config)
    hand = np.zeros(count, dtype=np.bool_)
    rim = _rim(inside)
    at_rim = np.bincount(labels[rim], minlength=count) > 0
    moved = np.bincount(labels[moves], minlength=count)
    for label in range(1, count):
        area = stats[label, cv2.CC_STAT_AREA] / HALF_CELL_PX**2
        if at_rim[label]:
            hand[label] = area >= config.least_cells2
        else:
            hand[label] = area >= config.least_inside_cells2 and moved[label] > 0.05 * stats[label, cv2.CC_STAT_AREA]
    if resting is not None:
        hand |= np.bincount(labels[resting], minlength=count) > 0
        hand[0] = False
    if joined_to is not None:
        hand &= np.bincount(labels[joined_to], minlength=count) > 0
    bare = hand[labels]
    area = float(np.count_nonzero(bare)) / HALF_CELL_PX**2
    wide = cv2.dilate(bare.astype(np.uint8), disc(config.margin_cells)) > 0
    cover = share_at_points(wide | ~inside, config.disc_cells)
    tips = tuple(_tip(labels, int(label), stats[label], rim, config) for label in np.flatnonzero(hand))
    hidden = cover > config.hidden_share
    sides = np.where(hidden, _sides(labels, hand, rim, config), NOBODY).astype(np.int8)
    return Hands(wide | ~inside, hidden, cover, sides, area, bare, tips)


def no_hands(inside: Mask, config: HandConfig) -> Hands:
    """A frame without hands."""
    cover = share_at_points(~inside, config.disc_cells)
    nobodys = np.full(POINTS, NOBODY, dtype=np.int8)
    return Hands(~inside, cover > config.hidden_share, cover, nobodys, 0.0, np.zeros_like(inside))


def _tip(
    labels: NDArray[np.generic], label: int, stats: NDArray[np.generic], rim: Mask, config: HandConfig
) -> tuple[float, float]:
    """Where the fingers of a hand hold, window px: a little back from the end farthest from where the arm comes in.

    stats : of its region, as of cv2.connectedComponentsWithStats
    """
    left, top, wide, tall = stats[: cv2.CC_STAT_AREA].tolist()
    box = (slice(top, top + tall), slice(left, left + wide))
    hand = labels[box] == label
    entry = hand & rim[box]
    if not entry.any():
        entry = _widest_end(hand, (left, top))
    rows, columns = np.nonzero(entry)
    enters_x, enters_y = float(columns.mean()), float(rows.mean())
    rows, columns = np.nonzero(hand)
    reach = np.hypot(columns - enters_x, rows - enters_y)
    farthest = float(reach.max())
    end = reach >= farthest - config.finger_cells * HALF_CELL_PX
    x, y = left + float(columns[end].mean()), top + float(rows[end].mean())
    return (x * HALF + 0.5, y * HALF + 0.5)


def _widest_end(hand: Mask, corner: tuple[int, int]) -> Mask:
    """Where an arm comes in that reaches no rim, for beside the board its sleeve looks like the table.

    It is cut off by the board's edge there, over its width; fingers end in points.

    hand   : a region of a window, cut out
    corner : x, y of its left upper pixel in the window
    """
    tall, wide = hand.shape
    ys, xs = np.ogrid[corner[1] : corner[1] + tall, corner[0] : corner[0] + wide]
    ends = []
    for inwards in (xs, WIDE // HALF - 1 - xs, ys, TALL // HALF - 1 - ys):
        across = np.broadcast_to(inwards, hand.shape)
        least = int(across[hand].min())
        ends.append((least <= MARGIN_CELLS * HALF_CELL_PX, hand & (across <= least + _CUT_PX)))
    _, widest = max(ends, key=lambda end: (end[0], np.count_nonzero(end[1])))
    return widest


def _sides(labels: NDArray[np.generic], hand: Mask, rim: Mask, config: HandConfig) -> NDArray[np.int8]:
    """(90,) from whose side the hand nearest to each point comes.

    hand : which of the labels are hands; one that reaches no rim is the end of an arm of which the others are parts
    """
    contact = np.where(rim & hand[labels], labels, 0)
    together = _side(contact > 0)
    if np.count_nonzero(hand) < 2:
        return np.full(POINTS, together, dtype=np.int8)
    near = labels.ravel()[_disc_index(config.disc_cells + config.margin_cells)]
    counts, sides = [], []
    for label in np.flatnonzero(hand):
        own = contact == label
        counts.append(np.count_nonzero(near == label, axis=1))
        sides.append(_side(own) if own.any() else together)
    nearest: NDArray[np.int8] = np.array(sides, dtype=np.int8)[np.argmax(counts, axis=0)]
    return nearest


def _side(contact: Mask) -> int:
    """Red sits at the window's bottom: a hand is his whose entry lies clearly in the lower half."""
    rows = np.nonzero(contact)[0]
    if len(rows) == 0:
        return NOBODY
    height = float(rows.mean()) / (TALL / HALF)
    if abs(height - 0.5) < 0.08:
        return NOBODY
    return RED if height > 0.5 else BLACK


def _rim(inside: Mask) -> Mask:
    """Pixels at the edge of the window or of the picture."""
    kernel = np.ones((3, 3), dtype=np.uint8)
    inner = cv2.erode(inside.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    rim: Mask = inside & (inner == 0)
    return rim


@cache
def disc(radius_cells: float) -> NDArray[np.uint8]:
    """A disc of a radius in cells, to widen or narrow half-size masks by."""
    r = max(1, round(radius_cells * HALF_CELL_PX))
    ys, xs = np.mgrid[-r : r + 1, -r : r + 1]
    return (np.hypot(xs, ys) <= r + 0.3).astype(np.uint8)  # type: ignore[no-any-return]


@cache
def _disc_index(radius_cells: float) -> NDArray[np.intp]:
    """(90, K) flat half-size pixels of the disc round each point."""
    r = radius_cells * HALF_CELL_PX
    reach = int(np.ceil(r))
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    inside = np.hypot(xs, ys) <= r
    dx, dy = xs[inside], ys[inside]
    centres = (CENTRES_PX + 0.5) / HALF - 0.5
    x = np.clip(np.rint(centres[:, 0:1] + dx[None, :]), 0, WIDE // HALF - 1).astype(np.intp)
    y = np.clip(np.rint(centres[:, 1:2] + dy[None, :]), 0, TALL // HALF - 1).astype(np.intp)
    return y * (WIDE // HALF) + x  # type: ignore[no-any-return]


def share_at_points(mask: Mask, radius_cells: float) -> NDArray[np.float32]:
    """(90,) share of the disc round each point that is in a mask (TALL/2, WIDE/2)."""
    cover: NDArray[np.float32] = mask.ravel()[_disc_index(radius_cells)].mean(axis=1, dtype=np.float32)
    assert cover.shape == (POINTS,)
    return cover


_CUT_PX = 2
"""So deep is the end of a hand looked at, half-size px."""
