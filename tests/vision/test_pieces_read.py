import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.corners import grid_from_corners
from models.network import load_nets
from qiyan.commands.read import command
from rules.fen import START_FEN, format_fen
from rules.piece import kind_of
from tests.shared_data import DATA, needs_data
from vision.pieces.enrol import enrol
from vision.pieces.read import Doubt, read_board

REAL = DATA / "real"
CLUB = "xqrecognition/xqr_130204.jpg"
CLUB_LATER = "xqrecognition/xqr_130219.jpg"


@pytest.fixture(scope="module")
def nets():
    return load_nets()


@pytest.fixture(scope="module")
def labels():
    lines = (REAL / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return {label["image"]: label for label in map(json.loads, lines)}


def picture(label):
    image = cv2.imread(str(REAL / label["image"]))
    names = {"red_left": "a0", "red_right": "i0", "black_right": "i9", "black_left": "a9"}
    corners = {names[key]: tuple(value) for key, value in label["corners"].items()}
    return image, grid_from_corners(corners, (image.shape[1], image.shape[0]))


@needs_data
def test_the_start_position_is_read_with_its_turn_unknown(nets, labels):
    image, grid = picture(labels[CLUB])
    reading = read_board(image, grid, nets)
    assert format_fen(reading.position) == START_FEN
    assert reading.grid.red_side() == labels[CLUB]["red_side"]
    assert reading.confidence > 0.5
    assert reading.grid.face_height > 0.0
    assert np.allclose(reading.p_pieces.sum(axis=1), 1.0)


@needs_data
def test_a_set_enrolled_at_the_start_is_read_later_in_the_game(nets, labels):
    image, grid = picture(labels[CLUB])
    enrolment = enrol(image, grid, read_board(image, grid, nets, turn_known=True).position, nets)
    image, grid = picture(labels[CLUB_LATER])
    reading = read_board(image, grid, nets, enrolment, turn_known=True)
    assert format_fen(reading.position).split()[0] == labels[CLUB_LATER]["fen"]


@needs_data
def test_a_board_turned_by_half_reads_as_the_same_position(nets, labels):
    image, grid = picture(labels[CLUB_LATER])
    there = read_board(image, grid, nets)
    turned, turned_grid = picture(labels[CLUB_LATER])
    corners = turned_grid.corners_px()
    other = grid_from_corners(
        {"a0": corners["i9"], "i0": corners["a9"], "i9": corners["a0"], "a9": corners["i0"]}, turned_grid.size_wh
    )
    assert read_board(turned, other, nets).position == there.position


@pytest.mark.parametrize("fill", [0, 127, 255, None])
def test_any_picture_gives_a_reading_and_an_empty_one_no_piece_for_sure(nets, fill):
    if fill is None:
        image = np.random.default_rng(3).integers(0, 256, (240, 320, 3), dtype=np.uint8)
    else:
        image = np.full((240, 320, 3), fill, np.uint8)
    grid = grid_from_corners({"a0": (20, 220), "i0": (300, 220), "i9": (300, 20), "a9": (20, 20)}, (320, 240))
    reading = read_board(image, grid, nets)
    assert len(reading.points) == 90
    assert all(kind_of(point.piece) == 0 or point.p < 0.999 for point in reading.points)


def test_doubts_say_why():
    assert {doubt.value for doubt in Doubt} == {"occluded", "between points", "unclear"}


def test_a_file_that_is_no_picture_is_told_on_standard_error(tmp_path):
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no picture")
    result = CliRunner().invoke(command, ["--json", str(bad), str(tmp_path / "none.jpg")])
    assert result.exit_code == 2
    assert str(bad) in result.stderr and "none.jpg" in result.stderr
    assert result.stdout == ""


def test_a_picture_without_a_board_ends_with_3_and_the_others_are_still_read(tmp_path):
    grey = tmp_path / "grey.png"
    cv2.imwrite(str(grey), np.full((300, 400, 3), 128, np.uint8))
    result = CliRunner().invoke(command, ["--json", str(grey), str(grey)])
    assert result.exit_code == 3
    assert [json.loads(line)["error"] for line in result.stdout.splitlines()] == ["no board found"] * 2


@needs_data
def test_the_line_of_json_is_that_of_the_interface(labels):
    corners = labels[CLUB]["corners"]
    order = {"a0": "red_left", "i0": "red_right", "i9": "black_right", "a9": "black_left"}
    text = " ".join(f"{name}={corners[key][0]},{corners[key][1]}" for name, key in order.items())
    result = CliRunner().invoke(command, ["--json", "--corners", text, str(REAL / CLUB)])
    assert result.exit_code == 0
    line = json.loads(result.stdout)
    assert line["fen"] == START_FEN
    assert set(line["corners_px"]) == {"a0", "i0", "i9", "a9"}
    assert line["red_side"] == labels[CLUB]["red_side"]
    assert len(line["points"]) == 32
    assert set(line["points"][0]) == {"point", "piece", "p", "dx", "dy"}
    assert isinstance(line["doubts"], list)
