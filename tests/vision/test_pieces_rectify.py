import numpy as np
import pytest

from calibration.corners import grid_from_corners
from vision.rectify import cells_to_px, px_to_cells, rectifier, rectify

CORNERS = {"a0": (120.0, 520.0), "i0": (700.0, 500.0), "i9": (640.0, 60.0), "a9": (180.0, 70.0)}


@pytest.mark.parametrize("aspect", [1.0, 0.9, 1.2])
def test_cells_and_pixels_are_each_others_inverse(aspect):
    cells = np.random.default_rng(1).uniform(-1, 10, (50, 2))
    assert np.allclose(px_to_cells(cells_to_px(cells, 48, 1, aspect), 48, 1, aspect), cells)


def test_half_a_turn_keeps_the_points():
    at = cells_to_px(np.array([[0.0, 0.0], [8.0, 9.0]]))
    assert np.allclose(at[0] + at[1], [479.0, 527.0])


def test_a_mark_in_the_picture_appears_at_its_cell():
    image = np.full((600, 800, 3), 200, np.uint8)
    grid = grid_from_corners(CORNERS, (800, 600))
    x, y = grid.to_px(np.array([[3.0, 6.0]]))[0]
    image[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5] = (0, 0, 255)
    board = rectify(image, grid)
    ys, xs = np.nonzero(board.image[..., 1] < 100)
    assert np.allclose(board.to_cells(np.array([[xs.mean(), ys.mean()]])), [[3.0, 6.0]], atol=0.03)


def test_fine_pictures_are_shrunk_before_they_are_warped():
    grid = grid_from_corners({name: (4 * x, 4 * y) for name, (x, y) in CORNERS.items()}, (3200, 2400))
    made = rectifier(grid)
    assert made.shrunk_wh is not None and made.shrunk_wh[0] < 3200
    assert made.apply(np.zeros((2400, 3200, 3), np.uint8)).image.shape == (528, 480, 3)
