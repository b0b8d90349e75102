"""Pieces known again elsewhere: so their points are empty, whatever they look like, or they are of their own side."""

from dataclasses import dataclass

import numpy as np

from rules.move import Move
from rules.piece import EMPTY
from vision.align import face_match
from vision.belief import BLACK_LOOK, EMPTY_LOOK, F64, RED_LOOK, SAME, look_of
from vision.change import Mask
from vision.episode import Episodes
from vision.frame import Image


@dataclass(frozen=True, slots=True)
class CarriedConfig:
    """When a piece is taken for the one that stood elsewhere."""

    most_points: int = 3
    """With more points unexplained it is disorder, and nobody's move."""
    least_match: float = 0.8
    """The old face of the one has to match the new face of the other so well: unlike signs come to 0.8, but a piece
    that newly stands somewhere, with no hand about, has left one of the few points that look otherwise; and"""
    hidden_match: float = 0.9
    """Where it stood under a hand its new place alone tells, and has to match so well: the same face has 0.95."""
    hidden_s: tuple[float, float] = (1.0, 2.0)
    """For so long, from and up to, a piece stands before it is asked whether it came from under a hand: a hand that
    goes on is waited for."""
    least_lead: float = 0.2
    """better by this than anything where it was: a thing laid on a piece, or its shadow, leaves some of it."""


def carried_away(
    then: Image,
    now: Image,
    board: bytes,
    weighed: F64,
    strange: Mask,
    altered: Mask,
    episodes: Episodes,
    config: CarriedConfig,
) -> F64:
    """The evidence (90, 4), with points counted empty whose piece stands on another one now.

    What a piece has covered since the beginning may look like anything: a label, a stain.

    then, now : evened windows before and after
    strange   : (90,) settled points that look otherwise than on record, and that nothing explains
    altered   : (90,) where at least the same piece would have to have been turned: so may a label look
    """
    points = [int(point) for point in np.flatnonzero(strange)]
    touched = [int(point) for point in np.flatnonzero(strange | altered) if board[point] != EMPTY or strange[point]]
    if len(touched) > config.most_points:
        touched = points
    if not 2 <= len(touched) <= config.most_points:
        return weighed
    weighed = _of_its_side(then, now, board, weighed, points, config)
    came = [point for point in points if _looks_taken(weighed[point])]
    left = [point for point in touched if board[point] != EMPTY and not np.isnan(episodes.hidden_from[point])]
    out = weighed
    for point in left:
        look = look_of(board[point])
        others = [to for to in came if to != point and weighed[to].argmax() == look]
        matches = [face_match(then, now, point, to) for to in others]
        best = max(matches, default=0.0)
        if best >= config.least_match and best - face_match(then, now, point, point) >= config.least_lead:
            out = out.copy()
            out[point] = weighed[point].min()
            out[point, EMPTY_LOOK] = 0.0
    return out


def _of_its_side(then: Image, now: Image, board: bytes, weighed: F64, points: list[int], config: CarriedConfig) -> F64:
    """The evidence, with a piece counted as of its side that looks like the other's: one has left, and one has come.

    Where the light is much stronger at one end of the board than at the other, so may a piece look that has gone there;
    or like nothing known, and is known by its face.
    """
    left = [point for point in points if board[point] != EMPTY and weighed[point].argmax() == EMPTY_LOOK]
    came = [point for point in points if point not in left]
    if len(points) != 2 or len(left) != 1 or len(came) != 1:
        return weighed
    look, taken = look_of(board[left[0]]), board[came[0]]
    if taken != EMPTY and look_of(taken) == look:
        return weighed
    clear = _looks_taken(weighed[came[0]])
    if clear and weighed[came[0]].argmax() == look:
        return weighed
    if not clear and face_match(then, now, left[0], came[0]) < config.hidden_match:
        return weighed
    out = weighed.copy()
    out[came[0], look] = out[came[0]].max() if clear else 0.0
    return out


def same_piece(then: Image, now: Image, move: Move, stood_s: float, config: CarriedConfig) -> bool:
    """Whether a piece that has stood for `stood_s` where it was moved is the one from the point under a hand."""
    least_s, most_s = config.hidden_s
    return least_s <= stood_s <= most_s and face_match(then, now, move.from_point, move.to_point) >= config.hidden_match


def _looks_taken(seen: F64) -> bool:
    """Whether a piece stands on a point that was empty, by what was seen of it."""
    return bool(max(seen[RED_LOOK], seen[BLACK_LOOK]) > max(seen[SAME], seen[EMPTY_LOOK]) + _CLEAR_NATS)


_CLEAR_NATS = 3.0
"""Log likelihood by which a piece newly come has to lead."""
