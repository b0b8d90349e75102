"""Keeping the grid on a board that moves when little is left of what it was anchored to."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.grid import Grid
from rules.event import ViewChanged, ViewState
from tests.vision.drawn_table import true_grid
from tests.vision.test_pipeline import Sitting
from vision.follow import anchor_of
from vision.window import TALL, WIDE

ENDGAME = "3k5/9/4b4/9/9/2B6/9/4C4/9/4K4 w - - 0 1"


def _moved(grid: Grid, px: tuple[float, float]) -> Grid:
    shift = np.array([[1.0, 0.0, px[0]], [0.0, 1.0, px[1]], [0.0, 0.0, 1.0]])
    return replace(grid, h_board_to_px=shift @ grid.h_board_to_px)


@pytest.mark.parametrize("px", [(9.0, -7.0), (14.0, 10.0)])
def test_a_bump_late_in_a_game_is_followed_from_the_scene_of_now(px: tuple[float, float]) -> None:
    sitting = Sitting(ENDGAME)
    watched = sitting.state.watched
    assert watched is not None
    noise = np.random.default_rng(3).integers(0, 255, (TALL, WIDE, 3), dtype=np.uint8)
    other_then = replace(watched.table, anchor=anchor_of(noise))
    sitting.state = replace(sitting.state, watched=replace(watched, table=other_then))
    sitting.table.camera_px = px
    sitting.watch(2.0)
    states = [event.state for event in sitting.of(ViewChanged) if isinstance(event, ViewChanged)]
    assert states == [ViewState.CAMERA_MOVED, ViewState.REALIGNED]
    assert sitting.state.watched is not None
    points = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 9.0], [0.0, 9.0]])
    off_px = sitting.state.watched.table.grid.to_px(points) - _moved(true_grid(), px).to_px(points)
    assert np.hypot(*off_px.T).max() < 0.1 * true_grid().cell_px()
    sitting.play("e2e4")
    assert sitting.moves == ["e2e4"]


def test_a_bump_by_a_few_hundredths_of_a_cell_is_corrected_silently() -> None:
    sitting = Sitting()
    sitting.play("h2e2")
    sitting.table.camera_px = (3.0, 1.0)
    sitting.watch(1.0)
    sitting.play("h9g7", black=True)
    sitting.watch(2.5)
    assert sitting.moves == ["h2e2", "h9g7"]
    assert not sitting.of(ViewChanged)
