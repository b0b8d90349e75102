"""The eye: one pure step per frame, from a picture to what happened at the table."""

from collections.abc import Sequence
from dataclasses import replace

from rules.event import TableEvent
from rules.position import Position
from vision.aligning import stay_aligned
from vision.finding import find, find_again
from vision.frame import Frame
from vision.observation import Glance, glance
from vision.remember import weigh_anew
from vision.setup import PipelineConfig, Setup
from vision.state import State, Watched
from vision.watching import watch

__all__ = ["PipelineConfig", "Setup", "State", "initial_state", "step"]


def initial_state(setup: Setup) -> State:
    """Nothing seen yet: the board is searched for."""
    return State()


def step(
    setup: Setup, state: State, frame: Frame, position: Position | None, heard: Sequence[TableEvent] = ()
) -> tuple[State, list[TableEvent]]:
    """What one more frame tells.

    position : the official position; None before the board was found
    heard    : what clock and arbiter did since the last frame
    """
    watched = state.watched
    if watched is None:
        return find(setup, state, frame, position)
    if watched.disorder.cleared:
        return state, []
    watched = _told(watched, position)
    look = _glance(setup.config, watched, frame)
    watched, news = stay_aligned(setup.config, watched, frame, look)
    if watched.lost:
        state, more = find_again(setup, replace(state, watched=watched), watched, frame)
        return state, [*news, *more]
    if watched.pauses:
        return replace(state, watched=watched), news
    if news:
        look = _glance(setup.config, watched, frame)
    watched, events = watch(setup.config, watched, frame.t, look, setup.nets)
    return replace(state, watched=watched), [*news, *events]


def _glance(config: PipelineConfig, state: Watched, frame: Frame) -> Glance:
    unhidden = state.table.inside if state.hands is None else ~state.hands.mask
    return glance(frame.image, state.table.window, state.scene, unhidden, config.observation)


def _told(state: Watched, position: Position | None) -> Watched:
    """Follow the official position where others than we have changed it."""
    if position is None or position == state.given:
        return state
    if position.board == state.position.board and position.side == state.position.side:
        return replace(state, given=position, position=position)
    return weigh_anew(replace(state, given=position, position=position, plies=()))
