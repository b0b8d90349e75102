"""Keeping the window on the board: small drift is corrected silently, a bump pauses everything until it is followed.

A frame in which the board is not seen where it is, nor anywhere near, is no observation: a black one, or garbage.
"""

from dataclasses import replace

import numpy as np

from rules.event import TableEvent, ViewChanged, ViewState
from rules.piece import EMPTY
from rules.point import POINTS
from vision.belief import interrupted
from vision.change import even_out, halved, likeness, likeness_together, match, pattern_like
from vision.finding import halved_inside
from vision.follow import anchor_of, find_shift, shifted
from vision.frame import Frame
from vision.observation import Glance
from vision.setup import PipelineConfig
from vision.state import Watched
from vision.window import window_of


def stay_aligned(
    config: PipelineConfig, state: Watched, frame: Frame, look: Glance
) -> tuple[Watched, list[TableEvent]]:
    """Follow camera and board; while they move or are lost (`state.pauses`) nothing else is looked at."""
    table = state.table
    follow = config.follow
    state, stands = _stands(config, state, look, frame.t)
    due = state.quiet_since is not None and frame.t - state.checked_t >= follow.check_every_s
    suspect = not stands or _suspect(config, state, look)
    if not (due or suspect or state.moved_t is not None):
        return _seen_again(config, state, frame.t)
    state = replace(state, checked_t=frame.t)
    if suspect and _is_turned_by_half(config, state, look):
        # Lines and points lie where they lay: no shift tells it, and plies would be made up to explain it.
        return _go_astray(config, state, frame.t)
    shift = find_shift(table.anchor, look.window, follow)
    if shift is None and (suspect or state.moved_t is not None):
        # Late in a game little is left of what was there when it was anchored.
        shift = find_shift(anchor_of(state.scene.reference), look.window, follow)
    # What little a torn frame seems to have moved by is fitted to the part of it that is good.
    sure = stands or (shift is not None and shift.inlier_share >= follow.sure_share)
    small = shift is None or shift.size_cells < (follow.least_cells if sure else follow.tell_cells)
    unlike = float(np.mean(look.likeness < config.observation.alike))
    if (shift is None and unlike >= follow.astray_share) or (small and not stands):
        return _go_astray(config, state, frame.t)
    state, found = _seen_again(config, state, frame.t)
    if found:
        return state, found
    if shift is None or small:
        return _come_to_rest(config, state, frame.t, shift is not None)
    aligned = window_of(shifted(table.grid, shift))
    table = replace(table, window=aligned, inside=halved_inside(aligned))
    scene = replace(state.scene, inside=table.inside)
    state = replace(state, table=table, scene=scene, previous=halved(even_out(aligned.apply(frame.image), look.gain)))
    if shift.size_cells < follow.tell_cells and state.moved_t is None:
        return state, []
    news: list[TableEvent] = [] if state.moved_t is not None else [ViewChanged(frame.t, ViewState.CAMERA_MOVED)]
    return replace(_interrupted(config, state, frame.t), moved_t=frame.t), news


def _stands(config: PipelineConfig, state: Watched, look: Glance, t: float) -> tuple[Watched, bool]:
    """Whether what is remembered is seen where it is, on the points that no hand hid a frame ago, or the empty ones.

    Of a board that is swept the lines stay where they were. A frame in which suddenly much is otherwise may be torn:
    it has to be borne out by those after it.
    """
    follow = config.follow
    bare = np.ones(POINTS, dtype=np.bool_) if state.hands is None else ~state.hands.hidden
    if np.count_nonzero(bare) < follow.least_bare:
        return state, True
    alike = likeness_together(look.match, bare)
    stands = alike >= follow.stands_alike
    if not stands:
        empty = np.frombuffer(state.position.board, dtype=np.uint8) == EMPTY
        stands = likeness_together(look.match, bare & empty) >= follow.stands_alike
    torn = alike < state.alike - follow.torn_lead and t - state.belief.t < follow.torn_s
    stands = stands and not torn
    missed = state.missed + (float(not stands) - state.missed) * follow.missed_rate
    return replace(state, missed=missed, alike=alike if stands else state.alike), stands


def _suspect(config: PipelineConfig, state: Watched, look: Glance) -> bool:
    """Whether so many points look otherwise than remembered that the board may have moved.

    Where hands were a frame ago is left out, if enough is left: the board stands where what they leave bare stands.
    """
    unlike = look.likeness < config.observation.alike
    if float(np.mean(unlike)) < config.follow.suspect_share:
        return False
    bare = None if state.hands is None else ~state.hands.hidden
    if bare is None or np.count_nonzero(bare) < config.follow.least_bare:
        return True
    return float(np.mean(unlike[bare])) >= config.follow.suspect_share


def _is_turned_by_half(config: PipelineConfig, state: Watched, look: Glance) -> bool:
    """Whether the pieces look much more as remembered in a window that is turned by half."""
    pieces = np.frombuffer(state.position.board, dtype=np.uint8) > 0
    if state.hands is not None:
        pieces &= ~state.hands.hidden
    if np.count_nonzero(pieces) < config.follow.least_pieces:
        return False
    turned = pattern_like(np.ascontiguousarray(look.window[::-1, ::-1]), state.scene.pattern)
    so = float(likeness(match(turned, state.scene.pattern), config.observation.change)[pieces].mean())
    return so >= config.follow.turned_alike and so - float(look.likeness[pieces].mean()) >= config.follow.turned_lead


def _go_astray(config: PipelineConfig, state: Watched, t: float) -> tuple[Watched, list[TableEvent]]:
    """Hardly a point looks as remembered, and no shift explains it: nothing is told, and then that the view is lost."""
    since = t if state.astray_since is None else state.astray_since
    state = replace(state, astray_since=since)
    if state.lost or t - since < config.follow.lost_s:
        return state, []
    return replace(state, lost=True), [ViewChanged(t, ViewState.LOST)]


def _seen_again(config: PipelineConfig, state: Watched, t: float) -> tuple[Watched, list[TableEvent]]:
    """Go on; after more than a blink all that was gathered counts no more, for anything may have happened."""
    if state.astray_since is None:
        return state, []
    watched = replace(state, astray_since=None, lost=False)
    belief, pictures = state.belief, state.belief.gap_s >= config.belief.picture_gap_s
    if not state.lost and (pictures or t - belief.t <= config.follow.blink_s):
        return watched, []
    watched = _interrupted(config, watched, t)
    if not state.lost:
        return watched, []
    return replace(watched, view_anew=True, missed=0.0), [ViewChanged(t, ViewState.RESTORED)]


def _come_to_rest(config: PipelineConfig, state: Watched, t: float, found: bool) -> tuple[Watched, list[TableEvent]]:
    """Output goes on when no shift was left for a while."""
    if state.moved_t is None or not found or t - state.moved_t < config.follow.still_s:
        return state, []
    state = replace(_interrupted(config, state, t), moved_t=None, view_anew=True)
    return state, [ViewChanged(t, ViewState.REALIGNED)]


def _interrupted(config: PipelineConfig, state: Watched, t: float) -> Watched:
    """Begin to gather anew; what was done meanwhile is not known."""
    blind_s = t - float(state.belief.seen_same.max())
    return replace(
        state,
        belief=interrupted(state.belief, t),
        quiet_since=None,
        waiting_since=None,
        glimpses=(),
        unaccounted=state.unaccounted or blind_s >= config.follow.plies_s,
    )
