"""Touched pieces: lifted and put back, or shifted, each with its time and whose hand it was."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.event import PieceTouched, TouchStrength
from rules.point import Point
from vision.align import Alignment, align
from vision.belief import SAME, Belief
from vision.change import Mask
from vision.episode import Episodes, began_at, side_at
from vision.frame import Image


@dataclass(frozen=True, slots=True)
class TouchConfig:
    """What shows that a piece was touched."""

    shift_cells: float = 0.05
    """Shifts from this on are seen; measuring errs by about 0.01."""
    turn_deg: float = 12.0
    """Turns from this on are seen by themselves."""
    least_gain: float = 0.04
    """The match has to be better than where the piece stood by this much; else light changed, not the piece."""
    least_score: float = 0.75
    """The old picture has to match the new one this well: the same piece under the same light."""
    lifted_turn_deg: float = 10.0
    """A piece that was turned by this much as well as shifted was taken up, not brushed."""
    same_place_cells: float = 0.03
    """A piece lifted and put back stands at least this far from where it stood, or"""
    same_turn_deg: float = 3.0
    """is turned by at least this."""
    lifted_probability: float = 0.92
    shifted_probability: float = 0.8
    contact_s: float = 0.3
    """A hand that hides a piece touches it about this long after."""
    again_s: float = 0.5
    """A look that could not be explained is measured again after this long."""
    displaced_cells: float = 0.2
    """A piece shifted this far stands off its point."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A piece found to have been touched."""

    point: int
    alignment: Alignment
    lifted: bool


def suspects(belief: Belief, episodes: Episodes, board: bytes, settled: Mask, evidence: NDArray[np.float64]) -> Mask:
    """(90,) pieces that stand where they stood, were under a hand, and may have been touched."""
    pieces = np.frombuffer(board, dtype=np.uint8) > 0
    was_hidden = ~np.isnan(episodes.hidden_to)
    out = pieces & settled & was_hidden & (evidence[:, SAME] > -2.5)
    with np.errstate(invalid="ignore"):
        return out & ((belief.likeness < _UNTOUCHED) | episodes.emptied)


def examine(
    reference: Image, window: Image, points: Mask, episodes: Episodes, t: float, config: TouchConfig
) -> tuple[list[Touch], Mask, Episodes]:
    """Measure the suspects: the touched ones, those that turn out untouched (90,), and the episodes with it noted."""
    touched: list[Touch] = []
    untouched = np.zeros(90, dtype=np.bool_)
    examined = episodes.examined.copy()
    for point in np.flatnonzero(points):
        if t - examined[point] < config.again_s:
            continue
        examined[point] = t
        how = align(reference, window, int(point))
        better = how.score - how.score_in_place >= config.least_gain
        turned = better and abs(how.turn_deg) >= config.turn_deg
        moved = better and how.size_cells >= config.shift_cells
        if episodes.emptied[point] and not _stands_as_it_stood(how, config):
            touched.append(Touch(int(point), how, True))
        elif how.score < config.least_score:
            continue
        elif moved or turned:
            lifted = moved and abs(how.turn_deg) >= config.lifted_turn_deg
            touched.append(Touch(int(point), how, lifted))
        elif how.score >= _UNTOUCHED:
            untouched[point] = True
    return touched, untouched, replace(episodes, examined=examined)


def _stands_as_it_stood(how: Alignment, config: TouchConfig) -> bool:
    """Nobody puts a piece back to a hundredth of a cell and the degree: what hid it was no empty point."""
    return how.size_cells < config.same_place_cells and abs(how.turn_deg) < config.same_turn_deg


def tell(touch: Touch, episodes: Episodes, t: float, config: TouchConfig) -> PieceTouched:
    """The event of a touched piece."""
    began = began_at(episodes, [touch.point], t)
    ended = float(episodes.hidden_to[touch.point])
    contact = min(began + config.contact_s, ended if not np.isnan(ended) else t)
    return PieceTouched(
        t,
        Point(touch.point),
        TouchStrength.LIFTED if touch.lifted else TouchStrength.SHIFTED,
        contact,
        side_at(episodes, [touch.point]),
        round(touch.alignment.size_cells, 3),
        config.lifted_probability if touch.lifted else config.shifted_probability,
    )


_UNTOUCHED = 0.97
"""Likeness from which a piece was certainly not moved: 0.05 cell costs 0.1 of it."""
