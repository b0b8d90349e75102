"""The visible side of a tall piece on the next point is no piece on an empty one."""

import cv2
import numpy as np
import pytest

from rules.point import parse_point
from tests.vision.drawn_table import CELL_PX, MARGIN_PX
from tests.vision.test_pipeline import Sitting
from vision.frame import Image
from vision.observation import Observation, glance, observe

FEN = "4k4/9/9/9/9/9/9/4P4/9/4K4 w - - 0 1"
_FACE_PX, _SIDE_PX = 15, round(0.59 * CELL_PX)
"""The drawn faces' radius; how far down the side of a piece as tall as that is seen."""
_SIDE_BGR = (184, 218, 233)
"""Nearly as light as the faces."""


def _tall_piece(picture: Image, x: int, y: int) -> Image:
    """The picture with the side of the piece at x, y px shown."""
    face = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(face, (x, y), _FACE_PX, 1, -1)
    tall = picture.copy()
    cv2.circle(tall, (x, y + _SIDE_PX), _FACE_PX, _SIDE_BGR, -1, cv2.LINE_AA)
    cv2.rectangle(tall, (x - _FACE_PX, y), (x + _FACE_PX, y + _SIDE_PX), _SIDE_BGR, -1)
    tall[face > 0] = picture[face > 0]
    return tall


def _observed(low_cells: float) -> Observation:
    """A tall piece that has come to e6, put down a little low."""
    sitting = Sitting(FEN)
    sitting.table.play("e2e6")
    sitting.table.offsets[parse_point("e6")] = (0.0, -low_cells)
    x, y = MARGIN_PX + 4 * CELL_PX, MARGIN_PX + round((3 + low_cells) * CELL_PX)
    picture = _tall_piece(sitting.table.picture(), x, y)
    watched, config = sitting.state.watched, sitting.setup.config.observation
    assert watched is not None
    look = glance(picture, watched.table.window, watched.scene, watched.table.inside, config)
    return observe(9.0, look, watched.previous, watched.scene, watched.table.looks, config)


@pytest.mark.parametrize("low_cells", [0.04, 0.06])
def test_the_side_of_a_tall_piece_is_no_piece_on_the_empty_point_before_it(low_cells: float) -> None:
    seen = _observed(low_cells)
    assert seen.occupancy[parse_point("e5")] < 0.0
    assert seen.occupancy[parse_point("e6")] > 0.5
