"""Points outside the picture: told once; moves to and from them are told with a doubt, the others without."""

from dataclasses import replace

import numpy as np
import pytest

from rules.event import RecordDoubt, ViewChanged, ViewState
from rules.fen import parse_fen
from rules.piece import EMPTY
from rules.point import format_point, parse_point
from tests.vision.drawn_table import CELL_PX, DrawnTable, true_grid
from tests.vision.test_pipeline import Sitting
from vision import pipeline
from vision.observation import glance, observe
from vision.unseen import learn_edge, outside_picture

FEN = "r3k4/9/4b4/9/9/4P3r/9/9/7R1/R3K4 w - - 0 1"
"""Chariots that can go to file i, on h1, and come from it, on i4."""


class PushedSitting(Sitting):
    """A drawn table whose camera is pushed by some pixels: what is beyond the picture's edge is not seen."""

    def __init__(self, fen: str, px: tuple[float, float]) -> None:
        start = parse_fen(fen)
        push = np.array([[1.0, 0.0, px[0]], [0.0, 1.0, px[1]], [0.0, 0.0, 1.0]])
        grid = true_grid()
        grid = replace(grid, h_board_to_px=push @ grid.h_board_to_px)
        self.begin(DrawnTable(start.board, camera_px=px), pipeline.Setup(grid=grid, start=start))

    def play(self, move: str, black: bool = False, wait_s: float = 1.0) -> None:
        """A hand plays a move and goes away."""
        super().play(move, black, wait_s)

    def doubted(self) -> list[int]:
        """The plies told with a doubt."""
        return [event.ply for event in self.told if isinstance(event, RecordDoubt)]


def _right_file_unseen(fen: str = FEN) -> PushedSitting:
    return PushedSitting(fen, (1.6 * CELL_PX, 0.0))


def test_points_outside_the_picture_are_told_once_by_name_and_cleared_when_they_are_back() -> None:
    sitting = _right_file_unseen()
    sitting.play("a0a4")
    for cells in (1.3, 1.0, 0.7, 0.4):
        sitting.table.camera_px = (cells * CELL_PX, 0.0)
        sitting.watch(1.0)
    views = [event for event in sitting.told if isinstance(event, ViewChanged)]
    blocked = [view for view in views if view.state is ViewState.BLOCKED]
    assert [[format_point(point) for point in view.points] for view in blocked] == [[f"i{rank}" for rank in range(10)]]
    assert [view.state for view in views].count(ViewState.CLEAR) == 1


def test_points_outside_the_picture_are_told_again_after_the_camera_moved() -> None:
    sitting = _right_file_unseen()
    sitting.table.camera_px = (1.6 * CELL_PX, 9.0)
    sitting.watch(1.5)
    views = [event.state for event in sitting.told if isinstance(event, ViewChanged)]
    assert views == [ViewState.BLOCKED, ViewState.CAMERA_MOVED, ViewState.REALIGNED, ViewState.BLOCKED]


def test_plies_between_points_in_the_picture_are_told_without_a_doubt() -> None:
    sitting = _right_file_unseen()
    sitting.play("a0b0")
    sitting.play("e7c9", black=True)
    sitting.play("e4e5")
    assert sitting.moves == ["a0b0", "e7c9", "e4e5"]
    assert not sitting.doubted()


def test_a_piece_that_left_the_picture_is_told_with_a_doubt_and_the_game_goes_on() -> None:
    sitting = _right_file_unseen()
    sitting.play("h1i1", wait_s=4.0)
    sitting.play("a9a5", black=True)
    sitting.play("e4e5")
    assert sitting.moves == ["h1i1", "a9a5", "e4e5"]
    assert sitting.doubted() == [1]


def test_a_piece_that_comes_into_the_picture_is_told_with_a_doubt() -> None:
    sitting = _right_file_unseen()
    sitting.play("a0b0")
    sitting.play("i4g4", black=True, wait_s=4.0)
    sitting.play("b0b3")
    assert sitting.moves == ["a0b0", "i4g4", "b0b3"]
    assert sitting.doubted() == [2]


def test_a_piece_that_is_only_held_in_the_air_is_no_move_out_of_the_picture() -> None:
    sitting = _right_file_unseen()
    board, h1 = sitting.table.board, parse_point("h1")
    sitting.table.board = board[:h1] + bytes([EMPTY]) + board[h1 + 1 :]
    sitting.watch(2.0)
    sitting.table.board = board
    sitting.play("h1h3")
    assert sitting.moves == ["h1h3"]
    assert not sitting.doubted()


@pytest.mark.parametrize(("unseen", "back"), [("i3", "g2"), ("i5", "h7")])
def test_a_piece_may_come_back_from_another_unseen_point_than_the_one_told(unseen: str, back: str) -> None:
    sitting = _right_file_unseen("4k4/9/9/4p4/9/6N2/9/9/9/4K4 w - - 0 1")
    sitting.play(f"g4{unseen}", wait_s=4.0)
    sitting.play("e9f9", black=True)
    sitting.play(f"{unseen}{back}", wait_s=4.0)
    assert sitting.moves == [f"g4{unseen}", "e9f9", f"{unseen}{back}"]
    assert 1 in sitting.doubted()
    doubt = next(event for event in sitting.told if isinstance(event, RecordDoubt))
    assert {str(move) for move in doubt.alternatives} < {"g4i3", "g4i5"}


@pytest.mark.parametrize(("tip", "learned"), [((8.3, 4.0), True), ((4.0, 4.0), False)])
def test_what_lies_at_the_pictures_edge_is_learned_with_the_ply_but_no_hand_over_the_board(
    tip: tuple[float, float], learned: bool
) -> None:
    sitting = _right_file_unseen()
    watched, config = sitting.state.watched, sitting.setup.config
    assert watched is not None
    picture = sitting.table.picture()
    x, y = (round(64 + 1.6 * CELL_PX + tip[0] * CELL_PX), round(64 + (9.0 - tip[1]) * CELL_PX))
    picture[y - 60 : y + 60, x - 44 :] = (40, 60, 90)
    look = glance(picture, watched.table.window, watched.scene, watched.table.inside, config.observation)
    seen = observe(9.0, look, watched.previous, watched.scene, watched.table.looks, config.observation)
    assert seen.hands.present
    after = learn_edge(watched, seen, outside_picture(config, watched))
    again = observe(9.1, look, seen.half, after.scene, watched.table.looks, config.observation)
    assert (after is not watched) == learned
    assert again.hands.present != learned
