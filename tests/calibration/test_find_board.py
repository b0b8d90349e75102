"""Finding the board in drawn and in real pictures."""

import json

import cv2
import numpy as np
import pytest

from calibration.corners import grid_from_corners
from calibration.find_board import find_board, fit_to_lines
from tests.accuracy.corners import corner_error_cells, photographs
from tests.calibration.drawn_board import camera_grid, draw
from tests.shared_data import DATA, needs_data

START = tuple(
    p
    for p, s in enumerate(
        "RNBAKABNR" + "." * 9 + ".C.....C." + "P.P.P.P.P" + "." * 18 + "p.p.p.p.p" + ".c.....c." + "." * 9 + "rnbakabnr"
    )
    if s != "."
)


@pytest.mark.parametrize(
    ("elevation", "turn", "cell", "river", "k1", "dark", "discs"),
    [
        (88, 0, 55, 1.0, 0.0, True, START),
        (50, 90, 55, 1.0, 0.0, True, START),
        (65, 200, 50, 0.88, 0.0, False, START[::2]),
        (75, -30, 50, 1.12, 0.03, True, ()),
        (80, 45, 36, 1.0, -0.03, True, START),
    ],
)
def test_drawn_board_is_found(elevation, turn, cell, river, k1, dark, discs) -> None:
    truth = camera_grid(elevation, turn, cell, river, k1)
    found = find_board(draw(truth, dark, discs))
    assert found is not None
    assert corner_error_cells(found, truth.corners_px()) < 0.05
    assert found.confidence > 0.8
    assert found.river == pytest.approx(river, abs=0.02)


@pytest.mark.parametrize("kind", ["black", "noise", "tiny"])
def test_pictures_with_nothing_in_them_have_no_board(kind: str) -> None:
    image = {
        "black": np.zeros((480, 640, 3), dtype=np.uint8),
        "noise": np.random.default_rng(0).integers(0, 255, (480, 640, 3), dtype=np.uint8),
        "tiny": np.full((3, 5, 3), 90, dtype=np.uint8),
    }[kind]
    found = find_board(image)
    assert found is None or found.confidence < 0.5


def test_corners_given_roughly_are_put_on_the_lines() -> None:
    truth = camera_grid(70, 10, 55)
    rough = {name: (x + 3.0, y - 3.0) for name, (x, y) in truth.corners_px().items()}
    fitted = fit_to_lines(draw(truth, True, START), grid_from_corners(rough, truth.size_wh))
    assert corner_error_cells(fitted, truth.corners_px()) < 0.02


@needs_data
def test_most_real_boards_are_found() -> None:
    sample = [item for item in photographs(DATA) if item.source not in ("jf_sliding_robot", "haodong_webcam")][::6]
    errors = []
    for item in sample:
        found = find_board(cv2.imread(str(item.path)))
        errors.append(9.0 if found is None else corner_error_cells(found, item.corners))
    assert np.mean(np.array(errors) <= 0.15) >= 0.8


@needs_data
def test_pictures_without_a_board_are_refused() -> None:
    for line in (DATA / "real" / "negatives.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["kind"] in ("no_board", "other_game"):
            found = find_board(cv2.imread(str(DATA / "real" / entry["image"])))
            assert found is None or found.confidence < 0.5, entry["image"]
