"""What the eye tells of a drawn table on which things happen."""

from collections.abc import Callable

import pytest

from rules.event import (
    BoardCleared,
    BoardFound,
    MoveSeen,
    PieceBetween,
    PiecesDisturbed,
    PiecesRestored,
    PieceTouched,
    PliesWithdrawn,
    RecordDoubt,
    TableEvent,
    TouchStrength,
    ViewChanged,
    ViewState,
)
from rules.fen import START_FEN, parse_fen
from rules.piece import BLACK, EMPTY, RED
from rules.point import parse_point
from tests.vision.drawn_table import DrawnTable, true_grid
from vision import pipeline
from vision.frame import Frame

FPS = 10.0


class Sitting:
    """A drawn table with the eye on it."""

    def __init__(self, fen: str = START_FEN) -> None:
        start = parse_fen(fen)
        self.begin(DrawnTable(start.board), pipeline.Setup(grid=true_grid(), start=start))

    def begin(self, table: DrawnTable, setup: pipeline.Setup) -> None:
        """The eye finds the table."""
        self.table = table
        self.setup = setup
        self.state = pipeline.initial_state(setup)
        self.frames = 0
        self.told: list[TableEvent] = []
        self.watch(0.5)

    @property
    def t(self) -> float:
        return self.frames / FPS

    def watch(self, seconds: float, change: Callable[[int], None] | None = None) -> None:
        """Let time pass; `change` is called before each frame with its number."""
        for number in range(max(1, round(seconds * FPS))):
            if change is not None:
                change(number)
            frame = Frame(self.frames, self.t, self.table.picture())
            self.state, events = pipeline.step(self.setup, self.state, frame, self.state.position)
            self.told.extend(events)
            self.frames += 1

    def reach(self, point: str, seconds: float = 0.4, black: bool = False) -> None:
        """A hand goes to a point and stays over it."""
        self.table.hand_from_black = black
        x, y = parse_point(point) % 9, parse_point(point) // 9
        self.table.hand = (float(x), float(y))
        self.watch(seconds)

    def leave(self, seconds: float = 0.6) -> None:
        """The hand goes away."""
        self.table.hand = None
        self.watch(seconds)

    def play(self, move: str, black: bool = False, wait_s: float = 0.6) -> None:
        """A hand plays a move and goes away."""
        self.reach(move[:2], black=black)
        self.table.play(move)
        self.reach(move[2:], black=black)
        self.leave(wait_s)

    @property
    def moves(self) -> list[str]:
        """The moves that stand."""
        standing: list[str] = []
        for event in self.told:
            if isinstance(event, PliesWithdrawn):
                del standing[event.ply - 1 :]
            elif isinstance(event, MoveSeen):
                standing.append(str(event.move))
        return standing

    def of(self, kind: type[TableEvent]) -> list[TableEvent]:
        return [event for event in self.told if isinstance(event, kind)]


def test_the_start_is_recognised_and_a_still_table_says_nothing() -> None:
    sitting = Sitting()
    sitting.watch(4.0)
    assert [type(event) for event in sitting.told] == [BoardFound]


def test_a_few_plies_are_seen_in_order_soon_after_the_hand_has_gone() -> None:
    sitting = Sitting()
    for number, move in enumerate(("h2e2", "h9g7", "h0g2", "g6g5")):
        sitting.play(move, black=number % 2 == 1)
    assert sitting.moves == ["h2e2", "h9g7", "h0g2", "g6g5"]
    assert len(sitting.told) == 5


def test_a_move_is_told_within_half_a_second_of_the_hand_being_gone() -> None:
    sitting = Sitting()
    sitting.reach("h2")
    sitting.table.play("h2e2")
    sitting.reach("e2")
    gone_t = sitting.t
    sitting.leave(1.0)
    (move,) = sitting.of(MoveSeen)
    assert move.t - gone_t <= 0.5


def test_a_capture_is_seen() -> None:
    sitting = Sitting()
    sitting.play("b2b9")
    assert sitting.moves == ["b2b9"]


