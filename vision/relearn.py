"""Learning the looks of points and pieces anew when the light has changed: colours fade, and whites burn out."""

from dataclasses import replace

import numpy as np

from vision.change import Mask
from vision.looks import learn_again
from vision.observation import Observation
from vision.state import Watched

_OTHER_LIGHT = 0.1
"""Share by which a channel's brightness has to differ from when the looks were last learned."""
_AGAIN_S = 1.0
"""So long after the looks were learned they are not learned again: it takes as long as two frames."""
_LEAST_KNOWN = 45
"""With fewer of the 90 points known it is not worth it."""


def learn_light(state: Watched, seen: Observation, settled: Mask, alike: float) -> Watched:
    """Learn from the points that look as remembered, once the light is another."""
    change = np.abs(np.log(seen.gain / state.looks_gain)).max()
    if change < _OTHER_LIGHT or seen.t - state.looks_t < _AGAIN_S:
        return state
    known = seen.visible & settled & (seen.likeness >= alike)
    if np.count_nonzero(known) < _LEAST_KNOWN:
        return state
    looks = learn_again(state.table.looks, seen.window, state.position.board, known)
    return replace(state, table=replace(state.table, looks=looks), looks_gain=seen.gain, looks_t=seen.t)
