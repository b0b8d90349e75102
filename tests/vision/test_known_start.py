"""Which way round a board lies whose position is expected."""

import cv2
import numpy as np
import pytest

from calibration.turn import half_turn
from rules.fen import START_FEN, parse_fen
from tests.vision.drawn_table import DrawnTable, true_grid
from vision.frame import Image
from vision.known_start import KnownStartConfig, find_known_start

BOARD = parse_fen(START_FEN).board


def _too_bright(picture: Image) -> Image:
    """Where the light is too strong, at Red's side, all that is bright turns greenish, ink as well as ground."""
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    down = np.linspace(-0.4, 1.0, len(lab))[:, None]
    lab[:, :, 1] -= np.clip(down, 0.0, 1.0) * np.clip((lab[:, :, 0] - 100.0) / 50.0, 0.0, 1.0) * 60.0
    return cv2.cvtColor(np.clip(lab, 0, 255).astype(np.uint8), cv2.COLOR_LAB2BGR).astype(np.uint8)


@pytest.mark.parametrize("turned", [False, True])
def test_red_sits_where_the_ink_is_red(turned: bool) -> None:
    picture, grid = DrawnTable(BOARD).picture(), true_grid()
    known = find_known_start(picture, half_turn(grid) if turned else grid, BOARD, turn_known=False)
    assert known.holds(KnownStartConfig())
    assert known.window.grid.red_side() == grid.red_side()


@pytest.mark.parametrize("turned", [False, True])
def test_green_glare_on_reds_side_does_not_turn_the_board(turned: bool) -> None:
    picture, grid = _too_bright(DrawnTable(BOARD).picture()), true_grid()
    known = find_known_start(picture, half_turn(grid) if turned else grid, BOARD, turn_known=False)
    right = known.window.grid.red_side() == grid.red_side()
    assert right or known.redness < KnownStartConfig().red_errors
