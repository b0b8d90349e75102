"""Corners given by hand."""

import pytest

from calibration.corners import grid_from_corners, parse_corners
from calibration.errors import CornersError

SIZE_WH = (640, 480)
GOOD = {"a0": (100.0, 400.0), "i0": (500.0, 410.0), "i9": (450.0, 60.0), "a9": (140.0, 50.0)}


@pytest.mark.parametrize(
    "text",
    [
        "a0=100,400 i0=500,410 i9=450,60 a9=140,50",
        "i9=450,60; a9=140,50; a0=100.0,400.; i0=500,410",
        "a0: (100, 400), i0: (500, 410), i9: (450, 60), a9: (140, 50)",
    ],
)
def test_four_named_corners_are_read_in_any_order(text: str) -> None:
    assert parse_corners(text) == GOOD


@pytest.mark.parametrize(
    "text",
    ["", "x", "a0=1,2", "a0=1,2 i0=1,2 i9=1,2 b9=3,4", "a0=1,2 i0=1,2 i9=1,2 a9=3", "a0=nan,2 i0=1,2 i9=1,2 a9=3,4",
     "a0=100,400 i0=500,410 i9=450,60 a9=140,50 and more"],
)  # fmt: skip
def test_what_is_no_four_corners_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(CornersError, match="a0=210,640"):
        parse_corners(text)


def test_good_corners_are_kept() -> None:
    corners = grid_from_corners(GOOD, SIZE_WH).corners_px()
    assert {name: (round(x, 3), round(y, 3)) for name, (x, y) in corners.items()} == GOOD


@pytest.mark.parametrize(
    ("corners", "told"),
    [
        ({**GOOD, "a0": GOOD["i0"], "i0": GOOD["a0"], "i9": GOOD["a9"], "a9": GOOD["i9"]}, "mirrored"),
        ({**GOOD, "i0": GOOD["i9"], "i9": GOOD["i0"]}, "go round"),
        ({"a0": (0.0, 0.0), "i0": (100.0, 0.0), "i9": (200.0, 0.0), "a9": (300.0, 0.0)}, "go round"),
        ({**GOOD, "i0": (5000.0, 410.0)}, "outside the picture, which is 640 x 480"),
        ({"a0": (10.0, 12.0), "i0": (12.0, 12.0), "i9": (12.0, 10.0), "a9": (10.0, 10.0)}, "px apart"),
    ],
)
def test_corners_that_make_no_board_in_the_picture_are_told_apart(corners, told) -> None:
    with pytest.raises(CornersError, match=told):
        grid_from_corners(corners, SIZE_WH)
