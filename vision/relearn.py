"""Learning the looks of points and pieces anew: light changes colours, and marks come out from under the pieces."""

from dataclasses import replace

import numpy as np

from vision.change import Mask
from vision.looks import learn_again
from vision.observation import Observation
from vision.state import Watched

_MOST_GAP_S = 0.2
"""With frames further apart a hand can come and go unseen."""
_HAND_GONE_S = 1.0
"""A hand that left so long before had nothing to do with it."""
_STEADY_S = 1.5
"""For so long the point must have looked so: a piece that slides on its own has come to rest."""
_OTHER_LIGHT = 0.1
"""Share by which a channel's brightness has to differ from when the looks were last learned."""
_AGAIN_S = 1.0
"""So long after the looks were learned they are not learned again: it takes as long as two frames."""
_LEAST_KNOWN = 45
"""With fewer of the 90 points known it is not worth it."""


def changed_by_light(state: Watched, points: tuple[int, ...]) -> Mask:
    """(90,) those of the `points` that have long looked otherwise, though no hand was there when that began.

    Nothing comes or goes without a hand: it is the edge of a patch of sun, or a lamp's reflection.
    """
    belief, episodes = state.belief, state.episodes
    found = np.zeros(90, dtype=np.bool_)
    if belief.gap_s > _MOST_GAP_S:
        return found
    asked = list(points)
    began = belief.seen_other[asked]
    with np.errstate(invalid="ignore"):
        alone = np.isnan(episodes.hidden_from[asked]) | (episodes.hidden_to[asked] < began - _HAND_GONE_S)
        found[asked] = alone & (belief.t - belief.since[asked] >= _STEADY_S) & (belief.t - began >= _STEADY_S)
    return found


def learn_light(state: Watched, seen: Observation, settled: Mask, alike: float) -> Watched:
    """Learn from the points that look as remembered, once the light is another or a ply has laid a point bare."""
    change = np.abs(np.log(seen.gain / state.looks_gain)).max()
    played = bool(state.plies) and state.plies[-1].told_t > state.looks_t
    if (change < _OTHER_LIGHT and not played) or seen.t - state.looks_t < _AGAIN_S:
        return state
    known = seen.visible & settled & (seen.likeness >= alike)
    if np.count_nonzero(known) < _LEAST_KNOWN:
        return state
    looks = learn_again(state.table.looks, seen.window, state.position.board, known)
    return replace(state, table=replace(state.table, looks=looks), looks_gain=seen.gain, looks_t=seen.t)
