"""Since when a piece stands where it stands: an arm beside it, or its shadow, hides the point longer than the hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.change import HALF, HALF_CELL_PX
from vision.frame import Image
from vision.window import CENTRES_PX

F32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The table at one moment of the last seconds, hands and all."""

    t: float
    half: Image
    """(TALL/2, WIDE/2, 3) the halved window, evened out."""


def keep(glimpses: Sequence[Glimpse], t: float, half: Image, hands: bool) -> tuple[Glimpse, ...]:
    """The glimpses with one more; without hands over the board none is needed."""
    if not hands:
        return tuple(one for one in glimpses if t - one.t <= _AFTER_S)
    return (*(one for one in glimpses if t - one.t <= _KEPT_S), Glimpse(t, half))


def stood_since(
    glimpses: Sequence[Glimpse], before: Image, now: Image, point: int, hidden_t: float, seen_t: float
) -> float:
    """When a piece was first to be seen on a point as it stands there now; `seen_t` where nothing shows it earlier.

    before, now      : halved windows without the piece and with it
    hidden_t, seen_t : between which times the point was hidden, s
    """
    face, was = _face(now, point), _face(before, point)
    for one in glimpses:
        if hidden_t < one.t < seen_t:
            shown = _face(one.half, point)
            like = float(face @ shown)
            if like >= _ALIKE and like - float(was @ shown) >= _LEAD:
                return one.t
    return seen_t


def _face(half: Image, point: int) -> F32:
    """(3 K,) what shows within a piece's rim round a point, of mean 0 and length 1."""
    x, y = (round((float(v) + 0.5) / HALF - 0.5) for v in CENTRES_PX[point])
    radius = round(_RADIUS_CELLS * HALF_CELL_PX)
    cut = half[y - radius : y + radius + 1, x - radius : x + radius + 1][_disc(radius)].astype(np.float32)
    bare = (cut - cut.mean(axis=0)).ravel()
    length = float(np.linalg.norm(bare))
    face: F32 = bare / max(length, 1e-6)
    return face


@cache
def _disc(radius: int) -> NDArray[np.bool_]:
    ys, xs = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    inside: NDArray[np.bool_] = np.hypot(xs, ys) <= radius + 0.3
    return inside


_KEPT_S = 2.0
"""A hand that has put a piece down and gone to the clock is out of its way by then."""
_AFTER_S = 1.0
"""So long after the hands have gone a ply is told, mostly."""
_RADIUS_CELLS = 0.45
"""Within it lie a piece and a little of what surrounds it."""
_ALIKE = 0.9
"""Correlation from which it is the same picture: a finger over a tenth of it costs as much."""
_LEAD = 0.2
"""By so much more than what was there before."""
