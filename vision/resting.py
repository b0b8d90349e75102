"""Hands that come to rest: what was a hand a frame ago, and has not moved since, is one still.

Skin can be of the board's own colour, and a sleeve of the table's: then a hand is seen as one while it moves, and at
rest in scraps, where it hides lines and pieces. What hands leave behind differs by how they go: between the last frame
of a hand and the first without it much changes. And nothing comes to rest but what was seen to come.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np

from vision.change import HALF, HALF_CELL_PX, Mask
from vision.frame import Image
from vision.hand import Hands
from vision.window import TALL, WIDE


@dataclass(frozen=True, slots=True)
class RestConfig:
    """When what was a hand still is one."""

    least_cells2: float = 1.6
    """A smaller thing is not remembered: a piece, or two."""
    most_apart_s: float = 0.4
    """Frames further apart do not tell whether it is the same hand."""
    least_followed: float = 0.4
    """Share of the smaller of it and of a hand of the frame before that they have in common where it is the same hand:
    pieces that were swept away are gone at once."""
    most_moved: float = 0.08
    """Share of it that may differ from the frame before; with more, what a hand leaves behind passes for it."""
    least_foreign: float = 0.6
    """Share of what was foreign of it when it last moved that has to be foreign still: in the dark that wavers."""
    least_of_largest: float = 0.6
    """So much of the largest that it was lately has to be left of it, and of the most foreign matter of it: a hand that
    draws back leaves a smaller thing, and one that is gone in a frame the pieces it moved."""
    lately_s: float = 2.0
    """How long that is known."""
    least_rested_s: float = 0.5
    """A hand that rested for so long is known again where it was when another that crossed it has gone;"""
    most_crossed_s: float = 2.0
    """so long after it was last seen to rest, and"""
    most_other: float = 0.1
    """where at most this share of it looks otherwise than then: what it has left behind looks otherwise."""
    stirred: float = 0.01
    """Share of it that differs from the frame before from which it has moved."""
    most_still_s: float = 120.0
    """Hands stir: what has not for so long is none."""


@dataclass(frozen=True, slots=True)
class RestingHand:
    """A hand of one frame, as it is remembered in the next."""

    area: Mask
    """(TALL/2, WIDE/2) where it is."""
    size_px: int
    """Half-size pixels of that."""
    foreign: Mask
    """(TALL/2, WIDE/2) what of it was foreign matter when it came there."""
    foreign_px: int
    """Half-size pixels of that."""
    largest_px: int
    """The most that it had lately when it came there."""
    largest_s: float
    """When it had."""
    most_foreign_px: int
    """The most foreign matter that it had lately when it came there."""
    most_foreign_s: float
    """When it had."""
    moved_s: float
    """When it last moved."""
    look: Image
    """(TALL/2, WIDE/2, 3) the halved window when it was last seen to rest there alone."""
    came_s: float
    """When it came there."""
    followed: bool
    """Whether it was seen to come there."""
    parts: tuple["RestingHand", ...] = ()
    """Those that rested there before more came close to them."""
    crossed_s: float | None = None
    """Since when it is not seen to rest, because another hand may cross it."""


def at_rest(
    hands: tuple[RestingHand, ...],
    t: float,
    now: Image,
    bar: float,
    moved: Mask,
    changed: Mask,
    config: RestConfig,
) -> tuple[RestingHand, ...]:
    """The hands of the frame before that are there still.

    now     : (TALL/2, WIDE/2, 3) the halved window
    bar     : least difference that is no noise, levels
    moved   : (TALL/2, WIDE/2) different from the frame before, though it be as remembered now
    changed : (TALL/2, WIDE/2) foreign matter
    """
    there: list[RestingHand] = []
    for hand in hands:
        if not _rests(hand, t, moved, changed, config) or (
            hand.crossed_s is not None and _other(hand, now, bar, config)
        ):
            there.extend(at_rest(hand.parts, t, now, bar, moved, changed, config))
        else:
            stirs = np.count_nonzero(moved & hand.area) > config.stirred * hand.size_px
            there.append(replace(hand, moved_s=t if stirs else hand.moved_s, crossed_s=None))
    return tuple(there)


def _rests(hand: RestingHand, t: float, moved: Mask, changed: Mask, config: RestConfig) -> bool:
    """Whether it was seen to come, lies still, and is neither gone nor drawn back."""
    if not hand.followed or t - hand.moved_s > config.most_still_s:
        return False
    if hand.size_px < config.least_of_largest * hand.largest_px:
        return False
    if hand.foreign_px < config.least_of_largest * hand.most_foreign_px:
        return False
    if np.count_nonzero(moved & hand.area) > config.most_moved * hand.size_px:
        return False
    return bool(np.count_nonzero(changed & hand.foreign) >= config.least_foreign * hand.foreign_px)


def _other(hand: RestingHand, now: Image, bar: float, config: RestConfig) -> bool:
    """Whether it looks otherwise than when it was last seen to rest."""
    differs = cv2.absdiff(now, hand.look).max(axis=2) > bar
    return bool(np.count_nonzero(differs & hand.area) > config.most_other * hand.size_px)


def _crossed(
    before: Iterable[RestingHand], resting: tuple[RestingHand, ...], t: float, config: RestConfig
) -> list[RestingHand]:
    """Those that rested until now, or a moment ago: another hand may cross them."""
    found: list[RestingHand] = []
    for hand in before:
        if any(hand.area is there.area for there in resting):
            continue
        since = t if hand.crossed_s is None else hand.crossed_s
        if since - hand.came_s >= config.least_rested_s and t - since <= config.most_crossed_s:
            found.append(replace(hand, crossed_s=since, parts=()))
        found.extend(_crossed(hand.parts, resting, t, config))
    return found


def area_of(hands: Iterable[RestingHand]) -> Mask:
    """(TALL/2, WIDE/2) where hands are."""
    nowhere = np.zeros((TALL // HALF, WIDE // HALF), dtype=np.bool_)
    return reduce(np.logical_or, (hand.area for hand in hands), nowhere)


def remember_hands(
    before: tuple[RestingHand, ...],
    resting: tuple[RestingHand, ...],
    t: float,
    now: Image,
    hands: Hands,
    changed: Mask,
    config: RestConfig,
) -> tuple[RestingHand, ...]:
    """The hands of a frame, for the next.

    before  : those of the frame before
    resting : those that are there still
    now     : (TALL/2, WIDE/2, 3) the halved window
    changed : (TALL/2, WIDE/2) foreign matter
    """
    crossed = _crossed(before, resting, t, config)
    if not hands.present:
        return tuple(crossed)
    kept = [hand for hand in resting if (hand.area & hands.bare).any()]
    # Without the points at which the board is seen all the same.
    new = hands.bare & hands.mask & ~area_of(resting)
    least_px = config.least_cells2 * HALF_CELL_PX**2
    if np.count_nonzero(new) < least_px:
        return (*(replace(hand, look=now) for hand in kept), *crossed)
    found: list[RestingHand] = []
    count, labels = cv2.connectedComponents(hands.bare.astype(np.uint8), connectivity=8)
    for label in range(1, count):
        area = (labels == label) & hands.mask
        if np.count_nonzero(area & new) < least_px:
            continue
        # What a hand at rest puts down is no hand of its own: it stays one with it, and goes when the hand does.
        parts = tuple(hand for hand in kept if (hand.area & area).any())
        kept = [hand for hand in kept if not (hand.area & area).any()]
        found.append(_come(before, t, now, area, area & changed, parts, config))
    return (*(replace(hand, look=now) for hand in kept), *found, *crossed)


def _come(
    before: tuple[RestingHand, ...],
    t: float,
    now: Image,
    area: Mask,
    foreign: Mask,
    parts: tuple[RestingHand, ...],
    config: RestConfig,
) -> RestingHand:
    """A hand that has come to an area, or moved there, or been joined there by more."""
    size, foreign_px = int(np.count_nonzero(area)), int(np.count_nonzero(foreign))
    largest, most_foreign, followed = (size, t), (foreign_px, t), False
    for hand in before:
        if hand.crossed_s is not None:
            continue
        shared = np.count_nonzero(area & hand.area)
        followed |= bool(shared >= config.least_followed * min(size, hand.size_px))
        if shared and hand.largest_px > largest[0] and t - hand.largest_s <= config.lately_s:
            largest = hand.largest_px, hand.largest_s
        if shared and hand.most_foreign_px > most_foreign[0] and t - hand.most_foreign_s <= config.lately_s:
            most_foreign = hand.most_foreign_px, hand.most_foreign_s
    return RestingHand(area, size, foreign, foreign_px, *largest, *most_foreign, t, now, t, followed, parts)
