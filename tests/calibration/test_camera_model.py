"""The camera and the faces' height from the grid."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera_model import find_camera, with_camera
from calibration.disc_height import fit_face_height
from calibration.errors import DistanceError
from calibration.turn import half_turn
from tests.calibration.drawn_board import camera_grid

POINTS = tuple(range(0, 90, 3))


@pytest.mark.parametrize("elevation", [45, 60, 88])
def test_elevation_follows_from_the_grid(elevation: float) -> None:
    assert find_camera(camera_grid(elevation, 30, 50)).elevation_deg == pytest.approx(elevation, abs=3.0)


@pytest.mark.parametrize("elevation", [45, 60, 80])
@pytest.mark.parametrize("height", [0.25, 0.5])
def test_face_height_follows_from_the_discs(elevation: float, height: float) -> None:
    truth = camera_grid(elevation, 75, 50)
    rng = np.random.default_rng(3)
    cells = np.array([[p % 9, p // 9] for p in POINTS]) + rng.normal(0, 0.03, (len(POINTS), 2))
    centres = truth.to_px(cells, height)
    centres[4] += 30.0  # one disc wrongly found
    fitted = fit_face_height(with_camera(replace(truth, up_px=np.zeros(3))), centres, POINTS)
    assert fitted.face_height == pytest.approx(height, abs=0.1)
    corners = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 9.0], [0.0, 9.0]])
    off = np.hypot(*(fitted.to_px(corners, fitted.face_height) - truth.to_px(corners, height)).T)
    assert off.max() / truth.cell_px() < 0.08


def test_too_few_discs_tell_no_height() -> None:
    with pytest.raises(DistanceError, match="at least 4"):
        fit_face_height(camera_grid(60, 0, 50), np.zeros((2, 2)), (0, 1))


def test_half_turn_exchanges_the_ends() -> None:
    grid = camera_grid(55, 20, 50, river=0.9)
    turned = half_turn(grid)
    assert np.allclose(turned.to_px(np.array([[0.0, 0.0], [2.0, 7.0]])), grid.to_px(np.array([[8.0, 9.0], [6.0, 2.0]])))
    assert np.allclose(turned.to_px(np.array([[1.0, 1.0]]), 0.5), grid.to_px(np.array([[7.0, 8.0]]), 0.5))
