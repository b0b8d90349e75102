"""Points outside the picture: told once, and a move that leads to or from them is told in the end, with a doubt."""

from dataclasses import replace

import numpy as np

from rules.event import TableEvent, ViewChanged, ViewState
from rules.point import Point
from vision.change import Mask
from vision.decode import Reading
from vision.hand import no_hands
from vision.hypotheses import LAWFUL, Story
from vision.observation import Observation
from vision.remember import remember_under
from vision.setup import PipelineConfig
from vision.state import Watched
from vision.window import CELL_PX, CENTRES_PX


def outside_picture(config: PipelineConfig, state: Watched) -> Mask:
    """(90,) points that no picture shows while camera and board stand as they do."""
    inside = state.scene.inside
    return np.zeros(90, dtype=np.bool_) if inside.all() else no_hands(inside, config.observation.hand).hidden


def tell_outside(state: Watched, t: float, outside: Mask) -> tuple[Watched, list[TableEvent]]:
    """Tell which points lie outside the picture, once for each view, and when all points are in it again."""
    points = tuple(Point(int(point)) for point in np.flatnonzero(outside))
    told = state.outside_told
    # A point at the picture's edge comes and goes with the least drift.
    known = not state.view_anew and bool(points) and set(points) <= set(told)
    state = replace(state, view_anew=False)
    if known or not (points or told):
        return state, []
    news = ViewChanged(t, ViewState.BLOCKED, points) if points else ViewChanged(t, ViewState.CLEAR)
    return replace(state, outside_told=points), [news]


def leads_out_of_sight(
    config: PipelineConfig, state: Watched, seen: Observation, reading: Reading, settled: Mask, outside: Mask
) -> bool:
    """Whether lawful plies explain all that is seen, and what is not seen of them lies outside the picture.

    What stands there is never going to be seen, so that waiting for it would lose the ply and all that come after. A
    piece that is only held in the air looks so as well: it is waited for as long as for a thin lead.
    """
    best, since = reading.best, state.waiting_since
    if best.story not in LAWFUL or best.story is Story.SEVERAL_PLIES or reading.unexplained or not reading.coherent:
        return False
    ends = np.array([point for move in best.moves for point in (move.from_point, move.to_point)])
    unseen = ends[~settled[ends]]
    if len(unseen) == 0 or not outside[unseen].all() or since is None:
        return False
    if seen.t - since >= config.unseen_patience_s:
        return True
    # What stood there is seen to come and go at the picture's edge, and looks like the end of a hand.
    hand_elsewhere = seen.hands.hidden & ~_near(outside)
    stood_s = seen.t - max(float(np.nanmax(state.belief.since[ends])), since)
    return not hand_elsewhere.any() and stood_s >= config.doubt_patience_s


def with_unseen_rivals(reading: Reading, settled: Mask) -> Reading:
    """The reading with those rivals only that differ from the best where nothing is seen."""
    best = np.frombuffer(reading.best.board, dtype=np.uint8)[settled]
    alike = [(np.frombuffer(rival.board, dtype=np.uint8)[settled] == best).all() for rival in reading.rivals]
    return replace(reading, rivals=tuple(rival for rival, same in zip(reading.rivals, alike, strict=True) if same))


def learn_edge(state: Watched, seen: Observation, outside: Mask) -> Watched:
    """Take what shows at the picture's edge of what came to points outside it, or left them, for the scene.

    It reaches in from outside and lies still: it would be a hand over the board for ever, and nothing quiet any more.
    """
    near = _near(outside)
    return state if (seen.hands.hidden & ~near).any() else remember_under(state, seen, near)


def _near(points: Mask) -> Mask:
    """(90,) the points and those next to them."""
    at = CENTRES_PX[points]
    away_px = np.hypot(*(CENTRES_PX[:, None] - at[None]).transpose(2, 0, 1)).min(axis=1, initial=np.inf)
    near: Mask = away_px < _NEXT_CELLS * CELL_PX
    return near


_NEXT_CELLS = 1.5
"""How far apart neighbouring points are, across as well."""
