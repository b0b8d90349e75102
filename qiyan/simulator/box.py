"""Parts of the picture: what changes from one frame to the next is small, and only that is painted anew."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
ALIGN_PX = 4
"""Boxes begin and end at multiples of this: wide blurs work at a quarter of the size, and must fall on the same pixels
whatever the box."""


@dataclass(frozen=True, slots=True)
class Box:
    """The pixels left..right-1, top..bottom-1."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def part(self) -> tuple[slice, slice]:
        """For cutting the box out of a picture."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    @property
    def shape(self) -> tuple[int, int]:
        """(h, w)."""
        return self.bottom - self.top, self.right - self.left

    @property
    def origin(self) -> F64:
        """(2,) x, y of the first pixel."""
        return np.array([self.left, self.top], dtype=np.float64)

    def meets(self, other: "Box") -> bool:
        """Whether they share a pixel."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def common(self, other: "Box") -> "Box | None":
        """The pixels of both; None where they share none."""
        if not self.meets(other):
            return None
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def joined(self, other: "Box") -> "Box":
        """The least box round both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def grown(self, px: float, size_wh: tuple[int, int]) -> "Box | None":
        """Wider by so much on every side and aligned, within the picture; None where it lies outside."""
        a, more = ALIGN_PX, int(np.ceil(px))
        left, top = max(0, (self.left - more) // a * a), max(0, (self.top - more) // a * a)
        right = min(size_wh[0], -((-self.right - more) // a) * a)
        bottom = min(size_wh[1], -((-self.bottom - more) // a) * a)
        return Box(left, top, right, bottom) if right > left and bottom > top else None

    def within(self, outer: "Box") -> tuple[slice, slice]:
        """For cutting this box out of the cut `outer`, which holds it."""
        return (
            slice(self.top - outer.top, self.bottom - outer.top),
            slice(self.left - outer.left, self.right - outer.left),
        )


def whole(size_wh: tuple[int, int]) -> Box:
    """The whole picture."""
    return Box(0, 0, size_wh[0], size_wh[1])


def around(px: F64, more_px: float, size_wh: tuple[int, int]) -> Box | None:
    """The box round (N, 2) positions and so much more; None where it lies outside the picture."""
    if not len(px):
        return None
    far = 4.0 * max(size_wh)
    low, high = np.clip(np.floor(px.min(axis=0)), -far, far), np.clip(np.ceil(px.max(axis=0)) + 1, -far, far)
    return Box(int(low[0]), int(low[1]), int(high[0]), int(high[1])).grown(more_px, size_wh)


def apart(boxes: Iterable[Box]) -> list[Box]:
    """Boxes that cover the same and share no pixel: those that meet are joined."""
    out: list[Box] = []
    for box in boxes:
        met = [other for other in out if other.meets(box)]
        while met:
            for other in met:
                out.remove(other)
                box = box.joined(other)
            met = [other for other in out if other.meets(box)]
        out.append(box)
    return out