def test_two_plies_between_clear_views_are_both_seen() -> None:
    sitting = Sitting()
    sitting.table.hand = (4.0, 7.0)
    sitting.watch(0.5)
    sitting.table.play("e3e4")
    sitting.table.play("e6e5")
    sitting.watch(0.5)
    sitting.leave()
    assert sitting.moves == ["e3e4", "e6e5"]


def test_a_reply_to_a_move_made_under_a_resting_hand_waits_for_it() -> None:
    sitting = Sitting()
    sitting.table.hand = (1.0, 2.0)
    sitting.watch(1.0)
    sitting.table.play("b2b1")
    sitting.table.play("h7e7")
    sitting.watch(6.0)
    assert sitting.moves == []
    sitting.leave(1.0)
    assert sitting.moves == ["b2b1", "h7e7"]


def test_plies_seen_the_wrong_way_round_wait_for_the_one_between_them() -> None:
    sitting = Sitting()
    sitting.table.hand = (1.0, 2.0)
    sitting.watch(1.0)
    sitting.table.play("b2b1")
    sitting.table.play("h9g7")
    sitting.watch(2.0)
    sitting.table.play("g3g4")
    sitting.watch(2.0)
    assert sitting.moves == []
    sitting.leave(1.0)
    assert sitting.moves == ["b2b1", "h9g7", "g3g4"]


def test_a_move_that_breaks_the_rules_under_a_resting_hand_is_told_with_a_doubt() -> None:
    sitting = Sitting()
    sitting.table.hand = (1.0, 2.0)
    sitting.watch(1.0)
    sitting.table.play("h9h5")
    sitting.watch(25.0)
    assert sitting.moves == ["h9h5"]
    assert len(sitting.of(RecordDoubt)) == 1


def test_a_move_put_back_is_withdrawn() -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    sitting.play("e2h2")
    assert sitting.moves == []
    assert len(sitting.of(PliesWithdrawn)) == 1


def test_a_move_changed_to_another_replaces_it() -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    sitting.play("e2d2")
    assert sitting.moves == ["h2d2"]


def test_an_illegal_move_is_told_as_it_was_made() -> None:
    sitting = Sitting()
    sitting.play("h0h1")
    assert sitting.moves == ["h0h1"]


@pytest.mark.parametrize("light", [0.6, 1.25])
def test_a_light_switch_moves_nothing(light: float) -> None:
    sitting = Sitting()
    sitting.table.light = light
    sitting.watch(2.0)
    sitting.play("h2e2")
    assert sitting.moves == ["h2e2"]
    assert [type(event) for event in sitting.told] == [BoardFound, MoveSeen]


def test_a_hand_at_rest_for_a_minute_stays_a_hand() -> None:
    sitting = Sitting()
    sitting.table.hand = (7.0, 2.0)
    sitting.watch(1.0)
    sitting.frames += 600
    sitting.watch(1.0)
    sitting.leave(1.0)
    assert [type(event) for event in sitting.told] == [BoardFound]


def test_a_bump_pauses_and_realigns_within_two_seconds_and_play_goes_on() -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    sitting.table.camera_px, sitting.table.camera_deg = (9.0, -7.0), 1.0
    bumped_t = sitting.t
    sitting.watch(2.0)
    sitting.play("h9g7", black=True)
    states = [event.state for event in sitting.of(ViewChanged) if isinstance(event, ViewChanged)]
    assert states == [ViewState.CAMERA_MOVED, ViewState.REALIGNED]
    assert sitting.of(ViewChanged)[1].t - bumped_t <= 2.0
    assert sitting.moves == ["h2e2", "h9g7"]


@pytest.mark.parametrize(("deg", "px"), [(90.0, (0.0, 0.0)), (6.0, (34.0, 30.0))])
def test_a_board_that_was_turned_or_pushed_far_is_searched_again(deg: float, px: tuple[float, float]) -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    sitting.table.camera_deg, sitting.table.camera_px = deg, px
    sitting.watch(4.0)
    sitting.table.play("h9g7")
    sitting.watch(2.0)
    views = [event for event in sitting.of(ViewChanged) if isinstance(event, ViewChanged)]
    states = [view.state for view in views if not view.points]
    assert states in ([ViewState.LOST, ViewState.RESTORED], [ViewState.CAMERA_MOVED, ViewState.REALIGNED])
    assert sitting.moves == ["h2e2", "h9g7"]


