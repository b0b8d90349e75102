"""Keeping the window on the board: small drift is corrected silently, a bump pauses everything until it is followed."""

from dataclasses import replace

import numpy as np

from rules.event import TableEvent, ViewChanged, ViewState
from vision.belief import new_belief
from vision.change import even_out, halved
from vision.finding import halved_inside
from vision.follow import find_shift, shifted
from vision.frame import Frame
from vision.observation import Glance
from vision.setup import PipelineConfig
from vision.state import Watched
from vision.window import window_of


def stay_aligned(
    config: PipelineConfig, state: Watched, frame: Frame, look: Glance
) -> tuple[Watched, list[TableEvent]]:
    """Follow camera and board; while they move (`state.moved_t`) nothing else is looked at."""
    table = state.table
    follow = config.follow
    due = state.quiet_since is not None and frame.t - state.checked_t >= follow.check_every_s
    suspect = float(np.mean(look.likeness < config.observation.alike)) >= follow.suspect_share
    if not (due or suspect or state.moved_t is not None):
        return state, []
    state = replace(state, checked_t=frame.t)
    shift = find_shift(table.anchor, look.window, follow)
    if shift is None or shift.size_cells < follow.least_cells:
        return _come_to_rest(config, state, frame.t, shift is not None)
    aligned = window_of(shifted(table.grid, shift))
    table = replace(table, window=aligned, inside=halved_inside(aligned))
    scene = replace(state.scene, inside=table.inside)
    state = replace(state, table=table, scene=scene, previous=halved(even_out(aligned.apply(frame.image), look.gain)))
    if shift.size_cells < follow.tell_cells and state.moved_t is None:
        return state, []
    news: list[TableEvent] = [] if state.moved_t is not None else [ViewChanged(frame.t, ViewState.CAMERA_MOVED)]
    return replace(state, moved_t=frame.t, belief=new_belief(frame.t), quiet_since=None, waiting_since=None), news


def _come_to_rest(config: PipelineConfig, state: Watched, t: float, found: bool) -> tuple[Watched, list[TableEvent]]:
    """Output goes on when no shift was left for a while."""
    if state.moved_t is None or not found or t - state.moved_t < config.follow.still_s:
        return state, []
    return replace(state, moved_t=None, belief=new_belief(t)), [ViewChanged(t, ViewState.REALIGNED)]
