"""The eye: one pure step per frame, from a picture to what happened at the table."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.grid import Grid
from rules.event import BoardFound, MoveSeen, PliesWithdrawn, TableEvent, ViewChanged, ViewState, WithdrawnWhy
from rules.move import Move
from rules.piece import side_of
from rules.position import Position
from vision.belief import Belief, BeliefConfig, evidence, forget, new_belief, update
from vision.change import HALF, Mask, disc_weights
from vision.decode import DecodeConfig, Reading, decode
from vision.follow import FollowConfig, anchor_of, find_shift, shifted
from vision.frame import Frame
from vision.hypotheses import Ply, Story
from vision.looks import learn_looks
from vision.observation import Glance, Observation, ObservationConfig, glance, observe
from vision.state import State, Table
from vision.walls import wall_free_weights
from vision.window import TALL, WIDE, Window, window_of


@dataclass(frozen=True, slots=True)
class PipelineConfig:
    """The stages' numbers, and those of the pipeline itself."""

    observation: ObservationConfig = field(default_factory=ObservationConfig)
    belief: BeliefConfig = field(default_factory=BeliefConfig)
    decode: DecodeConfig = field(default_factory=DecodeConfig)
    follow: FollowConfig = field(default_factory=FollowConfig)
    patience_s: float = 1.5
    """A leading explanation that leaves something unexplained is taken after this long."""
    absorb_s: float = 1.0
    """A quiet view this long becomes the remembered scene, small strange things beside the points with it."""
    adapt_per_s: float = 0.4
    """Rate at which the remembered scene follows slow changes of light where nothing is foreign, 1/s."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed for a recording."""

    config: PipelineConfig = field(default_factory=PipelineConfig)
    grid: Grid | None = None
    """The grid, where it was given; else it is searched for."""
    start: Position | None = None
    """The start position, where it was given; else it is read from the board."""


def initial_state(setup: Setup) -> State:
    """Nothing seen yet: the board is searched for."""
    return State()


def step(
    setup: Setup, state: State, frame: Frame, position: Position | None, heard: tuple[TableEvent, ...] = ()
) -> tuple[State, list[TableEvent]]:
    """What one more frame tells.

    position : the official position; None before the board was found
    heard    : what clock and arbiter did since the last frame
    """
    if state.table is None or state.position is None:
        return _find(setup, state, frame)
    state = _told(state, position)
    look = _glance(setup.config, state, frame)
    state, news = _stay_aligned(setup.config, state, frame, look)
    if state.moved_t is not None:
        return state, news
    if news:
        look = _glance(setup.config, state, frame)
    state, events = _watch(setup.config, state, frame.t, look)
    return state, [*news, *events]


def _glance(config: PipelineConfig, state: State, frame: Frame) -> Glance:
    table, position, previous = state.table, state.position, state.previous
    assert table is not None and position is not None and previous is not None
    scene = table.remembered(position.board, previous, state.hands)
    return glance(table.window.apply(frame.image), scene, config.observation)


def _stay_aligned(config: PipelineConfig, state: State, frame: Frame, look: Glance) -> tuple[State, list[TableEvent]]:
    """Follow camera and board; while they move nothing else is looked at."""
    table = state.table
    assert table is not None
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
    table = replace(table, window=aligned, inside=_halved(aligned))
    state = replace(state, table=table, previous=aligned.apply(frame.image))
    if shift.size_cells < follow.tell_cells and state.moved_t is None:
        return state, []
    news: list[TableEvent] = [] if state.moved_t is not None else [ViewChanged(frame.t, ViewState.CAMERA_MOVED)]
    return replace(state, moved_t=frame.t, belief=new_belief(frame.t), quiet_since=None, waiting_since=None), news


def _come_to_rest(config: PipelineConfig, state: State, t: float, found: bool) -> tuple[State, list[TableEvent]]:
    """Output goes on when no shift was left for a while."""
    if state.moved_t is None or not found or t - state.moved_t < config.follow.still_s:
        return state, []
    return replace(state, moved_t=None, belief=new_belief(t)), [ViewChanged(t, ViewState.REALIGNED)]


def _find(setup: Setup, state: State, frame: Frame) -> tuple[State, list[TableEvent]]:
    if setup.grid is None or setup.start is None:
        return state, []
    window = window_of(setup.grid)
    seen = window.apply(frame.image)
    looks = learn_looks(seen, setup.start.board)
    change = setup.config.observation.change
    inside = _halved(window)
    table = Table(
        window,
        looks,
        seen.astype(np.float32),
        inside,
        anchor_of(seen),
        disc_weights(change),
        wall_free_weights(setup.grid, change),
    )
    found = BoardFound(
        frame.t, setup.grid.corners_px(), setup.grid.red_side(), setup.start, setup.grid.residual_px, looks.agreement
    )
    begun = State(
        table=table,
        position=setup.start,
        given=setup.start,
        belief=new_belief(frame.t),
        previous=seen,
    )
    return begun, [found]


