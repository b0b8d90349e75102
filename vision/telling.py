"""Moves as they are told: when the piece left, when it stood, how sure that is; and why one is withdrawn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rules.event import MoveSeen, WithdrawnWhy
from rules.legality import legal_moves
from rules.move import Move
from rules.piece import side_of
from rules.position import Position
from vision.belief import Belief
from vision.episode import Episodes
from vision.frame import Image
from vision.hypotheses import Ply
from vision.stood import Glimpse, stood_since
from vision.window import CELL_PX, CENTRES_PX

_LIFT_S = 0.6
"""A hand that comes over a piece lifts it within this time, mostly."""
_RELEASE_S = 0.5
"""A hand that has put a piece down uncovers it within this time, mostly."""


@dataclass(frozen=True, slots=True)
class Past:
    """What is known, when a ply is told, of the time before."""

    belief: Belief
    episodes: Episodes
    hands_left_t: float
    """Since when no hand is over the board: what is not seen of the ply was done before that, s."""
    glimpses: Sequence[Glimpse]
    before: Image
    now: Image
    """(TALL/2, WIDE/2, 3) the halved window as it was remembered, and as it is."""


def played(position: Position, move: Move) -> Position:
    """The position after a move of either side, in turn or not."""
    return replace(position, side=side_of(position.board[move.from_point])).play(move)


def move_seen(t: float, ply: Ply, past: Past) -> MoveSeen:
    """The event of a move that has just become known."""
    move = ply.move
    placed = placed_at(move.to_point, past)
    left = _hidden_until(past, move.from_point)
    hand_came = _hidden_since(past, move.from_point, left)
    lifted = min((hand_came + left) / 2.0, hand_came + _LIFT_S, placed)
    return MoveSeen(t, move, lifted, placed, ply.probability, t_before=_not_before(ply, past.belief))


def placed_at(point: int, past: Past) -> float:
    """When the piece that stands on a point now was put there."""
    came = _hidden_until(past, point)
    # It may have been hidden once more since it stood there: the hand goes by on its way to the clock.
    last = float(past.belief.seen_same[point])
    stood = stood_since(past.glimpses, past.before, past.now, point, last, came)
    hidden = _hidden_since(past, point, stood)
    return max((hidden + stood) / 2.0, stood - _RELEASE_S)


def _not_before(ply: Ply, belief: Belief) -> float:
    """Until when the side surely had not moved: no move of it, this one included, was hidden from end to end."""
    hidden = np.isnan(belief.since)
    ways = [ply.move, *(move for move in legal_moves(ply.before) if hidden[move.from_point] and hidden[move.to_point])]
    return min(float(belief.seen_same[[move.from_point, move.to_point]].max()) for move in ways)


def _hidden_until(past: Past, point: int) -> float:
    """Since when the point has been seen as it is now; where it is not seen, when hands left the board."""
    since = float(past.belief.since[point])
    return past.hands_left_t if np.isnan(since) else since


def _hidden_since(past: Past, point: int, until: float) -> float:
    """When the point was last seen as it was before."""
    last = float(past.belief.seen_same[point])
    hidden = float(past.episodes.hidden_from[point])
    return min(until, max(last, hidden) if hidden <= until else last)


def why_withdrawn(ply: Ply, episodes: Episodes) -> WithdrawnWhy:
    """A ply was taken back if it surely stood for a while in plain view and fingers then took its piece up again.

    Everything else is the eye's own correction: it accuses nobody.
    """
    to = ply.move.to_point
    stood_s = float(episodes.hidden_from[to]) - ply.told_t
    fingers = float(episodes.held_s[_NEAR[to]].max())
    taken_up = fingers > 0.0 and stood_s >= _STOOD_S
    return WithdrawnWhy.TAKEN_BACK if taken_up and ply.probability >= _PLAYED else WithdrawnWhy.CORRECTED


_NEAR = np.hypot(*(CENTRES_PX[:, None] - CENTRES_PX[None]).transpose(2, 0, 1)) < 1.5 * CELL_PX
"""(90, 90) points next to each other: seen aslant, the end of a hand is a cell away from what it holds."""
_STOOD_S = 0.3
"""A piece released and seen for this long after its ply was told had been played."""
_PLAYED = 0.95
"""A ply that was told less surely than this may never have been."""
