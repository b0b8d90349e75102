"""The beginning: where the board is, which way round it lies, and what stands on it."""

from dataclasses import replace

import cv2
import numpy as np

from calibration.find_board import find_board
from calibration.grid import Grid
from rules.event import BoardFound, MoveSeen, TableEvent, ViewChanged, ViewState
from rules.fen import START_FEN, parse_fen
from rules.move import Move
from rules.piece import side_of
from rules.position import Position
from vision.belief import new_belief
from vision.change import HALF, Mask, disc_weights, halved
from vision.episode import no_episodes
from vision.fine import fine_view
from vision.follow import anchor_of
from vision.frame import Frame, Image
from vision.hypotheses import Ply
from vision.known_start import KnownStart, find_known_start
from vision.looks import Looks, learn_looks
from vision.mean_face import learn_mean_faces
from vision.meanwhile import after, likeliest, plies_between, sides_of, sides_seen
from vision.observation import remembered
from vision.pieces.read import BoardReading, read_board
from vision.setup import Setup
from vision.state import Candidate, State, Table, Watched
from vision.walls import wall_free_weights, wall_offsets
from vision.window import TALL, WIDE, Window, window_of

_USUAL = parse_fen(START_FEN)
_EVERY_POINT = 1.0
"""Agreement of the usual position that needs no reading: one point that looks otherwise may be a ply, or a piece that
was given as a handicap."""
_SEARCHED_SHARE, _SEARCHED_LEAST_S = 0.1, 2.0
"""A board lost for some time is searched again after this share of it, and after so long at the latest."""
MEANWHILE_CONFIDENCE = 0.9
"""Of plies that nobody saw: the only legal ones that lead to what is seen, as far as colours tell."""


def find(setup: Setup, state: State, frame: Frame, official: Position | None) -> tuple[State, list[TableEvent]]:
    """Search the board in one frame; `official` is the position to expect when a recording goes on."""
    if frame.t - state.searched_t < setup.config.search_every_s:
        return state, []
    state = replace(state, searched_t=frame.t)
    grid = setup.grid if setup.grid is not None else find_board(frame.image)
    if grid is None:
        return replace(state, candidate=None), []
    expected = official or setup.start
    turn_known = setup.grid is not None
    known = find_known_start(frame.image, grid, (expected or _USUAL).board, turn_known)
    going_on = official is not None and (setup.start is None or official.board != setup.start.board)
    if official is not None and going_on and known.looks.agreement >= setup.config.known_start.given_agreement:
        return _go_on(setup, state, frame, known, official)
    holds = known.holds(setup.config.known_start)
    if holds and (expected is not None or setup.nets is None or known.looks.agreement >= _EVERY_POINT):
        return _begin(setup, frame, known.window, known.seen, known.looks, expected or _USUAL, _sureness(known))
    if expected is not None:
        return _expected(setup, state, frame, known, expected)
    which_way = known.redness >= setup.config.known_start.red_errors
    if known.looks.agreement >= setup.config.known_start.usual_agreement and which_way:
        return _nearly_usual(setup, state, frame, known)
    if setup.nets is None:
        return replace(state, candidate=None), []
    if setup.grid is None and grid.confidence < setup.config.least_grid_confidence:
        return replace(state, candidate=None), []
    reading = read_board(frame.image, grid, setup.nets, setup.enrolment)
    return _read(setup, state, frame, reading, turn_known)


def find_again(setup: Setup, state: State, lost: Watched, frame: Frame) -> tuple[State, list[TableEvent]]:
    """Search a board that was lost from view: pushed far, turned, or the camera put elsewhere.

    It is searched more rarely the longer it is lost: a search takes as long as some thirty frames.
    """
    lost_s = 0.0 if lost.astray_since is None else frame.t - lost.astray_since
    if frame.t - state.searched_t < min(_SEARCHED_SHARE * lost_s, _SEARCHED_LEAST_S):
        return state, []
    # Even before the first ply is told one may have been played: this is a game that goes on.
    going_on = replace(setup, grid=None, start=None)
    search, events = find(going_on, replace(state, watched=None), frame, lost.position)
    if search.watched is None:
        return replace(search, watched=lost), events
    position, plies = lost.position, list(lost.plies)
    for event in events:
        if isinstance(event, MoveSeen):
            plies.append(Ply(position, event.move, frame.t, MEANWHILE_CONFIDENCE, doubted=True))
            position = position.play(event.move)
    watched = replace(
        search.watched, plies=tuple(plies), side_known=lost.side_known, given=lost.given, unaccounted=True
    )
    return replace(search, watched=watched), [ViewChanged(frame.t, ViewState.RESTORED), *events]


def _go_on(
    setup: Setup, state: State, frame: Frame, known: KnownStart, official: Position
) -> tuple[State, list[TableEvent]]:
    """A game goes on: what was played while nobody looked is told before anything else."""
    config = setup.config.known_start
    if setup.grid is None and known.redness < config.red_errors:
        return replace(state, candidate=None), []
    plies = _plies_meanwhile(setup, frame, known, official)
    now = after(official, plies or [])
    state, often = _again(state, frame.t, now)
    wanted = config.unexplained_again if plies is None else config.meanwhile_again if plies else config.given_again
    if often < wanted:
        return state, []
    state, events = _begin(setup, frame, known.window, known.seen, known.looks, now, known.looks.agreement)
    return state, _with_plies(frame.t, events, official, plies or [])


def _with_plies(t: float, events: list[TableEvent], before: Position, plies: list[Move]) -> list[TableEvent]:
    """The board told as found in the position `before`, and then what was played on it since."""
    found = [replace(event, position=before) if isinstance(event, BoardFound) else event for event in events]
    return [*found, *(MoveSeen(t, move, None, None, MEANWHILE_CONFIDENCE) for move in plies)]