def _halved(window: Window) -> Mask:
    small = cv2.resize(window.inside.astype(np.uint8), (WIDE // HALF, TALL // HALF), interpolation=cv2.INTER_NEAREST)
    return small > 0


def _told(state: State, position: Position | None) -> State:
    """Follow the official position where it was changed by others than us."""
    if position is None or position == state.given:
        return state
    if state.position is not None and position.board == state.position.board and position.side == state.position.side:
        return replace(state, given=position, position=position)
    return replace(state, given=position, position=position, plies=())


def _watch(config: PipelineConfig, state: State, t: float, look: Glance) -> tuple[State, list[TableEvent]]:
    table, position, belief, previous = state.table, state.position, state.belief, state.previous
    assert table is not None and position is not None and belief is not None and previous is not None
    scene = table.remembered(position.board, previous, state.hands)
    seen = observe(t, look, scene, table.looks, config.observation)
    belief = update(belief, seen, config.belief)
    state = replace(state, belief=belief, previous=seen.window, hands=seen.hands)
    settled = belief.settled(config.belief)
    weighed = evidence(belief, position.board, config.belief)
    reading = decode(weighed, settled, position, state.plies[-1] if state.plies else None, config.decode)
    if reading.best.story is Story.NOTHING and not reading.unexplained:
        return _nothing_new(config, state, seen, settled), []
    waiting = t if state.waiting_since is None else state.waiting_since
    state = replace(state, waiting_since=waiting)
    if not _convincing(config, reading, t - waiting):
        return state, []
    return _accept(state, reading, seen, settled)


def _convincing(config: PipelineConfig, reading: Reading, waited_s: float) -> bool:
    if not reading.seen_whole or reading.margin_nats < config.decode.min_margin_nats:
        return False
    if reading.best.story is Story.NOTHING:
        return False
    return not reading.unexplained or waited_s >= config.patience_s


def _accept(state: State, reading: Reading, seen: Observation, settled: Mask) -> tuple[State, list[TableEvent]]:
    """Tell the plies of the best explanation, and remember the board as it is now."""
    assert state.position is not None and state.belief is not None and state.table is not None
    best, belief = reading.best, state.belief
    plies, position = list(state.plies), state.position
    events: list[TableEvent] = []
    if best.withdrawn:
        ply = len(plies) - best.withdrawn + 1
        events.append(PliesWithdrawn(seen.t, ply, WithdrawnWhy.TAKEN_BACK))
        position = plies[-best.withdrawn].before
        del plies[-best.withdrawn :]
    for move in best.moves:
        plies.append(Ply(position, move))
        position = _play(position, move)
        events.append(
            MoveSeen(
                seen.t,
                move,
                _when_left(belief, move.from_point),
                _when_came(belief, move.to_point),
                reading.probability,
            )
        )
    state = replace(state, position=position, plies=tuple(plies), waiting_since=None)
    return _remember(state, seen, settled, 1.0), events


def _play(position: Position, move: Move) -> Position:
    """The position after a move of either side, in turn or not."""
    return replace(position, side=side_of(position.board[move.from_point])).play(move)


def _when_left(belief: Belief, point: int) -> float | None:
    """Half way between the last look at the piece and the first at the empty point."""
    return _between(float(belief.seen_same[point]), float(belief.seen_other[point]))


def _when_came(belief: Belief, point: int) -> float | None:
    return _between(float(belief.seen_same[point]), float(belief.seen_other[point]))


def _between(last: float, first: float) -> float | None:
    return None if np.isnan(first) else float(max(last, first - 0.15))


def _nothing_new(config: PipelineConfig, state: State, seen: Observation, settled: Mask) -> State:
    """Follow slow changes; after a quiet while take the view as it is for the remembered scene."""
    assert state.belief is not None
    quiet = not seen.hands.present and bool(seen.still.all())
    since = (state.quiet_since if state.quiet_since is not None else seen.t) if quiet else None
    state = replace(state, waiting_since=None, quiet_since=since)
    if since is not None and seen.t - since >= config.absorb_s:
        state = _remember(state, seen, settled, 1.0)
        return replace(state, quiet_since=None)
    assert state.belief is not None
    rate = min(1.0, config.adapt_per_s * max(state.belief.gap_s, 0.0))
    return _remember(state, seen, None, rate)


def _remember(state: State, seen: Observation, settled: Mask | None, rate: float) -> State:
    """Move the remembered scene towards the window by `rate`; where foreign, only with `settled` given."""
    assert state.table is not None and state.belief is not None
    keep = seen.hands.mask if settled is not None else seen.hands.mask | seen.foreign
    share = cv2.resize((~keep).astype(np.float32) * rate, (WIDE, TALL), interpolation=cv2.INTER_NEAREST)
    reference = state.table.reference
    reference = reference + share[:, :, None] * (seen.window - reference)
    table = replace(state.table, reference=reference)
    if settled is None:
        return replace(state, table=table)
    return replace(state, table=table, belief=forget(state.belief, seen.visible))
