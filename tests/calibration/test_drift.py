"""Following the grid."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.drift import CORNERS, DriftState, find_again, follow, new_reference
from calibration.grid import Grid
from tests.calibration.drawn_board import camera_grid, draw

DISCS = (0, 4, 8, 19, 25, 27, 31, 35, 54, 58, 62, 64, 70, 81, 85, 89)


def shifted(grid: Grid, dx: float, dy: float, turn_deg: float) -> Grid:
    """The grid as seen by a camera that was pushed."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    middle = np.array([[1, 0, 640.0], [0, 1, 360.0], [0, 0, 1]])
    move = middle @ np.array([[c, -s, dx], [s, c, dy], [0, 0, 1]]) @ np.linalg.inv(middle)
    return replace(grid, h_board_to_px=move @ grid.h_board_to_px)


def error_cells(found: Grid, truth: Grid) -> float:
    return float(np.hypot(*(found.to_px(CORNERS) - truth.to_px(CORNERS)).T).max() / truth.cell_px())


@pytest.mark.parametrize(
    ("dx", "dy", "turn", "state"),
    [
        (0.0, 0.0, 0.0, DriftState.STEADY),
        (2.0, -1.5, 0.1, DriftState.DRIFTED),
        (18.0, 10.0, 0.0, DriftState.MOVED),
        (5.0, -5.0, 4.0, DriftState.MOVED),
    ],
)
def test_the_grid_follows_the_board(dx: float, dy: float, turn: float, state: DriftState) -> None:
    before = camera_grid(65, 20, 50)
    after = shifted(before, dx, dy, turn)
    reference = new_reference(draw(before, discs=DISCS), before)
    moved_piece = (*DISCS[1:], 45)
    found, report = follow(reference, before, draw(after, discs=moved_piece, seed=1))
    assert report.state is state
    assert error_cells(found, after) < 0.03
    assert report.share > 0.6


def test_a_covered_board_is_unknown() -> None:
    grid = camera_grid(80, 0, 50)
    reference = new_reference(draw(grid, discs=DISCS), grid)
    found, report = follow(reference, grid, np.full((720, 1280, 3), 80, dtype=np.uint8))
    assert report.state is DriftState.UNKNOWN
    assert found is grid


def test_spots_under_a_hand_do_not_vote() -> None:
    grid = camera_grid(80, 0, 50)
    image = draw(grid, discs=DISCS)
    reference = new_reference(image, grid)
    image[:, 640:] = np.random.default_rng(0).integers(0, 255, (720, 640, 3))
    still = np.ones((720, 1280), dtype=bool)
    still[:, 630:] = False
    _, report = follow(reference, grid, image, still)
    assert report.state is DriftState.STEADY
    assert report.landmarks < len(reference.spots_px)


def test_a_lost_board_is_found_again_the_same_way_round() -> None:
    before = camera_grid(70, 170, 50)
    after = shifted(before, 120.0, 30.0, 8.0)
    found = find_again(draw(after, discs=DISCS), before)
    assert found is not None
    assert error_cells(found, after) < 0.05