def _plies_meanwhile(setup: Setup, frame: Frame, known: KnownStart, official: Position) -> list[Move] | None:
    """What was played since the official position; None where that cannot be told."""
    ways = plies_between(official, sides_seen(known.looks, known.seen))
    if len(ways) > 1 and setup.nets is not None:
        reading = read_board(frame.image, known.window.grid, setup.nets, setup.enrolment, turn_known=True)
        return likeliest(official, ways, reading.position.board)
    return ways[0] if len(ways) == 1 else None


def _nearly_usual(setup: Setup, state: State, frame: Frame, known: KnownStart) -> tuple[State, list[TableEvent]]:
    """All but a few points show the usual position: hands cover them, some plies were played, or it is another one."""
    if setup.nets is not None:
        reading = read_board(frame.image, known.window.grid, setup.nets, setup.enrolment, turn_known=True)
        if reading.confidence >= setup.config.read_confidence and reading.position.board != _USUAL.board:
            return _surely_other(setup, state, frame, known, reading)
    if known.holds(setup.config.known_start):
        return _begin(setup, frame, known.window, known.seen, known.looks, _USUAL, _sureness(known))
    state, often = _again(state, frame.t, _USUAL)
    if often < setup.config.known_start.usual_again:
        return state, []
    return _begin(setup, frame, known.window, known.seen, known.looks, _USUAL, known.looks.agreement)


def _surely_other(
    setup: Setup, state: State, frame: Frame, known: KnownStart, reading: BoardReading
) -> tuple[State, list[TableEvent]]:
    """The glyphs tell a position near the usual one: plies from it are told, any other begins the game itself.

    It has to be seen again first: a piece in a hand is missing for a moment.
    """
    config = setup.config.known_start
    state, often = _again(state, frame.t, reading.position)
    ways = plies_between(_USUAL, sides_of(reading.position.board))
    plies = next((way for way in ways if after(_USUAL, way).board == reading.position.board), None)
    if often < (config.other_again if plies is None else config.meanwhile_again):
        return state, []
    now = reading.position if plies is None else after(_USUAL, plies)
    looks = learn_looks(known.seen, now.board)
    state, events = _begin(setup, frame, known.window, known.seen, looks, now, reading.confidence, plies is not None)
    return state, events if plies is None else _with_plies(frame.t, events, _USUAL, plies)


def _sureness(known: KnownStart) -> float:
    return round(min(0.999, known.looks.agreement), 4)


def _expected(
    setup: Setup, state: State, frame: Frame, known: KnownStart, expected: Position
) -> tuple[State, list[TableEvent]]:
    """A position that was given is believed even if a hand lies over part of it, once it was seen so again."""
    config = setup.config.known_start
    if known.looks.agreement < config.given_agreement or (setup.grid is None and known.redness < config.red_errors):
        return replace(state, candidate=None), []
    state, often = _again(state, frame.t, expected)
    if often < config.given_again:
        return state, []
    return _begin(setup, frame, known.window, known.seen, known.looks, expected, known.looks.agreement)


def _read(
    setup: Setup, state: State, frame: Frame, reading: BoardReading, turn_known: bool
) -> tuple[State, list[TableEvent]]:
    if len(set(map(side_of, filter(None, reading.position.board)))) < 2:
        # A board that is being set up, or a picture of something else: no game begins with one side alone.
        return replace(state, candidate=None), []
    if turn_known and setup.grid is not None and reading.grid.red_side() != setup.grid.red_side():
        return replace(state, candidate=None), []
    state, often = _again(state, frame.t, reading.position)
    if reading.confidence < setup.config.read_confidence and often < setup.config.read_again:
        return state, []
    window = window_of(reading.grid)
    seen = window.apply(frame.image)
    looks = learn_looks(seen, reading.position.board)
    side_known = reading.position.board == _USUAL.board
    return _begin(setup, frame, window, seen, looks, reading.position, reading.confidence, side_known)


def _again(state: State, t: float, position: Position) -> tuple[State, int]:
    """Count how often in a row the same was read."""
    last = state.candidate
    often = 1 if last is None or last.board != position.board else last.often + 1
    return replace(state, candidate=Candidate(position.board, often, t)), often


def _begin(
    setup: Setup,
    frame: Frame,
    window: Window,
    seen: Image,
    looks: Looks,
    position: Position,
    confidence: float,
    side_known: bool = True,
) -> tuple[State, list[TableEvent]]:
    """Watch the board from here on."""
    change = setup.config.observation.change
    foot_x, foot_y = wall_offsets(window.grid).mean(axis=0).tolist()
    table = Table(
        window,
        replace(looks, foot_cells=(foot_x, foot_y), faces=learn_mean_faces(seen, position.board)),
        anchor_of(seen),
        halved_inside(window),
        disc_weights(change),
        wall_free_weights(window.grid, change),
    )
    grid: Grid = window.grid
    found = BoardFound(frame.t, grid.corners_px(), grid.red_side(), position, grid.residual_px, confidence)
    watched = Watched(
        table=table,
        scene=remembered(seen, table.weights(position.board), table.inside),
        fine=fine_view(window, frame.image, np.ones(3, dtype=np.float32)),
        position=position,
        given=position,
        belief=new_belief(frame.t),
        episodes=no_episodes(),
        previous=halved(seen),
        side_known=side_known,
        quiet_since=frame.t,
    )
    return State(watched), [found]


def halved_inside(window: Window) -> Mask:
    """(TALL/2, WIDE/2) where the picture reaches."""
    small = cv2.resize(window.inside.astype(np.uint8), (WIDE // HALF, TALL // HALF), interpolation=cv2.INTER_NEAREST)
    return small > 0