def test_a_piece_put_back_askew_was_touched() -> None:
    sitting = Sitting()
    point = parse_point("b0")
    sitting.reach("b0", 1.0)
    sitting.table.offsets[point] = (0.12, 0.05)
    sitting.table.turns[point] = 25.0
    sitting.reach("b0", 0.4)
    sitting.leave(1.0)
    (touched,) = sitting.of(PieceTouched)
    assert isinstance(touched, PieceTouched)
    assert (touched.point, touched.hand_side) == (point, RED)
    assert touched.strength in (TouchStrength.LIFTED, TouchStrength.SHIFTED)
    assert abs(touched.size_cells - 0.13) < 0.04


def test_a_hand_hovering_over_pieces_touches_nothing() -> None:
    sitting = Sitting()
    for point in ("c9", "d9", "e9"):
        sitting.reach(point, 1.0, black=True)
    sitting.leave(1.0)
    assert [type(event) for event in sitting.told] == [BoardFound]


def test_a_piece_between_points_is_told_and_its_move_once_it_stands() -> None:
    sitting = Sitting()
    sitting.reach("h2")
    sitting.table.play("h2h4")
    sitting.table.offsets[parse_point("h4")] = (0.0, 0.5)
    sitting.reach("h4")
    sitting.leave(1.5)
    (between,) = sitting.of(PieceBetween)
    assert isinstance(between, PieceBetween)
    assert set(between.candidates) == {parse_point("h4"), parse_point("h5")}
    assert sitting.moves == []
    sitting.reach("h4")
    sitting.table.offsets.clear()
    sitting.reach("h4")
    sitting.leave(1.0)
    assert sitting.moves == ["h2h4"]


def test_pieces_pushed_off_their_points_are_disturbed_until_they_stand_again() -> None:
    sitting = Sitting()
    pushed = {parse_point("g9"): (0.4, -0.5), parse_point("h9"): (0.5, -0.4)}
    sitting.reach("g9", black=True)
    sitting.table.offsets.update(pushed)
    sitting.reach("g9", black=True)
    sitting.leave(1.5)
    (disturbed,) = sitting.of(PiecesDisturbed)
    assert isinstance(disturbed, PiecesDisturbed)
    assert (set(disturbed.points), disturbed.off_board, disturbed.hand_side) == (set(pushed), (), BLACK)
    sitting.reach("g9", black=True)
    sitting.table.offsets.clear()
    sitting.leave(1.5)
    assert len(sitting.of(PiecesRestored)) == 1
    assert sitting.moves == []


def test_a_swept_board_ends_the_game_without_a_move() -> None:
    sitting = Sitting()
    sitting.table.hand = (4.0, 5.0)
    sitting.watch(0.5)
    sitting.table.board = bytes(EMPTY for _ in range(90))
    sitting.leave(2.0)
    assert len(sitting.of(BoardCleared)) == 1
    assert sitting.moves == []


def test_single_pictures_of_settled_states_are_enough() -> None:
    sitting = Sitting()
    sitting.frames += 10
    for move in ("h2e2", "h9g7"):
        sitting.table.play(move)
        sitting.watch(0.1)
        sitting.frames += 10
    assert sitting.moves == ["h2e2", "h9g7"]


def test_the_step_is_pure() -> None:
    sitting = Sitting()
    sitting.reach("h2")
    sitting.table.play("h2e2")
    sitting.table.hand = None
    frame = Frame(sitting.frames, sitting.t, sitting.table.picture())
    first = pipeline.step(sitting.setup, sitting.state, frame, sitting.state.position)
    second = pipeline.step(sitting.setup, sitting.state, frame, sitting.state.position)
    assert first[1] == second[1]
    assert (first[0].watched.belief.likeness == second[0].watched.belief.likeness).all()  # type: ignore[union-attr]
