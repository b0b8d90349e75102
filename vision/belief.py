"""What is believed of each point: the evidence gathered since it was last hidden or in motion."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.piece import EMPTY
from vision.change import Mask
from vision.observation import Observation

F64 = NDArray[np.float64]

SAME, EMPTY_LOOK, RED_LOOK, BLACK_LOOK = range(4)
"""Columns of the evidence: as remembered; empty; a red piece newly come; a black one."""


@dataclass(frozen=True, slots=True)
class BeliefConfig:
    """How evidence is gathered and weighed."""

    settle_s: float = 0.2
    """A point counts when it has been clear and still for this long; longer is surer and later."""
    picture_gap_s: float = 0.6
    """Frames further apart than this are single pictures of settled states: one is enough."""
    alike: float = 0.93
    """Likeness from which a point looks as remembered."""
    restored: float = 0.95
    """Likeness from which a point that looked otherwise is as remembered again; noise does not lead from one to the
    other."""
    unlike: float = 0.86
    """Likeness below which the same piece must have been moved or turned."""
    empty_spread: float = 0.45
    """Standard deviation allowed for the occupancy score of empty points (classes lie 2 apart): walls, shadows."""
    piece_spread: float = 0.33
    """The same for pieces, which look more alike."""
    side_spread: float = 0.40
    """The same for the score of the side."""
    occupancy_floor: float = 0.002
    """Probability that an occupancy score means nothing: glare, a finger, a thing on the board."""
    side_floor: float = 0.03
    """The same for the side."""
    replaced_nats: float = 1.5
    """Cost of the same piece looking different: somebody has to have touched it."""
    unchanged_nats: float = 8.0
    """Cost of another state that happens to look as remembered to the pixel."""


@dataclass(frozen=True, slots=True)
class Belief:
    """Evidence per point; arrays of 90."""

    since: F64
    """When the point was last seen to change or come out from under a hand, s; NaN while hidden."""
    frames: NDArray[np.int32]
    """Frames gathered since then."""
    likeness: F64
    occupancy: F64
    side: F64
    """Means over those frames; scores NaN where never measured."""
    seen_same: F64
    """When the point was last clearly as remembered, s."""
    seen_other: F64
    """When it was first clear and otherwise than remembered, s; NaN while it is as remembered."""
    gap_s: float
    """Time between the last two frames."""
    t: float

    def settled(self, config: BeliefConfig) -> Mask:
        """(90,) points whose evidence counts."""
        age = self.t - self.since
        pictures = self.gap_s >= config.picture_gap_s
        with np.errstate(invalid="ignore"):
            return (age >= (0.0 if pictures else config.settle_s - SAME_TIME_S)) & ~np.isnan(self.since)

    def changed_t(self) -> F64:
        """(90, 2) when each point was last seen as remembered and when first otherwise, s; infinity for never."""
        return np.column_stack([self.seen_same, np.where(np.isnan(self.seen_other), np.inf, self.seen_other)])


def look_of(piece: int) -> int:
    """The column of the evidence for a piece newly come, or for none."""
    if piece == EMPTY:
        return EMPTY_LOOK
    return RED_LOOK if piece < 8 else BLACK_LOOK


def new_belief(t: float) -> Belief:
    """Nothing seen yet."""
    nothing = np.full(90, np.nan)
    return Belief(
        nothing, np.zeros(90, dtype=np.int32), np.zeros(90), nothing, nothing, np.full(90, t), nothing, 0.0, t
    )


def interrupted(belief: Belief, t: float) -> Belief:
    """Nothing of what was gathered counts any more; a point was last seen as remembered when it really was."""
    return replace(new_belief(t), seen_same=belief.seen_same)


def update(belief: Belief, seen: Observation, config: BeliefConfig) -> Belief:
    """The belief after one more frame."""
    gap = seen.t - belief.t
    visible = seen.visible
    alike = visible & (seen.likeness >= config.alike)
    # What looks as remembered again was only shaded: nothing of that shadow is to be weighed on.
    restored = alike & (seen.likeness >= config.restored) & (belief.frames > 0) & (belief.likeness < config.alike)
    begun = visible & (np.isnan(belief.since) | ~seen.still | restored | (gap >= config.picture_gap_s))
    since = np.where(visible, np.where(begun, seen.t, belief.since), np.nan)
    frames = np.where(visible, np.where(begun, 1, belief.frames + 1), 0).astype(np.int32)
    other = visible & ~alike
    seen_other = np.where(alike, np.nan, np.where(other & np.isnan(belief.seen_other), seen.t, belief.seen_other))
    return Belief(
        since,
        frames,
        _mean(belief.likeness, seen.likeness.astype(np.float64), frames),
        _mean(belief.occupancy, seen.occupancy, frames),
        _mean(belief.side, seen.side, frames),
        np.where(alike, seen.t, belief.seen_same),
        seen_other,
        gap,
        seen.t,
    )


def forget(belief: Belief, points: Mask) -> Belief:
    """Take the look of `points` (90,) as remembered from now on: the scene was learned anew there."""
    return Belief(
        belief.since,
        belief.frames,
        np.where(points, 1.0, belief.likeness),
        np.where(points, np.nan, belief.occupancy),
        np.where(points, np.nan, belief.side),
        np.where(points, belief.t, belief.seen_same),
        np.where(points, np.nan, belief.seen_other),
        belief.gap_s,
        belief.t,
    )


def evidence(belief: Belief, board: bytes, config: BeliefConfig) -> F64:
    """(90, 4) log likelihood of what was seen at each point, for each state it may be in; 0 where nothing is known."""
    pieces = np.frombuffer(board, dtype=np.uint8)
    empty = _log_mix(np.maximum(belief.occupancy, -1.0), -1.0, config.empty_spread, config.occupancy_floor)
    piece = _log_mix(np.minimum(belief.occupancy, 1.0), 1.0, config.piece_spread, config.occupancy_floor)
    red = piece + _log_mix(np.maximum(belief.side, -1.0), -1.0, config.side_spread, config.side_floor)
    black = piece + _log_mix(np.minimum(belief.side, 1.0), 1.0, config.side_spread, config.side_floor)
    moved = config.replaced_nats * np.clip((config.alike - belief.likeness) / (config.alike - config.unlike), 0.0, 1.0)
    own = np.where(pieces == 0, empty, np.where(pieces < 8, red, black) - moved)
    alike = belief.likeness >= config.alike
    out = np.stack([np.where(alike, 0.0, own), empty, red, black], axis=1)
    measured = ~np.isnan(belief.occupancy)
    out[~measured, 1:] = 0.0
    out[alike, 1:] = -config.unchanged_nats
    # A point looking as remembered is as remembered, whatever its features say.
    out[alike & (pieces == 0), EMPTY_LOOK] = 0.0
    out[~measured & ~alike, SAME] = 0.0
    out[belief.frames == 0] = 0.0
    return out


def _mean(old: F64, new: F64, frames: NDArray[np.int32]) -> F64:
    """Running mean over at most 10 frames; a new run starts afresh, what was not measured leaves it as it was."""
    n = np.minimum(np.maximum(frames, 1), 10)
    mean = np.where((frames <= 1) | np.isnan(old), new, old + (new - old) / n)
    return np.where(np.isnan(new) & (frames > 1), old, mean)


def _log_mix(x: F64, mean: float, spread: float, floor: float) -> F64:
    bell = np.exp(-0.5 * ((x - mean) / spread) ** 2)
    return np.log((1.0 - floor) * bell + floor)


SAME_TIME_S = 0.005
"""Times this close are the same: of sums of tenths half are a hair below what they should be."""
