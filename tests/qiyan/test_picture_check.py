"""Warnings about the picture, on a drawn board that is spoilt in one way at a time."""

import cv2
import numpy as np
import pytest

from calibration.corners import grid_from_corners
from calibration.drawing import draw_grid
from calibration.grid import Grid
from qiyan.picture_check import Fault, check_picture
from vision.frame import Image

SIZE_WH = (640, 720)


def _grid(shrink: float = 1.0) -> Grid:
    corners = {"a0": (80.0, 640.0), "i0": (560.0, 640.0), "i9": (560.0, 100.0), "a9": (80.0, 100.0)}
    centre = np.array([320.0, 370.0])
    return grid_from_corners(
        {name: tuple(centre + shrink * (np.array(xy) - centre)) for name, xy in corners.items()}, SIZE_WH
    )


def _board(grid: Grid) -> Image:
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), (120, 170, 200), np.uint8)
    image = draw_grid(image, grid)
    for rank in (0, 3, 6, 9):
        for file in range(0, 9, 2):
            x, y = (round(v) for v in grid.to_px(np.array([[file, rank]]))[0])
            cv2.circle(image, (x, y), 24, (255, 255, 255), -1)
            cv2.putText(image, "R", (x - 14, y + 14), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (20, 20, 160), 5)
    return image


def _faults(image: Image, grid: Grid | None) -> set[Fault]:
    return {warning.fault for warning in check_picture(image, grid)}


def test_a_good_picture_has_no_warning() -> None:
    grid = _grid()
    assert _faults(_board(grid), grid) == set()


@pytest.mark.parametrize(
    ("spoilt", "fault"),
    [
        (lambda image: (image * 0.15).astype(np.uint8), Fault.TOO_DARK),
        (lambda image: np.clip(image * 0.2 + 205, 0, 255).astype(np.uint8), Fault.TOO_BRIGHT),
        (lambda image: cv2.GaussianBlur(image, (0, 0), 6), Fault.BLURRED),
    ],
)
def test_light_and_sharpness(spoilt, fault: Fault) -> None:
    grid = _grid()
    assert fault in _faults(spoilt(_board(grid)), grid)


def test_glare_names_its_points() -> None:
    grid = _grid()
    image = _board(grid)
    x, y = (round(v) for v in grid.to_px(np.array([[4, 4]]))[0])
    cv2.circle(image, (x, y), 40, (255, 255, 255), -1)
    (warning,) = check_picture(image, grid)
    assert warning.to_json() == {"code": "glare", "points": ["e4"]}


def test_framing() -> None:
    assert Fault.TOO_SMALL in _faults(_board(_grid(0.5)), _grid(0.5))
    assert Fault.CUT_OFF in _faults(_board(_grid(1.2)), _grid(1.2))
    low = grid_from_corners({"a0": (80, 500), "i0": (560, 500), "i9": (480, 330), "a9": (160, 330)}, SIZE_WH)
    assert Fault.TOO_LOW in _faults(_board(low), low)


def test_no_board_is_said() -> None:
    assert _faults(np.full((100, 100, 3), 128, np.uint8), None) == {Fault.NO_BOARD}
    assert _faults(np.zeros((100, 100, 3), np.uint8), None) == {Fault.TOO_DARK, Fault.NO_BOARD}
